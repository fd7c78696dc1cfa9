"""What a reader sees and hears on every page, in a real browser."""

import io

import numpy as np
import pytest
from PIL import Image

# Contrast as WCAG 2 defines it, between an element's text and the nearest background that is painted behind it.
CONTRAST = """element => {
    const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const channels = colour => {
        canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
        return canvas.getImageData(0, 0, 1, 1).data;
    };
    const luminance = ([r, g, b]) => {
        const linear = [r, g, b].map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    };
    let behind = element;
    while (behind && channels(getComputedStyle(behind).backgroundColor)[3] < 255) behind = behind.parentElement;
    const text = luminance(channels(getComputedStyle(element).color));
    const ground = behind ? luminance(channels(getComputedStyle(behind).backgroundColor)) : 1;
    return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
}"""


def test_no_page_asks_for_anything_outside_the_book(view, pages):
    asked = []

    for path in pages:
        view(path, listen=lambda page: page.on("request", lambda request: asked.append(request.url)))

    assert asked
    assert [address for address in asked if not address.startswith(("file:", "data:", "blob:"))] == []


def test_no_page_has_a_script_error(view, pages):
    errors = []

    for path in pages:
        view(path, listen=lambda page: page.on("pageerror", lambda error: errors.append(f"{page.url}: {error}")))

    assert errors == []


def test_every_picture_is_there_and_has_words(view, pages):
    wrong = []

    for path in pages:
        page = view(path)
        page.evaluate("document.querySelectorAll('img').forEach(picture => { picture.loading = 'eager' })")
        page.wait_for_function("[...document.images].every(picture => picture.complete)")
        pictures = page.evaluate("[...document.images].map(image => [image.src, image.naturalWidth, image.alt])")
        wrong += [picture for picture in pictures if picture[1] == 0 or not picture[2].strip()]

    assert wrong == []


def test_all_mathematics_is_typeset(view, pages):
    unset = []

    for path in pages:
        page = view(path)
        left = page.evaluate(
            "[...document.querySelectorAll('.math')].filter(math => !math.querySelector('mjx-container'))"
            ".map(math => math.textContent)"
        )
        errors = page.evaluate("[...document.querySelectorAll('mjx-merror')].map(error => error.textContent)")
        unset += [(path.name, text) for text in left + errors]

    assert unset == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_scrolls_sideways_on_a_phone(view, pages, theme):
    wide = []

    for path in pages:
        width = view(path, width=390, theme=theme).evaluate("document.scrollingElement.scrollWidth")
        wide += [(path.name, width)] if width > 390 else []

    assert wide == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_captions_verdicts_and_small_print_can_be_read(view, pages, theme):
    faint, seen = [], 0

    for path in pages:
        page = view(path, theme=theme)
        for element in page.query_selector_all("figcaption p, figcaption .caption-text, .verdict p, .made-by, .badge"):
            seen += 1
            contrast = element.evaluate(CONTRAST)
            faint += [(path.name, element.inner_text()[:40], contrast)] if contrast < 4.5 else []

    assert seen
    assert faint == []


def test_a_figure_has_the_page_behind_it_in_the_dark_theme(view, pages):
    boxes, seen = [], 0

    for path in pages:
        page = view(path, theme="dark")
        for figure in page.query_selector_all("figure.book-figure img"):
            seen += 1
            figure.scroll_into_view_if_needed()
            pixels = np.asarray(Image.open(io.BytesIO(figure.screenshot())).convert("RGB"), dtype=int)
            boxes += [(path.name, pixels[2, 2].tolist())] if pixels[2, 2].max() > 60 else []
            assert pixels.max() > 200, f"{path.name}: nothing light is drawn on the dark page"

    assert seen
    assert boxes == []


def test_the_theme_button_turns_figures_over(view, site):
    figure = next((site / "figures").glob("*/index.html"))
    page = view(figure, theme="light")
    picture = page.query_selector("figure.book-figure img")
    light = picture.evaluate("element => getComputedStyle(element).filter")

    page.evaluate("document.documentElement.dataset.theme = 'dark'")

    assert light == "none"
    assert "invert" in picture.evaluate("element => getComputedStyle(element).filter")


def test_every_page_says_its_profile_and_its_licence(view, pages):
    silent = []

    for path in pages:
        words = view(path).inner_text("body")
        silent += [] if "Made with profile" in words and "CC BY 4.0" in words and "MIT" in words else [path.name]

    assert silent == []
