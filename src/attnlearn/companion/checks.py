"""What stops a build: prose that its run does not bear out, pictures without words, links that lead nowhere."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import nbformat
from bs4 import BeautifulSoup
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.myst_role import myst_role_plugin

from attnlearn.companion.errors import BookError
from attnlearn.companion.figures import FIGURE_MIME

# A decimal or a percentage. A version, a paper's arXiv number and an interval's level are names, not results.
_RESULT = re.compile(
    r"(?<!CC BY )(?<!Python )(?<!arXiv[: ])(?<!/abs/)(?<![\d.])"
    r"(\d[\d,.]*\s?(?:%|per ?cent)(?!\s(?:interval|Student))|\d[\d,]*\.\d+)(?!\d|\.\d|%)"
)
_GLUE = re.compile(r"(?:(?P<page>[^:]+)::)?(?P<key>[^:]+)(?::(?P<format>.+))?")
_QUOTED = "The paper says"
_DIRECTIVE = re.compile(r"\{([\w:-]+)\}(.*)")
# Directives that hold no prose.
_LITERAL = ("bibliography", "code", "code-block", "include", "literalinclude", "math", "raw")

_MARKDOWN = (
    MarkdownIt("commonmark")
    .enable("table")
    .use(front_matter_plugin)
    .use(dollarmath_plugin)
    .use(amsmath_plugin)
    .use(colon_fence_plugin)
    .use(myst_role_plugin)
)

Glued = Mapping[str, Mapping[str, str]]


def glued(notebook: nbformat.NotebookNode) -> dict[str, str]:
    """The numbers that a run stored for its prose: name to displayed text."""
    found = {}
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            scrap = output.get("metadata", {}).get("scrapbook")
            if scrap:
                found[scrap["name"]] = output["data"][scrap["mime_prefix"] + "text/plain"]
    return found


def check_prose(place: str, page: str, text: str, values: Glued) -> None:
    """Stop at a number that is typed, or that no run glued.

    Args:
        place: where the text stands, for the message.
        page: the page that the text is of.
        values: page to its glued numbers.

    Raises:
        BookError: naming the place and the number.
    """
    for token in _inline(_MARKDOWN.parse(text)):
        if token.type == "text" and (typed := _RESULT.search(token.content)):
            raise BookError(
                f"{place}: the number {typed[0]} is typed; glue it from the run, or put a quoted one under '{_QUOTED}'"
            )
        if token.type == "myst_role" and token.meta["name"].startswith("glue"):
            _check_glue(place, page, token.content, values)


def check_pictures(place: str, cell: nbformat.NotebookNode) -> None:
    """Stop at a picture that no `save_figure` gave its words."""
    outputs = [output.get("data", {}) for output in cell.get("outputs", [])]
    pictures = [data for data in outputs if any(kind.startswith("image/") for kind in data)]
    if len(pictures) > sum(FIGURE_MIME in data for data in outputs):
        raise BookError(f"{place}: the picture has no alt text; show it with save_figure")


def check_site(html: Path) -> None:
    """Stop at a page that has a dead link, a picture without alt text, or something to load from elsewhere.

    Raises:
        BookError: naming the page and the link or picture.
    """
    html = html.resolve()
    pages = {
        path: BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser") for path in sorted(html.rglob("*.html"))
    }
    pages = {path: soup for path, soup in pages.items() if "_static" not in path.relative_to(html).parts}
    anchors = {path: {str(tag["id"]) for tag in soup.find_all(id=True)} for path, soup in pages.items()}
    for path, soup in pages.items():
        page = path.relative_to(html).as_posix()
        for picture in soup.find_all("img"):
            if picture.get("alt") is None:
                raise BookError(f"{page}: the picture {picture.get('src')} has no alt text")
        for tag, address in _loaded(soup):
            if urlsplit(address).netloc:
                raise BookError(f"{page}: <{tag}> loads {address} from outside the book")
            if fault := _dead(html, path, address, anchors):
                raise BookError(f"{page}: <{tag}> loads {address}: {fault}")
        for link in soup.find_all("a", href=True):
            if fault := _dead(html, path, str(link["href"]), anchors):
                raise BookError(f"{page}: dead link {link['href']}: {fault}")
    for sheet in html.rglob("*.css"):
        if outside := re.search(r"(?:url\(|@import\s+)[\"']?(?:https?:)?//[^)\"']+", sheet.read_text(encoding="utf-8")):
            raise BookError(f"{sheet.relative_to(html)}: loads {outside[0]} from outside the book")


def _inline(tokens: list[Token]) -> Iterator[Token]:
    """The words, roles and links of parsed Markdown, in directives too; not code, mathematics, or the paper's words."""
    for token in tokens:
        if token.type == "inline":
            yield from token.children or []
        elif token.type in ("colon_fence", "fence") and (directive := _DIRECTIVE.fullmatch(token.info.strip())):
            name, title = directive.groups()
            if name not in _LITERAL and _QUOTED not in title:
                yield from _inline(_MARKDOWN.parse(title if name == "admonition" else ""))
                yield from _inline(_MARKDOWN.parse(re.sub(r"\A(?::\w+:.*\n)+", "", token.content)))


def _check_glue(place: str, page: str, content: str, values: Glued) -> None:
    match = _GLUE.fullmatch(content)
    if match is None:
        raise BookError(f"{place}: {content} does not name a glued number")
    other, key, form = match["page"], match["key"], match["format"]
    home = page if other is None else _resolved(page, other)
    if home not in values or key not in values[home]:
        raise BookError(f"{place}: no number {key} was glued in {home}")
    if form:
        text = values[home][key]
        try:
            format(int(text) if form[-1] in "bcdoxX" else float(text), form)
        except ValueError as fault:
            raise BookError(f"{place}: {key} is {text}, which does not take the format {form}: {fault}") from None


def _resolved(page: str, other: str) -> str:
    """The page that a path with ending, relative to another page, names."""
    parts = page.split("/")[:-1]
    for part in other.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return "/".join(parts).rsplit(".", 1)[0]


def _loaded(soup: Any) -> Iterator[tuple[str, str]]:
    """What a browser fetches by itself when it opens the page."""
    for tag in soup.find_all(["script", "img", "iframe", "source", "video", "audio"], src=True):
        yield tag.name, tag["src"]
    for tag in soup.find_all(srcset=True):
        yield from ((tag.name, choice.split()[0]) for choice in tag["srcset"].split(",") if choice.strip())
    for tag in soup.find_all(style=True):
        yield from ((tag.name, address) for address in re.findall(r"url\([\"']?([^)\"']+)", tag["style"]))
    for tag in soup.find_all("link", href=True):
        if {"stylesheet", "preload", "icon", "prefetch", "modulepreload"} & set(tag.get("rel", [])):
            yield tag.name, tag["href"]


def _dead(html: Path, path: Path, address: str, anchors: Mapping[Path, set[str]]) -> str | None:
    """What is wrong with a link inside the book, if anything."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return None
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.is_file() or not target.is_relative_to(html):
        return "there is no such file"
    if parts.fragment and target in anchors and unquote(parts.fragment) not in anchors[target]:
        return f"the page has no place {parts.fragment}"
    return None
