"""The log and the board: a line speaks to whoever reads it, and what it is about lights up."""

import pytest
from playwright.sync_api import Locator, expect

from souk.bots.nameplates import fitting
from tests.browser.conftest import Open
from tests.browser.playing import new_table

LIT = "[data-lit]"


def lies_on(light: Locator, place: Locator) -> bool:
    """Whether a ring of light lies round a place, to a pixel or two."""
    one, other = light.bounding_box(), place.bounding_box()
    assert one
    assert other
    return all(abs(one[each] - other[each]) < 3 for each in ("x", "y", "width", "height"))  # type: ignore[literal-required]


def test_pointing_at_a_line_lights_the_field(person: Open) -> None:
    page = person("desktop")
    new_table(page, "suleika", ["me", "bot", "bot"])
    page.locator("[data-board=suleika] [data-move=straight]").click()
    line = page.locator("[data-about^='field ']").first
    line.wait_for()
    expect(page.locator("[data-log]")).to_contain_text("You send Omar straight on, to the north.")
    field = page.locator(f"[data-board] [data-place='{line.get_attribute('data-about')}']")
    line.hover()
    expect(page.locator(LIT)).to_have_count(1)
    assert lies_on(page.locator(LIT), field)
    page.mouse.move(2, 2)
    expect(page.locator(LIT)).to_have_count(0)
    line.focus()
    page.keyboard.press("ArrowUp")  # to the line before it: who turned Omar
    expect(page.locator(LIT)).to_have_count(1)
    assert page.evaluate("document.activeElement.dataset.about") == "omar"


def test_a_touch_shows_it_on_the_board(person: Open) -> None:
    page = person("phone")
    new_table(page, "basari", ["me", "bot", "bot"])
    free = page.locator("[data-board=basari] [data-move^='arch ']").first
    arch = free.get_attribute("data-move") or ""
    free.click()
    page.locator("[data-do=log]").click()
    line = page.locator(f"dialog [data-about='{arch}']").first
    expect(line).to_contain_text(f"You start at arch no. {arch.removeprefix('arch ')}.")
    line.click()
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator(LIT)).to_have_count(1)
    assert lies_on(page.locator(LIT), page.locator(f"[data-board] [data-place='{arch}']"))


@pytest.mark.parametrize(
    ("language", "asked"),
    [
        ("en", "Your turn: roll for your first chip"),
        ("de", "Du bist dran: würfle um deine erste Spielmarke"),
        ("nl", "Jij bent aan de beurt: dobbel om je eerste fiche"),
    ],
)
def test_the_headline_asks_for_what_can_be_done(person: Open, language: str, asked: str) -> None:
    page = person("phone", language)
    new_table(page, "bazaar", ["me", "bot"])
    expect(page.locator(".banner .turn")).to_have_text(asked)


def test_names_fit_figures(person: Open) -> None:
    page = person("desktop")
    page.locator("[data-do=play-now][data-game=suleika]").click()
    page.wait_for_url("**/t/*")
    names = page.locator("li[data-place^='seat '] .who > strong")
    expect(names).to_have_count(4)
    bots = [(seat, name) for seat, name in enumerate(names.all_inner_texts()) if name != "Guest"]
    assert len(bots) == 3
    assert all(name in fitting(seat) for seat, name in bots)  # fez and turban, veil and parasol
