"""Descent against the paper's definition, and what a person may get wrong in calling it."""

from typing import Any

import numpy as np
import pytest

from attnlearn.corpora import topic_sentences
from attnlearn.topics import descend, sen_error, start
from tests import oracle
from tests.topics.small_corpora import random_corpus

SETTINGS: dict[str, Any] = {"dimension": 5, "query_dimension": 3, "query_std": 1.0}
EXACT = 1e-9  # float64 rounding over 200 steps stays near 1e-14; a wrong factor shows at the first step


def start_of(corpus, *, classifier, embedding_std, seed):
    return start(
        words=len(corpus.words),
        classes=len(corpus.labels),
        classifier=classifier,
        embedding_std=embedding_std,
        seed=seed,
        **SETTINGS,
    )


def assert_same(run, plain):
    epochs = run.epoch
    for name in ("loss", "valid_loss", "score", "norm"):
        np.testing.assert_allclose(getattr(run, name), getattr(plain, name)[epochs], rtol=EXACT, atol=EXACT)


@pytest.mark.parametrize("train_query", [False, True])
@pytest.mark.parametrize("embedding_std", [0.0, 0.5])
@pytest.mark.parametrize("freeze", [None, "keys", "embeddings"])
@pytest.mark.parametrize("classifier", ["fixed", "linear", "two-layer"])
def test_descent_is_the_papers_definition(classifier, freeze, embedding_std, train_query):
    corpus = random_corpus()
    begin = start_of(corpus, classifier=classifier, embedding_std=embedding_std, seed=1)
    options: dict[str, Any] = {
        "classifier": classifier,
        "step": 0.3,
        "epochs": 200,
        "freeze": freeze,
        "train_query": train_query,
    }

    run = descend(corpus, embedding_std=embedding_std, seed=1, **SETTINGS, **options)

    plain = oracle.train(corpus, begin, **options)
    assert_same(run, plain)
    assert run.test_accuracy == plain.test_accuracy[-1]
    assert run.query_norm == pytest.approx(np.linalg.norm(begin.query))


@pytest.mark.parametrize("classes", [2, 8])
@pytest.mark.parametrize("classifier", ["fixed", "linear", "two-layer"])
def test_two_classes_and_more_classes_than_dimensions_are_exact_too(classifier, classes):
    corpus = random_corpus(classes=classes)
    begin = start_of(corpus, classifier=classifier, embedding_std=0.0, seed=2)
    options: dict[str, Any] = {"classifier": classifier, "step": 0.3, "epochs": 200}

    run = descend(corpus, embedding_std=0.0, seed=2, **SETTINGS, **options)

    assert_same(run, oracle.train(corpus, begin, **options))


@pytest.mark.parametrize("classifier", ["fixed", "linear", "two-layer"])
def test_the_authors_pad_is_one_more_word(classifier):
    corpus = random_corpus()
    padded = corpus.padded()
    begin = start_of(padded, classifier=classifier, embedding_std=0.5, seed=3)
    options: dict[str, Any] = {"classifier": classifier, "step": 0.3, "epochs": 200}

    run = descend(padded, embedding_std=0.5, seed=3, **SETTINGS, **options)

    assert_same(run, oracle.train(corpus, begin, pad_as_word=True, **options))


@pytest.mark.parametrize("patience", [1, 7, 40])
def test_early_stopping_is_a_plain_loops(patience):
    corpus = random_corpus()
    begin = start_of(corpus, classifier="fixed", embedding_std=0.5, seed=4)
    plain = oracle.train(corpus, begin, classifier="fixed", step=1.0, epochs=300)
    best = 1
    for stop in range(1, 301):
        best = stop if plain.valid_loss[stop] < plain.valid_loss[best] else best
        if stop - best >= patience:
            break
    assert stop < 300, "the example must stop early to test anything"

    run = descend(corpus, embedding_std=0.5, step=1.0, epochs=300, patience=patience, seed=4, **SETTINGS)

    assert (run.best_epoch, run.epoch[-1]) == (best, stop)
    assert run.test_accuracy == plain.test_accuracy[best]
    assert_same(run, plain)


def test_epochs_bound_a_run_with_patience():
    run = descend(random_corpus(), epochs=5, patience=100, record_every=2, seed=0)

    assert run.epoch.tolist() == [0, 2, 4, 5]


def test_start_and_end_are_always_recorded():
    run = descend(random_corpus(), epochs=25, record_every=10, seed=0)

    assert run.epoch.tolist() == [0, 10, 20, 25]
    assert run.best_epoch == 25
    assert np.all(run.score[0] == 0)


def test_one_seed_is_one_run_and_another_another():
    corpus = random_corpus()

    first, again, other = (descend(corpus, epochs=20, seed=seed).score[-1] for seed in (0, 0, 1))

    np.testing.assert_array_equal(first, again)
    assert not np.allclose(first, other)


def small_topics():
    return topic_sentences(topics=3, sentences=600, others=10, vocabulary=1_000, seed=0)


@pytest.mark.parametrize("classifier", ["fixed", "linear", "two-layer"])
def test_sen_holds_for_any_classifier(classifier):
    corpus = small_topics()

    run = descend(corpus, classifier=classifier, query_std=1.0, step=0.5, epochs=1_500, record_every=50, seed=0)

    topic = corpus.topic_words
    error = sen_error(run.score[1:, topic], run.norm[1:, topic], others=10, query_norm=run.query_norm)
    moved = run.score[1:, topic] > 0.1
    assert moved.sum() > 50
    # non-topic words are not quite still: 1,000 of them put the relation off by some 1 %
    assert np.median(error[moved]) < 0.03


def test_a_trained_query_breaks_sen():
    corpus = small_topics()

    run = descend(corpus, train_query=True, query_std=0.3, step=0.5, epochs=2_000, record_every=50, seed=0)

    topic = corpus.topic_words
    error = sen_error(run.score[1:, topic], run.norm[1:, topic], others=10, query_norm=run.query_norm)
    assert np.median(error[-1]) > 0.2


def test_shuffled_labels_keep_attention_off_topic_words():
    corpus = small_topics()

    run, shuffled = (
        descend(c, query_std=1.0, step=0.5, epochs=500, seed=0) for c in (corpus, corpus.shuffled_labels(seed=1))
    )

    topic = corpus.topic_words
    assert run.score[-1, topic].min() > 1
    # a word common to all classes loses to rare words, by which the labels can be learned by heart
    assert shuffled.score[-1, topic].max() < 0.5


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"classifier": "cubic"}, "classifier must be one of 'fixed', 'linear', 'two-layer', got 'cubic'"),
        ({"freeze": "query"}, "freeze must be one of None, 'keys', 'embeddings', got 'query'"),
        ({"step": -0.1}, "step must be finite and positive, got -0.1"),
        ({"step": float("nan")}, "step must be finite and positive, got nan"),
        ({"epochs": 0}, "epochs must be at least 1, got 0"),
        ({"patience": 0}, "patience must be at least 1, got 0"),
        ({"record_every": 0}, "record_every must be at least 1, got 0"),
        ({"dimension": 0}, "dimension must be at least 1, got 0"),
        ({"query_dimension": 0}, "query_dimension must be at least 1, got 0"),
        ({"query_std": float("inf")}, "query_std must be finite and not negative, got inf"),
        ({"embedding_std": -1.0}, "embedding_std must be finite and not negative, got -1.0"),
    ],
)
def test_a_bad_parameter_is_one_line_that_says_wanted_and_got(parameters, message):
    with pytest.raises(ValueError) as error:  # noqa: PT011 (the whole message is compared)
        descend(random_corpus(), seed=0, **parameters)

    assert str(error.value) == message


def test_divergence_names_epoch_and_step():
    with pytest.raises(FloatingPointError, match=r"^loss nan at epoch \d+ with step 1e\+200; take a smaller step$"):
        descend(random_corpus(), step=1e200, embedding_std=0.5, query_std=1.0, epochs=100, seed=0)
