"""Log and board: a line addresses its reader, and its subject lights up."""

import pytest
from playwright.sync_api import Locator, expect

from souk.bots.names import names_for_seat
from tests.browser.conftest import Open
from tests.browser.support.player import new_table

LIT = "[data-lit]"


def expect_on(light: Locator, place: Locator) -> None:
    """Wait until a highlight surrounds a place within 3 pixels: the board may still scroll."""
    sides: list[float] = []
    for _ in range(600):
        one, other = light.bounding_box(), place.bounding_box()
        assert one
        assert other
        sides = [abs(one[side] - other[side]) for side in ("x", "y", "width", "height")]  # type: ignore[literal-required]
        if max(sides) < 3:
            return
        light.page.wait_for_timeout(100)
    raise AssertionError(f"the highlight is off by {sides}")


def test_pointing_at_a_line_lights_the_field(person: Open) -> None:
    page = person("desktop")
    new_table(page, "suleika", ["me", "bot", "bot"])
    page.locator("[data-board=suleika] [data-move=straight]").click()
    line = page.locator("[data-about^='field ']").first
    line.wait_for()
    expect(page.locator("[data-log]")).to_contain_text("You keep Omar going north.")
    field = page.locator(f"[data-board] [data-place='{line.get_attribute('data-about')}']")
    line.hover()
    expect(page.locator(LIT)).to_have_count(1)
    expect_on(page.locator(LIT), field)
    page.mouse.move(2, 2)
    expect(page.locator(LIT)).to_have_count(0)
    line.focus()
    page.keyboard.press("ArrowUp")  # to the previous line: who turned Omar
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
    expect(line).to_contain_text(f"You start on space {arch.removeprefix('arch ')}.")
    line.click()
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator(LIT)).to_have_count(1)
    expect_on(page.locator(LIT), page.locator(f"[data-board] [data-place='{arch}']"))


@pytest.mark.parametrize(
    ("language", "asked"),
    [
        ("en", "Your turn: roll for your first chip"),
        ("de", "Du bist dran: würfle um deine erste Spielmarke"),
        ("nl", "Jouw beurt: gooi voor je eerste fiche"),
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
    assert all(
        name in names_for_seat(seat) for seat, name in bots
    )  # fez and turban, veil and parasol
