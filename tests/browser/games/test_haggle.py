"""A haggle in a real browser: opening, answering, raising, passing. Two cards say what each side
gets.
"""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from souk.core.messages import languages
from tests.browser.conftest import Open
from tests.browser.support.layout import (
    PHONES,
    Fault,
    out_of_reach,
    overflowing,
    resize,
    speak_in_another_tab,
    told,
)
from tests.browser.support.lesson_player import begin, do, steps
from tests.browser.support.player import new_table

UNVEIL = "[data-do=unveil]"
TAKEN = """([button, move]) =>
    !button.isConnected || button.dataset.move !== move || button.ariaDisabled === 'true'"""
CHOICES = {"basari": ["points", "points", "gems"], "basari-cards": ["B", "B", "C"]}
SEEN = {"basari": ["[data-big-arch]"], "basari-cards": ["[data-card]"]}
# Titles on the left when opening and answering, and on the right; the text about the action.
SAID = {
    "en": ("If you pass", "If you accept", "If .+ accepts", r"gets\s+Points: \+"),
    "de": ("Wenn du passt", "Wenn du annimmst", "Wenn .+ annimmt", r"bekommt\s+Punkte: \+"),
    "nl": ("Als jij past", "Als jij aanvaardt", "Als .+ aanvaardt", r"krijgt\s+Punten: \+"),
}


def press(page: Page, move: str) -> None:
    """Make a move for the person whose turn it is at this device."""
    control = page.locator(f'.stage [data-move="{move}"]:not([aria-disabled=true])')
    page.locator(UNVEIL).or_(control).first.wait_for()
    if page.locator(UNVEIL).count():
        page.locator(UNVEIL).click()
    pressed = control.element_handle()
    control.click()
    # otherwise the next click could still hit it
    page.wait_for_function(TAKEN, arg=[pressed, move])


def haggling(page: Page, game: str) -> tuple[Locator, Locator]:
    """Three players on one device, two of whom want points: the cards at the opening."""
    new_table(page, game, ["me", "here", "here"])
    for arch in [0, 7, 14] if game == "basari" else []:
        press(page, f"arch {arch}")
    for choice in CHOICES[game]:
        press(page, choice)
    return at_the_counter(page)


def at_the_counter(page: Page) -> tuple[Locator, Locator]:
    cards = page.locator(".counter .deal")
    page.locator(UNVEIL).or_(cards.first).first.wait_for()
    if page.locator(UNVEIL).count():
        page.locator(UNVEIL).click()
    expect(cards).to_have_count(2)
    return cards.first, cards.last


def worth(card: Locator) -> int:
    """What the action is worth, according to a card."""
    found = re.search(r"Points:\s\+(\d)", card.inner_text())
    assert found, card.inner_text()
    return int(found[1])


def gems(card: Locator) -> str:
    return card.locator("[data-offer] [role=img]").get_attribute("aria-label") or ""


def test_i_open_answer_raise_and_accept(person: Open) -> None:
    """One side's right card is the other side's left card, and describes what then happens."""
    page = person()
    accept, offer = haggling(page, "basari")
    expect(accept).to_contain_text("If you pass")
    expect(accept).to_contain_text(re.compile(r"gets\s+nothing"))
    expect(offer).to_contain_text(re.compile("If .* accepts"))
    mine, theirs = worth(offer), worth(accept)
    expect(page.locator("[data-big-arch]")).to_have_attribute(
        "aria-label", re.compile(f": {mine} points")
    )
    assert gems(offer) == "1 blue"
    press(page, "offer 1b")
    accept, offer = at_the_counter(page)
    expect(accept).to_contain_text("If you accept")
    assert gems(accept) == "1 blue"
    assert (worth(accept), worth(offer)) == (mine, theirs)
    assert gems(offer) == "1 green"  # the smallest raise is prepared
    press(page, "offer 1g")
    accept, _ = at_the_counter(page)
    button = page.locator("[data-move=accept]")
    # until then it shows the previous offer
    expect(button).to_have_accessible_name("Accept 1 green")
    assert worth(accept) == theirs
    expect(button).to_have_accessible_description(
        re.compile(rf"gets 1 green .*gets Points:\s\+{theirs}")
    )
    press(page, "accept")
    expect(page.locator("[data-log]").first).to_contain_text(f"{theirs} points")


def test_gems_are_laid_on_and_taken_off_and_a_raise_that_is_none_is_explained(person: Open) -> None:
    page = person()
    _, offer = haggling(page, "basari")
    button = offer.locator("button.primary")
    page.locator("[data-do=lay-red]").click()
    expect(button).to_have_attribute("data-move", "offer 1r1b")
    page.locator("[data-do=take-blue]").click()
    expect(button).to_have_attribute("data-move", "offer 1r")
    page.keyboard.press(
        "Tab"
    )  # a removed gem is no button any more: the keyboard focus must survive
    button.press("Enter")
    _, offer = at_the_counter(page)
    page.locator("[data-do=lay-red]").click()
    expect(page.locator(".compared")).to_contain_text("2 gems more than the current offer")
    for _ in range(4):
        if page.locator(".cloth [data-do]").count():
            page.locator(".cloth [data-do]").first.click()
    expect(offer).to_contain_text("Tap gems to put them on the counter")
    page.locator("[data-do=lay-blue]").click()
    expect(page.locator(".compared")).to_contain_text("this isn't more than 1 red")
    button = offer.locator("button.primary")
    expect(button).to_have_attribute("aria-disabled", "true")
    button.click(force=True)
    expect(page.locator(".toast")).to_contain_text("this isn't more than 1 red")


def test_numbers_explain_themselves_and_who_passes_leaves_the_action_for_nothing(
    person: Open,
) -> None:
    page = person()
    accept, _ = haggling(page, "basari")
    theirs = worth(accept)
    page.locator("[data-explained]", has_text="scoring then").last.click()
    expect(page.locator(".bubble")).to_contain_text("if the haggle ended like this")
    page.keyboard.press("Escape")
    page.locator("[data-explained]", has_text="Next: scoring 1 of 3").click()
    expect(page.locator(".bubble")).to_contain_text("When somebody completes a lap")
    page.keyboard.press("Escape")
    expect(page.locator("[data-move=pass]")).to_have_accessible_description(
        re.compile(re.compile(r"gets\s+nothing"))
    )
    press(page, "pass")
    expect(page.locator("[data-log]").first).to_contain_text("for free")
    expect(page.locator("[data-log]").first).to_contain_text(f"{theirs} points")


def test_in_the_card_game_an_opener_with_gems_is_told_that_passing_is_not_allowed(
    person: Open,
) -> None:
    page = person()
    accept, _ = haggling(page, "basari-cards")
    expect(accept).to_contain_text("You have gems, so you have to offer at least one.")
    accept.locator("[data-do=stop]").click(force=True)
    expect(page.locator(".toast")).to_contain_text(
        "you have gems, so you have to offer at least one"
    )


@pytest.mark.parametrize("game", CHOICES)
def test_both_cards_are_whole_in_every_language_on_every_phone(person: Open, game: str) -> None:
    """Side by side, when opening and when answering."""
    page = person("phone")
    haggling(page, game)
    faults = faults_of(page, game, answering=False)
    press(page, "offer 1b")
    at_the_counter(page)
    faults += faults_of(page, game, answering=True)
    assert not faults, told(faults)


def faults_of(page: Page, game: str, answering: bool) -> list[Fault]:
    found: list[Fault] = []
    for size in PHONES:
        where = resize(page, size)
        for language in languages():
            speak_in_another_tab(page, language)
            check_cards(page, language, answering)
            seen = [
                *SEEN[game],
                "[data-supply]",
                ".deal",
                "[data-gets]",
                "[data-do^=lay-]",
                ".cloth [data-do]",
            ]
            found += out_of_reach(page, seen, f"{where}, {language}") + overflowing(
                page, f"{where}, {language}"
            )
    resize(page, PHONES[0])
    speak_in_another_tab(page, "en")
    return found


def check_cards(page: Page, language: str, answering: bool) -> None:
    passing, accepting, offering, action = SAID[language]
    left, right = page.locator(".deal").first, page.locator(".deal").last
    expect(left.locator("h3")).to_have_text(accepting if answering else passing)
    expect(right.locator("h3")).to_have_text(re.compile(offering))
    expect(right).to_contain_text(re.compile(action))
    boxes = [card.bounding_box() for card in (left, right)]
    assert boxes[0]
    assert boxes[1]
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
    assert boxes[0]["y"] == pytest.approx(boxes[1]["y"], abs=1)


def test_a_scoring_says_what_goes_back_and_can_be_looked_at_again(person: Open) -> None:
    """At the end of the card game's lesson, where a deal is scored."""
    page = person()
    begin(page, "basari-cards")
    tally = page.locator("[data-tally]")
    for number, move in steps(page):
        if tally.count() or number == "end":
            break
        do(page, move)
    expect(tally).to_contain_text(re.compile("gives? back [1-9]", re.I))
    expect(tally).to_contain_text("returned to the supply")
    tally.locator("[data-do=close-tally]").click()
    expect(tally).to_have_count(0)
    page.locator("[data-do=last-scoring]:visible").click()
    expect(tally).to_contain_text("End of deal 1 of 3")
    page.keyboard.press("Escape")
    expect(tally).to_have_count(0)
