"""What training has to carry of embeddings and classifier; exact, never an approximation.

A classifier sees a context vector through a few columns Ũ: a linear one through its class weights less the
last class's (class gradients sum to zero, so C − 1 columns say all), a two-layer one through its first layer.
Attention therefore pools ν·Ũ, a few numbers a word, in place of ν. Descent moves

    ν by (dν·Ũ) Ũᵀ        and, where the classifier is trained,        Ũ by Eᵀ (dν·Ũ),

so all embeddings it can reach are E = E₀ + A Fᵀ and all columns Ũ = F M, with

- F = Ũ, M = 1 for a fixed classifier: embeddings move in the columns' span;
- F = Ũ₀, E₀ = 0 for embeddings that start at zero: embeddings and columns stay in that span;
- F = 1 otherwise: A is E itself and M is Ũ.

Training carries A and M only. Norms follow from ‖ν‖² = ‖ν₀‖² + 2 A·(E₀F) + A FᵀF Aᵀ.
"""

from dataclasses import dataclass

import numpy as np

from attnlearn.topics.model import Array, Start, beside


def times(columns: Array, matrix: Array) -> Array:
    """columns @ matrix, column by column in memory as `beside` leaves them."""
    product: Array = (matrix.T @ columns.T).T
    return product


@dataclass(frozen=True)
class Direct:
    """A linear classifier's columns are its logits, relative to the last class."""

    def hidden(self, column: Array) -> Array:
        return column

    def logit(self, hidden: Array) -> Array:
        return beside(hidden, np.zeros(len(hidden)))  # (S, C)

    def learn(self, hidden: Array, residual: Array, step: float) -> tuple[Array, "Direct"]:
        return residual[:, :-1], self

    def gradient(self, outer: Array) -> Array:
        """The last class's weights move too, and every column is relative to them: G (1 + 11ᵀ)."""
        total: Array = outer.sum(1, keepdims=True)
        return outer + total


@dataclass(frozen=True)
class Hidden:
    """A two-layer classifier's columns go through bias and ReLU to a second layer."""

    bias: Array  # (H,)
    weight: Array  # (H, C)
    class_bias: Array  # (C,)

    def hidden(self, column: Array) -> Array:
        return np.maximum(column + self.bias, 0)  # (S, H)

    def logit(self, hidden: Array) -> Array:
        return times(hidden, self.weight) + self.class_bias  # (S, C)

    def learn(self, hidden: Array, residual: Array, step: float) -> tuple[Array, "Hidden"]:
        pull = times(residual, self.weight.T)  # (S, H)
        pull *= hidden > 0
        return pull, Hidden(
            self.bias + step * pull.mean(0),
            self.weight + (step / len(residual)) * (hidden.T @ residual),
            self.class_bias + step * residual.mean(0),
        )

    def gradient(self, outer: Array) -> Array:
        return outer


class Reduced:
    """Embeddings and classifier in the smallest exact form. V words, k basis columns, c columns."""

    def __init__(self, begin: Start, *, classifier: str) -> None:
        embedding, (weight, *rest) = begin.embedding, begin.classifier
        column = weight if rest else weight[:, :-1] - weight[:, -1:]  # (d, c)  Ũ₀
        self.head: Direct | Hidden = Hidden(*rest) if rest else Direct()
        self.trained = classifier != "fixed"
        self.origin = np.zeros((1, 1))  # E₀F, where it is not zero (V, k)
        self.square: Array = np.zeros(1)  # ‖ν₀‖², likewise (V,)
        if not self.trained or not embedding.any():
            basis, self.map = column, np.eye(column.shape[1])  # F (d, k), M (k, c)
            self.moved = np.zeros((len(embedding), column.shape[1]), order="F")  # A (V, k)
            if embedding.any():
                self.origin, self.square = times(embedding, column), (embedding**2).sum(1)
        else:
            basis, self.map, self.moved = np.eye(len(column)), column, np.asfortranarray(embedding)
        self.gram = basis.T @ basis  # (k, k)

    def column(self) -> Array:
        """ν·Ũ of every word, (V, c)."""
        return self.origin + times(self.moved, self.gram @ self.map)

    def norm(self) -> Array:
        """‖ν‖ of every word, (V,)."""
        square = self.square + (self.moved * (2 * self.origin + self.moved @ self.gram)).sum(1)
        norm: Array = np.sqrt(np.maximum(square, 0))  # rounding may leave a zero a little below 0
        return norm

    def learn(self, dcolumn: Array, step: float, *, embeddings: bool) -> None:
        """One update from the words' share of the pull, mean (eˢ/Z) h·column, (V, c)."""
        dmap = self.head.gradient(self.moved.T @ dcolumn)  # (k, c)
        if embeddings:
            self.moved += times(dcolumn, step * self.map.T)
        if self.trained:
            self.map = self.map + step * dmap
