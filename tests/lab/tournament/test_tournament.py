"""Tournaments: fair line-ups, the same dice for all, the same result on any number of processes, and honest figures."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import souk
from souk.bots import registry
from souk.bots.bot import Bot, Choice
from souk.games import names as game_names
from souk.lab.tournament.page import command, page
from souk.lab.tournament.standings import (
    Ratings,
    Results,
    duration,
    mean_estimate,
    meetings,
    share_by_seat,
    share_estimate,
    standings,
    t_quantile,
)
from souk.lab.tournament.tournament import (
    Fixture,
    Journal,
    Played,
    Settings,
    Tournament,
    Workers,
    bot_seed,
    check_settings,
    deals_for,
    fixtures,
    line_ups,
    play_fixture,
    play_tournament,
)

PAIR = ["random", "random:seed=1"]


def settings_for(game: str = "basari-cards", entrants: list[str] | None = None, **more: Any) -> Settings:
    return check_settings(game, entrants or PAIR, **{"players": 3, "seed": 5} | more)


def untimed(games: list[Played]) -> list[Played]:
    """Games without what differs each time they are played."""
    return [replace(played, seconds=[], longest=[]) for played in games]


# ---------------------------------------------------------------- line-ups


@pytest.mark.parametrize(
    ("entrants", "players"), [(2, 2), (2, 3), (2, 4), (3, 3), (3, 2), (5, 4), (6, 3), (4, 6), (7, 2)]
)
def test_everybody_plays_equally_often_and_against_everybody(entrants: int, players: int) -> None:
    seated: Counter[int] = Counter()
    met: Counter[tuple[int, int]] = Counter()
    for line_up in islice(line_ups(entrants, players, 3), 60):
        seated.update(line_up)
        met.update(combinations(sorted(set(line_up)), 2))
        rotations = {line_up[turn:] + line_up[:turn] for turn in range(players)}
        assert len(rotations) == players  # no game of a deal is another one again
        assert max(Counter(line_up).values()) - min(Counter(line_up)[who] for who in range(entrants)) <= 1
        assert max(seated.values()) - min(seated[who] for who in range(entrants)) <= 1
    assert len(met) == entrants * (entrants - 1) // 2
    assert max(met.values()) - min(met.values()) <= 2


def test_two_at_a_table_for_three_take_turns_with_the_second_seat() -> None:
    twice = [Counter(line_up).most_common(1)[0][0] for line_up in islice(line_ups(2, 3, 0), 20)]
    assert all({one, other} == {0, 1} for one, other in zip(twice[::2], twice[1::2], strict=True))


def test_games_are_numbered_through_and_more_deals_change_none() -> None:
    settings = settings_for(entrants=["random", "greedy", "apprentice", "trader"])
    some, more = list(fixtures(settings, range(4))), list(fixtures(settings, range(9)))
    assert [fixture.game for fixture in more] == list(range(27))
    assert some == more[:12]
    assert list(fixtures(settings, range(4, 9))) == more[12:]
    assert more[0].seats[1:] + more[0].seats[:1] == more[1].seats


def test_seeds_differ_by_game_and_seat() -> None:
    assert len({bot_seed(7, game, seat) for game in range(20) for seat in range(4)}) == 80


# ---------------------------------------------------------------- playing


@pytest.fixture(scope="module")
def played() -> Tournament:
    """Nine games in this process, which others are compared with."""
    return play_tournament("basari-cards", PAIR, players=3, games=8, seed=5, processes=1)


def test_whole_rotations(played: Tournament) -> None:
    assert [game.game for game in played.games] == list(range(9))
    assert [game.deal for game in played.games] == [0, 0, 0, 1, 1, 1, 2, 2, 2]


@pytest.mark.parametrize("game", game_names())
def test_the_same_dice_in_every_rotation(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The n-th die or card is drawn with the same number, so where the same can come up, the same does."""

    class First(Bot):
        def think(self, view: souk.Position, seat: int) -> Choice:
            moves = view.moves(seat) if game != "bazaar" else ["roll", *view.moves(seat)]
            return Choice(next(move for move in moves if view.is_legal(seat, move)), [])

    monkeypatch.setattr(registry, "named", lambda *_, **__: First())
    settings = Settings(game, 1, "", 3, {}, ("a", "b"), None, 5)
    records = [answer[1] for fixture in fixtures(settings, range(1)) if (answer := play_fixture(settings, fixture))]
    assert len({tuple(record.events) for record in records}) == 1  # all play alike, so whole games are
    assert len({tuple(record.names) for record in records}) == 3
    other = play_fixture(settings, Fixture(3, 1, (0, 1, 0)))
    assert other is not None
    assert other[1].events != records[0].events


def test_the_same_whatever_the_number_of_processes(played: Tournament) -> None:
    with Workers(2) as workers:
        again = play_tournament("basari-cards", PAIR, players=3, games=8, seed=5, processes=workers)
        assert untimed(again.games) == untimed(played.games)
        other = play_tournament("basari-cards", PAIR, players=3, games=3, seed=6, processes=workers)  # the same workers
    assert untimed(other.games) != untimed(played.games)[:3]


def test_bots_that_search_are_reproducible() -> None:
    settings = settings_for("suleika", ["search:playouts=4", "search:playouts=8"], players=2)
    game = next(fixtures(settings, range(1)))
    one, other = (play_fixture(settings, game) for _ in range(2))
    assert one is not None
    assert other is not None
    assert one[1].events == other[1].events


def test_report_and_times(played: Tournament) -> None:
    told: list[int] = []
    more = Tournament(played.settings).play(range(1, 2), 1, lambda tournament, game: told.append(len(tournament)))
    assert told == [1, 2, 3]
    assert untimed(more.games) == untimed(played.games)[3:6]
    for game in more.games:
        assert all(0 < longest <= seconds for longest, seconds in zip(game.longest, game.seconds, strict=True))
        assert game.chances > 0


def test_a_failing_worker_is_told_of() -> None:
    broken = replace(settings_for(), entrants=("random", "random:sorcery"))
    with Workers(2) as workers, pytest.raises(RuntimeError, match=r"game \d could not be played(.|\n)*sorcery"):
        Tournament(broken).play(range(1), workers)


def test_moves_made_in_place_of_a_failing_bot_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(Bot):
        def __init__(self, name: str) -> None:
            self.name = name

        def think(self, view: souk.Position, seat: int) -> Choice:
            return Choice(view.moves(seat)[0], [], fallback="it crashed" if self.name != "random" else "")

    monkeypatch.setattr(registry, "named", lambda name, **_: Failing(name))
    result = play_tournament("suleika", PAIR, players=2, games=1, processes=1)
    firm, weak = sorted(standings(result.results, result.settings.entrants), key=lambda row: row.entrant)
    assert firm.fallbacks == 0
    assert weak.fallbacks == weak.moves > 0
    assert "random:seed=1 failed at" in page(result)


# ---------------------------------------------------------------- the folder


def test_resumed_is_the_same_as_uninterrupted(played: Tournament, tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def stop(tournament: Tournament, _: Played) -> None:
        if len(tournament) == 4:
            raise Enough

    begun = Tournament(played.settings, tmp_path)
    with pytest.raises(Enough):
        begun.play(range(3), 1, stop)
    torn = tmp_path / "games.jsonl"
    torn.write_bytes(torn.read_bytes() + b'{"game":4,"deal":1,"sea')
    resumed = Tournament(played.settings, tmp_path, keep=True)
    assert len(resumed) == 4
    resumed.play(range(3), 1)
    assert untimed(resumed.games) == untimed(played.games)
    assert untimed(Tournament(played.settings, tmp_path).games) == untimed(played.games)
    assert [json.loads(line)["game"] for line in torn.read_text().splitlines()] == list(range(9))
    kept = souk.load(tmp_path / "games" / "000008.souk")
    assert kept.position.scores == resumed.games[8].scores
    assert kept.names == [PAIR[entrant] for entrant in resumed.games[8].seats]
    assert not (tmp_path / "games" / "000003.souk").exists()


def test_a_line_without_its_end_does_not_count(tmp_path: Path) -> None:
    settings = settings_for()
    journal = Journal(tmp_path, settings)
    game = Played(0, 0, [0, 1, 0], [1, 2, 3], [2], 9, [1, 1, 1], [0.1] * 3, [0.1] * 3, [0, 0, 0])
    journal.add(game, None)
    journal.add(replace(game, game=1), None)
    file = tmp_path / "games.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole[:-1])
    assert journal.read() == [game]
    journal.add(replace(game, game=1), None)
    assert file.read_bytes() == whole
    file.write_bytes(b"nonsense\n" + whole)
    with pytest.raises(ValueError, match="line 1 is damaged"):
        journal.read()


def test_other_settings_are_refused(tmp_path: Path) -> None:
    Journal(tmp_path / "here", settings_for())
    Journal(tmp_path / "here", settings_for())
    with pytest.raises(ValueError, match="other settings .seed there 5, here 6"):
        Journal(tmp_path / "here", settings_for(seed=6))
    with pytest.raises(ValueError, match="other settings .entrants"):
        Journal(tmp_path / "here", settings_for(entrants=["random", "greedy"]))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "letter.txt").touch()
    with pytest.raises(ValueError, match="holds no tournament"):
        Journal(tmp_path / "elsewhere", settings_for())
    (tmp_path / "here" / "tournament.json").write_text("{}")
    with pytest.raises(ValueError, match="cannot be read"):
        Journal(tmp_path / "here", settings_for())


@pytest.mark.parametrize(
    ("entrants", "more", "message"),
    [
        (["random"], {}, "two or more"),
        (["random", "random "], {}, "named twice"),
        (["random", "vizir"], {}, "no bot 'vizir'"),
        (["random", "vizier:speed=3"], {}, "no setting 'speed'"),
        (PAIR, {"players": 9}, "players: "),
        (PAIR, {"seed": -1}, "seed: "),
        (PAIR, {"seconds": 0.0}, "seconds: "),
        (PAIR, {"options": {"dek": "souk"}}, 'Did you mean "deck"'),
        (PAIR, {"game": "bazaar", "players": 1}, "two or more"),
    ],
)
def test_bad_settings(entrants: list[str], more: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        settings_for(**{"entrants": entrants} | more)


def test_bad_numbers() -> None:
    with pytest.raises(ValueError, match="games: "):
        deals_for(0, 3)
    with pytest.raises(ValueError, match="processes: "):
        Workers(0)


def test_players_left_out() -> None:
    assert check_settings("suleika", PAIR).players == 2
    assert check_settings("basari", PAIR).players == 4
    assert check_settings("suleika", ["random", *(f"random:seed={i}" for i in range(5))]).players == 4


# ---------------------------------------------------------------- figures


def results_of(deals: int, players: int, strength: list[float], seed: int, luck: float = 1.0) -> Results:
    """Made-up games of equal line-ups: in each the highest of strength plus luck wins, some of the luck being the deal's."""
    rng = np.random.default_rng(seed)
    seats = np.array([np.roll(np.arange(players), -turn) for _ in range(deals) for turn in range(players)])
    of_seat = np.repeat(rng.normal(size=(deals, players)), players, axis=0) * luck
    scores = np.array(strength)[seats] + of_seat + rng.normal(size=seats.shape)
    rounded = np.round(10 * scores).astype(np.int64)
    won = rounded == rounded.max(axis=1, keepdims=True)
    ones = np.ones(seats.shape)
    numbers = np.arange(len(seats))
    return Results(numbers, numbers // players, seats, rounded, won, ones.astype(int), ones, ones, 0 * seats)


@pytest.mark.parametrize(
    ("freedom", "known"), [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (30, 2.042)]
)
def test_t_quantiles(freedom: int, known: float) -> None:
    assert t_quantile(freedom) == pytest.approx(known, rel=0.003)


def coverage(truth: float, intervals: Iterator[tuple[float, float, float]]) -> float:
    found = [low <= truth <= high for _, low, high in intervals]
    return sum(found) / len(found)


@pytest.mark.parametrize("luck", [0.0, 1.5])
def test_intervals_cover_the_truth(luck: float) -> None:
    """Even players, games that hang together within a deal: 95 % of the intervals hold the true share."""
    shares = (standings_of(results_of(25, 3, [0, 0, 0], seed, luck)).share for seed in range(250))
    assert 0.91 <= coverage(1 / 3, shares) <= 0.985


def standings_of(results: Results) -> Any:
    rows = standings(results, ["a", "b", "c"], ratings=Ratings(3))
    return next(row for row in rows if row.name == "a")


def test_mean_intervals_cover_with_few_deals() -> None:
    rng = np.random.default_rng(1)
    intervals = (mean_estimate(rng.normal(2, 1, 5), np.ones(5)) for _ in range(2000))
    assert 0.935 <= coverage(2.0, intervals) <= 0.965


def test_intervals_at_the_edges() -> None:
    every = share_estimate(np.full(20, 4.0), np.full(20, 1.0), np.full(20, 4.0))
    assert every.value == every.high == 1
    assert 0.7 < every.low < 0.9
    single = share_estimate(np.array([1.0]), np.array([1.0]), np.array([4.0]))
    assert single == (0.25, 0, 1)
    assert mean_estimate(np.array([8.0]), np.array([4.0])) == (2, -np.inf, np.inf)
    assert np.isnan(share_estimate(np.zeros(3), np.zeros(3), np.zeros(3)).value)


def test_turns_with_the_second_seat_do_not_widen_the_interval() -> None:
    """One seat, then two, then one: at even strength the wins just follow the seats, and nothing is uncertain about that."""
    wins, games = np.tile([1.0, 2.0], 20), np.full(40, 3.0)
    steady = share_estimate(wins + np.tile([0.1, -0.1, -0.1, 0.1], 10), np.tile([1.0, 2.0], 20), games)
    assert steady.value == pytest.approx(0.5)
    assert steady.half < 0.02


def test_standings_of_a_clear_case() -> None:
    results = results_of(60, 3, [2.0, 0.0, 1.0], 4)
    rows = standings(results, ["strong", "weak", "middling"])
    assert [row.name for row in rows] == ["strong", "middling", "weak"]
    assert sum(row.wins for row in rows) == pytest.approx(180)
    assert all(row.even == pytest.approx(1 / 3) for row in rows)
    assert rows[0].share.low > 1 / 3 > rows[2].share.high
    assert rows[0].rating.mu > rows[1].rating.mu > rows[2].rating.mu
    assert rows[0].score.low < rows[0].score.value < rows[0].score.high
    wins, games = share_by_seat(results, 3)
    assert games.tolist() == [[60.0] * 3] * 3
    assert wins.sum() == pytest.approx(180)


def test_head_to_head() -> None:
    met = meetings(results_of(60, 3, [2.0, 0.0, 1.0], 4), 3)
    assert len(met) == 6
    assert all(met[a, b].ahead.value + met[b, a].ahead.value == pytest.approx(1) for a, b in met)
    assert met[0, 1].ahead.value > met[0, 2].ahead.value > 0.5 < met[2, 1].ahead.low
    assert met[0, 1].games == 180


def test_ranks_put_winners_first_then_scores() -> None:
    """Seat 2 won on a tie-break; the other two are level behind it."""
    one = np.ones((1, 3))
    won = np.array([[False, False, True]])
    results = Results(one[0, :1], one[0, :1], np.array([[0, 1, 2]]), np.array([[7, 7, 7]]), won, one, one, one, one)
    assert results.ranks.tolist() == [[2, 2, 1]]
    first, second, third = Ratings(3).follow(results).now
    assert first == second
    assert third.mu > first.mu


def test_ratings_follow_games_in_their_order() -> None:
    results = results_of(10, 3, [1.0, 0.0, 0.0], 2)
    at_once = Ratings(3).follow(results)
    bit_by_bit = Ratings(3).follow(results.first(7))
    assert bit_by_bit.follow(results).history == at_once.history
    assert len(at_once.history) == 31


def test_games_after_a_gap_wait() -> None:
    results = results_of(3, 3, [0.0, 0.0, 0.0], 2)
    assert len(results.without_gaps().games) == 9
    assert len(replace(results, games=np.array([0, 1, 2, 4, 5, 6, 7, 8, 9])).without_gaps().games) == 3


def test_durations() -> None:
    assert [duration(seconds) for seconds in (0.00042, 0.0071, 0.05, 1.4, 61)] == [
        "420 µs",
        "7.1 ms",
        "50 ms",
        "1.4 s",
        "61 s",
    ]


# ---------------------------------------------------------------- the page and the command


def test_the_page_needs_nothing_else(played: Tournament) -> None:
    text = page(played)
    assert not re.search(r"https?:|<script|<link|<img|@import|url\(|src=", text)
    assert text.count("<svg") == text.count("</svg>")
    for heading in ("Standings", "Share of wins", "Head to head", "Rating", "Scores", "by seat", "Time for a move"):
        assert heading in text
    assert "nan" not in re.sub(r"<style>.*</style>", "", text, flags=re.DOTALL)
    assert command(played.settings, 9) in text


def test_names_are_no_markup_on_the_page(played: Tournament) -> None:
    settings = replace(played.settings, entrants=("exec:<b>&", "random"))
    begun = Tournament(settings)
    begun._played = {game.game: game for game in played.games[:1]}
    text = page(begun)
    assert "<b>&" not in text
    assert "exec:&lt;b&gt;&amp;" in text


def test_the_command_says_what_is_not_usual() -> None:
    settings = check_settings(
        "bazaar",
        ["random", f"exec:{sys.executable} -V"],
        options={"double_purchase": True, "rates": [1, 2]},
        seconds=0.5,
    )
    assert command(settings, 10) == (
        f"souk tournament bazaar random 'exec:seconds=0.5:{sys.executable} -V' --players 2 --games 10 --seed 0 --seconds 0.5 "
        "--option 'rates=[1, 2]' --option double_purchase=true"
    )


def souk_command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "souk.cli", "tournament", *arguments]


ENVIRONMENT = dict(os.environ, COLUMNS="120", NO_COLOR="1")


def hear_interrupts() -> None:
    """In a process to come: tests that run in the background of a shell are deaf to Ctrl-C, and so would it be."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_command_line_from_interrupt_to_end(tmp_path: Path) -> None:
    """Ctrl-C keeps what is finished and says how to go on; the same command does, and finishes."""
    arguments = ["basari-cards", *PAIR, "--players", "3", "--games", "149", "--seed", "5", "--processes", "2"]
    full = souk_command(*arguments, "--out", str(tmp_path / "out"))
    begun = subprocess.Popen(
        full,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=hear_interrupts,
    )
    journal = tmp_path / "out" / "games.jsonl"
    while not journal.exists() and begun.poll() is None:
        time.sleep(0.02)
    begun.send_signal(signal.SIGINT)
    told, _ = begun.communicate(timeout=60)
    assert begun.returncode == 130, told
    assert "Traceback" not in told
    assert "150 games instead of 149" in told
    assert re.search(r"Stopped after \d+ of 150 games.*\n\s+souk tournament basari-cards random", told), told
    finished = len(journal.read_text().splitlines())
    assert 0 < finished < 150
    done = subprocess.run(full, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Already played: {finished} games" in done.stdout
    assert re.search(r"1 +random.* 150 +[\d.]+ % +[\d.]+ % – [\d.]+ % [▲▼·] +50.0 %", done.stdout), done.stdout
    assert sorted(json.loads(line)["game"] for line in journal.read_text().splitlines()) == list(range(150))
    with (tmp_path / "out" / "games.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 450
    assert sum(float(row["win"]) for row in rows) == pytest.approx(150)


def test_the_folder_is_named_after_the_settings() -> None:
    assert settings_for().digest == settings_for().digest != settings_for(seed=6).digest


def test_ratings_are_not_loaded_before_they_are_needed() -> None:
    code = "import sys, souk, souk.lab.tournament.tournament; assert not {'openskill', 'rich', 'typer', 'numba'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
