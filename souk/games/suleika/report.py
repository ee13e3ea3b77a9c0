"""Suleika's report: Omar's stops, tolls, what rugs cover, and sources of points."""

from souk.core import report_spec as tell
from souk.core.position import Position
from souk.core.report_spec import Moments, Notes, Report, sources
from souk.games.suleika import board_info, notation, rules
from souk.games.suleika.facts import Counted, Laid, OmarTurned, OmarWalked, Paid

STAGES = 4  # equal parts of a game, by turns
MOST = 12  # piastres; larger payments are counted as this many


# ---------------------------------------------------------------- measuring


def look(moments: Moments, notes: Notes) -> None:
    facts = [fact for moment in moments for fact in moment.facts]
    walks = [fact for fact in facts if isinstance(fact, OmarWalked)]
    stage = {id(walk): STAGES * number // len(walks) for number, walk in enumerate(walks)}
    for moment in moments:
        paid = next((fact for fact in moment.facts if isinstance(fact, Paid)), None)
        for fact in moment.facts:
            match fact:
                case OmarWalked():
                    _look_at_walk(fact, paid, stage[id(fact)], notes)
                case OmarTurned():
                    notes.share("turn", fact.way)
                case Laid():
                    _look_at_rug(fact, notes)
                case Counted():
                    _look_at_end(fact, moments, notes)
    notes.mean("turns", len(walks))


def _look_at_walk(walk: OmarWalked, payment: Paid | None, stage: int, notes: Notes) -> None:
    notes.share("stop", walk.at)
    notes.chance("balcony", any(step[-1] in notation.DIRECTIONS for step in walk.way.split()))
    notes.share("ground", "another's" if walk.ground == "other" else walk.ground)
    paid = payment.paid if payment else 0
    notes.mean("toll", paid)
    notes.mean(f"toll in part {stage + 1}", paid)
    if payment:
        notes.share("paid", min(paid, MOST))
        notes.mean("payment", paid)
        notes.chance("short", paid < payment.owed)


def _look_at_rug(rug: Laid, notes: Notes) -> None:
    notes.share("covered", len(rug.hides))
    for owner in rug.hides:
        notes.chance("covers another's", owner != rug.seat)


def _look_at_end(counted: Counted, moments: Moments, notes: Notes) -> None:
    winners = moments[-1].after.winners
    for seat, points in enumerate(sources(moments)):
        who = "the winner" if seat in winners else "others"
        notes.mean("money", counted.money[seat])
        notes.mean(f"money of {who}", counted.money[seat])
        for source, value in points.items():
            notes.mean(f"from {source}", value)
            notes.mean(f"{source} of {who}", value)
        notes.chance("broke", any(moment.after.state.money[seat] == 0 for moment in moments))
    for name in ("money", "halves"):
        _look_at_lead(name, notes)


def _look_at_lead(name: str, notes: Notes) -> None:
    """The winner's average lead over the others in this game; nothing if everybody won."""
    if f"{name} of others" in notes.means:
        (won, winners), (other, others) = (
            notes.means[f"{name} of the winner"],
            notes.means[f"{name} of others"],
        )
        notes.mean(f"winner's lead in {name}", won / winners - other / others)


# ---------------------------------------------------------------- presenting


def cards(_start: Position) -> list[tell.Card]:
    return [_stops(), _rules(), _payments(), _tolls(), _points()]


def _stops() -> tell.Card:
    note = (
        "Percent of all stops, by field: the brighter, the more often. An even share would be 2.0."
    )
    return tell.Card(
        "Where Omar stops",
        note,
        [tell.FieldMap("Where Omar stops", "stop", "stops", _plan())],
        wide=True,
    )


def _rules() -> tell.Card:
    lines = [
        tell.chance("a walk goes round a balcony", "balcony"),
        tell.kind("Omar stops on bare ground", "ground", "bare"),
        tell.kind("Omar stops on the walker's own rug", "ground", "own"),
        tell.kind("Omar stops on another's rug", "ground", "another's"),
        tell.mean("piastres paid for a stop on another's rug", "payment"),
        tell.chance("the payer cannot pay in full", "short"),
        tell.chance("a player is without money at some time", "broke"),
        tell.kind("a rug covers no other", "covered", 0),
        tell.kind("a rug covers one half of others", "covered", 1),
        tell.kind("a rug covers two halves of others", "covered", 2),
        tell.chance("a half that is covered was another's", "covers another's"),
    ]
    return tell.rules_that_matter(lines)


def _payments() -> tell.Card:
    paid = {str(n): tell.seen_of("paid", n) for n in range(1, MOST + 1)}
    note = (
        "Piastres for a stop on another's rug, in percent of all payments; "
        f"{MOST} stands for {MOST} or more."
    )
    return tell.Card(
        "Payments",
        note,
        [tell.BarChart("Size of payments", paid, tell.Caption("mean {}", tell.mean_of("payment")))],
    )


def _tolls() -> tell.Card:
    tolls = {
        f"part {stage + 1}": tell.mean_of(f"toll in part {stage + 1}") for stage in range(STAGES)
    }
    beside = tell.Caption("{} over the whole game", tell.mean_of("toll"))
    note = "Piastres that a walk costs on average, in each quarter of the game's turns."
    return tell.Card(
        "Tolls as the market fills",
        note,
        [tell.BarChart("Tolls by part of the game", tolls, beside)],
    )


def _points() -> tell.Card:
    names = {
        "money": "money at the end",
        "taken": "tolls taken",
        "paid": "tolls paid",
        "halves": "halves showing",
    }
    lines: list[tell.FigureLine] = [
        tell.mean(f"{about}, {who}", f"{name} of {who}")
        for name, about in names.items()
        for who in ("the winner", "others")
    ]
    lines += [
        tell.mean(f"the winner's lead in {name}", f"winner's lead in {name}")
        for name in ("money", "halves")
    ]
    return tell.table_card("Money and rugs", "Points at the end, on average by seat.", lines)


# ---------------------------------------------------------------- the market as a map

_TILE, _EDGE, _FRAME = 40.0, 36.0, 8.0  # balconies lie between the fields and the frame
_OUT = {"n": (0.0, -1.0), "e": (1.0, 0.0), "s": (0.0, 1.0), "w": (-1.0, 0.0)}


def _plan() -> tell.BoardPlan:
    side = rules.SIDE
    size = 2 * _EDGE + side * _TILE
    signs = []
    for k in range(side):
        middle = _EDGE + (k + 0.5) * _TILE
        signs += [
            (middle, size + 6, "abcdefg"[k], "middle"),
            (0.0, middle + 4, str(side - k), "end"),
        ]
    fields = {
        notation.field_name(field): _corner(notation.field_name(field))
        for field in range(side * side)
    }
    return tell.BoardPlan(
        size, fields, _TILE, _FRAME, [_balcony(sides) for sides in board_info.BALCONIES], signs
    )


def _corner(field: str) -> tuple[float, float]:
    """Top left corner of a field: column a is at the left, row 1 at the bottom."""
    return _EDGE + _TILE * ("abcdefg".index(field[0])), _EDGE + _TILE * (rules.SIDE - int(field[1]))


def _balcony(sides: str) -> str:
    """A brass loop from one side of the market to another, such as "a7n b7n"."""
    (one, out_one), (other, out_other) = (_side(side) for side in sides.split())
    far = 26.0 if out_one == out_other else 40.0  # a corner needs a wider loop
    first = one[0] + far * out_one[0], one[1] + far * out_one[1]
    second = other[0] + far * out_other[0], other[1] + far * out_other[1]
    points = (*first, *second, *other)
    return f"M{one[0]:.1f} {one[1]:.1f}C" + " ".join(f"{value:.1f}" for value in points)


def _side(side: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """Middle of a field's side, and the direction out of the market there."""
    x, y = _corner(side)
    out = _OUT[side[2]]
    return (x + _TILE / 2 * (1 + out[0]), y + _TILE / 2 * (1 + out[1])), out


REPORT = Report(look, cards, first="Seat 0 goes first.")
