"""The rules of the house that a machine can check: who imports whom, and what a chapter's source looks like."""

import ast
import shutil
from pathlib import Path

import jupytext.cli
import pytest

import attnlearn
from attnlearn.companion.chapters import Book
from attnlearn.companion.claims import Register
from tests.conftest import REPOSITORY

PACKAGE = Path(attnlearn.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
BOOK = Book(REPOSITORY)
PARTS = ("topics", "translation")
# A laptop's screen, 1366 pixels wide, shows this many characters of a code cell and one more.
WIDEST, WIDEST_FOLDED = 88, 100


def name(path):
    return path.relative_to(PACKAGE).with_suffix("").as_posix()


def imports(path):
    """Every dotted name that a module imports; `from a import b` counts as a.b."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name(path)}: the build follows absolute imports only"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def within(path, *rooms):
    return path.relative_to(PACKAGE).parts[0] in rooms


def importing(modules, *rooms):
    """The modules that import something of these rooms of the package."""
    prefixes = tuple(f"attnlearn.{room}" for room in rooms)
    return [name(path) for path in modules if any(found.startswith(prefixes) for found in imports(path))]


def code_lines(chapter):
    return [line for cell in chapter.notebook().cells if cell.cell_type == "code" for line in cell.source.splitlines()]


def test_science_never_imports_the_books_machinery():
    science = [path for path in MODULES if not within(path, "companion")]

    assert importing(science, "companion") == []


@pytest.mark.parametrize(("part", "other"), [PARTS, PARTS[::-1]])
def test_the_two_parts_do_not_import_each_other(part, other):
    assert importing([path for path in MODULES if within(path, part)], other) == []


def test_corpora_import_no_part():
    assert importing([path for path in MODULES if within(path, "corpora")], *PARTS) == []


def test_the_books_machinery_knows_no_chapter():
    machinery = [path for path in MODULES if within(path, "companion")]

    for path in machinery:
        text = path.read_text(encoding="utf-8")
        assert not [chapter for chapter in BOOK.chapters if f'"{chapter}"' in text], name(path)
        assert not [found for found in imports(path) if found.split(".")[0] == "book"], name(path)


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_every_module_says_what_it_is(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))

    assert ast.get_docstring(tree)


def test_every_public_function_and_class_says_what_it_does():
    silent = [
        f"{name(path)}.{node.name}"
        for path in MODULES
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]

    assert silent == []


def test_chapters_become_notebooks_and_chapters_again_without_a_change(tmp_path):
    shutil.copy(REPOSITORY / "jupytext.toml", tmp_path)
    copies = {chapter: tmp_path / f"{number}.md" for number, chapter in enumerate(BOOK.chapters.values())}
    for chapter, copy in copies.items():
        shutil.copy(chapter.path, copy)

    jupytext.cli.jupytext(["--quiet", "--to", "ipynb", *map(str, copies.values())])
    for copy in copies.values():
        copy.unlink()
    jupytext.cli.jupytext(
        ["--quiet", "--to", "md:myst", *(str(copy.with_suffix(".ipynb")) for copy in copies.values())]
    )

    changed = [chapter.name for chapter, copy in copies.items() if copy.read_text(encoding="utf-8") != chapter.text]
    assert changed == []


@pytest.mark.parametrize("chapter", BOOK.chapters)
def test_every_chapters_parameters_can_be_read_in_both_profiles(chapter):
    own = BOOK.chapter(chapter)

    assert own.values("quick", {}).keys() == own.values("paper", {}).keys() == own.parameters.keys()


@pytest.mark.parametrize("claim", Register(BOOK.source / "claims.yml").claims.values(), ids=lambda claim: claim.id)
def test_every_claim_is_recorded_and_drawn_by_its_chapter(claim):
    trees = [ast.parse("\n".join(code_lines(BOOK.chapter(claim.chapter))))]

    words = [node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    calls = {ast.unparse(node.func) for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)}
    assert claim.id in words
    assert {"record_claim", "save_figure"} <= calls


@pytest.mark.parametrize("chapter", BOOK.chapters)
def test_no_chapters_code_scrolls_sideways(chapter):
    cells = [cell for cell in BOOK.chapter(chapter).notebook().cells if cell.cell_type == "code"]
    room = {cell.id: WIDEST_FOLDED if "hide-input" in cell.metadata.get("tags", []) else WIDEST for cell in cells}

    wide = [line for cell in cells for line in cell.source.splitlines() if len(line) > room[cell.id]]
    assert wide == []
