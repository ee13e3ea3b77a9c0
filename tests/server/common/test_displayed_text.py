"""Names and chat: every language is allowed; text that overflows or imitates a name is not."""

import asyncio
import unicodedata

import httpx
import pytest

from souk.server.common.displayed_text import appearances, displayed
from souk.server.tables.seats import unique_name
from tests.server.support.clients import Person, Server
from tests.server.support.event_people import Guest
from tests.server.tables.test_before_start import reason

WRITTEN = {
    "Vietnamese": "Nguyễn Thị Phượng",
    "Hindi": "ज़िंदगी क्षत्रिय हिन्दी",
    "Thai": "น้ำผึ้ง ก็ดี",
    "Hebrew": "שָׁלוֹם בְּרֵאשִׁ֖ית",
    "Arabic": "مُحَمَّدٌ اللّٰه",
    "Burmese": "လျှော့ ညွှန့်",
    "Tibetan": "བསྒྲུབས",
    "Khmer": "ស្ត្រី",
    "Tamil": "க்ஷௌரம்",
    "Yoruba": "Ọ̀ṣọ́",
    "Russian": "Ёжик Вовочка",
    "Greek": "Ἀθηνᾶ",
    "Japanese": "が ぱ パン",
    "Korean": "한국어",
    "emoji": "1️⃣ ❤️ 🐪",
}
PILED_UP = [
    "a" + "\u0301" * 18,
    "Z\u0300\u0316\u0301lgo",
    "ש" + "\u05b0" * 5,
    "a" + "\U0001d165" * 9000,
]
WIDE = ["\ufdfd", "𒀙", "𒐫", "hm \u2e3b"]


@pytest.mark.parametrize("language", WRITTEN)
def test_every_language_can_be_written(language: str) -> None:
    text = WRITTEN[language]
    for form in ("NFC", "NFD"):
        assert displayed(unicodedata.normalize(form, text)) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize("text", [*PILED_UP, *WIDE], ids=ascii)
def test_nothing_covers_the_lines_around_it(text: str) -> None:
    assert displayed(text) is None


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Аnn", "Ann"),
        ("Οmar", "Omar"),
        ("llya", "Ilya"),
        ("вова", "Вова"),
        ("M0", "MO"),
        ("Сор", "Cop"),
    ],
)
def test_look_alikes_are_told_apart(name: str, other: str) -> None:
    assert appearances(name) & appearances(other)
    assert unique_name(name, [other]) == f"{name} 2"


@pytest.mark.parametrize(
    ("name", "other"), [("Anna", "Ann"), ("Ёва", "Ева"), ("Zoë", "Zoe"), ("Иван", "Ivan")]
)
def test_other_names_stay_as_they_are(name: str, other: str) -> None:
    assert unique_name(name, [other]) == name


def test_whatever_strangers_choose_is_looked_at(server: Server) -> None:
    """Seat names, profile names, entrants, event titles and chat lines."""

    def refused(answer: httpx.Response) -> str:
        assert answer.status_code == 400, answer.text
        return reason(answer.json())

    async def run() -> None:
        async with Guest(server) as host, Person(server) as guest:
            new_table = {
                "game": "suleika",
                "seats": [{"who": "me"}, {"who": "open"}],
                "free_talk": True,
            }
            table = (await host.http.post("/api/tables", json=new_table)).json()["table"]
            event = await host.open_event("swiss", 4)
            for bad in (PILED_UP[0], WIDE[0]):
                for who in ("me", "link"):
                    seats = [
                        {"who": "me", "name": bad if who == "me" else ""},
                        {"who": "link", "name": bad},
                    ]
                    made = await host.http.post(
                        "/api/tables", json={"game": "suleika", "seats": seats}
                    )
                    assert refused(made) == "name_unprintable"
                assert refused(await guest.sit(table, "", bad)) == "name_unprintable"
                profile = {"name": bad, "figure": "", "colour": ""}
                assert (
                    refused(await guest.http.post("/api/person", json=profile))
                    == "name_unprintable"
                )
                assert refused(await host.join(event, bad)) == "name_unprintable"
                assert refused(await host.request_event("swiss", 4, name=bad)) == "event_name"
            await guest.sit(table, "", "Bilal")
            async with guest.page(table, 1) as page:
                for bad in (PILED_UP[0], *WIDE):
                    answer = await page.ask("say", seat=1, text=bad)
                    assert reason(answer) == "saying_unprintable"

    asyncio.run(run())
    assert not server.troubles
