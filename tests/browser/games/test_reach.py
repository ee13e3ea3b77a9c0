"""Reachability on phones with browser bars: every legal move without scrolling, decisive
information in sight.

No text leaves its box, in any language, on phones, tablets and large screens.
"""

import json
import random
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from souk.games.basari import rules as basari
from souk.games.basari_cards import rules as basari_cards
from tests.browser.conftest import Open
from tests.browser.support.layout import (
    LARGER,
    PHONES,
    Fault,
    every_way,
    out_of_reach,
    overflowing,
    overflowing_anywhere,
    resize,
    speak_in_another_tab,
    told,
)
from tests.browser.support.player import MOVES, OVER, STEPS, new_table, press_once

MOST = 500  # clicks until every phase has occurred; dice decide when one can buy
TURN = [".banner .turn", ".seats [data-seat]"]
MAJORITIES = ["[data-supply]"]

# Players, and by phase the decisive elements. Two players on one device reach every phase of Bazaar
# soon.
SEATS = {
    "suleika": ["me", "bot", "bot", "bot"],
    "basari": ["me", "bot", "bot", "bot"],
    "basari-cards": ["me", "bot", "bot", "bot", "bot"],
    "bazaar": ["me", "here"],
}
SEEN = {
    "suleika": {
        "turn": ["[data-board=suleika]", "[data-coin]"],
        "rug": ["[data-board=suleika]", "[data-coin]"],
    },
    "basari": {
        "start": ["[data-arch]", *MAJORITIES],
        "choose": ["[data-arch]", "[data-big-arch]", *MAJORITIES],
        "haggle": ["[data-big-arch]", "[data-offer]", *MAJORITIES],
    },
    "basari-cards": {
        "choose": ["[data-card]", *MAJORITIES],
        "haggle": ["[data-stall='0'] [data-card]", "[data-offer]", *MAJORITIES],
        "give": MAJORITIES,
        "take": MAJORITIES,
    },
    "bazaar": {
        "act": ["[data-stall]", "[data-values]", "[data-hand]", "[data-bank]"],
        "choice": ["[data-stall]", "[data-values]", "[data-hand]"],
        "buy": ["[data-stall]", "[data-values]", "[data-hand]"],
        "return": ["[data-stall]", "[data-values]", "[data-hand]"],
    },
}
# Preferred clicks until a phase has occurred.
RATHER = {
    "bazaar": ({"return"}, "[data-move=done], [data-move=roll]"),
    "basari-cards": ({"give", "take"}, "[data-move=D]"),
}

# The most gems of a colour anybody can hold: two digits in four places, which rarely happens in
# play.
GEMS = {"basari": basari.GEMS_OF_EACH, "basari-cards": basari_cards.GEMS_OF_EACH}
POINTS, SCORING = 288, 88  # more than possible, in the widest digits


def with_large_numbers(page: Page, game: str) -> None:
    """Show numbers as wide as they can get, without affecting the game. Own gems stay: they are
    used in haggling.
    """

    def enlarge(text: str | bytes) -> str:
        message = json.loads(text)
        if view := message.get("view"):
            position, players = view["position"], len(view["scores"])
            position["gems"] = [position["gems"][0], *[[GEMS[game]] * 4] * (players - 1)]
            view["scores"] = [POINTS] * players
            view["scene"]["scoring"] = [SCORING] * players
        return json.dumps(message)

    def pass_on(route: WebSocketRoute) -> None:
        route.connect_to_server().on_message(lambda text: route.send(enlarge(text)))

    page.route_web_socket(re.compile("/socket"), pass_on)


def phase_now(page: Page) -> str:
    return page.locator("[data-phase]").first.get_attribute("data-phase") or ""


def phases(page: Page, game: str) -> Iterator[str]:
    """Play on, stopping at each phase that has not occurred before."""
    rng, seen = random.Random(game), set[str]()
    until, rather = RATHER.get(game, (set[str](), ""))
    for presses in range(MOST):
        page.locator(f"{OVER}, {MOVES}, {STEPS}").first.wait_for()
        if page.locator(OVER).count() or seen == set(SEEN[game]):
            break
        phase = phase_now(page)
        if phase in SEEN[game] and phase not in seen:
            page.wait_for_timeout(100)
            if phase_now(page) != phase or not page.locator(f"{MOVES}, {STEPS}").count():
                continue  # the turn has just passed
            seen.add(phase)
            page.mouse.move(1, 1)  # off a number whose tooltip would cover others
            expect(page.locator(".bubble")).to_have_count(0)
            yield phase
        page.mouse.move(1, 1)  # off a number whose tooltip would cover the next click
        if until - seen and presses % 9 and page.locator(rather).count():
            page.locator(rather).first.click()
        else:
            press_once(page, rng)
    assert seen == set(SEEN[game])


def faults_of(page: Page, game: str, phase: str) -> Iterator[Fault]:
    """Check every phone size in every language, since reach depends on text length; larger screens
    in German.
    """
    for shown in every_way(page, PHONES):
        yield from overflowing(page, f"{phase}, {shown}")
        yield from out_of_reach(page, [*TURN, *SEEN[game][phase]], f"{phase}, {shown}")
    for size in LARGER:  # in the language with the longest words
        yield from overflowing(page, f"{phase}, {resize(page, size)}")
    resize(page, PHONES[0])
    if phase == "haggle":
        yield from faults_of_an_offer(page, game)
        resize(page, PHONES[0])


def faults_of_an_offer(page: Page, game: str) -> Iterator[Fault]:
    """At each size with one more own gem on the counter."""
    for size in PHONES:
        where = f"offer, {resize(page, size)}"
        page.mouse.move(1, 1)  # off a number whose tooltip would cover the gems
        page.locator("[data-do^=lay-][aria-disabled=false]").last.tap()
        page.locator("[data-do^=take-]").first.wait_for()
        yield from overflowing(page, where)
        yield from out_of_reach(
            page, [*SEEN[game]["haggle"], "[data-do^=lay-]", "[data-do^=take-]"], where
        )


@pytest.mark.parametrize("game", SEEN)
def test_every_move_is_in_reach_on_a_phone_and_every_text_in_its_box(
    person: Open, game: str
) -> None:
    page = person("phone", "de")
    if game in GEMS:
        with_large_numbers(page, game)
    new_table(page, game, SEATS[game])
    faults = [fault for phase in phases(page, game) for fault in faults_of(page, game, phase)]
    assert not faults, told(faults)


def test_a_trade_that_a_finger_has_touched_can_be_made_or_left(person: Open) -> None:
    page = person("phone", "de")
    new_table(page, "bazaar", ["me", "here"])
    while not page.locator("[data-rate][data-move]").count():
        page.locator("[data-move=done], [data-move=roll], [data-move^=take]").first.click()
        page.locator(MOVES).first.wait_for()
    for size in PHONES:
        where = resize(page, size)
        page.locator("[data-rate][data-move]").first.tap()
        page.locator("[data-do=forget]").wait_for()
        faults = [
            *overflowing(page, where),
            *out_of_reach(page, ["[data-do=forget]", "[data-hand]"], where),
        ]
        assert not faults, told(faults)
        page.locator("[data-do=forget]").tap()
        page.locator("[data-move=roll]").wait_for()


@pytest.mark.parametrize("game", SEEN)
def test_no_text_of_lobby_and_new_table_leaves_its_box(person: Open, game: str) -> None:
    page = person("phone", "de", path=f"/new?game={game}")
    page.locator("[data-do=make-table]").wait_for()
    faults = list(overflowing_anywhere(page, "new table"))
    if game == "bazaar":
        page.goto("/")
        page.locator("[data-do=play-now]").first.wait_for()
        faults += overflowing_anywhere(page, "lobby")
    assert not faults, told(faults)


def test_a_number_explains_itself(person: Open) -> None:
    """On a phone, tapping a seat labels its numbers; tapping a number explains it and links to the
    rule.
    """
    page = person("phone")
    new_table(page, "basari", SEATS["basari"])
    page.locator(MOVES).first.wait_for()
    for size in PHONES:
        resize(page, size)
        page.locator("[data-seat='1'] .chip").tap()
        inside = page.locator(".bubble")
        expect(inside).to_contain_text("if scored now")
        inside.locator("[data-explained]").nth(1).tap()
        sentence = page.locator(".bubble .bubble")
        expect(sentence).to_contain_text("What you would get")
        expect(sentence).to_be_in_viewport(ratio=1)
        page.keyboard.press("Escape")
        expect(page.locator(".bubble .bubble")).to_have_count(0)
        page.locator(".banner .turn").tap()
        expect(page.locator(".bubble")).to_have_count(0)
    page.locator("[data-seat='1'] .chip").tap()
    page.locator(".bubble [data-explained]").nth(1).tap()
    page.locator("[data-do=explained-rule]").tap()
    expect(page.locator("dialog[open] .wanted h3")).to_have_text("Scoring")


def test_a_number_explains_itself_to_mouse_and_keyboard(person: Open) -> None:
    page = person("desktop")
    new_table(page, "suleika", SEATS["suleika"])
    page.locator(MOVES).first.wait_for()
    number = page.locator("[data-seat='1'] [data-explained]").first
    expect(number).to_contain_text("piastres")  # labelled in a first game
    sentence = "Piastres in the purse. Each is worth a point at the end."
    expect(number).to_have_accessible_description(sentence)
    number.hover()
    expect(page.locator(".bubble")).to_contain_text(sentence)
    page.mouse.move(5, 5)
    expect(page.locator(".bubble")).to_have_count(0)
    page.keyboard.press("Tab")
    number.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".bubble")).to_contain_text(sentence)
    page.keyboard.press("Escape")
    expect(page.locator(".bubble")).to_have_count(0)
    expect(number).to_be_focused()


def test_the_log_opens_at_its_newest_line(person: Open) -> None:
    """Also after rotating the phone, and in another language."""
    page, rng = person("phone"), random.Random("log")
    new_table(page, "suleika", SEATS["suleika"])
    for _ in range(12):
        press_once(page, rng)
    newest = page.locator("dialog [data-log] li").last
    page.locator("[data-do=log]").tap()
    expect(newest).to_be_in_viewport()
    for size in [PHONES[2], PHONES[0]]:
        resize(page, size)
        expect(newest).to_be_in_viewport()
    speak_in_another_tab(page, "de")
    expect(newest).to_be_in_viewport()


def test_the_puzzle_is_in_reach(person: Open) -> None:
    page = person("phone", "de")
    page.locator("article", has=page.locator("[data-do=puzzle]")).locator(
        "[data-do=change]"
    ).click()
    page.locator("[data-do=puzzle]").click()
    page.locator(MOVES).first.wait_for()
    faults: list[Fault] = []
    for size in PHONES:
        where = resize(page, size)
        faults += [
            *overflowing(page, where),
            *out_of_reach(page, ["[data-stall]", "[data-hand]"], where),
        ]
    assert not faults, told(faults)
