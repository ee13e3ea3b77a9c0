"""Follows docs/program/new-game.md literally: builds the game from its code blocks and runs it
everywhere.

tests/browser/games/test_new_game.py plays it in a browser.
"""

import re
from pathlib import Path

import pytest

from tests.support.fifth_game import CERTIFY, blocks, build, run, souk

PLAY = ["play", "pig", "--players", "2", "--seed", "1"]
FEW = ["--players", "2", "--games", "4", "-o", "goal=20"]


@pytest.fixture(scope="module", params=["least", "all"])
def home(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with a fifth game: with the minimum a game needs, and with
    everything.
    """
    return build(tmp_path_factory.mktemp("house"), least=request.param == "least")


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("full"))


@pytest.fixture
def is_full(home: Path) -> bool:
    """Whether the game has the optional files."""
    return (home / "souk" / "games" / "pig" / "facts.py").is_file()


def test_these_are_the_files() -> None:
    least = ["rules.py", "notation.py", "box.py", "texts/en.toml", "__init__.py", CERTIFY]
    more = [
        "rules.md",
        "facts.py",
        "messages.py",
        "texts/en.toml",
        "texts/de.toml",
        "texts/lesson.toml",
        "texts/en.toml",
    ]
    more += ["observations.py", "report.py"]
    assert [name for name, _ in blocks(least=True)] == least
    assert [name for name, _ in blocks()] == least + more


def test_it_is_certified_and_simulated(home: Path) -> None:
    out = run(home, CERTIFY)
    assert "Certificate(game='pig', games=15" in out
    shares = [float(share) for share in re.findall(r"0\.\d+", out)]
    assert 0.99 < sum(shares) < 1.01
    assert shares[0] > shares[1]


def test_the_command_line_knows_it(home: Path) -> None:
    assert "Roll as often as you dare: a 1 loses it all." in souk(home, "games")
    assert re.search(r"Pig .*heuristics only", souk(home, "bots"))
    assert "Pig, 3 players" in souk(
        home, "simulate", "pig", "--players", "3", "--games", "100", "-o", "goal=20"
    )
    refused = souk(home, "simulate", "pig", "-o", "goal=0", "--games", "1", code=2)
    assert "goal: must be a whole number from 1 to 1000, not 0" in refused


def test_a_game_in_the_terminal(home: Path, is_full: bool) -> None:
    """To the end: roll twice, then bank, repeatedly. An illegal move is refused with its reason."""
    against = ["--against", "merchant:playouts=50", "-o", "goal=20"]
    out = souk(home, *PLAY, *against, typed="stop\n" + "roll\nroll\nstop\n" * 40)
    assert "In the pot" in out
    assert "Stop and bank" in out
    assert ("there is nothing to bank yet (P1)." if is_full else "you can't do that now") in out
    assert ("You roll." if is_full else "You: roll.") in out
    assert re.search(r"You bank \d+ points and have \d+" if is_full else r"You: stop\.", out)
    assert "The game is over." in out
    assert re.search(r"★\s+\w+\s+2\d", out)


def test_it_speaks_what_its_files_speak(full: Path) -> None:
    german = ["--against", "random", "--language", "de"]
    out = souk(full, *PLAY, *german, typed="roll\nq\n")
    assert "Du würfelst." in out
    assert "Im Topf" in out


def test_named_bots_play_a_tournament(home: Path) -> None:
    bots = ["apprentice", "trader", "merchant:playouts=50", "vizier:playouts=50"]
    out = souk(home, "tournament", "pig", *bots, "--processes", "2", *FEW)
    for bot in bots:
        assert re.search(rf"^ \d {bot} ", out, re.MULTILINE)
    assert "ahead of" in out


def test_a_report_tells_what_can_be_told(home: Path, is_full: bool) -> None:
    souk(home, "report", "pig", "--play", "random,greedy", "--simulated", "50", *FEW)
    written = (home / "pig.html").read_text(encoding="utf-8")
    for heading in ("Wins by seat", "Scores", "Length", "Going first, margins and ties"):
        assert f"<h3>{heading}</h3>" in written
    assert ("<h3>How turns end</h3>" in written) == is_full
    assert ("a turn is lost" in written) == is_full
    assert "–" not in written.partition("<main>")[2]  # no figure is missing


def test_an_export_has_every_decision(home: Path) -> None:
    assert "pig.parquet" in souk(home, "export", "pig", *FEW)
    code = """if True:
        import pyarrow.parquet
        moves = pyarrow.parquet.read_table('pig.parquet')['move'].to_pylist()
        print(sorted(set(moves)))
    """
    assert run(home, "-c", code).strip() == "['1', '2', '3', '4', '5', '6', 'roll', 'stop']"


def test_its_facts_add_up_to_the_scores(home: Path) -> None:
    code = """if True:
        import random, souk
        record, rng = souk.Record("pig", players=3, goal=60), random.Random(2)
        while not (pos := record.position).over:
            if pos.actors:
                record.play(pos.actors[0], rng.choice(pos.moves(pos.actors[0])))
            else:
                record.draw(rng)
        facts = [fact for event in record.facts() for fact in event]
        sources = record.game.facts.sources(record.start, facts)
        assert [sum(points.values()) for points in sources] == record.position.scores
        assert souk.Record.parse(str(record)) == record
        print(sources)
    """
    assert "{" in run(home, "-c", code)


def test_a_batch_plays_it_once_it_is_in_numbers(home: Path, is_full: bool) -> None:
    code = """if True:
        import souk.lab
        try:
            batch = souk.lab.Batch("pig", players=3, size=64, seed=1, goal=20)
        except ValueError as error:
            raise SystemExit(f"refused: {error}")
        games = 0
        for _ in range(200):
            rewards, ended = batch.step(batch.sample())
            games += int(ended.sum())
        assert games > 64
        assert batch.observe()[0, batch.places["goal"]] == [20]
        assert batch.scores().max(axis=1).min() >= 20
        print(batch.observe().shape, batch.mask().shape)
    """
    assert ("(64, 7) (64, 2)" if is_full else "refused: game: Pig has no observations.py") in run(
        home, "-c", code, code=not is_full
    )


def test_it_is_an_environment_of_pettingzoo(full: Path) -> None:
    code = """if True:
        import warnings
        import souk.lab.pettingzoo
        from pettingzoo.test import api_test, seed_test
        for actions in ("composed", "raw"):
            make = lambda: souk.lab.pettingzoo.env("pig", players=4, actions=actions, goal=20)
            with warnings.catch_warnings():
                # an observation with a mask is a dictionary
                warnings.filterwarnings("ignore", "Observation")
                api_test(make(), num_cycles=100)
            seed_test(make, num_cycles=50)
    """
    assert run(full, "-c", code).count("Passed API test") == 2


def test_its_numbers_are_explained(home: Path, is_full: bool) -> None:
    page = run(home, "-m", "souk.lab.environments.observation_docs")
    assert ("| `pot` |" in page) == is_full


def test_its_lesson(home: Path, is_full: bool) -> None:
    """Loading it plays it to its end; a game without one is fine."""
    code = """if True:
        import souk
        lesson = souk.game('pig').lesson
        print(lesson and [len(lesson.steps), len(lesson.events)])
    """
    assert run(home, "-c", code).strip() == ("[8, 13]" if is_full else "None")


def test_its_rules_page(home: Path, is_full: bool) -> None:
    if is_full:
        assert "A roll of 1 loses the pot and ends the turn." in souk(home, "rules", "pig", "p3")
        assert "The end" in souk(home, "rules", "pig")
    else:
        assert "Pig has no rules page: it would be pig/rules.md" in souk(
            home, "rules", "pig", code=2
        )


def test_a_board_of_its_own_would_have_types(full: Path) -> None:
    code = """if True:
        from souk.server.protocol.typescript import files, PAGES
        print(files()[PAGES / 'games' / 'pig' / 'types.ts'])
    """
    types = run(full, "-c", code)
    assert "export interface PigPosition" in types
    assert re.search(
        r"export type Fact =\s*\|? Rolls\s*\| Gathered\s*\| Lost\s*\| Banked\s*\| Ended;", types
    )


PLAYED = """
import random, souk
record, rng = souk.Record("pig", 2, names=["Ana", "Bo"], goal=20), random.Random(4)
while not (pos := record.position).over:
    if pos.actors:
        record.play(pos.actors[0], rng.choice(pos.moves(pos.actors[0])))
    else:
        record.draw(rng)
record.save("game.souk")
"""


def test_its_games_can_be_looked_back_at(home: Path) -> None:
    run(home, "-c", PLAYED)
    out = souk(
        home, "analyse", "game.souk", "--playouts", "32", "--processes", "1", "--html", "game.html"
    )
    assert "Analysis: Pig" in out
    assert "Turning points" in out
    assert re.search(r"Ana +\d", out)
    page = (home / "game.html").read_text(encoding="utf-8")
    assert 'class="card point plain"' in page  # it has no drawing
    check = """if True:
        import souk
        study = souk.analyse(souk.load('game.souk'), playouts=32)
        print([s.start + s.luck + s.own + s.others - s.result for s in study.seats])
    """
    assert all(
        abs(float(gap)) < 1e-9 for gap in re.findall(r"-?\d[\d.e-]*", run(home, "-c", check))
    )
