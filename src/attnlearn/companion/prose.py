"""What a chapter puts between its sentences: numbers from its run, and the library's own code."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

import myst_nb
import numpy as np
from IPython.display import Markdown


def glue(**values: Any) -> None:
    """Store each value under its name, for `{glue:text}` in this chapter's prose or another's.

    Args:
        values: numbers or short texts; NumPy scalars become Python's, whose display takes a format.

    Raises:
        ValueError: a number is not finite: it has no place in a sentence.
    """
    for name, value in values.items():
        plain = value.item() if isinstance(value, np.generic) else value
        if isinstance(plain, float) and not np.isfinite(plain):
            raise ValueError(f"glued number {name} must be finite, got {plain}")
        myst_nb.glue(name, plain, display=False)


def source_of(function: Callable[..., Any]) -> Markdown:
    """A library function's source without its docstring, for chapters in which the code is the argument."""
    source = textwrap.dedent(inspect.getsource(function))
    definition: Any = ast.parse(source).body[0]
    lines = source.splitlines()
    if ast.get_docstring(definition):
        docstring = definition.body[0]
        del lines[docstring.lineno - 1 : docstring.end_lineno]
    return Markdown("\n".join(["```python", *lines, "```"]))
