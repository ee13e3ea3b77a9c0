"""Value nets and the bots that use them."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import souk
from souk.bots.bot import Choice
from souk.bots.search import Search, Thinking
from souk.bots.workspace import seed_for
from souk.games import names
from souk.kernel.net_layout import no_net
from souk.nets import loader as shelf
from tests.support.fifth_game import build, run
from tests.support.forked import run_python
from tests.support.random_games import random_game
from tests.support.random_nets import SEEING, random_file, random_net

SEED, PLAYOUTS = 7, 300


def decisions(name: str, players: int, times: int = 4) -> Iterator[souk.Position]:
    """Some positions of a random game with a choice to make."""
    found = [
        record.position.copy()
        for record in random_game(name, players, {}, SEED)
        if (seats := record.position.actors)
        and len(record.position.move_codes(seats[-1], max(9, record.position.game.widest))) > 2
    ]
    yield from (found[k * (len(found) - 1) // times] for k in range(times))


def choice(pos: souk.Position, net: str) -> Choice:
    setting = f",net={net}" if net else ""
    return souk.bot(f"search:playouts={PLAYOUTS},seed={SEED}{setting}").choose(pos, pos.actors[-1])


@pytest.mark.parametrize("name", names())
def test_without_a_net_the_vizier_uses_the_heuristics(name: str) -> None:
    """An inactive net changes nothing, whatever its weights."""
    bot = souk.bot(f"vizier:net=none,playouts={PLAYOUTS},seed={SEED}")
    found = [
        (pos, bot.choose(pos, pos.actors[-1]))
        for pos in decisions(name, souk.game(name).players[-1])
    ]
    searched = [(pos, chosen) for pos, chosen in found if not chosen.exact]
    assert searched
    for pos, chosen in searched:
        seat, view = pos.actors[-1], pos.seen_by(pos.actors[-1])
        for inactive in (no_net(pos.game.net_features.ROWS), random_net(pos.game)):
            inactive["awake"] = 0
            search = Search(
                view,
                seat,
                Thinking(None, PLAYOUTS, SEED, net="none"),
                seed_for(SEED, view, seat),
                0.0,
            )
            search.workspace.net = inactive
            assert search.run() == chosen


@pytest.mark.parametrize("name", SEEING)
def test_a_net_changes_the_choice(name: str, tmp_path: Path) -> None:
    game = souk.game(name)
    file = str(random_file(tmp_path, game))
    found = list(decisions(name, game.players[-1], 6))
    with_it, without = ([choice(pos, net).considered for pos in found] for net in (file, "none"))
    assert with_it != without
    assert [choice(pos, file).considered for pos in found] == with_it


def test_a_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = souk.game("suleika")
    file, pos = random_file(tmp_path, game, 5), next(decisions("suleika", 4))
    first = choice(pos, str(file))
    monkeypatch.setitem(sys.modules, "safetensors", None)  # reading a file fails now
    assert choice(pos, str(file)) == first
    with pytest.raises(ImportError):
        choice(pos, str(random_file_copied(file)))


def random_file_copied(file: Path) -> Path:
    other = file.with_stem("other")
    other.write_bytes(file.read_bytes())
    return other


def test_a_missing_net_is_refused_by_name(tmp_path: Path) -> None:
    for wrong in ("/no/such/file", "", str(tmp_path)):
        with pytest.raises(
            ValueError, match=r"^bot: net of vizier must be an existing file, or none, not "
        ):
            souk.bot(f"vizier:net={wrong}")
    for_suleika = souk.bot(f"vizier:net={random_file(tmp_path, souk.game('suleika'))},playouts=1")
    with pytest.raises(ValueError, match="is a net for suleika, not for bazaar"):
        for_suleika.check(souk.game("bazaar"))
    pos = next(decisions("bazaar", 2))
    with pytest.raises(ValueError, match="is a net for suleika, not for bazaar"):
        for_suleika.choose(pos, pos.actors[0])


def command_line(*words: str) -> str:
    """The output of a command that is refused."""
    done = run_python(["-m", "souk.cli", *words])
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return " ".join((done.stdout + done.stderr).split())


def test_the_command_line_explains_a_wrong_net(tmp_path: Path) -> None:
    other = f"vizier:net={random_file(tmp_path, souk.game('suleika'))}"
    absent = "net of vizier must be an existing file, or none, not '/no/such/file'"
    assert absent in command_line(
        "play", "suleika", "-p", "2", "--against", "vizier:net=/no/such/file"
    )
    assert absent in command_line("tournament", "bazaar", "random", "vizier:net=/no/such/file")
    for words in (
        ["play", "bazaar", "-p", "2", "--against", other],
        ["tournament", "bazaar", "random", other],
    ):
        assert "is a net for suleika, not for bazaar" in command_line(*words)


def test_nets_are_loaded_only_by_bots() -> None:
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
    alone = (
        "import sys, souk; souk.game('suleika').start(4); "
        "assert not {'souk.nets', 'souk.nets.loader'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", alone], check=True)


def test_a_game_without_net_features_uses_its_heuristics(tmp_path: Path) -> None:
    code = """if True:
        import random, souk
        from souk.kernel.interpreter import without_compiling
        from souk.nets.loader import net_of, pedigree_of
        pos = souk.game("pig").start(2, goal=20)
        assert not net_of(pos.game, 2)["awake"].any() and pedigree_of(pos.game) == {}
        while not pos.actors:
            pos.draw(random.Random(1))
        with without_compiling():
            bots = [souk.bot(f"vizier:playouts=60,seed=3{net}") for net in ("", ",net=none")]
            ours, theirs = (bot.choose(pos, pos.actors[0]) for bot in bots)
        assert ours == theirs and ours.playouts == 60, (ours, theirs)
        print(ours.move)
    """
    assert run(build(tmp_path / "house", least=True), "-c", code).strip() == "roll"


def test_a_net_is_used_only_for_its_number_of_players(tmp_path: Path) -> None:
    game = souk.game("suleika")
    shelf.write(tmp_path / "two", game, {2: random_net(game)}, {})
    pos = next(decisions("suleika", 3))
    with_it, without = (choice(pos, net) for net in (str(tmp_path / "two"), "none"))
    assert with_it == without
    assert np.any(shelf.net_of(game, 2, str(tmp_path / "two"))["awake"])
