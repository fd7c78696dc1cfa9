"""LMN's synthetic data: shares, lengths, seeds."""

import numpy as np
import pytest

from attnlearn.corpora import topic_sentences


def test_splits_are_80_1_and_19_percent():
    corpus = topic_sentences(seed=0)

    assert [len(split) for split in (corpus.train, corpus.valid, corpus.test)] == [4_000, 50, 950]


def test_every_sentence_is_one_topic_word_of_its_label_and_m_others():
    corpus = topic_sentences(topics=3, words_per_topic=4, sentences=500, others=7, vocabulary=50, seed=0)

    for split in (corpus.train, corpus.valid, corpus.test):
        word = split.word.reshape(len(split), 8)
        topic = word[word < len(corpus.topic_words)]
        assert len(topic) == len(split)
        assert np.array_equal(topic // 4, split.label)
        assert word.max() < len(corpus.words) == 12 + 50


def test_topics_and_topic_words_have_equal_shares():
    corpus = topic_sentences(sentences=50_000, seed=0)

    words = corpus.train.word.reshape(-1, 21)[:, 0]

    # 8 topic words, 40,000 draws: a count's standard deviation is 66
    assert np.abs(np.bincount(words) - 5_000).max() < 5 * 66


def test_words_are_drawn_with_replacement():
    corpus = topic_sentences(vocabulary=5, sentences=20, seed=0)

    assert corpus.train.counts.max() > 1


def test_names_say_what_a_word_is():
    corpus = topic_sentences(topics=2, words_per_topic=2, sentences=10, vocabulary=2, seed=0)

    assert corpus.words == ("topic0.a", "topic0.b", "topic1.a", "topic1.b", "other0", "other1")
    assert corpus.topic_words.tolist() == [0, 1, 2, 3]
    assert corpus.labels == ("topic0", "topic1")


def test_one_seed_is_one_corpus_and_another_another():
    first, again, other = (topic_sentences(seed=seed).train.word for seed in (0, 0, 1))

    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"topics": 1}, "topics must be at least 2, got 1"),
        ({"words_per_topic": 0}, "words_per_topic must be at least 1, got 0"),
        ({"words_per_topic": 27}, "words_per_topic must be at most 26, got 27"),
        ({"sentences": 9}, "sentences must be at least 10, got 9"),
        ({"others": 0}, "others must be at least 1, got 0"),
        ({"vocabulary": 0}, "vocabulary must be at least 1, got 0"),
    ],
)
def test_a_bad_size_is_one_line_that_says_wanted_and_got(sizes, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        topic_sentences(seed=0, **sizes)
