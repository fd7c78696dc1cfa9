"""The SEN relation and its m, by hand."""

import numpy as np
import pytest

from attnlearn.corpora import Sentences, topic_sentences
from attnlearn.topics import descend, others_per_word, sen_error, sen_norm, sen_table


def test_sen_norm_is_the_equation():
    score = np.array([0.0, 1.0, 3.0])

    norm = sen_norm(score, others=20)

    np.testing.assert_allclose(norm, np.sqrt(2 * (score + np.exp(score) / 20 - 1 / 20)))


def test_no_norm_accompanies_a_negative_score():
    assert np.isnan(sen_norm(np.array([-1.0]), others=20)).all()


def test_every_word_may_have_its_own_m():
    score = np.ones((2, 3))

    norm = sen_norm(score, others=np.array([1.0, 20.0, np.nan]))

    np.testing.assert_array_equal(norm[:, 0], sen_norm(score[:, 0], others=1))
    assert np.isnan(norm[:, 2]).all()


@pytest.mark.parametrize("others", [0, -3.0, np.array([1.0, -3.0])])
def test_m_must_be_positive(others):
    with pytest.raises(ValueError, match=r"^others must be positive, got (0|-3\.0)$"):
        sen_norm(np.ones(2), others=others)


def test_sen_error_is_relative_and_unknown_at_the_start():
    score = np.array([0.0, 1.0])
    norm = 1.1 * sen_norm(score, others=5) / 0.7

    error = sen_error(score, norm, others=5, query_norm=0.7)

    np.testing.assert_allclose(error, [np.nan, 0.1])


def test_sen_table_has_a_row_for_each_epoch_and_word():
    corpus = topic_sentences(sentences=100, vocabulary=20, others=4, seed=0)
    run = descend(corpus, epochs=20, record_every=10, seed=0)

    table = sen_table(run, corpus, corpus.topic_words[:2], others=4)

    assert table["epoch"].tolist() == [0, 0, 10, 10, 20, 20]
    assert table["word"].tolist() == [*corpus.words[:2]] * 3
    np.testing.assert_array_equal(table["score"], run.score[:, :2].ravel())
    np.testing.assert_allclose(table["scaled norm"], run.query_norm * run.norm[:, :2].ravel(), rtol=1e-15)
    np.testing.assert_array_equal(table["SEN"], sen_norm(table["score"].to_numpy(), others=4))


def test_others_per_word_counts_a_sentence_once():
    # "a b", "a a c d", "d": a shares sentences of lengths 2 and 4, b of 2, c of 4, d of 4 and 1; e is unseen
    sentences = Sentences(
        word=np.array([0, 1, 0, 0, 2, 3, 3]),
        start=np.array([0, 2, 6, 7]),
        label=np.array([0, 1, 0]),
        vocabulary=5,
    )

    np.testing.assert_allclose(others_per_word(sentences), [2, 1, 3, 1.5, np.nan])
