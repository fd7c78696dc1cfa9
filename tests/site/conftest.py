"""A site to look at, and a real browser to look at it with."""

import shutil
from pathlib import Path

import pytest
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


@pytest.fixture(scope="session")
def site(request):
    """The folder of the built site: `--site DIR`, or the tiny book's."""
    named = request.config.getoption("--site")
    if named:
        return Path(named).resolve()
    return request.getfixturevalue("pristine") / "_build" / "html"


@pytest.fixture(scope="session")
def pages(site):
    """Every page that a reader can come to, but the search page, which is empty until somebody searches."""
    found = [path for path in sorted(site.rglob("*.html")) if "_static" not in path.relative_to(site).parts]
    return [path for path in found if path.name != "search.html"]


@pytest.fixture(scope="session")
def chromium():
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("no Chromium on PATH; on Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def view(chromium):
    """Opens a page from the file system, and gives it back once it has settled."""
    contexts = []

    def opened(path, *, width=1280, theme="light", listen=lambda page: None):
        contexts.append(chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=theme))
        page = contexts[-1].new_page()
        listen(page)
        page.goto(path.as_uri())
        page.evaluate("window.MathJax?.startup?.promise")
        return page

    yield opened
    for context in contexts:
        context.close()
