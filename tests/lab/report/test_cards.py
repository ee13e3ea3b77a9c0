"""Rendering of report declarations, with hand-made notes."""

import pytest

from souk.core import report_spec as tell
from souk.core.report_spec import Notes, Report
from souk.games import game
from souk.lab.report.accumulator import Accumulator
from souk.lab.report.cards import card_html
from souk.lab.report.measure import Measurement
from souk.lab.report.outcome import Outcome
from souk.lab.statistics import Figure
from souk.lab.table_spec import check_table


def noted() -> Accumulator:
    """Three games with a few walks, balconies in some, and fields stopped on."""
    tally = Accumulator()
    for balconies, stops in (([1, 0], "aab"), ([0], "ab"), ([1, 1, 1], "bbb")):
        notes = Notes()
        for balcony in balconies:
            notes.chance("balcony", balcony)
            notes.mean("toll", 2 * balcony)
            notes.mean("win of the bold", 1.0)
        for stop in stops:
            notes.share("stop", stop)
            notes.chance(f"use of {stop}", stop == "a")
        tally.add(notes)
    return tally


@pytest.fixture(scope="module")
def measured() -> Measurement:
    figure = Figure(0.5, 0.4, 0.6, 3, 3)
    outcome = Outcome(
        3, 2, [figure] * 2, [figure] * 2, *[figure] * 3, {5: 3}, {5: 6}, *[figure] * 4
    )
    return Measurement(check_table("suleika", 2), 3, outcome, noted())


def html(measured: Measurement, *content: tell.Content, note: str = "") -> str:
    return card_html([measured], tell.Card("Title", note, content))


def test_every_kind_of_figure(measured: Measurement) -> None:
    lines = [
        tell.chance("balconies", "balcony"),
        tell.mean("tolls", "toll"),
        tell.kind("stops on a", "stop", "a"),
        tell.kind("stops on c", "stop", "c"),
        tell.part("the bold win", "win of the bold"),
        tell.result("going first", "first_share"),
        tell.chance("nobody noted this", "rain"),
    ]
    text = html(measured, tell.FigureTable(lines))
    for about, figure in (
        ("balconies", "66.7 %"),
        ("tolls", "1.33"),
        ("stops on a", "37.5 %"),
        ("stops on c", "0.0 %"),
    ):
        assert f'{about}</th><td data-label="random"><span><b>{figure}</b>' in text
    assert "the bold win</th>" in text
    # clipped to 0–1
    assert "100.0 to 100.0" in text
    assert "40.0 to 60.0, n = 3" in text
    assert "nobody noted this" not in text


def test_a_line_for_every_name(measured: Measurement) -> None:
    ranked = tell.EveryMatching(
        "use of ", lambda field: tell.chance(f"on {field}", f"use of {field}"), ranked_by="chance"
    )
    by_name = tell.EveryMatching(
        "use of ", lambda field: tell.chance(f"on {field}", f"use of {field}")
    )
    only = tell.EveryMatching(
        "use of ",
        lambda field: tell.chance(f"on {field}", f"use of {field}"),
        only=lambda field: field > "a",
    )
    assert [
        html(measured, tell.FigureTable([every])).count(">on ") for every in (ranked, by_name, only)
    ] == [2, 2, 1]
    assert html(measured, tell.FigureTable([ranked])).index("on a") < html(
        measured, tell.FigureTable([ranked])
    ).index("on b")
    folded = html(measured, tell.FigureTable([by_name], 1, "the fields"), note="By {last}.")
    assert (
        folded.index("on a")
        < folded.index("<summary>The rest of the fields</summary>")
        < folded.index("on b")
    )
    assert "<p>By random.</p>" in folded


def test_columns_and_what_is_said_beside(measured: Measurement) -> None:
    stops = {field: tell.seen_of("stop", field) for field in "abc"}
    text = html(
        measured, tell.BarChart("Stops", stops, tell.Caption("{} tolls", tell.mean_of("toll")))
    )
    assert "1.33 tolls" in text
    assert [f">{field}</text>" in text for field in "abc"] == [True, True, True]
    known = html(
        measured,
        tell.BarChart("Stops", stops, tell.Caption("n = {}", cases=(stops["a"],)), known_only=True),
    )
    assert "n = 8" in known
    assert ">c</text>" not in known
    assert "1.3 in all" in html(
        measured, tell.BarChart("Stops", stops, tell.Caption("{} in all", sum_of="toll"))
    )


def test_a_map(measured: Measurement) -> None:
    plan = tell.BoardPlan(
        100,
        {"a": (10, 10), "b": (50, 10), "c": (10, 50)},
        40,
        4,
        ["M0 0L9 9"],
        [(5, 5, "north", "middle")],
    )
    text = html(measured, tell.FieldMap("Stops", "stop", "stops", plan))
    assert "<title>a: 37.50 %" in text
    assert "8 stops</title>" in text
    assert "<title>c: 0.00 %</title>" in text
    assert text.count('class="way"') == 1
    assert "north" in text
    assert "A field&#x27;s interval is about ±" in text


def test_a_game_that_declares_nothing() -> None:
    assert game("suleika").report.first == "Seat 0 goes first."
    plain, notes = Report(), Notes()
    plain.look([], notes)
    assert not notes.means | notes.shares
    assert not plain.cards(game("suleika").start(2))
    assert plain.besides(game("suleika").start(2)) is None


def test_a_reading_that_does_not_exist(measured: Measurement) -> None:
    with pytest.raises(ValueError, match="no reading 'median'"):
        measured.read(tell.Statistic("median", "toll"))
