"""The prose rule on tricky Markdown, pictures without words, and faults of a built page, all by hand."""

import nbformat
import pytest

from attnlearn.companion.checks import check_pictures, check_prose, check_site
from attnlearn.companion.errors import BookError
from attnlearn.companion.figures import FIGURE_MIME

VALUES = {"part/one": {"mean": "0.25", "count": "5", "word": "'powerful'"}, "part/two": {"top": "3.5"}}


def prose(text):
    check_prose("part/one, cell 2 (words)", "part/one", text, VALUES)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("The loss is 0.25 there.", "0.25"),
        ("The loss ends at 0.25.", "0.25"),
        ("It ends at 0.25, or later.", "0.25"),
        ("It rises by 5% at once.", "5%"),
        ("It rises by 5%.", "5%"),
        ("It rises by 5 % at once.", "5 %"),
        ("It rises by 12.5% at once.", "12.5%"),
        ("It rises by 5 per cent.", "5 per cent"),
        ("In 5,000.5 epochs", "5,000.5"),
        ("A loss of −0.5", "0.5"),
        ("2.5× as fast", "2.5"),
        ("From 0.5–0.7 on", "0.5"),
        ("About 1.5e-9", "1.5"),
        ("# About 0.5", "0.5"),
        ("**0.5**", "0.5"),
        ("[about 0.5](part/two)", "0.5"),
        ("> 0.5", "0.5"),
        ("- first\n- second: 0.5", "0.5"),
        ("1. first\n   - 0.5", "0.5"),
        ("term\n: is 0.5", "0.5"),
        ("| a | b |\n| --- | --- |\n| 0.5 | 1 |", "0.5"),
        ("It is $a$ and 0.5", "0.5"),
        ("It is `a` and 0.5", "0.5"),
        ("Version 0.5", "0.5"),
        (":::{note}\nIt is 0.5.\n:::", "0.5"),
        ("```{note}\nIt is 0.5.\n```", "0.5"),
        (":::{admonition} About 0.5\nwords\n:::", "0.5"),
        ("::::{note}\n:::{tip}\nIt is 0.5.\n:::\n::::", "0.5"),
        ("::::{note}\n:::{tip}\nwords\n:::\nIt is 0.5.\n::::", "0.5"),
        (":::{note}\n:class: wide\n\n- It is 0.5\n:::", "0.5"),
        (":::{figure} a.svg\n:alt: a line\n\nIt is 0.5.\n:::", "0.5"),
        (":::{admonition} The paper says\nwords\n:::\n\nIt is 0.5.", "0.5"),
        (":::{note} The paper says otherwise\nIt is 0.5.\n:::\nBut 0.7", "0.7"),
        ("an 80% interval and 20% off", "20%"),
    ],
)
def test_a_typed_result_stops(text, number):
    with pytest.raises(BookError) as error:
        prose(text)

    assert str(error.value) == (
        f"part/one, cell 2 (words): the number {number} is typed; glue it from the run, "
        "or put a quoted one under 'The paper says'"
    )


@pytest.mark.parametrize(
    "text",
    [
        "Five words, 20 others and 5,000 epochs.",
        "Half of them, ½ or 1/2.",
        "Here $0.5 < 12\\%$ holds.",
        "$$\n0.5\n$$",
        "$$\n0.5\n$$ (an-equation)",
        "\\begin{align}\na &= 0.5\n\\end{align}",
        ":::{math}\n0.5\n:::",
        "```{math}\n0.5\n```",
        "Run with `rate=0.5`.",
        "``rate=0.5``",
        "```python\nrate = 0.5\n```",
        "    rate = 0.5",
        "```bash\nattnlearn run part/one -p rate=0.5\n```",
        "[the paper](https://example.org/1.5)",
        "![a line](figure-1.5.svg)",
        ":::{figure} figure-1.5.svg\n:alt: a line\n:::",
        "{cite}`author1.5`",
        "<https://arxiv.org/abs/2011.10036>",
        "arXiv:2011.10036",
        "arXiv 2011.10036, of 2020.",
        "The 95% interval, a 95 % Student interval, and two 95% intervals.",
        "CC BY 4.0.",
        "Python 3.11.",
        "Python 3.11 or newer",
        "torch 2.13.0 and 127.0.0.1",
        "It is over in 2020. Then 5.",
        ":::{admonition} The paper says\n:class: note\nThe rate is 0.5, or 12%.\n:::",
        "```{admonition} The paper says\nThe rate is 0.5.\n```",
        "::::{admonition} The paper says\n:::{note}\nThe rate is 0.5.\n:::\n::::",
        "---\nrate: 0.5\n---\nWords.",
        "The mean is {glue:text}`mean:.2f`, of {glue:text}`count` and {glue:text}`count:,` words.",
        "The word is *{glue:text}`word`*, {glue}`word`.",
        "There {glue:text}`two.ipynb::top:.1f` and {glue:text}`../part/two.ipynb::top`.",
        "{glue:text}`mean:.0%`",
    ],
)
def test_a_name_a_quotation_and_a_glued_number_pass(text):
    prose(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{glue:text}`median`", "no number median was glued in part/one"),
        ("{glue}`median`", "no number median was glued in part/one"),
        ("{glue:text}`two.ipynb::mean`", "no number mean was glued in part/two"),
        ("{glue:text}`three.ipynb::mean`", "no number mean was glued in part/three"),
        ("{glue:text}`../two.ipynb::top`", "no number top was glued in two"),
        (":::{note}\n{glue:text}`median`\n:::", "no number median was glued in part/one"),
        ("```{note}\n{glue:text}`median`\n```", "no number median was glued in part/one"),
        ("- {glue:text}`median`", "no number median was glued in part/one"),
        ("| a |\n| --- |\n| {glue:text}`median` |", "no number median was glued in part/one"),
        ("{glue:text}`mean:d`", "mean is 0.25, which does not take the format d"),
        ("{glue:text}`word:.2f`", "word is 'powerful', which does not take the format .2f"),
        ("{glue:text}`count:.2z`", "count is 5, which does not take the format .2z"),
        ("{glue:text}`mean:`", "mean: does not name a glued number"),
    ],
)
def test_a_number_that_was_not_glued_stops(text, said):
    with pytest.raises(BookError) as error:
        prose(text)

    assert str(error.value).startswith(f"part/one, cell 2 (words): {said}")


def cell(*outputs):
    return nbformat.v4.new_code_cell(
        outputs=[nbformat.v4.new_output("display_data", data=dict.fromkeys(kinds, "")) for kinds in outputs]
    )


@pytest.mark.parametrize(
    "outputs",
    [
        [["image/png", "text/plain"]],
        [["image/svg+xml"]],
        [["image/png"], [FIGURE_MIME, "text/plain"], ["image/png"]],
    ],
    ids=["png", "svg", "one more than was saved"],
)
def test_a_picture_that_was_not_saved_stops(outputs):
    with pytest.raises(BookError, match=r"^part/one, cell 3: the picture has no alt text; show it with save_figure$"):
        check_pictures("part/one, cell 3", cell(*outputs))


def test_saved_figures_and_words_pass():
    check_pictures("here", cell(["image/png"], [FIGURE_MIME], ["image/png"], [FIGURE_MIME], ["text/plain"]))


@pytest.fixture
def page(tmp_path):
    """Write a page of a small site, which has a picture and one more page. A file beside the site is no part of it."""
    html = tmp_path / "html"
    (html / "part").mkdir(parents=True)
    (html / "part" / "two.html").write_text('<h1 id="top">Two</h1><a href="../index.html">up</a>', encoding="utf-8")
    (html / "a picture.svg").write_text("<svg/>", encoding="utf-8")
    (tmp_path / "beside.html").touch()

    def write(body):
        (html / "index.html").write_text(f'<body id="here">{body}</body>', encoding="utf-8")
        return html

    return write


@pytest.mark.parametrize(
    "body",
    [
        '<a href="part/two.html">two</a>',
        '<a href="part/two.html#top">two</a>',
        '<a href="#here">here</a>',
        '<a href="a%20picture.svg">a picture</a>',
        '<a href="https://example.org/anything#at-all">elsewhere, by hand</a>',
        '<a href="mailto:someone@example.org">write</a>',
        '<a name="no-link">no link</a>',
        '<img src="a%20picture.svg" alt="">',
        '<img src="data:image/png;base64,AAAA" alt="a dot">',
        '<link rel="canonical" href="https://example.org/">',
        '<div style="color: red">words</div>',
    ],
)
def test_a_sound_page_passes(page, body):
    check_site(page(body))


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('<a href="part/three.html">x</a>', "dead link part/three.html: there is no such file"),
        ('<a href="part">x</a>', "dead link part: there is no such file"),
        ('<a href="part/two.html#end">x</a>', "dead link part/two.html#end: the page has no place end"),
        ('<a href="#end">x</a>', "dead link #end: the page has no place end"),
        ('<a href="/index.html">x</a>', "dead link /index.html: there is no such file"),
        ('<a href="../beside.html">x</a>', "dead link ../beside.html: there is no such file"),
        ('<img src="a%20picture.svg">', "the picture a%20picture.svg has no alt text"),
        ('<img src="a_picture.svg" alt="a">', "<img> loads a_picture.svg: there is no such file"),
        ('<link rel="stylesheet" href="book.css?v=1">', "<link> loads book.css?v=1: there is no such file"),
        (
            '<img src="https://example.org/a.png" alt="a">',
            "<img> loads https://example.org/a.png from outside the book",
        ),
        ('<img srcset="https://example.org/a.png 2x" alt="a">', "<img> loads https://example.org/a.png from outside"),
        ('<script src="//example.org/a.js"></script>', "<script> loads //example.org/a.js from outside the book"),
        ('<iframe src="https://example.org"></iframe>', "<iframe> loads https://example.org from outside the book"),
        ('<link rel="stylesheet" href="https://example.org/a.css">', "<link> loads https://example.org/a.css from"),
        ('<link rel="preload" href="https://example.org/a.woff">', "<link> loads https://example.org/a.woff from"),
        ("<p style=\"background: url('https://example.org/a.png')\">x</p>", "<p> loads https://example.org/a.png from"),
    ],
)
def test_a_fault_names_its_page(page, body, said):
    with pytest.raises(BookError) as error:
        check_site(page(body))

    assert str(error.value).startswith(f"index.html: {said}")


@pytest.mark.parametrize("rule", ["@import 'https://example.org/a.css'", "p { background: url(//example.org/a.png) }"])
def test_a_style_sheet_that_loads_from_elsewhere_is_named(page, rule):
    site = page("words")
    (site / "book.css").write_text(rule, encoding="utf-8")

    with pytest.raises(BookError, match=r"^book\.css: loads .*//example\.org/a\.\w+ from outside the book$"):
        check_site(site)
