"""Sentences, counts, padding and shuffled labels, by hand."""

import numpy as np

from attnlearn.corpora.corpus import from_texts
from attnlearn.corpora.words import split_words


def tiny():
    train = ([["b", "a", "b"], [], ["c"]], [1, 0, 0])
    return from_texts("tiny", ("no", "yes"), [train, ([["a"]], [0]), ([["d", "a"]], [1])])


def test_words_are_numbered_by_first_use_through_all_splits():
    assert tiny().words == ("b", "a", "c", "d")


def test_a_text_without_words_is_dropped_with_its_label():
    corpus = tiny()

    assert len(corpus.train) == 2
    assert corpus.train.label.tolist() == [1, 0]


def test_counts_count_repeats_and_leave_reading_order_alone():
    corpus = tiny()

    assert corpus.train.counts.toarray().tolist() == [[2, 1, 0, 0], [0, 0, 1, 0]]
    assert corpus.text(corpus.train, 0) == ("b", "a", "b")
    assert corpus.text(corpus.train, 1) == ("c",)
    assert corpus.train.length.tolist() == [3, 1]


def test_padding_is_one_more_word_up_to_the_longest_sentence():
    padded = tiny().padded()

    assert padded.words[-1] == "<pad>"
    assert padded.text(padded.train, 0) == ("b", "a", "b")
    assert padded.text(padded.train, 1) == ("c", "<pad>", "<pad>")
    assert padded.text(padded.test, 0) == ("d", "a", "<pad>")
    assert padded.train.counts.shape == (2, 5)


def test_shuffled_labels_keep_sentences_and_class_sizes():
    texts = ([["a"], ["b"]] * 20, [0, 1] * 20)
    corpus = from_texts("pairs", ("no", "yes"), [texts, texts, texts])

    shuffled, again, other = (corpus.shuffled_labels(seed=seed) for seed in (0, 0, 1))

    assert np.bincount(shuffled.train.label).tolist() == [20, 20]
    assert not np.array_equal(shuffled.train.label, corpus.train.label)
    assert np.array_equal(shuffled.train.label, again.train.label)
    assert not np.array_equal(shuffled.train.label, other.train.label)
    assert shuffled.train.word is corpus.train.word
    assert shuffled.valid is corpus.valid
    assert shuffled.test is corpus.test


def test_punctuation_goes_without_a_space_in_its_place():
    assert split_words("Well-made, isn't it ?  -- (90 min.)") == ["wellmade", "isnt", "it", "90", "min"]
    assert split_words("... !") == []
