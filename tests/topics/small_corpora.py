"""Corpora small enough to train on many times in a test."""

import numpy as np

from attnlearn.corpora import Corpus, Sentences


def random_sentences(rng, *, sentences, words, classes):
    """Lengths 1 to 7 from few words: repeats and one-word sentences are certain."""
    length = rng.integers(1, 8, size=sentences)
    length[:2] = 1, 7
    word = rng.integers(words, size=length.sum())
    word[1:4] = 0  # sentence 1 repeats a word
    label = rng.integers(classes, size=sentences)
    return Sentences(word, np.concatenate([[0], np.cumsum(length)]), label, words)


def random_corpus(*, words=9, classes=3):
    """Random words under random labels, so that every word has its own fate."""
    rng = np.random.default_rng(0)
    splits = [random_sentences(rng, sentences=n, words=words, classes=classes) for n in (25, 10, 12)]
    names = tuple(f"w{i}" for i in range(words))
    train, valid, test = splits
    return Corpus("random", names, tuple("abcdefgh"[:classes]), train, valid, test, np.array([], dtype=int))
