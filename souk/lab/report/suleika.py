"""Suleika looked at: where Omar stops, what that costs, what rugs cover, and where the points come from."""

from collections.abc import Sequence
from html import escape
from typing import Any

from souk.games.suleika import rules, scene, words
from souk.lab.report.gathering import Course, Event
from souk.lab.report.measure import Measured
from souk.lab.report.parts import Card, chance, kind, mean, rows_of, table, told
from souk.lab.report.plots import board_plot, column_plot
from souk.lab.report.tally import Notes

OPTIONS: dict[str, Any] = {}
FIRST = "Seat 0 goes first."
TURNS = "turns"
STAGES = 4  # parts of a game, equally many turns each
MOST = 12  # piastres; larger payments are counted as that many


def look(course: Course, notes: Notes) -> None:
    walks = [event for event in course if event.before.state.phase == rules.DIE]
    for number, event in enumerate(walks):
        _look_at_walk(event, STAGES * number // len(walks), notes)
    for event in course:
        if event.seat is not None:
            _look_at_move(event, notes)
    _look_at_end(course, notes)
    notes.mean("turns", len(walks))


def _look_at_walk(event: Event, stage: int, notes: Notes) -> None:
    before, after = event.before.state, event.after.state
    walk = scene.shown(event.before, event.after, None, event.text)
    notes.share("stop", words.field_name(after.omar))
    notes.chance("balcony", any(step[-1] in words.DIRECTIONS for step in walk["way"].split()))
    payment = walk.get("payment")
    notes.share("ground", "another's" if payment else "bare" if rules.colour_at(before, after.omar) < 0 else "own")
    paid = payment["paid"] if payment else 0
    notes.mean("toll", paid)
    notes.mean(f"toll in part {stage + 1}", paid)
    if payment:
        notes.share("paid", min(paid, MOST))
        notes.mean("payment", paid)
        notes.chance("short", paid < payment["owed"])


def _look_at_move(event: Event, notes: Notes) -> None:
    before = event.before.state
    if before.phase == rules.TURN:
        notes.share("turn", event.text)
        return
    fields = [words.field_at(name) for name in event.text.split()[1:]]
    under = [rules.colour_at(before, field) for field in fields]
    notes.share("covered", sum(colour >= 0 for colour in under))
    for colour in under:
        if colour >= 0:
            notes.chance("covers another's", rules.owner(before, colour) != event.seat)


def _look_at_end(course: Course, notes: Notes) -> None:
    positions = [course[0].before, *(event.after for event in course)]
    end, winners = positions[-1], positions[-1].winners
    for seat, points in enumerate(scene.sources(positions, [(event.seat, event.text) for event in course])):
        who = "the winner" if seat in winners else "others"
        money = end.to_json()["money"][seat]
        notes.mean("money", money)
        notes.mean(f"money of {who}", money)
        for source, value in points.items():
            notes.mean(f"from {source}", value)
            notes.mean(f"{source} of {who}", value)
        notes.chance("broke", any(position.state.money[seat] == 0 for position in positions))
    for name in ("money", "halves"):
        _look_at_lead(name, notes)


def _look_at_lead(name: str, notes: Notes) -> None:
    """By how much the winner of this game is ahead of the others on average; nothing where all have won."""
    if f"{name} of others" in notes.means:
        (won, winners), (other, others) = notes.means[f"{name} of the winner"], notes.means[f"{name} of others"]
        notes.mean(f"winner's lead in {name}", won / winners - other / others)


# ---------------------------------------------------------------- on the page


def cards(plays: Sequence[Measured]) -> list[Card]:
    return [_stops(plays), _rules(plays), _payments(plays), _tolls(plays), _points(plays)]


def _stops(plays: Sequence[Measured]) -> Card:
    boards = "".join(
        f"<figure>{board_plot(f'Where Omar stops, {escape(each.table.bot)}', each.tally.shares('stop'))}"
        f"<figcaption>{escape(each.table.bot)}</figcaption></figure>"
        for each in plays
    )
    note = (
        "Percent of all stops, by field: the brighter, the more often. An even share would be 2.0. A field's interval is about "
        f"± {_widest(plays):.1f} at most; pointing at a field tells its own."
    )
    return Card("Where Omar stops", note, f'<div class="boards">{boards}</div>', wide=True)


def _widest(plays: Sequence[Measured]) -> float:
    return max(100 * figure.half for each in plays for figure in each.tally.shares("stop").values())


def _rules(plays: Sequence[Measured]) -> Card:
    lines = [
        chance("a walk goes round a balcony", "balcony"),
        kind("Omar stops on bare ground", "ground", "bare"),
        kind("Omar stops on one's own rug", "ground", "own"),
        kind("Omar stops on another's rug", "ground", "another's"),
        mean("piastres paid for a stop on another's rug", "payment"),
        chance("whoever has to pay cannot pay in full", "short"),
        chance("a player is without money at some time", "broke"),
        kind("a rug covers no other", "covered", 0),
        kind("a rug covers one half of others", "covered", 1),
        kind("a rug covers two halves of others", "covered", 2),
        chance("a half that is covered was another's", "covers another's"),
    ]
    return Card("How often each rule matters", "Of all cases in which it could have.", table(plays, lines), wide=True)


def _payments(plays: Sequence[Measured]) -> Card:
    rows = rows_of(plays, lambda each: f"mean {told(each.tally.mean('payment'), False)}")
    kinds = [str(n) for n in range(1, MOST + 1)]
    found = [(row, each.tally.shares("paid")) for row, each in zip(rows, plays, strict=True)]
    note = f"Piastres for a stop on another's rug, in percent of all payments; {MOST} stands for {MOST} or more."
    return Card("Payments", note, column_plot("Size of payments", found, kinds))


def _tolls(plays: Sequence[Measured]) -> Card:
    parts = [f"part {stage + 1}" for stage in range(STAGES)]
    rows = rows_of(plays, lambda each: f"{told(each.tally.mean('toll'), False)} over the whole game")
    found = [(row, each.tally.means("toll in ")) for row, each in zip(rows, plays, strict=True)]
    note = "Piastres that a walk costs on average, in each quarter of the game's turns."
    return Card("Tolls as the market fills", note, column_plot("Tolls by part of the game", found, parts, share=False))


def _points(plays: Sequence[Measured]) -> Card:
    lines = [
        mean(f"{about}, {who}", f"{name} of {who}")
        for name, about in (
            ("money", "money at the end"),
            ("taken", "tolls taken"),
            ("paid", "tolls paid"),
            ("halves", "halves showing"),
        )
        for who in ("the winner", "others")
    ]
    lines += [mean(f"the winner's lead in {name}", f"winner's lead in {name}") for name in ("money", "halves")]
    return Card("Money and rugs", "Points at the end, on average by seat.", table(plays, lines), wide=True)
