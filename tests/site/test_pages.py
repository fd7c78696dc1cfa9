"""What a reader sees and hears on every page, in a real browser."""

import pytest

from tests.site.conftest import PHONE


def test_no_page_asks_for_anything_outside_the_book(visits):
    asked = [(visit.page, address) for visit in visits for address in visit.requests]

    assert asked
    assert [item for item in asked if not item[1].startswith(("file:", "data:", "blob:"))] == []


def test_no_page_has_a_script_error(visits):
    assert [(visit.page, visit.errors) for visit in visits if visit.errors] == []


def test_every_picture_is_there_and_has_words(visits):
    pictures = [(visit.page, *picture) for visit in visits for picture in visit.pictures]

    assert pictures
    assert [picture for picture in pictures if picture[2] == 0 or not picture[3].strip()] == []


def test_all_mathematics_is_typeset(visits):
    assert [(visit.page, visit.untypeset) for visit in visits if visit.untypeset] == []


def test_no_page_scrolls_sideways_on_a_phone(visits):
    phone = [visit for visit in visits if visit.width == PHONE]

    assert phone
    assert [(visit.page, visit.theme, visit.scroll) for visit in phone if visit.scroll[0] > PHONE] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_captions_verdicts_and_small_print_can_be_read(visits, theme):
    contrasts = [(visit.page, *pair) for visit in visits if visit.theme == theme for pair in visit.contrasts]

    assert contrasts
    assert [item for item in contrasts if item[2] < 4.5] == []


def test_a_figure_has_the_page_behind_it_in_either_theme(visits):
    figures = [(visit, pixels) for visit in visits for pixels in visit.figures]
    corners = {theme: [p[2, 2].mean() for v, p in figures if v.theme == theme] for theme in ("light", "dark")}

    assert len(corners["light"]) == len(corners["dark"]) > 0
    assert min(corners["light"]) > 240
    assert max(corners["dark"]) < 60  # no white box
    assert all(pixels.max() > 200 for visit, pixels in figures if visit.theme == "dark")  # and light ink on it


def test_every_page_says_its_profile_and_its_licence(visits):
    told = ("Made with profile", "CC BY 4.0", "MIT")

    assert [visit.page for visit in visits if not all(word in visit.words[0] for word in told)] == []
