"""check_game: our four games pass, and broken games fail."""

import random
from types import SimpleNamespace
from typing import Any

import pytest

import souk
from souk.core.facts import Chose, Ended, Fact, Moved
from souk.core.game import Game
from souk.core.game_modules import DefaultFacts, with_defaults
from souk.core.messages import Message, Seat
from souk.games import names
from souk.games.basari import box as basari_box
from souk.games.basari import notation as basari_notation
from souk.games.basari import rules as basari_rules
from souk.games.basari_cards import box as cards_box
from souk.games.basari_cards import notation as cards_notation
from souk.games.basari_cards import rules as cards_rules
from souk.games.suleika import box, notation, rules
from souk.kernel.rule_clones import Function
from souk.kernel.tracing import Trace, Tracer
from souk.testing import Failed, check_game

# Numbers of players and options to check besides the defaults.
VARIANTS: dict[str, list[tuple[int, dict[str, Any]]]] = {
    "suleika": [(2, {"turn_at_end": True}), (3, {"first": 1})],
    "basari": [(4, {"first": 2})],
    "basari-cards": [],
    "bazaar": [
        (3, {"double_purchase": True}),
        (2, {"rates": [4, 9], "first": 1}),
        (1, {"rates": [1, 2], "ware": "WWWRR"}),
    ],
}


@pytest.mark.parametrize("name", names())
def test_our_games_pass(name: str) -> None:
    certificate = check_game(name, games=1, seed=3)
    assert certificate.games == len(souk.game(name).players)
    assert certificate.positions > 50 * certificate.games


@pytest.mark.parametrize(
    ("name", "players", "options"),
    [(name, *variant) for name in names() for variant in VARIANTS[name]],
)
def test_our_variants_pass(name: str, players: int, options: dict[str, Any]) -> None:
    assert (
        check_game(
            name, games=1, seed=3, players=[players], options=[options], processes=False
        ).games
        == 1
    )


def changed(module: Any, **functions: Any) -> SimpleNamespace:
    """A module with some functions replaced."""
    return SimpleNamespace(**(vars(module) | functions))


def suleika_with(
    *, of_rules: dict[str, Any] | None = None, of_notation: dict[str, Any] | None = None
) -> Game:
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
        return bool(rules.legal(s, seat, move)) or (
            s.phase == rules.TURN and s.turn == seat and move == 4
        )

    fails(suleika_with(of_rules={"legal": legal}), "legal is True", 3)


def test_an_illegal_move_that_changes_something() -> None:
    def refusal(s: Any, seat: int, move: int) -> tuple[str, str | None]:
        s.facing = (s.facing + 1) % 4
        return "no", None

    game = suleika_with()
    game.messages = changed(game.messages, refusal=refusal)
    fails(game, "changed something", 3)


def test_json_that_forgets() -> None:
    def position(s: Any) -> notation.SuleikaPosition:
        position = notation.position(s)
        position.omar.facing = "n"
        return position

    fails(suleika_with(of_notation={"position": position}), "JSON does not bring", 3)


def test_pieces_that_vanish() -> None:
    def pay_nobody(s: Any, outcome: int) -> None:
        before = list(s.money)
        rules.resolve(s, outcome)
        for seat, money in enumerate(before):
            s.money[seat] = min(money, s.money[seat])

    game = suleika_with(
        of_rules={"resolve": pay_nobody},
        of_notation={"pieces": lambda s: {"piastres": sum(s.money)}},
    )
    game.facts = with_defaults(None, DefaultFacts)
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


def basari_with(
    *, of_rules: dict[str, Any] | None = None, secrets: bool = True, open_ended: bool = True
) -> Game:
    changed_rules = changed(basari_rules, **(of_rules or {}))
    return Game(
        "basari",
        range(3, 5),
        changed_rules,
        basari_notation,
        basari_box,
        secrets=secrets,
        open_ended=open_ended,
    )


def test_a_secret_that_shows() -> None:
    fails(
        basari_with(of_rules={"hide_secrets": lambda s, seat: None}), "sees 3 different things", 3
    )


# ---------------------------------------------------------------- what a game declares


def test_a_game_with_secrets_that_it_does_not_declare() -> None:
    fails(
        basari_with(secrets=False),
        "seat -1 does not see all, and the game does not declare secrets=True",
        3,
    )


def test_a_game_that_declares_secrets_and_has_none() -> None:
    game = Game("suleika", range(2, 5), rules, notation, box, secrets=True)
    fails(
        game, "suleika declares secrets=True, and in 3 games nothing was hidden from a spectator", 3
    )


def test_more_moves_than_widest() -> None:
    fails(
        basari_with(open_ended=False),
        rf"has \d\d+ moves, and WIDEST is {basari_rules.WIDEST}: .*open_ended=True",
        3,
    )
    fails(suleika_with(of_rules={"WIDEST": 3}), "seat 0 has 4 moves, and WIDEST is 3", 3)


def test_more_outcomes_than_widest() -> None:
    narrow = changed(cards_rules, WIDEST=30)
    game = Game(
        "basari-cards",
        range(3, 6),
        narrow,
        cards_notation,
        cards_box,
        secrets=True,
        open_ended=True,
    )
    fails(game, "39 outcomes are listed, and WIDEST is 30", 3)


# ---------------------------------------------------------------- facts


class Strange(Fact, frozen=True):
    """A fact of a kind that Suleika does not declare."""

    thing: Any = None


def suleika_traced(tracers: dict[Function, Tracer], *kinds: type[Fact]) -> Game:
    """Suleika with other tracers and additional kinds of facts."""
    game = suleika_with()
    game.facts = changed(
        game.facts, TRACERS=game.facts.TRACERS | tracers, KINDS=(*game.facts.KINDS, *kinds)
    )
    return game


def reporting(fact: Fact) -> Tracer:
    """A tracer of Omar's walk that reports a single fact."""

    def walking(s: Any, steps: int) -> Trace:
        yield fact
        yield

    return walking


def test_a_tracer_that_changes_something() -> None:
    def walking(s: Any, steps: int) -> Trace:
        yield
        s.facing = (s.facing + 1) % 4

    fails(suleika_traced({rules.walk: walking}), "'[1-4]' leads elsewhere when traced", 3)


def test_a_tracer_that_breaks_down() -> None:
    def walking(s: Any, steps: int) -> Trace:
        yield
        yield s.nothing_of_the_kind

    fails(suleika_traced({rules.walk: walking}), r"'[1-4]' cannot be traced: AttributeError", 3)


@pytest.mark.parametrize("thing", [object(), {1, 2}, 1j], ids=["object", "set", "complex"])
def test_a_fact_that_json_does_not_bring_back(thing: object) -> None:
    fails(
        suleika_traced({rules.walk: reporting(Strange(thing))}, Strange),
        "no JSON of facts|comes back from JSON as",
        3,
    )


def test_a_fact_with_a_value_of_another_type_than_it_says() -> None:
    fails(
        suleika_traced({rules.walk: reporting(Moved("nobody", "left"))}, Moved),
        "no JSON of facts: Expected `int`",
        3,
    )  # type: ignore[arg-type]


def test_a_fact_of_a_kind_that_is_not_named() -> None:
    fails(
        suleika_traced({rules.walk: reporting(Strange())}),
        r"Strange\(thing=None\) was reported, and facts.KINDS",
        3,
    )


def test_an_end_that_a_game_tells_itself() -> None:
    fails(suleika_traced({rules.walk: reporting(Ended([0] * 3, []))}), "exactly once, last", 3)


def test_a_secret_that_is_told() -> None:
    def playing(s: Any, seat: int, move: int) -> Trace:
        yield Moved(seat, str(move)) if s.phase == basari_rules.CHOOSE else Chose(seat)
        yield

    game = basari_with()
    tracers = game.facts.TRACERS | {basari_rules.play: playing}
    game.facts = changed(game.facts, TRACERS=tracers, KINDS=(*game.facts.KINDS, Moved))
    fails(game, "the facts of seat [0-2]'s secret choice differ by what it chose", 3)


# ---------------------------------------------------------------- words


def suleika_describing(describe: Any) -> Game:
    game = suleika_with()
    game.messages = changed(game.messages, describe=describe)
    return game


def test_a_fact_that_cannot_be_put_into_words() -> None:
    def describe(fact: Fact) -> list[Message]:
        raise KeyError(fact)

    fails(suleika_describing(describe), "OmarTurned.* cannot be described: KeyError", 3)


def test_an_event_of_which_nothing_is_said() -> None:
    fails(suleika_describing(lambda fact: []), "the log has no text for .*OmarTurned", 3)


def test_a_text_that_no_file_has() -> None:
    def describe(fact: Fact) -> list[Message]:
        return [Message("{rug}", rug=[Message("suleika.word.rug.purple")])]

    fails(suleika_describing(describe), "there is no text suleika.word.rug.purple", 3)


def test_a_text_with_a_place_left_open() -> None:
    def describe(fact: Fact) -> list[Message]:
        return [Message("suleika.told.walks", n=3, who=Seat(0))]

    fails(
        suleika_describing(describe),
        r"\{field\} is left open in 'The die shows 3: Omar walks to \{field\}.'",
        3,
    )


def test_a_game_that_speaks_one_language_needs_no_file() -> None:
    game = suleika_describing(
        lambda fact: [Message("{who} does something.", who=Seat(getattr(fact, "seat", 0)))]
    )
    assert check_game(game, games=1, players=[3], processes=False).games == 1


# ---------------------------------------------------------------- other processes


def test_another_order_in_another_process() -> None:
    """Moves listed in the order of a set of strings, which varies between processes."""
    game = suleika_with()
    game.module_name = "tests.support.disorderly"
    with pytest.raises(Failed, match="another order"):
        check_game(game, games=1, players=[3])


def test_failures_say_how_to_get_there() -> None:
    with pytest.raises(
        Failed, match=r"suleika, 3 players, options \{\}, seed 1, game 0\b.*after \d+ events"
    ):
        check_game(
            suleika_with(of_rules={"legal": lambda s, seat, move: False}), seed=1, players=[3]
        )


def test_random_helpers_of_a_game_agree_with_the_lists() -> None:
    """random_move and random_outcome equal the defaults wherever all moves are equally likely."""
    from souk.kernel import default_ops as defaults

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
                        assert move == defaults.random_move(pos.state, actors[0], x, room), (
                            name,
                            players,
                            x,
                        )
                    game.rules.play(pos.state, actors[0], move)
                else:
                    outcome = game.rules.random_outcome(pos.state, x, list(room), list(weights))
                    assert outcome == defaults.random_outcome(pos.state, x, room, weights), (
                        name,
                        players,
                        x,
                    )
                    game.rules.resolve(pos.state, outcome)
