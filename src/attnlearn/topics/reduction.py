"""What training moves, in the smallest exact form, and how fast it moves; exact, never an approximation.

A classifier sees a context vector through a few columns Ũ: a linear one through its class weights less the
last class's (class gradients sum to zero, so C − 1 columns say all), a two-layer one through its first layer.
Attention therefore pools ν·Ũ, a few numbers a word, in place of ν. Training moves

    ν by (dν·Ũ) Ũᵀ        and, where the classifier is trained,        Ũ by Eᵀ (dν·Ũ),

so all embeddings it can reach are E = E₀ + A Fᵀ and all columns Ũ = F M, with

- F = Ũ, M = 1 for a fixed classifier: embeddings move in the columns' span;
- F = Ũ₀, E₀ = 0 for embeddings that start at zero: embeddings and columns stay in that span;
- F = 1 otherwise: A is E itself and M is Ũ.

Training carries A and M only. Norms follow from ‖ν‖² = ‖ν₀‖² + 2 A·(E₀F) + A FᵀF Aᵀ. Keys start at zero and
move along the query, so one number a word stands for a key: κ = key q/‖q‖, s = ‖q‖ key.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from attnlearn.corpora import Sentences
from attnlearn.topics.model import Array, Attention, Start, abreast, beside, cross_entropy, pool, update_rules, weigh
from attnlearn.topics.products import Counts, fast


def times(columns: Array, matrix: Array) -> Array:
    """columns @ matrix, column by column in memory as `beside` leaves them."""
    product: Array = np.dot(matrix.T, columns.T).T  # dot, not @: far faster for a single column
    return product


@dataclass(frozen=True)
class Direct:
    """A linear classifier's columns are its logits, relative to the last class."""

    def hidden(self, column: Array) -> Array:
        return column

    def logit(self, hidden: Array) -> Array:
        return beside(hidden, np.zeros(len(hidden)))  # (S, C)

    def learn(self, hidden: Array, residual: Array) -> tuple[Array, tuple[Array, ...]]:
        return residual[:, :-1], ()

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

    def learn(self, hidden: Array, residual: Array) -> tuple[Array, tuple[Array, ...]]:
        """The pull on the columns (S, H), and how bias, weight and class bias move."""
        pull = times(residual, self.weight.T)  # (S, H)
        pull *= hidden > 0
        return pull, (pull.mean(0), hidden.T @ residual / len(residual), residual.mean(0))

    def gradient(self, outer: Array) -> Array:
        return outer


class Parts(NamedTuple):
    """All that training moves, as views of one flat state. V words, k basis columns, c columns."""

    key: Array  # (V,)    κ·q/‖q‖
    query_norm: Array  # (1,)    ‖q‖
    moved: Array  # (V, k)  A
    map: Array  # (k, c)  M
    layers: list[Array]  # the classifier's further layers: bias, weight and class bias of two, none of one


class Words(NamedTuple):
    """What sentences see of the words in one state."""

    parts: Parts
    head: Direct | Hidden
    score: Array  # (V,)    s
    weight: Array  # (V,)    eˢ, times a constant
    column: Array  # (V, c)  ν·Ũ
    weighted: Array  # (V, c+1)  eˢ ν·Ũ and eˢ


class Batch(NamedTuple):
    """Sentences in the form that training reads."""

    counts: Counts  # (S, V)
    target: Array  # (S, C)  one-hot labels


def batch(sentences: Sentences, *, classes: int) -> Batch:
    """The batch of all these sentences."""
    target = np.asfortranarray(sentences.label[:, None] == np.arange(classes), dtype=np.float64)
    return Batch(fast(sentences.counts), target)


class Reduced:
    """Embeddings, keys and classifier as one flat state that descent and flow move by its velocity."""

    def __init__(self, begin: Start, *, classifier: str, freeze: str | None = None, train_query: bool = False) -> None:
        embedding, (weight, *rest) = begin.embedding, begin.classifier
        column = weight if rest else weight[:, :-1] - weight[:, -1:]  # (d, c)  Ũ₀
        self.freeze, self.train_query, self.trained = freeze, train_query, classifier != "fixed"
        self.origin = np.zeros((1, 1))  # E₀F, where it is not zero (V, k)
        self.square: Array = np.zeros(1)  # ‖ν₀‖², likewise (V,)
        if not self.trained or not embedding.any():
            basis, change = column, np.eye(column.shape[1])  # F (d, k), M (k, c)
            moved = np.zeros((len(embedding), column.shape[1]))  # A (V, k)
            if embedding.any():
                self.origin, self.square = times(embedding, column), (embedding**2).sum(1)
        else:
            basis, change, moved = np.eye(len(column)), column, embedding
        self.gram = basis.T @ basis  # (k, k)

        pieces = [np.zeros(len(embedding)), np.atleast_1d(np.linalg.norm(begin.query)), moved.T, change, *rest]
        ends = np.cumsum([piece.size for piece in pieces]).tolist()
        self._places = [(end - piece.size, end, piece.shape) for end, piece in zip(ends, pieces, strict=True)]
        self.start: Array = np.concatenate([piece.ravel() for piece in pieces])  # the flat state at epoch 0

    def parts(self, state: Array) -> Parts:
        """The named parts of a flat state, or of its velocity."""
        key, query_norm, moved, change, *layers = (state[a:b].reshape(shape) for a, b, shape in self._places)
        return Parts(key, query_norm, moved.T, change, layers)

    def words(self, state: Array) -> Words:
        """What sentences see of the words."""
        parts = self.parts(state)
        score = parts.query_norm * parts.key  # (V,)
        weight = weigh(score)
        column = self.origin + times(parts.moved, self.gram @ parts.map)  # (V, c)
        head = Hidden(*parts.layers) if parts.layers else Direct()
        return Words(parts, head, score, weight, column, abreast(weight[:, None] * column, weight))

    def loss(self, words: Words, batch: Batch) -> float:
        """Mean cross entropy over the batch."""
        context, _ = pool(batch.counts, words.weighted)
        loss, _ = cross_entropy(words.head.logit(words.head.hidden(context)), batch.target)
        return loss

    def guess(self, words: Words, sentences: Sentences) -> Array:
        """The likeliest class of each sentence, (S,)."""
        context, _ = pool(sentences.counts, words.weighted)
        return words.head.logit(words.head.hidden(context)).argmax(1)

    def velocity(self, words: Words, batch: Batch) -> tuple[float, Array]:
        """The batch's loss, and how fast gradient descent on it moves the flat state, per unit of step."""
        context, mass = pool(batch.counts, words.weighted)  # (S, c), (S, 1)  ν̄·Ũ and Z
        hidden = words.head.hidden(context)  # (S, ·)  what the classifier's last layer sees
        loss, residual = cross_entropy(words.head.logit(hidden), batch.target)
        pull, layers = words.head.learn(hidden, residual)
        attention = Attention(context, mass, words.weight)
        dscore, dcolumn = update_rules(batch.counts, attention, words.column, pull, query_norm=1)

        velocity = np.zeros_like(self.start)
        moves = self.parts(velocity)
        if self.freeze != "keys":
            moves.key[:] = words.parts.query_norm * dscore
            if self.train_query:
                moves.query_norm[:] = words.parts.key @ dscore
        if self.freeze != "embeddings":
            np.dot(words.parts.map, dcolumn.T, out=moves.moved.T)  # dA = dcolumn Mᵀ
        if self.trained:
            moves.map[:] = words.head.gradient(words.parts.moved.T @ dcolumn)
            for move, layer in zip(moves.layers, layers, strict=True):
                move[:] = layer
        return loss, velocity

    def norm(self, parts: Parts) -> Array:
        """‖ν‖ of every word, (V,)."""
        moved = parts.moved
        square = self.square + (moved * (2 * self.origin + times(moved, self.gram))).sum(1)
        norm: Array = np.sqrt(np.maximum(square, 0))  # rounding may leave a zero a little below 0
        return norm
