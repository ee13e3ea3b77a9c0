"""The first visit: opponents, rules at hand, keys, pace, and suggestions at the end."""

import json

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from souk.core.messages import Message, languages
from tests.browser.conftest import Open
from tests.browser.support.player import MOVES, choose, come_to_the_end, new_table, offered

SEATS = ".company li[data-seat]"  # not the lines of the log


def card_of(page: Page, game: str) -> Locator:
    return page.locator("article", has=page.locator(f"[data-do=play-now][data-game={game}]"))


def test_apprentices_sit_there_at_first_and_one_press_changes_that(person: Open) -> None:
    page = person()
    card = card_of(page, "suleika")
    card.locator("[data-do=change]").click()
    expect(card.locator("[data-lamps]")).to_have_attribute("data-lamps", "1")
    choose(card.locator("[data-level=trader]"))
    choose(card.locator("[data-do=players][value='3']"))
    expect(card.locator("[data-lamps]")).to_have_attribute("data-lamps", "2")
    page.reload()  # remembered
    page.locator("[data-do=play-now][data-game=suleika]").click()
    expect(page.locator(SEATS)).to_have_count(3)
    trader = Message("level.trader.name").text(language="en")
    expect(page.locator(SEATS, has_text=trader)).to_have_count(2)
    page.goto("/")
    expect(card_of(page, "basari").locator("[data-lamps]")).to_have_attribute(
        "data-lamps", "1"
    )  # each game has its own


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_every_place_is_one_press_away_from_every_other(person: Open, size: str) -> None:
    page = person(size)
    links = page.locator("nav a")
    links.first.wait_for()
    paths = links.evaluate_all("links => links.map(link => link.pathname)")
    assert paths == ["/", "/today", "/learn", "/events", "/leaders", "/me"]
    for path in [*paths[1:], paths[0]]:
        page.locator(f"nav a[href='{path}']").click()
        page.wait_for_url(f"**{path}")
        page.locator("main h1").first.wait_for()
        expect(page.locator("nav a[aria-current=page]")).to_have_attribute("href", path)
        overflow = "document.documentElement.scrollWidth - innerWidth"
        assert page.evaluate(overflow) <= 0, path
    page.locator("[data-do=play-now][data-game=suleika]").click()
    page.locator(SEATS).first.wait_for()
    expect(page.locator("nav")).to_have_count(0)  # every pixel is the board's; they are in the menu
    page.locator("[data-do=settings]").click()
    page.locator("dialog nav a[href='/learn']").click()
    page.locator("[data-do=learn][data-game=bazaar]").click()
    page.wait_for_url("**/t/*")


@pytest.mark.parametrize("language", languages())
def test_the_rules_are_at_hand_before_a_game(person: Open, language: str) -> None:
    """From the lobby and from a new table: a summary first, then the contents; clause numbers only
    on request.
    """
    page = person("phone", language)
    page.locator("article [data-do=rules]").nth(1).click()
    short = page.locator("[data-rules=short]")
    expect(short).to_contain_text(Message("rules.short").text(language=language))
    expect(short).to_contain_text("Staupe")
    last = page.locator("[data-rules=to]").last
    last.click()
    expect(page.locator("dialog section[data-clauses]").last).to_be_in_viewport()
    assert page.locator("dialog .clauses").count() == 0
    page.locator("dialog [data-option=clauses]").press("Space")
    expect(page.locator("dialog .clauses").first).to_contain_text("B1")
    page.keyboard.press("Escape")
    page.goto("/new?game=bazaar")
    page.locator("[data-do=rules]").click()
    expect(short).to_contain_text("Sackson")


def test_keys_are_listed_and_do_what_they_say(person: Open) -> None:
    page = person()
    new_table(page, "bazaar", ["me", "bot"])
    assert offered(page)
    expect(page.locator(".stage")).to_be_focused()  # focus starts at the board
    page.keyboard.press("?")
    expect(page.locator("[data-keys] dt")).to_have_count(11)
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    expect(page.locator("dialog section.wanted")).to_have_attribute(
        "data-clauses", "Z2 Z10 Z13"
    )  # at the current action
    page.keyboard.press("Escape")
    page.keyboard.press("1")  # the first offer: roll
    page.locator("[data-log] li", has_text="You roll").first.wait_for()


def test_the_pace_is_told_to_the_server(person: Open) -> None:
    page = person(motion=True)
    told: list[dict[str, object]] = []

    def listen(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def pass_on(text: str | bytes) -> None:
            told.append(json.loads(text))
            server.send(text)

        route.on_message(pass_on)

    page.route_web_socket("**/socket", listen)
    page.locator("[data-do=play-now][data-game=suleika]").click()
    assert offered(page)
    page.locator("[data-do=settings]").click()
    choose(page.locator("dialog input[value=fast]"))
    page.keyboard.press("Escape")
    page.wait_for_function("() => document.querySelector('.stage')")
    while told[-1]["do"] == "ping":
        told.pop()
    assert [each["pace"] for each in told if each["do"] == "watch"] == ["normal", "fast"]


def test_the_end_says_how_i_did_and_offers_what_comes_next(person: Open) -> None:
    page = person("phone")
    new_table(page, "basari-cards", ["me", "bot", "bot"], level="trader")
    come_to_the_end(page, 4)
    mine = page.locator(".ranking .mine")
    place = int(mine.get_attribute("data-rank") or 0)
    won = page.locator(".ranking .winner.mine").count() > 0
    placed = Message(f"result.place.{place}").text(language="en")
    said = "You win!" if won else Message("result.you_came", place=placed).text(language="en")
    expect(page.locator("#result")).to_have_text(said)
    expect(page.locator(".sources thead th").nth(1)).to_contain_class("mine")  # own column first
    expect(page.locator("[data-do=rematch]")).to_be_in_viewport()
    scores = [int(text) for text in page.locator(".ranking .score").all_inner_texts()]
    assert scores == sorted(scores, reverse=True)
    page.locator("[data-do=more]").click()
    if page.locator("[data-decisive]").count():
        what, figures = page.locator("[data-decisive] p").inner_text().removesuffix(".").split(": ")
        row = page.locator(".sources tbody tr", has=page.locator(f"th:text-is('{what}')"))
        theirs, own = (int(word.split()[-1]) for word in figures.split(", "))
        assert {str(theirs), str(own)} <= {
            text.strip() for text in row.locator("td").all_inner_texts()
        }
        assert own > theirs if won else own < theirs
    if won:
        assert (
            page.locator("[data-do=other-level]").count() == 0
        )  # the strongest level of this server is trader
        return
    page.locator("[data-do=other-level]").click()
    page.locator(MOVES).first.wait_for()
    page.locator("header a[href='/']").click()
    expect(page.locator("article [data-lamps]").nth(2)).to_have_attribute("data-lamps", "1")
