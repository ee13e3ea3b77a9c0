"""Custom boxes: typed in, validated, chosen for a new table, saved and opened again."""

import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from souk.core.messages import languages
from tests.browser.conftest import SIZES, Open
from tests.browser.pages.test_pages import check
from tests.browser.support.player import choose, press_once

GAMES = ["basari", "basari-cards", "bazaar"]


def begin(page: Page, game: str, how: str) -> None:
    page.goto(f"/box?game={game}")
    page.locator(f"[data-do={how}-box]").click()
    page.locator("[data-entry]").first.wait_for()


def verdict(page: Page, how: str) -> None:
    page.locator(f"[data-verdict={how}]").wait_for()


@pytest.mark.parametrize("size", SIZES)
def test_a_board_is_typed_in_and_played_on(person: Open, size: str, tmp_path: Path) -> None:
    page = person(size)
    begin(page, "basari", "copy")
    verdict(page, "complete")
    page.locator("[data-do=box-name]").fill("Leila's box")

    # By its buttons: the second arch, 6:GGG, becomes 7:RGG, then what another arch already is.
    page.locator("[data-entry='1']").click()
    choose(page.get_by_role("radio", name="7", exact=True))
    page.locator("[data-do=take-last]").click()
    page.locator("[data-add=R]").click()
    expect(page.locator("[data-do=entry-text]")).to_have_value("7:RGG")
    verdict(page, "complete")
    page.locator("[data-do=entry-text]").fill("5:YRR")
    expect(page.locator("[data-fault]")).to_have_text("the arch 5:RRY appears twice")
    expect(page.locator("[data-verdict]")).to_contain_text("Arch 2: the arch 5:RRY appears twice")
    expect(page.locator("[data-entry='1']")).to_have_accessible_name(
        re.compile("Arch 2: .*appears twice")
    )
    expect(page.locator("[data-do=play-box]")).to_have_count(0)
    page.locator("[data-do=entry-text]").fill("7:RGG")
    verdict(page, "complete")

    # Saved as a file, deleted, and opened again.
    with page.expect_download() as saved:
        page.locator("[data-do=export-box]").click()
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    assert file.name == "basari-leila-s-box.toml"
    page.locator("[data-do=remove-box]").click()
    expect(page.locator("[data-entry]")).to_have_count(0)
    page.locator("[data-do=box-file]").set_input_files(file)
    verdict(page, "complete")
    expect(page.locator("[data-entry='1']")).to_have_attribute("data-text", "7:RGG")

    # Chosen for a new table, which shows it to others.
    page.locator("[data-do=play-box]").click()
    expect(page.locator("[data-option=board] option:checked")).to_have_text("Leila's box")
    page.locator("[data-do=make-table]").click()
    page.wait_for_url("**/t/*")
    for _ in range(3):
        press_once(page, random.Random(size))
    page.keyboard.press("r")
    printed = page.locator("dialog[open] [data-rules=printed]")
    expect(printed).to_contain_text("The arches are from Leila's box.")
    with page.expect_download() as saved:
        printed.locator("[data-do=export-box]").click()
    assert '"5:RRY", "7:RGG"' in saved.value.path().read_text()


def test_typed_in_from_nothing_with_the_keyboard(person: Open) -> None:
    """Entry after entry; the draft survives reloading the page."""
    page = person("phone")
    begin(page, "basari-cards", "empty")
    expect(page.locator("[data-verdict]")).to_contain_text("39 cards to go")
    page.locator("[data-do=entry-text]").focus()
    for card in ("1/5/RYBB", "2/4/RRR"):
        page.keyboard.type(card)
        page.keyboard.press("Enter")
    expect(page.locator("[data-verdict]")).to_contain_text("37 cards to go")
    page.reload()
    expect(page.locator("[data-entry='1']")).to_have_attribute("data-text", "2/4/RRR")
    page.locator("[data-entry='0']").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-entry='1']")).to_be_focused()
    expect(page.locator("[data-do=entry-text]")).to_have_value("2/4/RRR")


def test_as_text(person: Open) -> None:
    """An error names its line, and the picture follows whatever can be read."""
    page = person("desktop")
    begin(page, "bazaar", "copy")
    choose(page.get_by_role("radio", name="As text"))
    file = page.locator("[data-do=box-text]")
    text = file.input_value()
    file.fill(text.replace('"R=WW"', '"R=WW'))
    expect(page.locator("[data-verdict] [data-line='3']")).to_contain_text("this is not TOML")
    file.fill(text.replace('"R=WW"', '"R=BB"').replace("WWWRR", "WWWRR*"))
    expect(page.locator("[data-verdict]")).to_contain_text("15 wares must be starred, not 16")
    choose(page.get_by_role("radio", name="As a picture"))
    expect(page.locator("[data-entry='0']")).to_have_attribute("data-text", "R=BB")
    choose(page.get_by_role("radio", name="Goods cards"))
    page.locator("[data-entry='15']").click()
    page.locator("[data-option=star]").press("Space")
    verdict(page, "complete")
    page.locator("[data-do=play-box]").click()  # its rate cards can be chosen
    page.locator("select[aria-label='Rate card 1']").select_option("1")
    expect(page.locator("[data-rate-card='1']")).to_contain_text("2 blue")


@pytest.mark.parametrize("language", languages())
def test_no_text_is_missing_or_runs_over(person: Open, language: str) -> None:
    page = person("phone", language)
    for game in GAMES:
        begin(page, game, "copy")
        verdict(page, "complete")
        page.locator("[data-entry='3']").click()
        page.locator("[data-do=entry-text]").fill("Q")
        page.locator("[data-entry='3'].wrong").wait_for()
        check(page, f"{game}, own box with a fault")
