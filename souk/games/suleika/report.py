"""Suleika looked at: where Omar stops, what that costs, what rugs cover, and where the points come from."""

from typing import Any

from souk.core import reporting as tell
from souk.core.position import Position
from souk.core.reporting import Moment, Moments, Notes, Report
from souk.games.suleika import rules, scene, words

STAGES = 4  # parts of a game, equally many turns each
MOST = 12  # piastres; larger payments are counted as that many


# ---------------------------------------------------------------- what there was to see


def _watched(moment: Moment) -> dict[str, Any]:
    return scene.shown(moment.before, moment.after, moment.seat, moment.text)


def _sources(moments: Moments) -> list[dict[str, int]]:
    positions = [moments[0].before, *(moment.after for moment in moments)]
    return scene.sources(positions, [(moment.seat, moment.text) for moment in moments])


# ---------------------------------------------------------------- looking


def look(moments: Moments, notes: Notes) -> None:
    walks = [moment for moment in moments if moment.before.state.phase == rules.DIE]
    for number, moment in enumerate(walks):
        _look_at_walk(moment, STAGES * number // len(walks), notes)
    for moment in moments:
        if moment.seat is not None:
            _look_at_move(moment, notes)
    _look_at_end(moments, notes)
    notes.mean("turns", len(walks))


def _look_at_walk(moment: Moment, stage: int, notes: Notes) -> None:
    before, after = moment.before.state, moment.after.state
    walk = _watched(moment)
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


def _look_at_move(moment: Moment, notes: Notes) -> None:
    before = moment.before.state
    if before.phase == rules.TURN:
        notes.share("turn", moment.text)
        return
    fields = [words.field_at(name) for name in moment.text.split()[1:]]
    under = [rules.colour_at(before, field) for field in fields]
    notes.share("covered", sum(colour >= 0 for colour in under))
    for colour in under:
        if colour >= 0:
            notes.chance("covers another's", rules.owner(before, colour) != moment.seat)


def _look_at_end(moments: Moments, notes: Notes) -> None:
    positions = [moments[0].before, *(moment.after for moment in moments)]
    end, winners = positions[-1], positions[-1].winners
    for seat, points in enumerate(_sources(moments)):
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


# ---------------------------------------------------------------- telling


def cards(_start: Position) -> list[tell.Card]:
    return [_stops(), _rules(), _payments(), _tolls(), _points()]


def _stops() -> tell.Card:
    note = "Percent of all stops, by field: the brighter, the more often. An even share would be 2.0."
    return tell.Card("Where Omar stops", note, [tell.FieldMap("Where Omar stops", "stop", "stops", _plan())], wide=True)


def _rules() -> tell.Card:
    lines = [
        tell.chance("a walk goes round a balcony", "balcony"),
        tell.kind("Omar stops on bare ground", "ground", "bare"),
        tell.kind("Omar stops on one's own rug", "ground", "own"),
        tell.kind("Omar stops on another's rug", "ground", "another's"),
        tell.mean("piastres paid for a stop on another's rug", "payment"),
        tell.chance("whoever has to pay cannot pay in full", "short"),
        tell.chance("a player is without money at some time", "broke"),
        tell.kind("a rug covers no other", "covered", 0),
        tell.kind("a rug covers one half of others", "covered", 1),
        tell.kind("a rug covers two halves of others", "covered", 2),
        tell.chance("a half that is covered was another's", "covers another's"),
    ]
    return tell.rules_that_matter(lines)


def _payments() -> tell.Card:
    paid = {str(n): tell.seen_of("paid", n) for n in range(1, MOST + 1)}
    note = f"Piastres for a stop on another's rug, in percent of all payments; {MOST} stands for {MOST} or more."
    return tell.Card(
        "Payments", note, [tell.Columns("Size of payments", paid, tell.Beside("mean {}", tell.mean_of("payment")))]
    )


def _tolls() -> tell.Card:
    tolls = {f"part {stage + 1}": tell.mean_of(f"toll in part {stage + 1}") for stage in range(STAGES)}
    beside = tell.Beside("{} over the whole game", tell.mean_of("toll"))
    note = "Piastres that a walk costs on average, in each quarter of the game's turns."
    return tell.Card("Tolls as the market fills", note, [tell.Columns("Tolls by part of the game", tolls, beside)])


def _points() -> tell.Card:
    names = {"money": "money at the end", "taken": "tolls taken", "paid": "tolls paid", "halves": "halves showing"}
    lines: list[tell.FigureLine] = [
        tell.mean(f"{about}, {who}", f"{name} of {who}")
        for name, about in names.items()
        for who in ("the winner", "others")
    ]
    lines += [tell.mean(f"the winner's lead in {name}", f"winner's lead in {name}") for name in ("money", "halves")]
    return tell.tabled("Money and rugs", "Points at the end, on average by seat.", lines)


# ---------------------------------------------------------------- the market as a map

_TILE, _EDGE, _FRAME = 40.0, 36.0, 8.0  # balconies lie between the fields and the frame
_OUT = {"n": (0.0, -1.0), "e": (1.0, 0.0), "s": (0.0, 1.0), "w": (-1.0, 0.0)}


def _plan() -> tell.Plan:
    side = rules.SIDE
    size = 2 * _EDGE + side * _TILE
    signs = []
    for k in range(side):
        middle = _EDGE + (k + 0.5) * _TILE
        signs += [(middle, size + 6, "abcdefg"[k], "middle"), (0.0, middle + 4, str(side - k), "end")]
    fields = {words.field_name(field): _corner(words.field_name(field)) for field in range(side * side)}
    return tell.Plan(size, fields, _TILE, _FRAME, [_balcony(sides) for sides in scene.BALCONIES], signs)


def _corner(field: str) -> tuple[float, float]:
    """The upper left corner of a field: column a is at the left, row 1 at the bottom."""
    return _EDGE + _TILE * ("abcdefg".index(field[0])), _EDGE + _TILE * (rules.SIDE - int(field[1]))


def _balcony(sides: str) -> str:
    """A brass loop from one side of the market to another, such as "a7n b7n"."""
    (one, out_one), (other, out_other) = (_side(side) for side in sides.split())
    far = 26.0 if out_one == out_other else 40.0  # round a corner it has further to go
    first = one[0] + far * out_one[0], one[1] + far * out_one[1]
    second = other[0] + far * out_other[0], other[1] + far * out_other[1]
    points = (*first, *second, *other)
    return f"M{one[0]:.1f} {one[1]:.1f}C" + " ".join(f"{value:.1f}" for value in points)


def _side(side: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """The middle of a field's side, and the direction out of the market there."""
    x, y = _corner(side)
    out = _OUT[side[2]]
    return (x + _TILE / 2 * (1 + out[0]), y + _TILE / 2 * (1 + out[1])), out


REPORT = Report(look, cards, first="Seat 0 goes first.")
