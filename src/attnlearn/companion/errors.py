"""The two ways in which a command ends badly. Each is told in one line, without a traceback."""

from pathlib import Path
from typing import Any

import yaml


class BookError(Exception):
    """The book does not build: a chapter failed, or says what its run does not bear out. Exit code 1."""


class UsageError(Exception):
    """The command asks for what there is not. Exit code 2, before anything runs."""


def read_yaml(path: Path) -> dict[str, Any]:
    """The mapping that a YAML file of the book holds, or a BookError that names the file and the line."""
    try:
        content: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as fault:
        raise BookError(f"{path.name}{yaml_fault(fault)}") from None
    if not isinstance(content, dict):
        raise BookError(f"{path.name} cannot be read: it must hold names with their values")
    return content


def yaml_fault(fault: Exception) -> str:
    """Where and why YAML cannot be read, on one line."""
    mark, problem = getattr(fault, "problem_mark", None), getattr(fault, "problem", None)
    where = "" if mark is None else f", line {mark.line + 1}"
    return f"{where} cannot be read: {problem or str(fault).splitlines()[0]}"
