"""LMN's topic classifier: attention over a bag of words, its update rules, and three classifiers.

Symbols: s score, ν embedding, ν̄ context vector, Z mass, h = −∂loss/∂ν̄ pull. S sentences, V words, C classes.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

CLASSIFIERS = ("fixed", "linear", "two-layer")  # LMN's FC, TC, TL
HIDDEN = 10  # units in the two-layer classifier

Array = NDArray[np.float64]


class Attention(NamedTuple):
    """What attention makes of every sentence; a word's attention weight there is weight / mass."""

    context: Array  # (S, d)  ν̄
    mass: Array  # (S, 1)  Z, in the unit of `weight`
    weight: Array  # (V,)    eˢ, times the one constant that keeps it in range


def beside(*columns: Array) -> Array:
    """Columns side by side, each in one piece of memory: NumPy is fast along few long ones.

    Args:
        columns: (S, c) or (S,) each.

    Returns:
        All of them, (S, total).
    """
    return np.vstack([column.T for column in columns]).T


def abreast(column: Array, last: Array) -> Array:
    """Columns and a last one, row by row in memory as a sparse product reads them.

    Args:
        column: (S, c).
        last: (S,).

    Returns:
        All of them, (S, c+1).
    """
    table = np.empty((len(column), column.shape[1] + 1))
    table[:, :-1] = column
    table[:, -1] = last
    return table


def weigh(score: Array) -> Array:
    """eˢ divided by e to the middle of the scores' range, which leaves every attention weight as it is.

    Args:
        score: s (V,).

    Returns:
        (V,), in range as long as no two scores differ by more than 1,400.
    """
    weight: Array = np.exp(score - (score.max() + score.min()) / 2)
    return weight


def attend(counts: Any, score: Array, embedding: Array) -> Attention:
    """The context vector ν̄ = Σ eˢ ν / Z of every sentence, sums running over its words, repeats counted.

    Args:
        counts: occurrences of each word in each sentence (S, V), sparse.
        score: s (V,); finite, and no two further than 1,400 apart.
        embedding: ν (V, d).

    Returns:
        Context vectors, masses and the words' weights.

    Source: LMN, the model.
    """
    weight = weigh(score)
    context, mass = pool(counts, abreast(weight[:, None] * embedding, weight))
    return Attention(context, mass, weight)


def pool(counts: Any, weighted: Array) -> tuple[Array, Array]:
    """Context vectors and masses from the words' weighted embeddings and weights, in one sparse product.

    Args:
        counts: occurrences (S, V), sparse.
        weighted: [eˢ ν, eˢ] (V, d+1).

    Returns:
        ν̄ (S, d) and Z (S, 1).
    """
    pooled = counts @ weighted  # (S, d+1)
    mass = pooled[:, -1:]
    context = pooled[:, :-1]  # (S, d)
    context /= mass
    return context, mass


def update_rules(
    counts: Any, attention: Attention, embedding: Array, pull: Array, *, query_norm: float
) -> tuple[Array, Array]:
    """Where gradient descent moves every word's score and embedding, per unit of step.

        ds/dτ = ‖q‖² mean [ (eˢ/Z) (ν − ν̄)·h ]        dν/dτ = mean [ (eˢ/Z) h ]

    with the mean over all sentences and a term for each occurrence of the word.

    Args:
        counts: occurrences of each word in each sentence (S, V), sparse.
        attention: what `attend` makes of them.
        embedding: ν (V, d).
        pull: h (S, d), −∂loss/∂ν̄ of each sentence's own loss.
        query_norm: ‖q‖.

    Returns:
        ds/dτ (V,) and dν/dτ (V, d).

    Source: LMN, the update rules; derived in topic-classifier/update-rules.
    """
    context, mass, weight = attention
    share = pull / (mass * len(mass))  # (S, d)  h/Z, over S for the mean
    sent = abreast(share, (share * context).sum(1))  # (S, d+1)  h/Z and ν̄·h/Z
    heard = counts.T @ sent  # (V, d+1)
    heard *= weight[:, None]
    dembedding = heard[:, :-1]  # (V, d)
    dscore = query_norm**2 * ((embedding * dembedding).sum(1) - heard[:, -1])  # (V,)
    return dscore, dembedding


def cross_entropy(logit: Array, target: Array) -> tuple[float, Array]:
    """Mean cross entropy and what it asks of the logits.

    Args:
        logit: (S, C).
        target: one-hot labels (S, C).

    Returns:
        Mean loss in nats, and the residual y − softmax(logit) (S, C), each sentence's own −∂loss/∂logit.
    """
    below = logit - logit.max(1, keepdims=True)  # (S, C)  ≤ 0: exp cannot overflow
    likely = np.exp(below)  # (S, C)
    total = likely.sum(1, keepdims=True)  # (S, 1)
    loss = float(np.log(total).sum() - np.vdot(target.T, below.T)) / len(logit)
    likely /= total
    return loss, target - likely


@dataclass(frozen=True)
class Start:
    """The numbers training starts from; keys start at zero."""

    query: Array  # (d',)
    embedding: Array  # (V, d)
    classifier: tuple[Array, ...]  # weight (d, C), or for two layers: (d, 10), (10,), (10, C), (C,)


def start(
    *,
    words: int,
    classes: int,
    classifier: str,
    dimension: int,
    query_dimension: int,
    query_std: float,
    embedding_std: float,
    seed: int,
) -> Start:
    """Draws the query, the classifier and the embeddings, in this order.

    The fixed matrix is N(0, 1) with ones on its diagonal; trained layers are uniform within ±1/sqrt(fan-in).

    Args:
        words: V.
        classes: C.
        classifier: "fixed" (FC), "linear" (TC) or "two-layer" (TL).
        dimension: d, of embeddings.
        query_dimension: d', of keys and query.
        query_std: of the query's entries.
        embedding_std: of the embeddings' entries; 0 starts them at zero.
        seed: of every draw.

    Returns:
        The start; query and classifier do not depend on `words` or `embedding_std`.

    Source: LMN, the authors' code.
    """
    rng = np.random.default_rng(seed)

    def uniform(fan_in: int, *shape: int) -> Array:
        reach = 1 / np.sqrt(fan_in)
        return rng.uniform(-reach, reach, size=shape)

    query = query_std * rng.standard_normal(query_dimension)
    layers: tuple[Array, ...]
    if classifier == "fixed":
        weight = rng.standard_normal((dimension, classes))
        np.fill_diagonal(weight, 1)
        layers = (weight,)
    elif classifier == "linear":
        layers = (uniform(dimension, dimension, classes),)
    else:
        inner = uniform(dimension, dimension, HIDDEN), uniform(dimension, HIDDEN)
        layers = (*inner, uniform(HIDDEN, HIDDEN, classes), uniform(HIDDEN, classes))
    return Start(query, embedding_std * rng.standard_normal((words, dimension)), layers)
