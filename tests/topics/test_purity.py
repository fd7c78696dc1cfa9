"""Purity and the attended word, by hand."""

import numpy as np
import pytest

from attnlearn.corpora import Sentences, topic_sentences
from attnlearn.topics import attended, descend, focus, occurrences, topic_purity


def five_sentences():
    # "a b" −, "a a c" +, "b" +, "c a" +, "a" −; d is in none
    return Sentences(
        word=np.array([0, 1, 0, 0, 2, 1, 2, 0, 0]),
        start=np.array([0, 2, 5, 6, 8, 9]),
        label=np.array([0, 1, 1, 1, 0]),
        vocabulary=4,
    )


def test_purity_is_one_sidedness_and_counts_a_sentence_once():
    # a: 2 of each, although its occurrences are 3 to 2; b: one of each; c: two positive
    np.testing.assert_array_equal(topic_purity(five_sentences()), [0, 0, 1, np.nan])


def test_occurrences_count_repeats():
    assert occurrences(five_sentences()).tolist() == [5, 2, 2, 0]


def test_the_attended_word_has_the_largest_score_and_the_first_wins_ties():
    sentences = five_sentences()

    assert attended(sentences, np.array([1.0, 2.0, 3.0, 9.0])).tolist() == [1, 2, 1, 2, 0]
    assert attended(sentences, np.zeros(4)).tolist() == [0, 0, 1, 2, 0]
    assert attended(sentences, np.array([2.0, 1.0, 2.0, 0.0])).tolist() == [0, 0, 1, 2, 0]


def test_focus_is_the_mean_over_the_sentences_that_hold_the_word():
    score = np.array([[0.0, 0.0, 0.0, 0.0], [1.0, 2.0, 3.0, 0.0]])

    purity, count = focus(five_sentences(), score, np.array([0, 2, 3]))

    # sentences with a attend to a, a, c, a at first, then to b, c, c, a; those with c to a, c, then to c, c
    np.testing.assert_allclose(purity, [[1 / 4, 1 / 2, np.nan], [1 / 2, 1, np.nan]])
    np.testing.assert_allclose(count, [[(5 + 5 + 2 + 5) / 4, 7 / 2, np.nan], [(2 + 2 + 2 + 5) / 4, 2, np.nan]])


def test_purity_of_more_classes_is_refused():
    corpus = topic_sentences(topics=3, sentences=50, seed=0)

    with pytest.raises(ValueError, match=r"^purity needs labels 0 and 1, got \[0, 1, 2\]$"):
        topic_purity(corpus.train)


def test_attention_moves_to_pure_words_and_stays_put_with_shuffled_labels():
    corpus = topic_sentences(topics=2, sentences=1_000, others=5, vocabulary=100, seed=0)

    end = [
        focus(c.train, descend(c, query_std=1.0, step=0.5, epochs=500, seed=0).score, c.topic_words).purity[-1]
        for c in (corpus, corpus.shuffled_labels(seed=0))
    ]

    assert end[0].min() > 0.95
    assert end[1].max() < 0.4
