"""Minds and the bots that play with them."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import souk
from souk.bots.bot import Choice
from souk.bots.desk import seed_for
from souk.bots.searcher import Search, Thinking
from souk.games import names
from souk.kernel.mind_shape import no_mind
from souk.minds import shelf
from tests.fifth_game import build, run
from tests.forked import run_python
from tests.minds.random_minds import SEEING, random_file, random_mind
from tests.random_games import random_game

SEED, PLAYOUTS = 7, 300


def decisions(name: str, players: int, times: int = 4) -> Iterator[souk.Position]:
    """Some positions of a random game in which there is something to choose."""
    found = [
        record.position.copy()
        for record in random_game(name, players, {}, SEED)
        if (seats := record.position.actors)
        and len(record.position.move_codes(seats[-1], max(9, record.position.game.widest))) > 2
    ]
    yield from (found[k * (len(found) - 1) // times] for k in range(times))


def choice(pos: souk.Position, mind: str) -> Choice:
    setting = f",mind={mind}" if mind else ""
    return souk.bot(f"search:playouts={PLAYOUTS},seed={SEED}{setting}").choose(pos, pos.actors[-1])


@pytest.mark.parametrize("name", names())
def test_without_a_mind_the_vizier_is_what_it_was_before_there_were_any(name: str) -> None:
    """What judges then is the insight alone: a mind that sleeps, and were it full of weights."""
    bot = souk.bot(f"vizier:mind=none,playouts={PLAYOUTS},seed={SEED}")
    found = [(pos, bot.choose(pos, pos.actors[-1])) for pos in decisions(name, souk.game(name).players[-1])]
    searched = [(pos, chosen) for pos, chosen in found if not chosen.exact]
    assert searched
    for pos, chosen in searched:
        seat, view = pos.actors[-1], pos.seen_by(pos.actors[-1])
        for sleeping in (no_mind(pos.game.mind.ROWS), random_mind(pos.game)):
            sleeping["awake"] = 0
            search = Search(view, seat, Thinking(None, PLAYOUTS, SEED, mind="none"), seed_for(SEED, view, seat), 0.0)
            search.desk.mind = sleeping
            assert search.run() == chosen


@pytest.mark.parametrize("name", SEEING)
def test_a_mind_changes_what_is_chosen(name: str, tmp_path: Path) -> None:
    game = souk.game(name)
    file = str(random_file(tmp_path, game))
    found = list(decisions(name, game.players[-1], 6))
    with_it, without = ([choice(pos, mind).considered for pos in found] for mind in (file, "none"))
    assert with_it != without
    assert [choice(pos, file).considered for pos in found] == with_it


def test_a_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = souk.game("suleika")
    file, pos = random_file(tmp_path, game, 5), next(decisions("suleika", 4))
    first = choice(pos, str(file))
    monkeypatch.setitem(sys.modules, "safetensors", None)  # who reads a file now fails
    assert choice(pos, str(file)) == first
    with pytest.raises(ImportError):
        choice(pos, str(random_file_copied(file)))


def random_file_copied(file: Path) -> Path:
    other = file.with_stem("other")
    other.write_bytes(file.read_bytes())
    return other


def test_a_mind_that_is_not_there_is_refused_with_its_name(tmp_path: Path) -> None:
    for wrong in ("/no/such/file", "", str(tmp_path)):
        with pytest.raises(ValueError, match=r"^bot: mind of vizier must be a file that is there, or none, not "):
            souk.bot(f"vizier:mind={wrong}")
    for_suleika = souk.bot(f"vizier:mind={random_file(tmp_path, souk.game('suleika'))},playouts=1")
    with pytest.raises(ValueError, match="is a mind for suleika, not for bazaar"):
        for_suleika.check(souk.game("bazaar"))
    pos = next(decisions("bazaar", 2))
    with pytest.raises(ValueError, match="is a mind for suleika, not for bazaar"):
        for_suleika.choose(pos, pos.actors[0])


def command_line(*words: str) -> str:
    """What a command says that is refused."""
    done = run_python(["-m", "souk.cli", *words])
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return " ".join((done.stdout + done.stderr).split())


def test_the_command_line_says_what_is_wrong_with_a_mind(tmp_path: Path) -> None:
    other = f"vizier:mind={random_file(tmp_path, souk.game('suleika'))}"
    absent = "mind of vizier must be a file that is there, or none, not '/no/such/file'"
    assert absent in command_line("play", "suleika", "-p", "2", "--against", "vizier:mind=/no/such/file")
    assert absent in command_line("tournament", "bazaar", "random", "vizier:mind=/no/such/file")
    for words in (["play", "bazaar", "-p", "2", "--against", other], ["tournament", "bazaar", "random", other]):
        assert "is a mind for suleika, not for bazaar" in command_line(*words)


def test_nobody_waits_for_minds_who_does_not_ask_a_bot() -> None:
    code = """if True:
        import random, sys, souk
        pos = souk.game("suleika").start(4)
        while not pos.actors:
            pos.draw(random.Random(1))
        pos.play(pos.actors[0], pos.moves(pos.actors[0])[0])
        souk.Record("bazaar", players=2)
        souk.bot("vizier")
        late = {"safetensors", "souk.lab.training", "torch", "numba"} & set(sys.modules)
        assert not late, late
    """
    subprocess.run([sys.executable, "-c", code], check=True)
    alone = "import sys, souk; souk.game('suleika').start(4); assert not {'souk.minds', 'souk.minds.shelf'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", alone], check=True)


def test_a_fifth_game_without_eyes_plays_as_before(tmp_path: Path) -> None:
    code = """if True:
        import random, souk
        from souk.kernel.interpreting import at_once
        from souk.minds.shelf import mind_of, pedigree_of
        pos = souk.game("pig").start(2, goal=20)
        assert not mind_of(pos.game, 2)["awake"].any() and pedigree_of(pos.game) == {}
        while not pos.actors:
            pos.draw(random.Random(1))
        with at_once():
            bots = [souk.bot(f"vizier:playouts=60,seed=3{mind}") for mind in ("", ",mind=none")]
            ours, theirs = (bot.choose(pos, pos.actors[0]) for bot in bots)
        assert ours == theirs and ours.playouts == 60, (ours, theirs)
        print(ours.move)
    """
    assert run(build(tmp_path / "house", least=True), "-c", code).strip() == "roll"


def test_a_mind_of_so_many_players_judges_no_others(tmp_path: Path) -> None:
    game = souk.game("suleika")
    shelf.write(tmp_path / "two", game, {2: random_mind(game)}, {})
    pos = next(decisions("suleika", 3))
    with_it, without = (choice(pos, mind) for mind in (str(tmp_path / "two"), "none"))
    assert with_it == without
    assert np.any(shelf.mind_of(game, 2, str(tmp_path / "two"))["awake"])
