"""What a chapter may glue, and how it shows the library's code."""

import nbformat
import numpy as np
import pytest

from attnlearn.companion import glue, source_of
from attnlearn.companion.checks import glued


def glued_by(monkeypatch, **values):
    """What myst-nb is given to store."""
    stored = {}
    monkeypatch.setattr("myst_nb.glue", lambda name, value, display: stored.update({name: value}))
    glue(**values)
    return stored


def test_a_numpy_number_is_glued_as_a_plain_one(monkeypatch):
    stored = glued_by(monkeypatch, loss=np.float64(0.25), count=np.int64(3), word="powerful")

    assert stored == {"loss": 0.25, "count": 3, "word": "powerful"}
    assert [type(value) for value in stored.values()] == [float, int, str]


@pytest.mark.parametrize("number", [np.nan, np.inf, np.float64("nan"), np.float32("inf")])
def test_a_number_that_is_not_finite_has_no_place_in_a_sentence(monkeypatch, number):
    with pytest.raises(ValueError, match=r"^glued number loss must be finite, got (nan|inf)$"):
        glued_by(monkeypatch, loss=number)


def test_glued_numbers_are_read_back_from_the_executed_notebook(pristine):
    path = pristine / "_build" / "runs" / "quick" / "part" / "line" / "chapter.ipynb"

    assert glued(nbformat.read(path, as_version=4)) == {"slope": "2.0"}


def documented(number):
    """What it does.

    And more of it.
    """
    return number + 1  # a comment stays


def test_source_is_shown_without_its_docstring():
    shown = source_of(documented).data

    assert shown == "```python\ndef documented(number):\n    return number + 1  # a comment stays\n```"


def undocumented(number):
    return number + 1


def test_source_without_a_docstring_is_shown_whole():
    shown = source_of(undocumented).data

    assert shown == "```python\ndef undocumented(number):\n    return number + 1\n```"
