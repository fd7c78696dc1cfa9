"""The flow against descents of small step, and what a person may get wrong in calling it."""

from typing import Any

import numpy as np
import pytest

from attnlearn.topics import descend, flow
from tests.topics.small_corpora import random_corpus

SETTINGS: dict[str, Any] = {"dimension": 5, "query_dimension": 3, "query_std": 1.0, "embedding_std": 0.5, "seed": 1}
EPOCH = 0.5  # of the flow's time
EPOCHS = 20


def descent_in_small_steps(corpus, *, steps, **options):
    """A descent that takes so many steps in each epoch of the flow, recorded at the ends of epochs."""
    return descend(corpus, step=EPOCH / steps, epochs=EPOCHS * steps, record_every=steps, **SETTINGS, **options)


def distance(run, other):
    return max(abs(getattr(run, name) - getattr(other, name)).max() for name in ("loss", "valid_loss", "score", "norm"))


@pytest.mark.parametrize(
    ("classifier", "freeze", "train_query"),
    [
        *[(classifier, freeze, False) for classifier in ("fixed", "linear") for freeze in (None, "keys", "embeddings")],
        ("fixed", None, True),
    ],
)
def test_halving_the_step_of_descent_halves_its_distance_to_the_flow(classifier, freeze, train_query):
    options = {"classifier": classifier, "freeze": freeze, "train_query": train_query}
    corpus = random_corpus()

    run = flow(corpus, step=EPOCH, epochs=EPOCHS, record_every=1, tolerance=1e-9, **SETTINGS, **options)

    coarse, fine = (descent_in_small_steps(corpus, steps=steps, **options) for steps in (25, 50))
    # a first-order method; what is left is second order, some 1/25 of it
    assert distance(coarse, run) / distance(fine, run) == pytest.approx(2, rel=0.04)
    for name in ("loss", "valid_loss", "score", "norm"):
        limit = 2 * getattr(fine, name) - getattr(coarse, name)  # with the first-order part taken out
        np.testing.assert_allclose(getattr(run, name), limit, atol=2e-4)
    assert run.test_accuracy == fine.test_accuracy


@pytest.mark.parametrize("freeze", [None, "keys", "embeddings"])
def test_the_flow_passes_the_kinks_of_a_two_layer_classifier(freeze):
    options = {"classifier": "two-layer", "freeze": freeze}
    corpus = random_corpus()

    run = flow(corpus, step=EPOCH, epochs=EPOCHS, record_every=1, **SETTINGS, **options)

    once, often = (distance(descent_in_small_steps(corpus, steps=steps, **options), run) for steps in (1, 50))
    assert often < once / 4
    assert often < 5e-4  # 1e-4 seen: the solver's tolerance, 1e-6 a step, and kinks


@pytest.mark.parametrize("solver", ["RK45", "RK23", "DOP853"])
def test_every_solver_finds_the_same_flow(solver):
    corpus = random_corpus()

    run = flow(corpus, step=EPOCH, epochs=EPOCHS, solver=solver, **SETTINGS)

    exact = flow(corpus, step=EPOCH, epochs=EPOCHS, solver="DOP853", tolerance=1e-11, **SETTINGS)
    assert distance(run, exact) < 1e-4


@pytest.mark.parametrize("classifier", ["fixed", "linear", "two-layer"])
def test_flow_and_descent_start_from_the_same_numbers(classifier):
    corpus = random_corpus()

    run, descent = (train(corpus, classifier=classifier, epochs=1, **SETTINGS) for train in (flow, descend))

    assert distance_at_start(run, descent) == 0
    assert run.query_norm == descent.query_norm


def distance_at_start(run, other):
    return max(abs(getattr(run, name)[0] - getattr(other, name)[0]).max() for name in ("loss", "valid_loss", "norm"))


def test_records_lie_on_descents_grid():
    run, descent = (train(random_corpus(), epochs=25, record_every=10, **SETTINGS) for train in (flow, descend))

    assert run.epoch.tolist() == descent.epoch.tolist() == [0, 10, 20, 25]
    assert run.best_epoch == 25


@pytest.mark.parametrize("patience", [5, 40])
def test_early_stopping_is_descents_up_to_a_record(patience):
    options: dict[str, Any] = {**SETTINGS, "step": 0.05, "epochs": 3_000, "record_every": 5, "patience": patience}

    run, descent = (train(random_corpus(), **options) for train in (flow, descend))

    assert descent.epoch[-1] < 3_000, "the example must stop early to test anything"
    assert abs(run.best_epoch - descent.best_epoch) <= 5
    assert run.epoch[-1] == run.best_epoch + patience
    assert run.best_epoch in run.epoch
    assert run.test_accuracy == descent.test_accuracy


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"classifier": "cubic"}, "classifier must be one of 'fixed', 'linear', 'two-layer', got 'cubic'"),
        ({"step": 0.0}, "step must be finite and positive, got 0.0"),
        ({"patience": 0}, "patience must be at least 1, got 0"),
        ({"solver": "Euler"}, "solver must be one of 'RK45', 'RK23', 'DOP853', got 'Euler'"),
        ({"tolerance": 0.0}, "tolerance must be finite and positive, got 0.0"),
        ({"tolerance": float("nan")}, "tolerance must be finite and positive, got nan"),
    ],
)
def test_a_bad_parameter_is_one_line_that_says_wanted_and_got(parameters, message):
    with pytest.raises(ValueError) as error:  # noqa: PT011 (the whole message is compared)
        flow(random_corpus(), **{"seed": 0, **parameters})

    assert str(error.value) == message


@pytest.mark.filterwarnings("ignore:overflow")
def test_a_flow_that_leaves_floating_point_says_where():
    with pytest.raises(FloatingPointError, match=r"^the flow leaves floating point near epoch 0$"):
        flow(random_corpus(), embedding_std=1e200, seed=0)
