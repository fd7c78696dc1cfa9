"""A site to look at, and a real browser that visits every page of it: wide and phone-sized, light and dark."""

import io
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import sync_playwright

# Without these Chromium calls home by itself, which would hide what a page asks for.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WIDE, PHONE = 1280, 390
Theme = Literal["light", "dark"]

VIEWS: list[tuple[int, Theme]] = [(WIDE, "light"), (WIDE, "dark"), (PHONE, "light"), (PHONE, "dark")]

PICTURES = """async () => {
    const pictures = [...document.images];
    pictures.forEach(picture => { picture.loading = 'eager' });
    await Promise.all(pictures.map(picture => picture.decode().catch(() => null)));
    return pictures.map(picture => [picture.src, picture.naturalWidth, picture.alt]);
}"""
UNTYPESET = """() => [
    ...[...document.querySelectorAll('.math')].filter(math => !math.querySelector('mjx-container')),
    ...document.querySelectorAll('mjx-merror'),
].map(math => math.textContent)"""
# Contrast as WCAG 2 defines it, between a text and the nearest ground that is painted behind it.
CONTRASTS = """() => {
    const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const channels = colour => {
        canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const luminance = rgb => {
        const linear = rgb.map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    };
    const small = 'figcaption p, figcaption .caption-text, .verdict p, .made-by, .badge, .ledger small';
    return [...document.querySelectorAll(small)].map(element => {
        let behind = element;
        while (behind && channels(getComputedStyle(behind).backgroundColor)[3] < 255) behind = behind.parentElement;
        const text = luminance(channels(getComputedStyle(element).color));
        const ground = behind ? luminance(channels(getComputedStyle(behind).backgroundColor)) : 1;
        const contrast = (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
        return [element.textContent.trim().slice(0, 40), contrast];
    });
}"""


@dataclass(frozen=True)
class Visit:
    """What the browser saw of one page, at one width, in one theme."""

    page: str
    width: int
    theme: Theme
    requests: list[Any] = field(default_factory=list)
    errors: list[Any] = field(default_factory=list)
    pictures: list[Any] = field(default_factory=list)  # (address, width in pixels or 0, alt text)
    untypeset: list[Any] = field(default_factory=list)
    contrasts: list[Any] = field(default_factory=list)  # (text, contrast)
    figures: list[Any] = field(default_factory=list)  # (H, W, 3) each, as shown
    scroll: list[Any] = field(default_factory=list)  # how wide the page is
    words: list[Any] = field(default_factory=list)


@pytest.fixture(scope="session")
def site(request):
    """The folder of the built site: `--site DIR`, or the tiny book's."""
    named = request.config.getoption("--site")
    if named:
        return Path(named).resolve()
    return request.getfixturevalue("pristine") / "_build" / "html"


@pytest.fixture(scope="session")
def visits(site):
    """Every page that a reader can come to, but the search page, which is empty until somebody searches."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("no Chromium on PATH; on Debian: apt-get install chromium")
    paths = [path for path in sorted(site.rglob("*.html")) if "_static" not in path.relative_to(site).parts]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield [
            _visit(context, path, Visit(path.relative_to(site).as_posix(), width, theme))
            for width, theme in VIEWS
            for context in [browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)]
            for path in paths
            if path.name != "search.html"
        ]
        browser.close()


def _visit(context, path, visit):
    page = context.new_page()
    page.on("request", lambda request: visit.requests.append(request.url))
    page.on("pageerror", lambda error: visit.errors.append(str(error)))
    page.goto(path.as_uri())
    page.evaluate("window.MathJax?.startup?.promise")
    visit.pictures.extend(page.evaluate(PICTURES))
    visit.untypeset.extend(page.evaluate(UNTYPESET))
    visit.contrasts.extend(page.evaluate(CONTRASTS))
    visit.scroll.append(page.evaluate("document.scrollingElement.scrollWidth"))
    visit.words.append(page.inner_text("body"))
    if visit.width == WIDE:
        for figure in page.query_selector_all("figure.book-figure img"):
            visit.figures.append(np.asarray(Image.open(io.BytesIO(figure.screenshot())).convert("RGB"), dtype=int))
    page.close()
    return visit
