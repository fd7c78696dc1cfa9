"""The closed theory against the flow it describes, against SEN, and by hand."""

from typing import Any

import numpy as np
import pytest

from attnlearn.corpora import topic_sentences
from attnlearn.topics import (
    closed_theory,
    closed_trajectory,
    flow,
    late_loss,
    margins,
    phase_velocity,
    sen_norm,
)

TWO_CLASSES = np.array([[1.0, -0.5], [0.3, 2.0], [0.0, 1.0]])  # (d, C)
LABEL = np.array([0, 1])
SETTINGS: dict[str, Any] = {"share": np.array([0.3, 0.7]), "others": 5.0, "query_norm": 0.8, "step": 0.1}


def test_the_closed_theory_is_the_flow_where_other_words_stand_still():
    corpus = topic_sentences(topics=3, sentences=2_000, vocabulary=20_000, others=10, seed=0)
    settings: dict[str, Any] = {"query_std": 1.0, "seed": 0}

    run = flow(corpus, epochs=4_000, record_every=400, **settings)
    theory = closed_theory(corpus, epoch=run.epoch, **settings)

    topic = corpus.topic_words
    # 20,000 other words move about 1/20,000 as much each, 10 of them in a sentence; steepest growth shows it most
    np.testing.assert_allclose(theory.score, run.score[:, topic], atol=0.05)
    np.testing.assert_allclose(theory.norm, run.norm[:, topic], atol=0.05)
    np.testing.assert_allclose(theory.loss, run.loss, atol=0.01)


def test_the_closed_theory_obeys_sen():
    run = closed_trajectory(TWO_CLASSES, LABEL, epoch=np.arange(0, 5_000, 100), **SETTINGS)

    np.testing.assert_allclose(0.8 * run.norm, sen_norm(run.score, others=5), atol=1e-6)
    np.testing.assert_allclose(run.attention, 1 / (1 + 5 * np.exp(-run.score)), rtol=1e-12)
    assert run.loss[0] == pytest.approx(np.log(2))
    assert np.all(np.diff(run.loss) < 0)


def test_two_classes_follow_the_phase_velocity():
    epoch = np.array([799.0, 800.0, 801.0])
    run = closed_trajectory(TWO_CLASSES, LABEL, epoch=epoch, **SETTINGS)
    gamma = margins(TWO_CLASSES)[0]

    dscore, dnorm = phase_velocity(run.score[1], 0.8 * run.norm[1], others=5, query_norm=0.8, margin=gamma)

    per_epoch = 0.1 * SETTINGS["share"]
    np.testing.assert_allclose(per_epoch * dscore, (run.score[2] - run.score[0]) / 2, rtol=1e-4)
    np.testing.assert_allclose(per_epoch * dnorm, 0.8 * (run.norm[2] - run.norm[0]) / 2, rtol=1e-4)


def test_classes_equally_far_apart_follow_the_phase_velocity_too():
    epoch = np.array([799.0, 800.0, 801.0])
    settings = SETTINGS | {"share": np.full(4, 0.25)}
    run = closed_trajectory(np.eye(4), np.arange(4), epoch=epoch, **settings)
    gamma = margins(np.eye(4))[0]

    dscore, dnorm = phase_velocity(run.score[1], 0.8 * run.norm[1], others=5, query_norm=0.8, margin=gamma, classes=4)

    np.testing.assert_allclose(0.1 * 0.25 * dscore, (run.score[2] - run.score[0]) / 2, rtol=1e-4)
    np.testing.assert_allclose(0.1 * 0.25 * dnorm, 0.8 * (run.norm[2] - run.norm[0]) / 2, rtol=1e-4)


def test_orbits_of_the_phase_velocity_are_sens_curves_for_any_margin():
    score = np.array([0.5, 1.0, 3.0])
    norm = sen_norm(score, others=20)
    slope = (sen_norm(score + 1e-6, others=20) - sen_norm(score - 1e-6, others=20)) / 2e-6

    for margin in (0.5, 4.0):
        dscore, dnorm = phase_velocity(score, norm, others=20, query_norm=0.7, margin=margin, classes=3)

        np.testing.assert_allclose(dnorm / dscore, slope, rtol=1e-6)


def test_margins_are_distances_to_the_other_classes_hull():
    # class 2 lies in the middle of classes 0 and 1; class 3 is nearest to the foot of its perpendicular, (0, 0)
    weight = np.array([[-1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 3.0]])

    np.testing.assert_allclose(margins(weight), [1, 1, 0, 3], atol=1e-12)


def test_the_loss_ends_as_one_over_time_whatever_the_shares():
    epoch = [1e7, 1e8]

    run = closed_trajectory(TWO_CLASSES, LABEL, epoch=epoch, **SETTINGS)
    theory = late_loss(TWO_CLASSES, LABEL, epoch=epoch)

    np.testing.assert_allclose(run.loss / theory, 1, atol=0.06)  # corrections fall as 1/log τ


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"others": 0.0}, "others must be positive, got 0.0"),
        ({"step": -1.0}, "step must be positive, got -1.0"),
        ({"epoch": [2, 1]}, r"epoch must be increasing and not negative, got \[2.0, 1.0\]"),
        ({"epoch": [-1, 1]}, r"epoch must be increasing and not negative, got \[-1.0, 1.0\]"),
    ],
)
def test_a_bad_parameter_is_one_line_that_says_wanted_and_got(parameters, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        closed_trajectory(TWO_CLASSES, LABEL, **(SETTINGS | {"epoch": [0, 1]} | parameters))


def test_phase_velocity_refuses_what_cannot_be():
    with pytest.raises(ValueError, match=r"^margin must be positive, got 0$"):
        phase_velocity(np.ones(1), np.ones(1), others=5, query_norm=1, margin=0)
    with pytest.raises(ValueError, match=r"^classes must be at least 2, got 1$"):
        phase_velocity(np.ones(1), np.ones(1), others=5, query_norm=1, margin=1, classes=1)


def test_a_corpus_without_topic_words_is_refused():
    corpus = topic_sentences(sentences=50, seed=0)
    untopical = type(corpus)(**{**vars(corpus), "name": "prose", "topic_words": np.array([], dtype=int)})

    with pytest.raises(ValueError, match=r"^the closed theory is about topic words, and prose has none$"):
        closed_theory(untopical, epoch=[0, 1], seed=0)
