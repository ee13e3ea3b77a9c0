"""Player statistics in a real browser: empty at first, then after a game; phone, languages,
keyboard.
"""

from playwright.sync_api import expect

from souk.core.messages import Message, languages
from tests.browser.conftest import DESKTOP, Open
from tests.browser.pages.test_pages import check
from tests.browser.support.layout import resize, speak_in_another_tab
from tests.browser.support.player import come_to_the_end, new_table
from tests.server.analysis.test_player_stats import analysis_json, change_database, store_analysis
from tests.server.support.clients import Server


def test_my_numbers_come_with_my_first_finished_game(person: Open, table_server: Server) -> None:
    page = person(size="phone", path="/me")
    expect(page.locator("main")).to_contain_text("No finished games yet")
    check(page, "no numbers yet")
    page.locator("main .empty a").press("Enter")
    page.locator("[data-do=play-now]").first.wait_for()
    expect(page.locator("[data-do=me]")).to_have_count(0)
    table = new_table(page, "bazaar", ["me", "bot"]).rpartition("/")[2]
    come_to_the_end(page, 3)
    page.goto("/")
    page.locator("[data-do=me]").press("Enter")
    page.wait_for_url("**/me")
    card = page.locator("[data-tally=bazaar]")
    expect(card.locator("[data-against=apprentice]")).to_contain_text("of 1")
    expect(card.locator("[data-over-time]")).to_have_count(0)  # not analysed
    expect(card.locator("[data-do=look-back]")).to_have_attribute("href", f"/look/{table}")
    change_database(table_server.data, store_analysis(table, analysis_json()))
    page.reload()
    for language in sorted(languages(), key="en".__eq__):  # English last
        speak_in_another_tab(page, language)
        kind = Message("me.kind.trade").text(language=language)
        expect(card.locator("[data-most]")).to_have_text(
            Message("me.most", kind=kind, n=2, of=3).text(language=language)
        )
        expect(card.locator("[data-over-time]")).to_have_attribute("data-over-time", "1")
        expect(card.locator("[data-do=look-back]")).to_have_count(0)
        check(page, f"my numbers, {language}")
    assert "luck +10%, mistakes −25%" in (card.locator("ol").text_content() or "")
    resize(page, DESKTOP)
    check(page, "my numbers on a desk")
