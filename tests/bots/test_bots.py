"""What holds for every bot: legal moves, no side effects, no hidden information."""

import random
import re
import subprocess
import sys

import numpy as np
import pytest

import souk
from souk.bots.registry import KINDS, make_bot
from souk.core.position import Position
from tests.support.random_games import VARIANTS, random_game, variant_name

SEED = 23
NAMES = [*(f"{name}:seed=1" for name in KINDS if "playouts" not in KINDS[name].settings)]
NAMES += [f"{name}:playouts=40,seed=1" for name in KINDS if "playouts" in KINDS[name].settings]


def decisions(name: str, players: int, options: dict[str, object], many: int) -> list[Position]:
    """Some positions of a random game with a seat to move."""
    found = [
        r.position.copy() for r in random_game(name, players, options, SEED) if r.position.actors
    ]
    return random.Random(SEED).sample(found, min(many, len(found)))


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
def test_every_bot_answers_with_a_legal_move_and_reasons(
    variant: tuple[str, int, dict[str, object]],
) -> None:
    for pos in decisions(*variant, many=6):
        before = pos.to_json()
        for name in NAMES:
            for seat in pos.actors:
                choice = souk.bot(name).choose(pos, seat)
                assert pos.is_legal(seat, choice.move), (name, choice.move)
                assert choice.move == pos.canonical_move(seat, choice.move)
                moves = [each.move for each in choice.considered]
                assert choice.move in moves
                assert len(set(moves)) == len(moves)
                assert sum(each.share for each in choice.considered) == pytest.approx(1)
                for each in choice.considered:
                    assert pos.is_legal(seat, each.move)
                    assert 0 <= each.win <= 1
                    assert np.isfinite(each.score)
                assert pos.to_json() == before


@pytest.mark.parametrize(
    ("game", "players"), [("basari", 3), ("basari", 4), ("basari-cards", 3), ("basari-cards", 5)]
)
def test_no_bot_sees_what_others_have_chosen(game: str, players: int) -> None:
    """The others choose differently each time; the last seat's answer is identical."""
    start = next(pos for pos in decisions(game, players, {}, 1000) if len(pos.actors) == players)
    for name in NAMES:
        answers = []
        for shift in range(3):
            pos = start.copy()
            for seat in range(1, players):
                moves = pos.moves(seat)
                pos.play(seat, moves[(seat + shift) % len(moves)])
            answers.append(souk.bot(name).choose(pos, 0))
        assert answers[0] == answers[1] == answers[2], name


def test_what_a_bot_is_shown_holds_no_secret() -> None:
    """A bot is given its seat's view only."""
    shown = []

    class Spy(souk.bots.Bot):
        name = "spy"

        def think(self, view: Position, seat: int) -> souk.bots.Choice:
            shown.append(view)
            return souk.bots.Choice(view.moves(seat)[0], [])

    pos = next(pos for pos in decisions("basari", 4, {}, 1000) if len(pos.actors) == 4)
    pos.play(1, "gems")
    Spy().choose(pos, 0)
    assert shown[0] == pos.seen_by(0) != pos
    assert shown[0].array is not pos.array


@pytest.mark.parametrize("name", NAMES)
def test_no_bot_foresees_the_dice(name: str) -> None:
    """Answers depend on the bot's own seed only, not on the state of global generators."""
    pos = decisions("suleika", 3, {}, 1)[0]
    answers = []
    for state in range(3):
        random.seed(state)
        np.random.seed(state)
        before = random.getstate()
        answers.append(souk.bot(name).choose(pos, pos.actors[0]))
        assert random.getstate() == before
    assert answers[0] == answers[1] == answers[2]


def test_without_a_seed_secret_choices_cannot_be_predicted() -> None:
    pos = next(pos for pos in decisions("basari", 3, {}, 1000) if len(pos.actors) == 3)
    assert len({souk.bot("random").choose(pos, 0).move for _ in range(40)}) == 3


def test_a_seat_that_is_not_to_move_is_refused() -> None:
    pos = souk.game("suleika").start(3)
    with pytest.raises(souk.IllegalMove, match="it is not seat 1's turn"):
        souk.bot("greedy").choose(pos, 1)
    with pytest.raises(souk.IllegalMove, match="seats are 0 to 2"):
        souk.bot("greedy").choose(pos, 7)


def test_all_bots_are_listed_and_can_be_had() -> None:
    assert {"random", "greedy", "search", "apprentice", "trader", "merchant", "vizier"} <= set(
        souk.bots()
    )
    for name in souk.bots():
        with souk.bot(name) as bot:
            assert bot.name == name
            assert repr(bot) == f"souk.bot({name!r})"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "vizir",
            "there is no bot 'vizir'. Did you mean \"vizier\"? "
            "Known: apprentice, trader, merchant, vizier, random",
        ),
        ("", "there is no bot ''. Known: apprentice"),
        (7, "a name is a text, not 7"),
        ("search:sconds=1", "search has no setting 'sconds'. Known: seconds=…, playouts=…, seed=…"),
        ("random:playouts=3", "random has no setting 'playouts'. Known: seed=…."),
        (
            "search:seconds=soon",
            "seconds of search must be a number from 0.001 to 3600, not 'soon'",
        ),
        ("search:seconds=nan", "seconds of search must be a number"),
        ("search:playouts=0", "playouts of search must be a whole number from 1 to"),
        ("search:seed=-1", "seed of search must be a whole number from 0 to"),
        ("search:seed=1,seed=2", "seed is set twice"),
        (
            "vizier:slow",
            "vizier has no setting 'slow'. "
            "Known: seconds=…, playouts=…, seed=…, net=…, quick, normal, deep.",
        ),
        ("trader:quick", "trader has no setting 'quick'. Known: seed=…, lapses=…."),
        ("trader:lapses=2", "lapses of trader must be a number from 0 to 1, not '2'"),
        ("vizier:quick,seconds=1", "exclude each other"),
        ("search:", "search has no setting ''"),
    ],
)
def test_a_wrong_name_is_told_what_would_be_right(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        souk.bot(name)  # type: ignore[arg-type]


def test_the_setting_mind_is_understood_as_net() -> None:
    name = "vizier:mind=none,playouts=5"
    with pytest.warns(FutureWarning, match="the setting mind= is now called net="):
        bot = souk.bot(name)
    assert bot.name == name
    assert bot.thinking == souk.bot("vizier:net=none,playouts=5").thinking  # type: ignore[attr-defined]


def test_the_note_about_mind_goes_to_stderr_once() -> None:
    code = "import souk; [souk.bot('search:mind=none') for _ in range(3)]"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stderr.count("the setting mind= is now called net=") == 1


def test_bots_without_a_net_do_not_know_the_setting_mind() -> None:
    with pytest.raises(ValueError, match="trader has no setting 'mind'"):
        souk.bot("trader:mind=none")


def test_net_and_mind_exclude_each_other() -> None:
    with (
        pytest.warns(FutureWarning, match="now called net="),
        pytest.raises(ValueError, match="net is set twice"),
    ):
        souk.bot("vizier:net=none,mind=none")


def test_what_a_name_leaves_open_can_be_given_with_it() -> None:
    def thinking(name: str) -> tuple[object, ...]:
        bot = make_bot(name, seconds=0.2, seed=4)
        found = bot.thinking  # type: ignore[attr-defined]
        return found.seconds, found.playouts, found.seed

    assert thinking("vizier") == (0.2, None, 4)
    assert thinking("vizier:seed=9") == (0.2, None, 9)
    assert thinking("vizier:quick") == (0.05, None, 4)
    assert thinking("search:playouts=10") == (None, 10, 4)
    assert thinking("search:playouts=10,seconds=3") == (3.0, 10, 4)
    assert make_bot("random", seconds=0.2, seed=4).seed == 4  # type: ignore[attr-defined]


@pytest.mark.parametrize(("game", "often"), [("suleika", 0.35), ("bazaar", 0.25), ("basari", 0.0)])
def test_a_trader_lapses_as_often_as_suits_the_game(game: str, often: float) -> None:
    """A lapse is an apprentice's move; all other moves are those of a trader without lapses."""
    lapsed = different = 0
    for seed, pos in enumerate(pos for number in range(4) for pos in wandering(game, 3, number)):
        names = (
            f"trader:seed={seed}",
            f"trader:lapses=0,seed={seed}",
            f"trader:lapses=1,seed={seed}",
            f"apprentice:seed={seed}",
        )
        usual, careful, careless, beginner = (
            souk.bot(name).choose(pos, pos.actors[0]) for name in names
        )
        assert careless == beginner
        assert usual in (careful, beginner)
        lapsed += usual == beginner != careful
        different += beginner != careful
    assert different > 100
    assert lapsed / different == pytest.approx(often, abs=0.1)


def wandering(game: str, players: int, seed: int) -> list[Position]:
    """All positions of a random game with a seat to move."""
    return [r.position.copy() for r in random_game(game, players, {}, seed) if r.position.actors]


def test_bots_are_listed_without_loading_the_compiler() -> None:
    """`import souk` and the list of bots must not wait for Numba."""
    code = "import souk, sys; souk.bots(); souk.bot('vizier'); assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
