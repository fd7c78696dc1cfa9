"""The notation page against the code: every name is there, and has the shape that the page gives it."""

import importlib
import inspect
import re
from typing import Any

import pytest

from tests.conftest import REPOSITORY

NAME = re.compile(r"`(?P<module>\w+)\.(?P<owner>\w+)(?:\.(?P<field>\w+)|\((?P<argument>\w+)\))?`")


def rows():
    """Name in the code and shape, for each line of the page's tables."""
    page = (REPOSITORY / "book" / "notation.md").read_text(encoding="utf-8")
    lines = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line.startswith("|")
    ]
    head = lines[0]
    assert head == ["Symbol", "Term", "Name in the code", "Shape"]
    return [(line[2], line[3].strip("`")) for line in lines if line != head and set(line[0]) - set("- ")]


def found(name):
    """What a name of the page stands for, and the line of source or docstring that describes it."""
    match = NAME.fullmatch(name)
    assert match, f"{name} is not module.Name, module.Name.field or module.function(argument)"
    owner = getattr(importlib.import_module(f"attnlearn.{match['module']}"), match["owner"])
    if match["argument"]:
        assert match["argument"] in inspect.signature(owner).parameters
        return described(inspect.getdoc(owner), match["argument"])
    if match["field"] is None:
        return inspect.getdoc(owner)
    member = inspect.getattr_static(owner, match["field"], None)
    computed: Any = getattr(member, "fget", None) or getattr(member, "func", None)  # of a property, cached or not
    if computed:
        return inspect.getsource(computed)
    assert match["field"] in owner.__annotations__
    return described(inspect.getsource(owner), match["field"])


def described(text, name):
    """The line that starts with a name and a colon, and those that go on with it, further in."""
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines) if re.match(rf"\s*{name}:", line)]
    assert starts, f"{name} is not described"
    start = starts[0]
    indent = len(lines[start]) - len(lines[start].lstrip())
    more = 1
    while start + more < len(lines) and re.match(rf"\s{{{indent + 1},}}\S", lines[start + more]):
        more += 1
    return "\n".join(lines[start : start + more])


def test_the_page_has_a_table():
    assert len(rows()) > 10


@pytest.mark.parametrize("name", [name for name, _ in rows()])
def test_every_name_of_the_page_is_in_the_code(name):
    assert found(name)


@pytest.mark.parametrize(("name", "shape"), [(name, shape) for name, shape in rows() if shape])
def test_every_shape_of_the_page_is_the_codes(name, shape):
    assert shape in found(name)
