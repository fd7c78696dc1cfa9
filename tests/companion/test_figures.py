"""A saved figure: its files, its words, the numbers it may draw, and where it says it comes from."""

import json

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import PIL.Image
import pybtex.database
import pytest

from attnlearn.companion import save_figure, use_house_style
from attnlearn.companion.pages import bibtex

WORDS = {"title": "A line is straight", "caption": "It does not *bend*.", "alt": "A line, y against x."}
PROVENANCE = {"commit": "0123456789abcdef", "date": "2026-05-04", "profile": "quick"}


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    use_house_style()
    yield
    plt.close("all")
    plt.rcdefaults()


def draw(draws):
    """A figure of one panel, on which `draws` draws."""
    figure, axes = plt.subplots()
    draws(axes)
    return figure


def line(name="line", **words):
    """Save a line from (0, 1) to (0.5, 2)."""
    data = pd.DataFrame({"x": [0.0, 0.5], "y": [1.0, 2.0]})
    figure = draw(lambda axes: axes.plot(data["x"], data["y"]))
    save_figure(figure, name, **(WORDS | words), data=data)


def entry(text):
    """The one entry of a BibTeX file."""
    ((key, found),) = pybtex.database.parse_string(text, "bibtex").entries.items()
    return key, found


def test_a_figure_is_four_files_and_its_words(tmp_path):
    line()

    folder = tmp_path / "figures"
    assert sorted(path.name for path in folder.iterdir()) == [
        f"line.{kind}" for kind in ("csv", "json", "pdf", "png", "svg")
    ]
    assert (folder / "line.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert (folder / "line.pdf").read_bytes().startswith(b"%PDF")
    assert json.loads((folder / "line.json").read_text(encoding="utf-8")) == {"id": "line", **WORDS, "data": {}}


def test_the_csv_is_the_very_numbers(tmp_path):
    data = pd.DataFrame({"x": np.random.default_rng(0).normal(size=50), "word": "powerful"})

    save_figure(draw(lambda axes: axes.plot(data["x"], data["x"])), "noise", **WORDS, data=data)

    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "figures" / "noise.csv"), data, check_exact=True)


def test_the_png_has_300_dots_an_inch(tmp_path):
    line()

    with PIL.Image.open(tmp_path / "figures" / "line.png") as picture:
        assert picture.format == "PNG"
        assert picture.info["dpi"] == pytest.approx((300, 300), abs=0.01)  # PNG counts whole dots a metre
        assert picture.width == pytest.approx(300 * plt.rcParams["figure.figsize"][0], abs=1)


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_the_same_picture_is_the_same_file(tmp_path, kind):
    path = tmp_path / "figures" / f"line.{kind}"
    line()
    first = path.read_bytes()

    line()

    assert path.read_bytes() == first


@pytest.mark.parametrize("what", ["title", "caption", "alt"])
@pytest.mark.parametrize("empty", ["", " \n"])
def test_a_figure_without_words_is_refused(tmp_path, what, empty):
    with pytest.raises(ValueError, match=f"^figure line has no {what}"):
        line(**{what: empty})

    assert not (tmp_path / "figures").exists()


@pytest.mark.parametrize(
    "draws",
    [
        lambda axes: axes.plot([1, 2], [3, 4.5]),
        lambda axes: axes.scatter([1, 2], [3, 4.5]),
        lambda axes: axes.fill_between([1, 2], [3, 3], [4.5, 4.5]),
        lambda axes: axes.fill_betweenx([1, 2], [3, 3], [4.5, 4.5]),
        lambda axes: axes.step([1, 2], [3, 4.5]),
    ],
    ids=["line", "dots", "band", "upright band", "steps"],
)
def test_every_drawn_number_must_be_in_the_data(draws):
    with pytest.raises(ValueError, match=r"^figure line draws \d numbers that its data does not hold, 4\.5 for one$"):
        save_figure(draw(draws), "line", **WORDS, data=pd.DataFrame({"x": [1, 2], "y": [3, 4]}))

    save_figure(draw(draws), "line", **WORDS, data=pd.DataFrame({"x": [1, 2], "y": [3, 4.5]}))


def test_numbers_of_every_panel_count():
    figure, (_, second) = plt.subplots(1, 2)
    second.plot([7.0, 8.0])

    with pytest.raises(ValueError, match="draws 4 numbers that its data does not hold"):
        save_figure(figure, "line", **WORDS, data=pd.DataFrame({"x": [9.0]}))


@pytest.mark.parametrize(
    "draws",
    [
        lambda axes: axes.axhline(0.25),
        lambda axes: axes.axvline(0.25),
        lambda axes: axes.text(0.25, 0.25, "a label"),
        lambda axes: axes.annotate("a label", (0.25, 0.25)),
        lambda axes: axes.plot([0.25], [0.75], transform=axes.transAxes),
    ],
    ids=["level", "upright", "text", "label", "place on the panel"],
)
def test_guides_and_labels_are_no_numbers(draws):
    save_figure(draw(draws), "line", **WORDS, data=pd.DataFrame({"x": [9.0]}))


def test_a_gap_in_a_line_is_no_number():
    gap = draw(lambda axes: axes.plot([1, 2, 3], [1, np.nan, 3]))

    save_figure(gap, "line", **WORDS, data=pd.DataFrame({"x": [1, 2, 3]}))


def test_a_saved_figure_is_closed():
    line()

    assert plt.get_fignums() == []


def test_provenance_is_enough_to_make_the_figure_again(pristine):
    home = pristine / "_build" / "html" / "figures" / "line-straight"

    text = (home / "provenance.json").read_text(encoding="utf-8")

    found = json.loads(text)
    assert len(found["commit"]) == 40
    assert found["dirty"] is False
    assert found["profile"] == "quick"
    assert found["parameters"] == {"points": 5, "slope": 2.0, "kinds": ["a"], "colour": "topic"}
    assert found["seeds"] == []
    assert found["data"] == {}
    assert {"numpy", "matplotlib"} <= found["packages"].keys()
    assert found["processor"]
    assert found["wall_seconds"] > 0
    assert found["command"] == "attnlearn run part/line --profile quick"
    assert set(found["sha256"]) == {f"line-straight.{kind}" for kind in ("svg", "png", "pdf", "csv")}
    assert str(pristine) not in text  # nothing that names a person's machine


def test_a_figures_bibtex_entry_cites_it(pristine):
    home = pristine / "_build" / "html" / "figures" / "line-straight"
    commit = json.loads((home / "provenance.json").read_text(encoding="utf-8"))["commit"]

    key, found = entry((home / "cite.bib").read_text(encoding="utf-8"))

    assert (key, found.type) == ("attnlearn-line-straight", "misc")
    assert found.fields["title"] == "A line is straight"
    assert found.fields["year"].isdigit()
    assert "Figure line-straight of How Attention Learns" in found.fields["howpublished"]
    assert commit[:12] in found.fields["note"]
    assert "CC BY 4.0" in found.fields["note"]
    assert [str(person) for person in found.persons["author"]] == ["{The How Attention Learns authors}"]


def test_a_title_with_signs_that_latex_reads_is_escaped():
    _, found = entry(bibtex({"id": "a", "title": "50% of words & #1 in $a_t$"}, PROVENANCE))

    assert found.fields["title"] == r"50\% of words \& \#1 in $a_t$"


def test_outside_a_checkout_an_entry_still_parses():
    _, found = entry(bibtex({"id": "a", "title": "A line"}, {"commit": None, "date": None, "profile": "quick"}))

    assert "unknown" in found.fields["note"]
