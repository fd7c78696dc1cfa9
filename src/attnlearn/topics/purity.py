"""Which words attention looks at, and how pure and how common they are."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from attnlearn.corpora import Sentences
from attnlearn.topics.model import Array


def topic_purity(sentences: Sentences) -> Array:
    """δ of every word: how one-sided the labels of the sentences that hold it are.

    δ(w) = | share of positive − share of negative |, a sentence counted once however often it holds the word.

    Args:
        sentences: with two classes, 0 and 1.

    Returns:
        δ (V,), from 0 (as many of each) to 1 (one class only); nan for words that no sentence holds.

    Raises:
        ValueError: a label is neither 0 nor 1; LMN defines δ for two classes only.

    Source: LMN, topic purity.
    """
    if not np.isin(sentences.label, (0, 1)).all():
        raise ValueError(f"purity needs labels 0 and 1, got {np.unique(sentences.label).tolist()}")
    holds = sentences.counts.sign()  # (S, V)
    sign = 2.0 * sentences.label - 1  # (S,)
    with np.errstate(invalid="ignore"):
        purity: Array = np.abs(holds.T @ sign) / holds.sum(axis=0)  # (V,)
    return purity


def occurrences(sentences: Sentences) -> NDArray[np.int64]:
    """How often every word occurs, repeats in a sentence counted.

    Args:
        sentences: of a vocabulary of V words.

    Returns:
        Counts (V,).
    """
    return np.bincount(sentences.word, minlength=sentences.vocabulary)


def attended(sentences: Sentences, score: Array) -> NDArray[np.int64]:
    """The word with the largest score in each sentence, the first in reading order where several have it.

    Args:
        sentences: S of them, none empty.
        score: s (V,).

    Returns:
        Word ids (S,).
    """
    scores = score[sentences.word]  # (N,)
    best = np.repeat(np.maximum.reduceat(scores, sentences.start[:-1]), sentences.length)  # (N,)
    winners = np.flatnonzero(scores == best)  # every sentence has at least one
    first = np.searchsorted(winners, sentences.start[:-1])  # (S,)
    return sentences.word[winners[first]]


class Focus(NamedTuple):
    """What attention looks at in the sentences that hold a word. T epochs, W words."""

    purity: Array  # (T, W)  mean δ of the attended word over those sentences
    occurrences: Array  # (T, W)  mean occurrence count of the attended word


def focus(sentences: Sentences, score: Array, words: NDArray[np.int64]) -> Focus:
    """How pure and how common the attended word is, over the sentences that hold each of some words.

    Args:
        sentences: of two classes, none empty; purity and occurrences are theirs.
        score: s at every recorded epoch (T, V).
        words: ids (W,).

    Returns:
        Mean purity and occurrence count of the word with the largest score, by epoch and word, a sentence
        counted once; nan for words that no sentence holds.

    Raises:
        ValueError: a label is neither 0 nor 1.

    Source: LMN, the purity figure.
    """
    holds = sentences.counts.sign().T.tocsr()[words]  # (W, S)
    share = np.asarray(holds.sum(axis=1))  # (W,)  how many sentences hold each
    looked = np.array([attended(sentences, now) for now in score])  # (T, S)
    means: list[Any] = []
    with np.errstate(invalid="ignore"):
        for measure in (topic_purity(sentences), occurrences(sentences)):  # (V,)
            means.append((holds @ measure[looked].T / share[:, None]).T)  # (T, W)
    return Focus(*means)
