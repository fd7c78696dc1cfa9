"""Each fault stops the build with one line that names chapter and cell, and leaves the site that stood before."""

import nbformat
import pytest

DATA = 'data=pd.DataFrame({"x": x, "y": y}),\n)'


def test_a_chapter_that_raises_is_named_with_its_cell_and_kept_for_reading(tiny):
    tiny.append_cell("part/plain", "print('so far')\nlargest = 1 / 0")

    line = tiny.stopped()

    kept = nbformat.read(tiny.root / "_build" / "failed" / "part" / "plain.ipynb", as_version=4)
    nbformat.validate(kept)
    place = [cell.source for cell in kept.cells].index("print('so far')\nlargest = 1 / 0")
    assert [output.output_type for output in kept.cells[place].outputs] == ["stream", "error"]
    assert line == (
        f"attnlearn: part/plain, cell {place + 1} (print('so far')): ZeroDivisionError: division by zero "
        "(the notebook is kept: _build/failed/part/plain.ipynb)"
    )


def test_a_syntax_error_is_named_with_its_cell(tiny):
    tiny.append_cell("part/plain", "seeds = = 3")

    line = tiny.stopped()

    assert line.startswith("attnlearn: part/plain, cell ")
    assert "(seeds = = 3): SyntaxError: invalid syntax" in line


def test_an_error_without_words_is_named_too(tiny):
    tiny.append_cell("part/plain", "assert 2 > 3")

    line = tiny.stopped()

    assert line.startswith("attnlearn: part/plain, cell ")
    assert "(assert 2 > 3): AssertionError" in line


def test_a_kernel_that_dies_is_told_in_one_line(tiny):
    tiny.append_cell("part/plain", "import os\nos._exit(1)")

    line = tiny.stopped()

    assert line.startswith("attnlearn: part/plain")
    assert "kernel died" in line


def test_a_figure_without_alt_text_stops(tiny):
    tiny.change("part/line.md", 'alt="A straight line, y against x. It does not bend."', 'alt=""')

    line = tiny.stopped()

    assert line.startswith("attnlearn: part/line, cell ")
    assert "(figure, axes = plt.subplots())" in line
    assert "figure line-straight has no alt text" in line


def test_a_bare_picture_stops(tiny):
    tiny.append_cell("part/plain", "import matplotlib.pyplot as plt\nplt.plot([0, 1])\nplt.show()")

    assert tiny.stopped() == (
        "attnlearn: part/plain, cell 3 (import matplotlib.pyplot as plt): "
        "the picture has no alt text; show it with save_figure"
    )


def test_a_bare_picture_beside_a_saved_figure_stops(tiny):
    tiny.change("part/line.md", DATA, f"{DATA}\nplt.plot([0, 1])\nplt.show()")

    line = tiny.stopped()

    assert line.startswith("attnlearn: part/line, cell ")
    assert "(figure, axes = plt.subplots()): the picture has no alt text" in line


@pytest.mark.parametrize("number", ["0.25", "12%"])
def test_a_typed_number_stops(tiny, number):
    tiny.append("part/plain.md", f"The error was {number} in all.")

    line = tiny.stopped()

    assert line.startswith(
        f"attnlearn: part/plain, cell 3 (The error was {number} in all.): the number {number} is typed"
    )


def test_a_number_typed_on_a_page_that_does_not_run_stops(tiny):
    tiny.append("index.md", "The error was 0.25.")

    assert tiny.stopped().startswith("attnlearn: index: the number 0.25 is typed")


def test_a_number_that_no_run_glued_stops(tiny):
    tiny.append("part/plain.md", "The median is {glue:text}`median`.")

    assert tiny.stopped() == (
        "attnlearn: part/plain, cell 3 (The median is {glue:text}`median`.): no number median was glued in part/plain"
    )


def test_a_number_that_another_chapter_did_not_glue_stops(tiny):
    tiny.append("index.md", "The median is {glue:text}`part/line.ipynb::median`.")

    assert tiny.stopped() == "attnlearn: index: no number median was glued in part/line"


def test_a_format_that_does_not_fit_stops(tiny):
    tiny.append("part/plain.md", "There are {glue:text}`noise.ipynb::mean:d` seeds.")

    line = tiny.stopped()

    assert line.startswith("attnlearn: part/plain, cell 3 (There are ")
    assert "does not take the format d" in line


def test_a_verdict_other_than_the_expected_one_stops(tiny):
    tiny.change("claims.yml", "{quick: holds, paper: holds}", "{quick: does not hold, paper: holds}")

    line = tiny.stopped()

    assert line.startswith("attnlearn: part/line, cell ")
    assert line.endswith("(record_claim(): line-straight holds; claims.yml expects that it does not hold")


def test_a_claim_without_an_expected_verdict_stops(tiny):
    tiny.change("claims.yml", "{quick: holds, paper: holds}", "{paper: holds}")

    line = tiny.stopped()

    assert line.startswith("attnlearn: part/line, cell ")
    assert "has no expected verdict for this profile" in line


def test_a_claim_that_should_have_run_stops(tiny):
    tiny.change("claims.yml", "{quick: not run, paper: holds}", "{quick: holds, paper: holds}")

    assert tiny.stopped() == "attnlearn: part/line: line-long was not run; claims.yml expects that it holds"


def test_a_control_that_does_not_flip_stops(tiny):
    tiny.change("part/line.md", "np.diff(points * y**2, 2)", "np.diff(y, 2)")

    line = tiny.stopped()

    assert line.startswith("attnlearn: part/line, cell ")
    assert "(record_claim()" in line
    assert "the control of line-straight does not flip: with the line is squared the claim still holds" in line


def test_a_claim_that_the_register_does_not_know_stops(tiny):
    tiny.change("part/line.md", '    "line-straight",\n    over', '    "line-crooked",\n    over')

    line = tiny.stopped()

    assert line.startswith("attnlearn: part/line, cell ")
    assert line.endswith("(record_claim(): line-crooked is recorded, but claims.yml has no such claim")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("  measure: largest second difference of its points\n", "", "measure"),
        ("  paper: ours\n", "  paper: ours\n  colour: red\n", "colour"),
        ("{at most: 0.01}", "{below: 0.01}", "a rule is 'at most' or 'at least' a number, got 'below'"),
        ("{at most: 0.01}", "{at most: little}", "little"),
        ("{at most: 0.01}", "{at most: 0.01, at least: 0}", "too many values"),
        ("{at most: 0.01}", "0.01", "float"),
        ("{quick: holds, paper: holds}", "holds", "str"),
        ("{quick: holds, paper: holds}", "{quick: true, paper: holds}", "got True"),
    ],
)
def test_a_claim_that_cannot_be_read_stops(tiny, old, new, said):
    tiny.change("claims.yml", old, new)

    line = tiny.stopped()

    assert line.startswith("attnlearn: claims.yml: claim line-straight cannot be read: ")
    assert said in line


def test_a_claim_of_a_chapter_that_does_not_run_stops(tiny):
    tiny.change("claims.yml", "chapter: part/line", "chapter: part/circle")

    assert tiny.stopped() == (
        "attnlearn: claims.yml: claim line-straight names the chapter part/circle, which does not run"
    )


def test_a_dead_link_stops(tiny):
    tiny.append("part/plain.md", "Read [the next](circle) as well.")

    line = tiny.stopped()

    assert line.startswith("attnlearn: part/plain, cell 3 (Read [the next](circle) as well.): ")
    assert "circle" in line.split("): ")[1]


def test_a_dead_link_on_a_page_that_does_not_run_is_named_with_its_line(tiny):
    tiny.append("index.md", "Read [the next](part/line.md#no-such-place).")

    line = tiny.stopped()

    assert line.startswith("attnlearn: index, line 5: ")
    assert "no-such-place" in line


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ('<a href="circle.html">next</a>', "dead link circle.html: there is no such file"),
        ('<a href="line.html#nowhere">next</a>', "dead link line.html#nowhere: the page has no place nowhere"),
        (
            '<img src="https://example.org/a.png" alt="elsewhere">',
            "<img> loads https://example.org/a.png from outside the book",
        ),
    ],
    ids=["dead link", "dead place", "request to elsewhere"],
)
def test_a_fault_in_raw_html_stops(tiny, html, said):
    tiny.append("part/plain.md", html)

    assert tiny.stopped() == f"attnlearn: part/plain, cell 3 ({html}): {said}"


def test_two_chapters_with_one_figure_id_stop(tiny):
    tiny.append_cell(
        "part/plain",
        "import matplotlib.pyplot as plt\nimport pandas as pd\nfrom attnlearn.companion import save_figure\n"
        'save_figure(plt.figure(), "line-straight", title="t", caption="c", alt="a", data=pd.DataFrame({"x": [1]}))',
    )

    assert tiny.stopped() == (
        "attnlearn: part/plain, cell 3 (import matplotlib.pyplot as plt): "
        "figure line-straight is another chapter's already; an id names one figure"
    )


def test_a_figure_whose_data_lacks_a_drawn_number_stops(tiny):
    tiny.change("part/line.md", DATA, 'data=pd.DataFrame({"x": x}),\n)')

    line = tiny.stopped()

    assert line.startswith("attnlearn: part/line, cell ")
    # y is 0, 0.4, 0.8, 1.2, 1.6, and x ends at 0.8
    assert "ValueError: figure line-straight draws 2 numbers that its data does not hold, 1.2 for one" in line


def test_a_page_that_the_table_of_contents_names_in_vain_stops(tiny):
    toc = "format: jb-book\nroot: index\nchapters:\n  - file: part/circle\n"
    (tiny.root / "_toc.yml").write_text(toc, encoding="utf-8")

    assert tiny.stopped() == "attnlearn: _toc.yml: there is no book/part/circle.md"


@pytest.mark.parametrize("name", ["_toc.yml", "_config.yml", "book/claims.yml"])
def test_a_file_that_is_not_yaml_is_named_with_its_line(tiny, name):
    (tiny.root / name).write_text("a: [1\nb: 2\n", encoding="utf-8")

    line = tiny.stopped()

    assert line == f"attnlearn: {name.split('/')[-1]}, line 2 cannot be read: expected ',' or ']', but got ':'"


def test_a_chapter_mended_after_a_stop_builds(tiny):
    tiny.append_cell("part/plain", "largest = 1 / 0")
    tiny.stopped()
    tiny.change("part/plain.md", "largest = 1 / 0", "largest = 1 / 1")

    outcome = tiny.attnlearn("build")

    assert outcome.code == 0
    assert outcome.told == []
