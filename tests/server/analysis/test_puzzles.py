"""Daily puzzles over HTTP: no hint of the answer before it is given; invalid requests refused."""

from typing import Any

import httpx
import pytest

from tests.server.support.clients import Server

DAY = "2026-11-16"


def ask(server: Server, path: str = "", **wish: Any) -> httpx.Response:
    return httpx.post(f"http://{server.address}/api/puzzles{path}", json={"date": DAY, **wish})


def test_a_day(server: Server) -> None:
    found = httpx.get(f"http://{server.address}/api/puzzles/{DAY}").json()
    assert [(card["game"], card["grades"]) for card in found["cards"]] == [
        ("suleika", []),
        ("basari", []),
        ("basari-cards", []),
        ("bazaar", ["easy", "medium", "hard"]),
    ]
    for path in ("tomorrow", "2026-13-01", "2026-11-1"):
        refused = httpx.get(f"http://{server.address}/api/puzzles/{path}")
        assert (refused.status_code, refused.json()["reason"][0]) == (
            400,
            "table.refused.puzzle_date",
        )


def test_solitaire_puzzle_is_solved_by_the_reported_solution(server: Server) -> None:
    before = ask(server, game="bazaar", grade="easy").json()
    assert (before["done"], before["answered"], before["used"]) == (None, None, 0)
    assert before["view"]["moves"] == ["roll"]
    told = ask(server, game="bazaar", grade="easy", give_up=True).json()["done"]
    half = ask(server, game="bazaar", grade="easy", moves=told["way"][:2]).json()
    assert half["done"] is None
    assert half["used"] >= 1
    done = ask(server, game="bazaar", grade="easy", moves=told["way"]).json()
    assert done["view"]["over"]
    assert done["done"] == {
        "actions": told["best"],
        "best": told["best"],
        "stars": 3,
        "way": told["way"],
    }
    assert [event["move"] for event in done["events"]] == ["buy 1"]


def test_a_roll_shows_what_was_known_beforehand(server: Server) -> None:
    now = ask(server, game="bazaar", grade="hard", moves=["roll"]).json()
    assert [(event["seat"], event["move"]) for event in now["events"]] == [
        (0, "roll"),
        (None, now["coming"][0]),
    ]


def test_a_position_says_nothing_before_the_answer(server: Server) -> None:
    for game in ("suleika", "basari", "basari-cards"):
        before = ask(server, game=game)
        assert before.json()["answered"] is None
        assert "win" not in before.text.replace("winner", "").replace("winners", "")
        best = ask(server, game=game, give_up=True).json()["answered"]["best"]
        right = ask(server, game=game, moves=[best]).json()["answered"]
        assert right["right"]
        assert right["gap"] > 3 * right["error"]
        other = right["weighed"][1]["move"]
        wrong = ask(server, game=game, moves=[other]).json()["answered"]
        assert not wrong["right"]
        assert [each["move"] for each in wrong["weighed"]] == [
            each["move"] for each in right["weighed"]
        ]


def test_asking_changes_and_tells_nothing(server: Server) -> None:
    legal = ask(server, "/ask", game="suleika", moves=["up"]).json()
    assert not legal["legal"]
    assert legal["reason"]
    assert ask(server, "/ask", game="bazaar", grade="easy", moves=["roll"]).json() == {
        "is": "answer",
        "id": 0,
        "legal": True,
        "reason": None,
        "clause": None,
    }
    assert not ask(server, "/ask", game="bazaar", grade="easy").json()["legal"]


@pytest.mark.parametrize(
    ("status", "key", "wish"),
    [
        (404, "table.refused.puzzle_unknown", {"game": "chess"}),
        (404, "table.refused.puzzle_unknown", {"game": "bazaar"}),
        (404, "table.refused.puzzle_unknown", {"game": "bazaar", "grade": "harder"}),
        (404, "table.refused.puzzle_unknown", {"game": "suleika", "grade": "easy"}),
        (400, "table.refused.puzzle_date", {"game": "suleika", "date": "yesterday"}),
        (
            413,
            "table.refused.puzzle_long",
            {"game": "bazaar", "grade": "easy", "moves": ["roll"] * 101},
        ),
        (
            413,
            "table.refused.puzzle_long",
            {"game": "bazaar", "grade": "easy", "moves": ["roll" * 20]},
        ),
        (400, "table.refused.unreadable", {"game": "bazaar", "moves": [3]}),
        (400, "table.refused.unreadable", {"game": "bazaar", "more": 1}),
    ],
)
def test_nonsense(server: Server, status: int, key: str, wish: dict[str, Any]) -> None:
    refused = ask(server, **wish)
    assert (refused.status_code, refused.json()["reason"][0]) == (status, key)


def test_what_the_rules_forbid(server: Server) -> None:
    assert ask(server, game="bazaar", grade="easy", moves=["trade R>WW"]).status_code == 409
    assert ask(server, game="suleika", moves=["nowhere"]).status_code == 409
