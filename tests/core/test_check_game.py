"""check_game: our four games pass it, and games with something wrong do not."""

import random
from types import SimpleNamespace
from typing import Any

import pytest

import souk
from souk.core.game import Game
from souk.games import names
from souk.games.basari import box as basari_box
from souk.games.basari import notation as basari_notation
from souk.games.basari import rules as basari_rules
from souk.games.suleika import box, notation, rules
from souk.testing import Failed, check_game

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "suleika": [{}, {"turn_at_end": True}, {"first": 1}],
    "basari": [{}, {"first": 2}],
    "basari-cards": [{}],
    "bazaar": [{}, {"double_purchase": True}, {"rates": [4, 9], "first": 1}, {"rates": [1, 2], "ware": "WWWRR"}],
}


@pytest.mark.parametrize("name", names())
def test_our_games_pass(name: str) -> None:
    certificate = check_game(name, games=1, seed=3, options=OPTIONS[name])
    assert certificate.games >= len(souk.game(name).players)
    assert certificate.positions > 50 * certificate.games


def changed(module: Any, **functions: Any) -> SimpleNamespace:
    """A module with some functions replaced."""
    return SimpleNamespace(**(vars(module) | functions))


def suleika_with(*, of_rules: dict[str, Any] | None = None, of_notation: dict[str, Any] | None = None) -> Game:
    return Game(
        "suleika",
        range(2, 5),
        changed(rules, **(of_rules or {})),
        changed(notation, **(of_notation or {})),
        box,
    )


def fails(game: Game, match: str, players: int) -> None:
    with pytest.raises(Failed, match=match):
        check_game(game, games=3, seed=1, players=[players], processes=False)


def test_a_move_listed_twice() -> None:
    def moves(s: Any, seat: int, out: Any) -> int:
        n = rules.moves(s, seat, out)
        out[n - 1] = out[0]
        return int(n)

    fails(suleika_with(of_rules={"moves": moves}), "twice", 3)


def test_a_move_listed_and_not_legal() -> None:
    fails(suleika_with(of_rules={"legal": lambda s, seat, move: False}), "not legal", 3)


def test_a_move_legal_and_not_listed() -> None:
    def legal(s: Any, seat: int, move: int) -> bool:
        return bool(rules.legal(s, seat, move)) or (s.phase == rules.TURN and s.turn == seat and move == 4)

    fails(suleika_with(of_rules={"legal": legal}), "legal is True", 3)


def test_an_illegal_move_that_changes_something() -> None:
    def refusal(s: Any, seat: int, move: int) -> tuple[str, str | None]:
        s.facing = (s.facing + 1) % 4
        return "no", None

    game = suleika_with()
    game.telling = changed(game.telling, refusal=refusal)
    fails(game, "changed something", 3)


def test_json_that_forgets() -> None:
    def position(s: Any) -> notation.SuleikaPosition:
        found = notation.position(s)
        found.omar.facing = "n"
        return found

    fails(suleika_with(of_notation={"position": position}), "JSON does not bring", 3)


def test_pieces_that_vanish() -> None:
    def pay_nobody(s: Any, outcome: int) -> None:
        before = list(s.money)
        rules.resolve(s, outcome)
        for seat, money in enumerate(before):
            s.money[seat] = min(money, s.money[seat])

    game = suleika_with(of_rules={"resolve": pay_nobody}, of_notation={"pieces": lambda s: {"piastres": sum(s.money)}})
    with pytest.raises((Failed, ValueError), match="piastres"):
        check_game(game, games=3, seed=1, players=[4], processes=False)


def test_text_that_does_not_read_back() -> None:
    def move_text(s: Any, move: int) -> str:
        return notation.move_text(s, rules.LEFT if move == rules.RIGHT else move)

    fails(suleika_with(of_notation={"move_text": move_text}), "twice", 3)


def test_an_outcome_that_cannot_come_up() -> None:
    def outcomes(s: Any, out: Any, weights: Any) -> int:
        n = rules.outcomes(s, out, weights)
        if n:
            weights[0] = 0
        return int(n)

    fails(suleika_with(of_rules={"outcomes": outcomes}), "cannot come up", 3)


def test_a_game_that_does_not_end() -> None:
    game = suleika_with(of_rules={"over": lambda s: False})
    fails(game, "nothing can be played", 3)


def test_a_secret_that_shows() -> None:
    leaking = changed(basari_rules, veil=lambda s, seat: None)
    game = Game("basari", range(3, 5), leaking, basari_notation, basari_box, secrets=True)
    fails(game, "sees 3 different things", 3)


def test_another_order_in_another_process() -> None:
    """A list in the order of a set of texts, which every process hashes differently."""
    game = suleika_with()
    game.home = "tests.core.disorderly"
    with pytest.raises(Failed, match="another order"):
        check_game(game, games=1, players=[3])


def test_failures_say_how_to_get_there() -> None:
    with pytest.raises(Failed, match=r"suleika, 3 players, options \{\}, seed 1, game 0\b.*after \d+ events"):
        check_game(suleika_with(of_rules={"legal": lambda s, seat, move: False}), seed=1, players=[3])


def test_random_helpers_of_a_game_agree_with_the_lists() -> None:
    """random_move and random_outcome pick what the generic ones would, wherever all moves are equally likely."""
    from souk.kernel import defaults

    rng = random.Random(11)
    for name in names():
        game = souk.game(name)
        for players in game.players:
            pos = game.start(players)
            for _ in range(300):
                if pos.over:
                    break
                x, room, weights = rng.getrandbits(64), [0] * game.widest, [0] * game.widest
                if actors := pos.actors:
                    move = game.rules.random_move(pos.state, actors[0], x, list(room))
                    if pos.to_json()["phase"] != "haggle":
                        assert move == defaults.random_move(pos.state, actors[0], x, room), (name, players, x)
                    game.rules.play(pos.state, actors[0], move)
                else:
                    outcome = game.rules.random_outcome(pos.state, x, list(room), list(weights))
                    assert outcome == defaults.random_outcome(pos.state, x, room, weights), (name, players, x)
                    game.rules.resolve(pos.state, outcome)
