"""A topic word's whole way through training with a fixed classifier, when non-topic words stand still.

With all other words at score 0 and embedding 0, a sentence of topic word t and m others is described by t's own
score and embedding alone, and a small differential equation tells the rest, with nothing fitted:

    ds/dτ = ‖q‖² p a(1 − a) ν·h        dν/dτ = p a h        a = eˢ/(eˢ + m)        h = U(y − softmax(a Uᵀν))

with p the share of sentences that hold t. Whatever the classifier, ds/d(‖q‖‖ν‖) = (1 − a) ‖q‖‖ν‖ along ν: SEN.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import nnls
from scipy.special import expit, log_softmax

from attnlearn.corpora import Corpus
from attnlearn.topics.model import Array, start

TOLERANCE = 1e-9  # of the solver: six digits to spare beside a figure


@dataclass(frozen=True)
class Closed:
    """What the closed theory says of training. T epochs, W topic words."""

    epoch: Array  # (T,)
    loss: Array  # (T,)    mean cross entropy, nats
    score: Array  # (T, W)  s
    norm: Array  # (T, W)  ‖ν‖
    attention: Array  # (T, W)  a, the topic word's attention weight


def closed_trajectory(
    weight: Array,
    label: NDArray[np.int64],
    *,
    share: Array,
    others: float,
    query_norm: float,
    epoch: ArrayLike,
    step: float = 0.1,
) -> Closed:
    """Topic words' way from score 0 and embedding 0, by the closed theory.

    Args:
        weight: U (d, C), the fixed classifier's matrix.
        label: the class of each topic word (W,).
        share: p, the share of the sentences that hold it (W,); together 1 where every sentence holds one.
        others: m > 0, how many other words share a sentence with it.
        query_norm: ‖q‖.
        epoch: when to look (T,), not negative and increasing.
        step: time in an epoch, as for `flow`.

    Returns:
        Loss, scores, norms and attention at those epochs.

    Raises:
        ValueError: `others` or `step` is not positive, or `epoch` is negative or does not increase.

    Source: ours, from LMN's update rules with the other words held at zero.
    """
    when = np.asarray(epoch, dtype=np.float64)
    _check_positive(others=others, step=step)
    if when[0] < 0 or np.any(np.diff(when) <= 0):
        raise ValueError(f"epoch must be increasing and not negative, got {when.tolist()}")
    words, target = len(label), np.eye(weight.shape[1])[label]  # (W, C)

    def parts(state: Array) -> tuple[Array, Array, Array, Array]:
        score, embedding = state[:words], state[words:].reshape(words, -1)  # (W,), (W, d)
        attention = expit(score - np.log(others))  # (W,)  a
        return score, embedding, attention, log_softmax(attention[:, None] * embedding @ weight, axis=1)

    def velocity(_: float, state: Array) -> Array:
        embedding, attention, likely = parts(state)[1:]
        pull = (target - np.exp(likely)) @ weight.T  # (W, d)  h
        dembedding = (share * attention)[:, None] * pull  # (W, d)
        dscore = query_norm**2 * (1 - attention) * (embedding * dembedding).sum(1)  # (W,)
        return step * np.concatenate([dscore, dembedding.ravel()])

    begin = np.zeros(words * (1 + len(weight)))
    solved: Any = solve_ivp(velocity, (0, when[-1]), begin, t_eval=when, method="LSODA", rtol=TOLERANCE, atol=TOLERANCE)
    seen = [parts(state) for state in solved.y.T]
    return Closed(
        epoch=when,
        loss=np.array([-(share * (target * likely).sum(1)).sum() for *_, likely in seen]),
        score=np.array([score for score, *_ in seen]),
        norm=np.array([np.linalg.norm(embedding, axis=1) for _, embedding, *_ in seen]),
        attention=np.array([attention for _, _, attention, _ in seen]),
    )


def closed_theory(
    corpus: Corpus,
    *,
    dimension: int = 10,
    query_dimension: int = 10,
    query_std: float = 0.3,
    step: float = 0.1,
    epoch: ArrayLike,
    seed: int,
) -> Closed:
    """What the closed theory says of `descend` or `flow` on a corpus of topic sentences, fixed classifier, same seed.

    Args:
        corpus: of topic sentences; p, m and the words' classes are its training sentences'.
        dimension: d, of embeddings.
        query_dimension: d', of the query.
        query_std: of the query's entries.
        step: of descent.
        epoch: when to look (T,), not negative and increasing.
        seed: of the start.

    Returns:
        Loss, scores, norms and attention of the corpus's topic words at those epochs.

    Raises:
        ValueError: the corpus has no topic words, or a parameter is out of range.
    """
    if not len(corpus.topic_words):
        raise ValueError(f"the closed theory is about topic words, and {corpus.name} has none")
    begin = start(
        words=0,
        classes=len(corpus.labels),
        classifier="fixed",
        dimension=dimension,
        query_dimension=query_dimension,
        query_std=query_std,
        embedding_std=0,
        seed=seed,
    )
    held = corpus.train.counts[:, corpus.topic_words].toarray()  # (S, W)
    return closed_trajectory(
        begin.classifier[0],
        corpus.train.label[held.argmax(0)],
        share=held.mean(0),
        others=float(corpus.train.length.mean()) - 1,
        query_norm=float(np.linalg.norm(begin.query)),
        epoch=epoch,
        step=step,
    )


def phase_velocity(
    score: Array, scaled_norm: Array, *, others: float, query_norm: float, margin: float, classes: int = 2
) -> tuple[Array, Array]:
    """How fast score and scaled norm move where the embedding lies along its own class's direction.

    With R = ‖q‖‖ν‖ and g = γ/‖q‖, per unit of time times the word's share of the sentences:

        dR/dτ = γ‖q‖ a e        ds/dτ = (1 − a) R dR/dτ        e = (C − 1)/(C − 1 + exp(a g R))

    e is the likelihood given to wrong classes. Exact for two classes, and for more when every class's column of
    U is as far from every other's; orbits are SEN's curves always, since ds/dR = (1 − a) R has no classifier in it.

    Args:
        score: s, any shape.
        scaled_norm: R ≥ 0, of that shape.
        others: m > 0.
        query_norm: ‖q‖ > 0.
        margin: γ, as from `margins`.
        classes: C.

    Returns:
        ds/dτ and dR/dτ, each of that shape.

    Raises:
        ValueError: `others`, `query_norm` or `margin` is not positive, or there are fewer than two classes.

    Source: ours, from the closed theory above.
    """
    _check_positive(others=others, query_norm=query_norm, margin=margin)
    if classes < 2:
        raise ValueError(f"classes must be at least 2, got {classes}")
    attention = expit(score - np.log(others))  # a
    wrong = expit(np.log(classes - 1) - attention * scaled_norm * margin / query_norm)  # e
    dnorm = margin * query_norm * attention * wrong
    return (1 - attention) * scaled_norm * dnorm, dnorm


def margins(weight: Array) -> Array:
    """How far each class's logit can lead all others, per unit of embedding norm.

    γ_y = max over unit vectors v of min over c ≠ y of (u_y − u_c)·v: the distance from u_y to the convex hull of
    the other classes' columns. Late in training ν grows along that v, and the loss falls as Σ 1/(γ² τ).

    Args:
        weight: U (d, C).

    Returns:
        γ (C,); 0 for a class that no embedding can single out.

    Source: ours, from the closed theory above.
    """
    gamma = []
    for own in range(weight.shape[1]):
        ahead = weight[:, [own]] - np.delete(weight, own, axis=1)  # (d, C-1)  u_y − u_c
        # the nearest point of the hull: nonnegative least squares, drawn to total weight 1, then scaled to it
        mix, _ = nnls(np.vstack([ahead, np.ones(ahead.shape[1])]), np.append(np.zeros(len(ahead)), 1))
        gamma.append(np.linalg.norm(ahead @ mix) / mix.sum())
    return np.array(gamma)


def late_loss(weight: Array, label: NDArray[np.int64], *, epoch: ArrayLike, step: float = 0.1) -> Array:
    """The loss late in training with a fixed classifier: Σ 1/(γ² τ) over topic words, however frequent each is.

    Args:
        weight: U (d, C), every class's margin positive.
        label: the class of each topic word (W,).
        epoch: when (T,), positive.
        step: time in an epoch.

    Returns:
        Loss (T,), nats: what the closed theory's loss tends to, the ratio of both going to 1.

    Source: ours, from the closed theory above.
    """
    rate: Array = (1 / margins(weight)[label] ** 2).sum() / (step * np.asarray(epoch, dtype=np.float64))
    return rate


def _check_positive(**numbers: float) -> None:
    for name, number in numbers.items():
        if not number > 0:
            raise ValueError(f"{name} must be positive, got {number}")
