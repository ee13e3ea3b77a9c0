"""Reports: the games of souk.simulate, figures checked against independent sums, the page."""

import json
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import souk
from souk.cli.reports import check_out
from souk.core.report_spec import Moment, Notes
from souk.games import names
from souk.games.bazaar import report as bazaar
from souk.games.bazaar.report_cards import par_cards
from souk.games.suleika.board_info import BALCONIES
from souk.lab.report.accumulator import Accumulator
from souk.lab.report.cards import card_html
from souk.lab.report.html import page
from souk.lab.report.measure import Measurement, measure
from souk.lab.report.plan import check_plan, split_plays
from souk.lab.report.sampling import course
from souk.lab.statistics import Figure, mean_over
from souk.lab.table_spec import TableSpec, check_table
from tests.lab.support.commands import run_souk

Played = dict[tuple[str, int], tuple[Measurement, list[list[Moment]]]]
GAMES = 6
SEED = 4
FIRST_COUNTS = [(name, souk.game(name).players[-1]) for name in names()]


def table_of(game: str, players: int, bot: str = "random") -> TableSpec:
    options = dict(souk.game(game).report.options) if players > 1 else {}
    return check_table(game, players, bot, seed=SEED, options=options)


@pytest.fixture(scope="module")
def played() -> Played:
    """Every game with the most players, and Bazaar solitaire: measured, and event by event."""
    found = {}
    for game, players in [*FIRST_COUNTS, ("bazaar", 1)]:
        games = GAMES if players > 1 else 2
        table = table_of(game, players)
        found[game, players] = (
            measure(table, games, processes=1),
            [course(table, number) for number in range(games)],
        )
    return found


def given(figure: Figure | None) -> Figure:
    assert figure is not None
    return figure


def total(figure: Figure | None) -> float:
    """The sum behind a mean."""
    return given(figure).value * given(figure).cases


# ---------------------------------------------------------------- the games


@pytest.mark.parametrize(("game", "players"), [*FIRST_COUNTS, ("bazaar", 1), ("suleika", 2)])
def test_random_play_is_that_of_simulate(game: str, players: int) -> None:
    table = table_of(game, players)
    simulated = souk.simulate(game, players, 3, SEED, 1, target="python", **table.options)
    for number in range(3):
        events = course(table, number)
        assert events[-1].after.scores == simulated.scores[number].tolist()
        assert [seat in events[-1].after.winners for seat in range(players)] == simulated.winners[
            number
        ].tolist()
        assert len(events) == simulated.lengths[number]


def test_a_course_replays() -> None:
    """Each event leads from one position to the next."""
    for bot in ("random", "trader"):
        events = course(table_of("basari-cards", 3, bot), 1)
        for event, following in pairwise(events):
            again = event.before.copy()
            again.resolve(event.text) if event.seat is None else again.play(event.seat, event.text)
            assert again == event.after == following.before


def test_bots_with_a_seed_play_the_same_games_again() -> None:
    table = table_of("suleika", 2, "vizier:playouts=8")
    assert [event.text for event in course(table, 2)] == [event.text for event in course(table, 2)]
    assert [event.text for event in course(table, 2)] != [event.text for event in course(table, 3)]


def test_any_number_of_processes_measures_the_same() -> None:
    table = table_of("suleika", 3)
    here, elsewhere = (measure(table, 12, processes=processes).to_json() for processes in (1, 2))
    assert here == elsewhere


# ---------------------------------------------------------------- the accumulator


def test_means_are_taken_over_games() -> None:
    rng = np.random.default_rng(5)
    sums, counts = np.zeros(40), np.zeros(40)
    tally = Accumulator()
    for game in range(40):
        notes, size = Notes(), rng.normal()
        for _ in range(int(rng.integers(1, 9))):
            value = size + rng.normal()
            notes.mean("size", value)
            sums[game] += value
            counts[game] += 1
        tally.add(notes)
    found, expected = given(tally.mean("size")), mean_over(sums, counts)
    assert found == pytest.approx(expected)
    assert (found.cases, found.clusters) == (counts.sum(), 40)


def test_shares_keep_within_bounds_and_hold_the_truth() -> None:
    """Correlated coins within games: about 95 of 100 intervals cover, and none leaves 0 to 1."""
    rng = np.random.default_rng(6)
    held = 0
    for _ in range(100):
        tally = Accumulator()
        for _ in range(60):
            notes, lean = Notes(), rng.beta(1, 4)
            for _ in range(10):
                notes.chance("heads", rng.random() < lean)
            tally.add(notes)
        found = given(tally.chance("heads"))
        assert 0 <= found.low <= found.value <= found.high <= 1
        held += found.low <= 0.2 <= found.high
    assert 88 <= held <= 100


def test_what_never_happened_may_happen_yet() -> None:
    tally = Accumulator()
    for _ in range(30):
        notes = Notes()
        notes.chance("snow", False)
        tally.add(notes)
    found = given(tally.chance("snow"))
    assert found.value == found.low == 0 < found.high < 0.2
    assert tally.chance("rain") is None
    assert tally.mean("rain") is None
    assert given(tally.share("snow", "hail")).value == 0


def test_one_game_alone_tells_no_interval() -> None:
    tally, notes = Accumulator(), Notes()
    notes.mean("size", 3)
    notes.chance("heads", True)
    tally.add(notes)
    assert given(tally.mean("size")).high == float("inf")
    assert given(tally.chance("heads"))[:3] == (1.0, 0.0, 1.0)


def test_tallies_add_up(played: Played) -> None:
    _, courses = played["basari", 4]
    whole, halves = Accumulator(), [Accumulator(), Accumulator()]
    for number, events in enumerate(courses):
        notes = Notes()
        souk.game("basari").report.look(events, notes)
        whole.add(notes)
        halves[number % 2].add(notes)
    halves[0].merge(halves[1])
    assert halves[0].names() == whole.names()
    for name in whole.names():
        assert halves[0].mean(name) == pytest.approx(whole.mean(name))
        for kind, figure in whole.shares(name).items():
            assert given(halves[0].share(name, kind)) == pytest.approx(figure)


def test_what_was_measured_survives_as_json(played: Played) -> None:
    for measured, _ in played.values():
        again = Measurement.from_json(json.loads(json.dumps(measured.to_json())))
        assert again.to_json() == json.loads(json.dumps(measured.to_json())) | {
            "outcome": again.outcome.to_json()
        }
        assert again.outcome == measured.outcome


# ---------------------------------------------------------------- figures against independent sums


@pytest.mark.parametrize(("game", "players"), FIRST_COUNTS)
def test_results_are_those_of_simulate(game: str, players: int) -> None:
    """The results of random play come from far more games than are examined."""
    table = table_of(game, players)
    found = measure(table, 1, simulated=500, processes=1).outcome
    simulated = souk.simulate(game, players, 500, SEED, 1, **table.options)
    parts = simulated.winners / simulated.winners.sum(axis=1, keepdims=True)
    assert [win.value for win in found.wins] == pytest.approx(parts.mean(axis=0))
    assert sum(win.value for win in found.wins) == pytest.approx(1)
    assert [points.value for points in found.points] == pytest.approx(simulated.scores.mean(axis=0))
    assert sum(found.scores.values()) == 500 * players
    assert found.length.value == pytest.approx(simulated.lengths.mean())
    assert found.shared.value == pytest.approx((simulated.winners.sum(axis=1) > 1).mean())
    assert all(win.low < win.value < win.high for win in found.wins)


@pytest.mark.parametrize(("game", "players"), FIRST_COUNTS)
def test_points_come_from_somewhere(game: str, players: int, played: Played) -> None:
    """Points by source add up to the mean score."""
    measured, courses = played[game, players]
    scores = [score for events in courses for score in events[-1].after.scores]
    assert sum(figure.value for figure in measured.tally.means("from ").values()) == pytest.approx(
        np.mean(scores)
    )


def test_omar_stops_once_for_each_die(played: Played) -> None:
    measured, courses = played["suleika", 4]
    stops = [
        event.after.to_json()["omar"]["at"]
        for events in courses
        for event in events
        if event.text in "1234"
    ]
    shares = measured.tally.shares("stop")
    assert sum(figure.value for figure in shares.values()) == pytest.approx(1)
    assert {figure.cases for figure in shares.values()} == {len(stops)}
    for field in set(stops):
        assert round(shares[field].value * len(stops)) == stops.count(field)


def test_tolls_are_the_money_that_changed_hands(played: Played) -> None:
    measured, courses = played["suleika", 4]
    moved = 0
    for events in courses:
        for event in events:
            before, after = event.before.to_json()["money"], event.after.to_json()["money"]
            moved += sum(max(0, then - now) for then, now in zip(before, after, strict=True))
    tally = measured.tally
    assert total(tally.mean("toll")) == pytest.approx(moved)
    assert total(tally.mean("payment")) == pytest.approx(moved)
    assert given(tally.mean("payment")).cases == round(total(tally.share("ground", "another's")))


@pytest.mark.parametrize(("game", "players"), [("basari", 4), ("basari-cards", 5)])
def test_choices_and_haggles(game: str, players: int, played: Played) -> None:
    measured, courses = played[game, players]
    tally, events = measured.tally, [event for one in courses for event in one]
    chosen = [event for event in events if event.before.to_json()["phase"] == "choose"]
    assert {figure.cases for figure in tally.shares("choice").values()} == {len(chosen)}
    assert players * total(tally.mean("turns")) == len(chosen)
    ends = [
        event for event in events if event.seat is not None and event.text in ("accept", "pass")
    ]
    assert {figure.cases for figure in tally.shares("offers").values()} == {len(ends)}
    given_away = sum(sum(event.before.to_json()["haggle"]["offer"] or []) for event in ends)
    assert sum(total(figure) for figure in tally.means("gems for ").values()) == pytest.approx(
        given_away
    )
    assert sum(figure.cases for figure in tally.means("gems after ").values()) == len(ends)


def test_wares_and_dice(played: Played) -> None:
    measured, courses = played["bazaar", 6]
    tally, ends = measured.tally, [events[-1].after.to_json() for events in courses]
    assert given(tally.mean("points of a ware")).cases == sum(sum(end["bought"]) for end in ends)
    assert total(tally.mean("points of a ware")) == pytest.approx(
        sum(sum(end["points"]) for end in ends)
    )
    rolls = [
        event.text
        for events in courses
        for event in events
        if event.before.to_json()["phase"] == "die"
    ]
    assert round(total(tally.share("die", "choice"))) == rolls.count("choice")
    trades = [
        event.text for events in courses for event in events if event.text.startswith("trade")
    ]
    assert round(total(tally.chance("trade"))) == len(trades)
    used = sum(
        total(tally.chance(name)) for name in tally.names() if re.fullmatch(r"use of \w+>\w+", name)
    )
    assert round(used) == len(trades)


def test_par_is_the_solvers(played: Played) -> None:
    pars = bazaar.pars((2, 5))
    assert len(pars) == 45
    assert pars["WWWRR"] == souk.solve(rates=(2, 5), ware="WWWRR").actions
    assert len(set(bazaar.pairs())) == 45
    measured, courses = played["bazaar", 1]
    output = "".join(card_html([measured], card) for card in par_cards({(2, 5): pars}))
    assert f"{min(pars.values()):.2f} to {max(pars.values()):.2f}" in output
    assert f"Easiest: {min(pars, key=lambda ware: pars[ware])}" in output
    assert "The easiest pair is 2 and 5" in output
    assert given(measured.tally.mean("par")).cases == len(courses)


# ---------------------------------------------------------------- the page


class Tags(HTMLParser):
    """Parses a page and fails on unclosed elements."""

    EMPTY = ("meta", "br", "path", "circle", "rect", "use")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize(("game", "players"), [*FIRST_COUNTS, ("bazaar", 1)])
def test_the_page_needs_nothing_else(game: str, players: int, played: Played) -> None:
    measured, _ = played[game, players]
    written = page(game, {players: [measured]}, ["souk", "report", game])
    tags = Tags()
    tags.feed(written)
    assert not tags.open
    assert not tags.seen & {"script", "link", "img", "iframe"}
    assert "://" not in written.replace("http://www.w3.org", "")
    assert "@import" not in written
    assert "nan" not in re.sub(r"<style>.*</style>", "", written, flags=re.DOTALL)
    assert f"{measured.outcome.games:,} games" in written
    assert f"souk report {game}" in written
    if players > 1:
        assert f"{100 * measured.outcome.wins[0].value:.1f}&nbsp;%" in written


def test_every_field_is_on_the_map(played: Played) -> None:
    measured, _ = played["suleika", 4]
    written = page("suleika", {4: [measured]}, ["souk"])
    output = re.findall(r"<title>([a-g][1-7]): ([\d.]+) %", written)
    assert len(output) == len(dict(output)) == 49
    assert sum(float(share) for _, share in output) == pytest.approx(100, abs=0.3)
    assert written.count('class="way"') == len(BALCONIES)


# ---------------------------------------------------------------- the command line


def test_the_command_writes_a_page(tmp_path: Path) -> None:
    out = tmp_path / "suleika.html"
    more = [
        "--games",
        "3",
        "--simulated",
        "50",
        "--seed",
        "2",
        "--processes",
        "1",
        "--out",
        str(out),
    ]
    output = run_souk("report", "suleika", "--players", "2,3", "--play", "random,trader", *more)
    assert "suleika.html" in output
    written = out.read_text()
    # two kinds of play, for two and three players
    assert written.count('class="board"') == 4
    assert "50 games (3 of them move by move)" in written
    assert "--players 2,3 --play random,trader --games 3 --simulated 50 --seed 2" in written
    assert [path.name for path in tmp_path.iterdir()] == ["suleika.html"]


def test_names_may_hold_commas() -> None:
    assert split_plays("random, vizier:playouts=5,seed=3,merchant") == [
        "random",
        "vizier:playouts=5,seed=3",
        "merchant",
    ]
    assert len(check_plan("suleika").tables) == 3


@pytest.mark.parametrize(
    ("more", "hint"),
    [
        ({"players": "2,x"}, 'players: must be numbers separated by commas, such as "2,3,4"'),
        ({"players": "2,2"}, "players: 2,2 names a number twice"),
        ({"players": "5"}, "players: Suleika is for 2 to 4 players"),
        ({"play": "merchnt"}, 'Did you mean "merchant"'),
        ({"play": "random,random"}, "play: random,random names a bot twice"),
        ({"games": 0}, "games: must be a whole number from 1"),
        ({"simulated": 0}, "simulated: must be a whole number from 1"),
        ({"seconds": 0.0}, "seconds: must be a number from 0.001"),
        ({"seed": -1}, "seed: must be a whole number from 0"),
        ({"options": {"turn": 1}}, "turn: Suleika has no such option"),
    ],
)
def test_nonsense_is_refused(more: dict[str, object], hint: str) -> None:
    with pytest.raises(ValueError, match=re.escape(hint)):
        check_plan("suleika", **more)  # type: ignore[arg-type]


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="out: .* is a folder"):
        check_out(tmp_path, ".html")
    with pytest.raises(ValueError, match="out: there is no folder"):
        check_out(tmp_path / "no" / "x.html", ".html")
    output = run_souk(
        "report", "suleika", "--games", "1", "--out", str(tmp_path / "no" / "x.html"), code=2
    )
    assert "there is no folder" in output
