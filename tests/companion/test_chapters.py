"""What a chapter lets a rerunner change, and what a reader of a refusal learns."""

import pytest

from attnlearn.companion.chapters import Book, Chapter, Parameter
from attnlearn.companion.errors import BookError, UsageError

HEAD = "---\nkernelspec:\n  name: python3\n  display_name: Python 3\n{profiles}---\n# A title\n"
CELL = "\n```{{code-cell}} ipython3\n:tags: [parameters]\n\n{lines}\n```\n"


def chapter(tmp_path, lines, *, profiles=""):
    """A chapter whose parameters cell has these lines."""
    path = tmp_path / "chapter.md"
    path.write_text(HEAD.format(profiles=profiles) + CELL.format(lines=lines), encoding="utf-8")
    return Chapter("part/chapter", path)


def book(root, *pages, toc=None):
    """A book of chapters that run, in this order."""
    for page in pages:
        path = root / "book" / f"{page}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEAD.format(profiles=""), encoding="utf-8")
    first, *rest = toc or pages
    listed = ["chapters:", *(f"  - file: {page}" for page in rest)] if rest else []
    lines = ["format: jb-book", f"root: {first}", *listed]
    (root / "_toc.yml").write_text("\n".join(lines), encoding="utf-8")
    return Book(root)


@pytest.mark.parametrize(
    ("line", "parameter"),
    [
        (
            "seeds: int = 5  # 2 to 1_000: independent runs",
            Parameter("seeds", "int", 5, "2 to 1_000", "independent runs"),
        ),
        ("epochs: int = 5_000  # 1 to 100_000: steps", Parameter("epochs", "int", 5000, "1 to 100_000", "steps")),
        ("slope: float = -0.5  # -1.5 to 1e3: tilt", Parameter("slope", "float", -0.5, "-1.5 to 1e3", "tilt")),
        ("step: float = 1  # 0 to 1: of descent", Parameter("step", "float", 1, "0 to 1", "of descent")),
        (
            'padding: str = "masked"  # one of masked, word: how a sentence ends',
            Parameter("padding", "str", "masked", "masked, word", "how a sentence ends"),
        ),
        (
            'corpora: list = ["imdb"]  # any of imdb, rotten-tomatoes: what is learned from',
            Parameter("corpora", "list", ["imdb"], "imdb, rotten-tomatoes", "what is learned from"),
        ),
        (
            "m: int = 20  # 1 to 500: m, which is: how many",
            Parameter("m", "int", 20, "1 to 500", "m, which is: how many"),
        ),
    ],
)
def test_a_parameter_says_type_default_range_and_meaning(tmp_path, line, parameter):
    assert chapter(tmp_path, line).parameters == {parameter.name: parameter}


def test_parameters_keep_their_order(tmp_path):
    lines = "zeta: int = 1  # 0 to 2: last letter\nalpha: int = 1  # 0 to 2: first letter"

    assert list(chapter(tmp_path, lines).parameters) == ["zeta", "alpha"]


def test_a_chapter_without_a_parameters_cell_has_none(tmp_path):
    path = tmp_path / "chapter.md"
    path.write_text(HEAD.format(profiles=""), encoding="utf-8")

    assert Chapter("part/chapter", path).parameters == {}


@pytest.mark.parametrize(
    "line",
    [
        "seeds = 5  # 2 to 10: no type",
        "seeds: int = 5",
        "seeds: int = 5  # independent runs",
        "seeds: int = 5  # 2 to 10",
        "seeds: int = 5  # 2 to ten: runs",
        "seeds: int = 5  # e to .: runs",
        "seeds: int = 2 + 3  # 2 to 10: runs",
        "seeds: int = 5  # one of 5, 6: a word's choices",
        "seeds: bool = True  # one of True, False: an unknown type",
        'seeds: str = "a"  # 2 to 10: a number\'s range',
        'seeds: str = "a"  # any of a, b: a list\'s choices',
        'seeds: list = ["a"]  # one of a, b: a word\'s choices',
    ],
)
def test_a_malformed_parameter_is_one_line_that_shows_how_to_write_it(tmp_path, line):
    with pytest.raises(BookError) as error:
        chapter(tmp_path, line).parameters  # noqa: B018  # reading it is what fails

    message = str(error.value)
    assert "\n" not in message
    assert message.startswith("part/chapter, parameters cell: seeds must be written as 'name: int = 5  # 2 to 1000: ")


@pytest.mark.parametrize(
    "line",
    [
        "seeds: int = 5  # 10 to 100: runs",
        "seeds: int = 5  # 100 to 2: runs",
        "seeds: int = 5.0  # 2 to 100: runs",
        'seeds: str = "c"  # one of a, b: runs',
        "seeds: list = []  # any of a, b: runs",
    ],
)
def test_a_default_that_is_not_allowed_is_the_chapters_fault(tmp_path, line):
    with pytest.raises(BookError, match=r"^part/chapter, parameters cell: parameter seeds must be ") as error:
        chapter(tmp_path, line).parameters  # noqa: B018

    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "broken",
    [HEAD.format(profiles="profiles: [1\n"), HEAD.format(profiles="") + "\n```{code-cell} ipython3\n:tags: [a\n```\n"],
    ids=["front matter", "cell options"],
)
def test_a_chapter_that_cannot_be_read_is_one_line_that_names_it(tmp_path, broken):
    (tmp_path / "chapter.md").write_text(broken, encoding="utf-8")

    with pytest.raises(BookError, match=r"^part/chapter(, line \d+)? cannot be read: ") as error:
        Chapter("part/chapter", tmp_path / "chapter.md").notebook()

    assert "\n" not in str(error.value)


def test_a_profile_overrides_defaults_and_a_change_overrides_both(tmp_path):
    lines = "seeds: int = 5  # 2 to 100: runs\nsteps: int = 10  # 1 to 100: steps"
    own = chapter(tmp_path, lines, profiles="profiles:\n  paper: {seeds: 50}\n")

    assert own.values("quick", {}) == {"seeds": 5, "steps": 10}
    assert own.values("paper", {}) == {"seeds": 50, "steps": 10}
    assert own.values("paper", {"seeds": 7}) == {"seeds": 7, "steps": 10}


def test_an_unknown_profile_lists_the_profiles(tmp_path):
    with pytest.raises(UsageError, match=r"^unknown profile fast; there are quick, paper$"):
        chapter(tmp_path, "").values("fast", {})


def test_an_unknown_parameter_lists_the_parameters(tmp_path):
    lines = "seeds: int = 5  # 2 to 100: runs\nsteps: int = 10  # 1 to 100: steps"

    with pytest.raises(UsageError, match=r"^part/chapter has no parameter seed; its parameters are seeds, steps$"):
        chapter(tmp_path, lines).values("quick", {"seed": 0})


def test_a_chapter_without_parameters_says_that_it_has_none(tmp_path):
    with pytest.raises(UsageError, match=r"^part/chapter has no parameter seed; its parameters are none$"):
        chapter(tmp_path, "").parameter("seed")


@pytest.mark.parametrize(
    ("line", "text", "value"),
    [
        ("a: int = 1  # 1 to 2_000: x", "1_500", 1500),
        ("a: int = 1  # 1 to 2_000: x", "2000", 2000),
        ("a: float = 1  # 0 to 1e3: x", "1e2", 100.0),
        ("a: float = 1  # -2 to 1: x", "-2", -2.0),
        ('a: str = "b"  # one of b, c: x', "c", "c"),
        ('a: list = ["b"]  # any of b, c: x', "c, b", ["c", "b"]),
    ],
)
def test_a_command_lines_text_becomes_a_value(tmp_path, line, text, value):
    own = chapter(tmp_path, line)

    assert own.values("quick", {"a": own.parameter("a").parse(text)}) == {"a": value}


@pytest.mark.parametrize(
    ("line", "text", "message"),
    [
        ("a: int = 1  # 1 to 20: x", "many", "a whole number from 1 to 20, got many"),
        ("a: int = 1  # 1 to 20: x", "2.5", "a whole number from 1 to 20, got 2.5"),
        ("a: int = 1  # 1 to 20: x", "", "a whole number from 1 to 20, got "),
        ("a: int = 1  # 1 to 20: x", "0", "a whole number from 1 to 20, got 0"),
        ("a: int = 1  # 1 to 20: x", "21", "a whole number from 1 to 20, got 21"),
        ("a: float = 1  # 0 to 1: x", "half", "a number from 0 to 1, got half"),
        ("a: float = 1  # 0 to 1: x", "1.01", "a number from 0 to 1, got 1.01"),
        ("a: float = 1  # 0 to 1: x", "nan", "a number from 0 to 1, got nan"),
        ('a: str = "b"  # one of b, c: x', "d", "one of b, c, got d"),
        ('a: list = ["b"]  # any of b, c: x', "b,d", "some of b, c, got b, d"),
        ('a: list = ["b"]  # any of b, c: x', "b,b", "some of b, c, got b, b"),
    ],
)
def test_a_value_of_the_wrong_type_or_range_says_what_is_allowed(tmp_path, line, text, message):
    own = chapter(tmp_path, line)

    with pytest.raises(UsageError) as error:
        own.values("quick", {"a": own.parameter("a").parse(text)})

    assert str(error.value) == f"parameter a must be {message}"


def test_chapters_come_in_the_order_of_the_table_of_contents(tmp_path):
    own = book(tmp_path, "index", "part/late", "part/early", toc=("index", "part/early", "part/late"))

    assert list(own.chapters) == ["index", "part/early", "part/late"]


def test_a_page_without_a_kernel_is_no_chapter(tmp_path):
    own = book(tmp_path, "index", "part/one")
    (tmp_path / "book" / "index.md").write_text("# A title\n\nkernelspec: none\n", encoding="utf-8")

    assert list(own.pages) == ["index", "part/one"]
    assert list(own.chapters) == ["part/one"]


def test_a_table_of_contents_that_names_a_missing_page_says_which(tmp_path):
    own = book(tmp_path, "index", toc=("index", "part/one"))

    with pytest.raises(BookError, match=r"^_toc\.yml: there is no book/part/one\.md$"):
        own.pages  # noqa: B018


def test_an_unknown_chapter_lists_the_chapters(tmp_path):
    with pytest.raises(UsageError, match=r"^unknown chapter two; there are index, one$"):
        book(tmp_path, "index", "one").chapter("two")


def test_a_chapters_title_is_its_first_heading(tmp_path):
    own = book(tmp_path, "index")

    assert own.chapter("index").title == "A title"


def test_a_chapter_without_a_title_is_named(tmp_path):
    own = book(tmp_path, "index")
    (tmp_path / "book" / "index.md").write_text(HEAD.format(profiles="").replace("# A", "A"), encoding="utf-8")

    with pytest.raises(BookError, match=r"^index: the chapter has no title"):
        own.chapter("index").title  # noqa: B018


def test_the_book_is_found_from_any_folder_of_its_checkout(tmp_path, monkeypatch):
    book(tmp_path, "part/one")
    monkeypatch.chdir(tmp_path / "book" / "part")

    assert Book.here().root == tmp_path


def test_outside_a_checkout_there_is_no_book(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    with pytest.raises(UsageError, match=r"^no book here: run attnlearn inside a checkout"):
        Book.here()
