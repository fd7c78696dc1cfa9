"""The book on disk: its chapters in reading order, and what each lets a rerunner change."""

import ast
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import jupytext
import nbformat
import yaml
from jupytext.myst import MystMetadataParsingError
from papermill.translators import PythonTranslator
from sphinx_external_toc.parsing import MalformedError, parse_toc_yaml

from attnlearn.companion.errors import BookError, UsageError, yaml_fault

PROFILES = ("quick", "paper")

_TYPES = {"int": int, "float": float, "str": str, "list": list}
_RANGE = re.compile(r"(?P<allowed>-?[\d_.e-]+ to -?[\d_.e-]+): (?P<meaning>.+)")
_HELP = {
    "int": _RANGE,
    "float": _RANGE,
    "str": re.compile(r"one of (?P<allowed>[^:]+): (?P<meaning>.+)"),
    "list": re.compile(r"any of (?P<allowed>[^:]+): (?P<meaning>.+)"),
}


@dataclass(frozen=True)
class Parameter:
    """One line of a chapter's `parameters` cell, such as `seeds: int = 5  # 2 to 1000: independent runs`.

    A number's comment starts with its range (`2 to 1000: …`); a word's with its choices (`one of a, b: …`, for
    str) or (`any of a, b: …`, for a list of them).
    """

    name: str
    type: str
    default: Any
    allowed: str
    meaning: str

    def parse(self, text: str) -> Any:
        """The value that a command line's text stands for.

        Raises:
            UsageError: the text is not of the parameter's type.
        """
        if self.type == "list":
            return [word.strip() for word in text.split(",")]
        try:
            return _TYPES[self.type](text)
        except ValueError:
            raise UsageError(self._refusal(text)) from None

    def check(self, value: Any) -> None:
        """Raise a UsageError that lists what is allowed unless the value is."""
        kinds = (int, float) if self.type == "float" else (_TYPES[self.type],)
        if not isinstance(value, kinds) or isinstance(value, bool) or not self._allows(value):
            raise UsageError(self._refusal(value))

    def _allows(self, value: Any) -> bool:
        if self.type in ("int", "float"):
            low, high = (float(bound) for bound in self.allowed.split(" to "))
            return low <= value <= high
        choices = self.allowed.split(", ")
        if self.type == "str":
            return value in choices
        return len(value) > 0 and len(set(value)) == len(value) and set(value) <= set(choices)

    def _refusal(self, value: Any) -> str:
        kind = {"int": "a whole number from ", "float": "a number from ", "str": "one of ", "list": "some of "}[
            self.type
        ]
        joined = ", ".join(map(str, value)) if isinstance(value, list) else value
        return f"parameter {self.name} must be {kind}{self.allowed}, got {joined}"


@dataclass(frozen=True)
class Chapter:
    """A page of the book, most often one that runs: `name` is its path under book/ without the ending."""

    name: str
    path: Path

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @property
    def runs(self) -> bool:
        """Whether its front matter names a kernel."""
        return self.text.startswith("---\n") and "\nkernelspec:" in self.text.split("\n---\n")[0]

    def notebook(self) -> nbformat.NotebookNode:
        """The chapter as a notebook without outputs, made anew at each call."""
        try:
            return jupytext.reads(self.text, fmt="md:myst")
        except (yaml.YAMLError, MystMetadataParsingError) as fault:
            raise BookError(f"{self.name}{yaml_fault(fault)}") from None

    @cached_property
    def title(self) -> str:
        heading = re.search(r"^# (.+)$", self.text, flags=re.MULTILINE)
        if heading is None:
            raise BookError(f"{self.name}: the chapter has no title, a line that starts with '# '")
        return heading[1].strip()

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        """What a rerunner may change, by name.

        Raises:
            BookError: a line of the `parameters` cell does not say its type and what is allowed.
        """
        cells = [cell for cell in self.notebook().cells if "parameters" in cell.metadata.get("tags", [])]
        return {found.name: self._parameter(found) for cell in cells for found in PythonTranslator.inspect(cell)}

    def _parameter(self, found: Any) -> Parameter:
        kind = found.inferred_type_name
        try:
            said = _HELP[kind].fullmatch(found.help).groupdict()  # type: ignore[union-attr]
            parameter = Parameter(found.name, kind, ast.literal_eval(found.default), said["allowed"], said["meaning"])
            parameter.check(parameter.default)
        except UsageError as fault:
            raise BookError(f"{self.name}, parameters cell: {fault}") from None
        except (KeyError, AttributeError, ValueError, SyntaxError):
            raise BookError(
                f"{self.name}, parameters cell: {found.name} must be written as "
                f"'name: int = 5  # 2 to 1000: meaning' (int, float), '# one of a, b: meaning' (str) "
                f"or '# any of a, b: meaning' (list)"
            ) from None
        return parameter

    def values(self, profile: str, changes: dict[str, Any]) -> dict[str, Any]:
        """The value of every parameter: the profile's, then the changes.

        Raises:
            UsageError: an unknown profile or parameter, or a value that is not allowed.
        """
        if profile not in PROFILES:
            raise UsageError(f"unknown profile {profile}; there are {', '.join(PROFILES)}")
        own = self.notebook().metadata.get("profiles", {}).get(profile, {})
        values = {name: parameter.default for name, parameter in self.parameters.items()} | own | changes
        for name, value in values.items():
            self.parameter(name).check(value)
        return values

    def parameter(self, name: str) -> Parameter:
        """The parameter of that name, or a UsageError that lists what there is."""
        if name not in self.parameters:
            known = ", ".join(self.parameters) or "none"
            raise UsageError(f"{self.name} has no parameter {name}; its parameters are {known}")
        return self.parameters[name]


@dataclass(frozen=True)
class Book:
    """A checkout of the book. All that is built goes under `build`."""

    root: Path

    @staticmethod
    def here() -> "Book":
        """The book whose checkout the working directory is in, or a UsageError."""
        start = Path.cwd()
        for folder in (start, *start.parents):
            if (folder / "_toc.yml").is_file() and (folder / "book").is_dir():
                return Book(folder)
        raise UsageError("no book here: run attnlearn inside a checkout, a folder that holds _toc.yml and book/")

    @property
    def source(self) -> Path:
        return self.root / "book"

    @property
    def build(self) -> Path:
        return self.root / "_build"

    @cached_property
    def pages(self) -> dict[str, Path]:
        """Every page in reading order: its name, and its .md file.

        Raises:
            BookError: the table of contents names a page that is not there.
        """
        try:
            pages = {name: self.source / f"{name}.md" for name in parse_toc_yaml(self.root / "_toc.yml")}
        except (yaml.YAMLError, MalformedError) as fault:
            raise BookError(f"_toc.yml{yaml_fault(fault)}") from None
        for name, path in pages.items():
            if not path.is_file():
                raise BookError(f"_toc.yml: there is no book/{name}.md")
        return pages

    @cached_property
    def chapters(self) -> dict[str, Chapter]:
        """The pages that run (their front matter names a kernel), in reading order."""
        chapters = (Chapter(name, path) for name, path in self.pages.items())
        return {chapter.name: chapter for chapter in chapters if chapter.runs}

    def chapter(self, name: str) -> Chapter:
        """The chapter of that name, or a UsageError that lists what there is."""
        if name not in self.chapters:
            raise UsageError(f"unknown chapter {name}; there are {', '.join(self.chapters)}")
        return self.chapters[name]
