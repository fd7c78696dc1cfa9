"""What the theory says of a word's score and embedding norm: the SEN relation."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from attnlearn.corpora import Corpus
from attnlearn.topics.model import Array
from attnlearn.topics.training import Trajectory


def sen_norm(score: Array, *, others: float | Array) -> Array:
    """Scaled embedding norm ‖q‖‖ν‖ that the SEN relation pairs with a score.

    For a word that starts at score 0 and embedding 0 and shares its sentences with `others` words:
    ‖q‖‖ν‖ = sqrt(2 (s + eˢ/m − 1/m)), with s the score and m = others.

    Args:
        score: s, any shape, dimensionless.
        others: m > 0, the mean number of other words in a sentence that holds the word: one number, or one a
            word, then along the last axis of `score`; nan where unknown.

    Returns:
        ‖q‖‖ν‖, the shape of `score`; nan where s < 0, which no norm can accompany, and where m is nan.

    Raises:
        ValueError: an m is not positive.

    Source: LMN, the SEN relation; derived in topic-classifier/sen.
    """
    if np.any(np.asarray(others) <= 0):
        raise ValueError(f"others must be positive, got {np.nanmin(others)}")
    energy = score + np.expm1(score) / others
    with np.errstate(invalid="ignore"):
        return np.sqrt(2 * energy)


def sen_error(score: Array, norm: Array, *, others: float | Array, query_norm: float) -> Array:
    """How far a measured norm is from the SEN relation, relative to it.

    Args:
        score: s, any shape.
        norm: measured ‖ν‖, the shape of `score`.
        others: m, as for `sen_norm`.
        query_norm: ‖q‖.

    Returns:
        | ‖q‖‖ν‖ − theory | / theory, the shape of `score`; nan where the theory is nan or zero.

    Raises:
        ValueError: an m is not positive.
    """
    theory = sen_norm(score, others=others)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(theory > 0, np.abs(query_norm * norm - theory) / theory, np.nan)


def sen_table(run: Trajectory, corpus: Corpus, words: NDArray[np.int64], *, others: float | Array) -> pd.DataFrame:
    """Some words' way through training beside the SEN relation, one row for each recorded epoch and word.

    Args:
        run: the trajectory.
        corpus: what it learned from.
        words: ids (W,).
        others: m, one number or one for each of `words`.

    Returns:
        Columns epoch, word (its text), score (s), scaled norm (‖q‖‖ν‖), SEN (what `sen_norm` gives for the score)
        and error (`sen_error`); T times W rows, epochs in order.

    Raises:
        ValueError: an m is not positive.
    """
    score, norm = run.score[:, words], run.norm[:, words]  # (T, W)
    columns = {
        "epoch": np.repeat(run.epoch[:, None], len(words), axis=1),
        "word": np.tile(np.array(corpus.words)[words], (len(run.epoch), 1)),
        "score": score,
        "scaled norm": run.query_norm * norm,
        "SEN": sen_norm(score, others=others),
        "error": sen_error(score, norm, others=others, query_norm=run.query_norm),
    }
    return pd.DataFrame({name: column.ravel() for name, column in columns.items()})


def others_per_word(sentences: Any) -> Array:
    """m of every word: the mean length of the sentences that hold it, minus 1.

    Args:
        sentences: a corpus's training sentences (`attnlearn.corpora.Sentences`).

    Returns:
        m (V,), nan for words that no sentence holds. A sentence counts once however often it holds the word.

    Source: LMN, SEN on real text.
    """
    holds = sentences.counts.sign()  # (S, V)
    with np.errstate(invalid="ignore"):
        mean_length: Array = holds.T @ sentences.length / holds.sum(axis=0)  # (V,)
    return mean_length - 1
