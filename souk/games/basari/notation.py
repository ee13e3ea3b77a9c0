"""Basari as text and JSON: moves, outcomes, positions."""

from typing import Any, Literal

from souk.core.errors import IllegalMove
from souk.core.json_fields import Fields, brief, is_whole
from souk.core.messages import Message
from souk.core.parsing import number, split, squeeze, unreadable
from souk.games.basari import rules
from souk.games.basari.box import NUMBER
from souk.games.basari_common import notation as haggle_notation
from souk.games.basari_common import rules as haggling
from souk.games.basari_common.notation import Gems, HagglingPosition
from souk.kernel.bitset import count

ACTIONS = ("dice", "points", "gems")
PHASES = ("start", "walk", "choose", "opener", "haggle", "dice", "over")
SETTLING = (rules.OPENER, rules.HAGGLE, rules.ROLL)
MOST_WALKED = 999  # in constructed positions; in play a scoring comes long before
# B31–B32: points of one seat in one scoring.
MOST_SCORED = rules.LAP_POINTS + sum(haggling.MAJORITY_POINTS)


def gems_on(s: Any, arch: int) -> Gems:
    """B1: the gems on an arch, by colour."""
    return [rules.arch_gems(s, arch, colour) for colour in range(haggling.COLOURS)]


# ---------------------------------------------------------------- moves


def move_text(s: Any, move: int) -> str:
    if move < rules.ARCH:
        return ACTIONS[move]
    if move < haggling.ACCEPT:
        return f"arch {move - rules.ARCH}"
    return haggle_notation.haggle_move_text(move)


def read_move(s: Any, text: str) -> int:
    word, rest = split(text)
    if word in ACTIONS and not rest:
        return ACTIONS.index(word)
    if word == "arch":
        arch = number(rest, Message("basari.reason.an_arch"))
        if arch >= rules.ARCHES:
            raise IllegalMove(
                Message("basari.reason.no_such_arch", arch=arch, last=rules.ARCHES - 1), "B1"
            )
        return rules.ARCH + arch
    move = haggle_notation.read_haggle_move(word, rest)
    if move is None:
        raise unreadable(text, _moves_now(s))
    return move


def _moves_now(s: Any) -> Message:
    if s.phase == rules.START:
        return Message("basari.reason.arches", last=rules.ARCHES - 1)
    return (
        Message("basari.reason.choices")
        if s.phase == rules.CHOOSE
        else haggle_notation.moves_now(s)
    )


# ---------------------------------------------------------------- chance


def outcome_text(s: Any, outcome: int) -> str:
    return f"opens {outcome}" if s.phase == rules.OPENER else str(outcome)


def read_outcome(s: Any, text: str) -> int:
    if s.phase != rules.OPENER:
        return number(squeeze(text), Message("reason.core.what_the_die_shows"))
    word, rest = split(text)
    if word != "opens":
        raise unreadable(text, Message("basari.reason.openers", one=s.opener, other=s.other))
    return number(rest, Message("reason.core.a_seat"))


# ---------------------------------------------------------------- positions


def field_names(players: int) -> tuple[list[str], list[str]]:
    board = ["figures", "discs", "walked", "points", "gems", "supply"]
    return ["phase", "turn", *board, "choices", "haggle", "pending", "scorings"], ["ready"]


class BasariPosition(HagglingPosition):
    phase: Literal["start", "walk", "choose", "opener", "haggle", "dice", "over"]
    figures: list[int | None]  # arches, by seat
    discs: list[int | None]
    walked: list[int]  # arches since the last scoring
    scorings: int


def position(s: Any) -> BasariPosition:
    choosing, speaking = s.phase == rules.CHOOSE, s.phase == rules.HAGGLE
    return BasariPosition(
        phase=PHASES[s.phase],  # type: ignore[arg-type]
        figures=[None if arch == haggling.NONE else arch for arch in s.figure[: s.players]],
        discs=[None if arch == haggling.NONE else arch for arch in s.disc[: s.players]],
        walked=list(s.walked[: s.players]),
        scorings=s.scorings,
        **haggle_notation.shared_fields(
            s, ACTIONS, rules.is_lost, choosing=choosing, speaking=speaking
        ),
    )


def from_json(s: Any, fields: Fields) -> None:
    s.phase = PHASES.index(fields.word("phase", PHASES))
    _read_board(s, fields)
    haggle_notation.read_by_seat(s, fields, "walked", MOST_WALKED)
    haggle_notation.read_holdings(s, fields, rules.GEMS_OF_EACH)
    s.scorings = fields.whole("scorings", 0, rules.SCORINGS)
    if s.scorings == rules.SCORINGS and s.phase != rules.OVER:
        raise fields.wrong("scorings", "the game is over after the third")
    haggle_notation.read_choices(s, fields, ACTIONS, s.phase == rules.CHOOSE, s.phase in SETTLING)
    _read_turn(s, fields)
    haggle_notation.check_pending(s, fields, ACTIONS, rules.is_lost)
    if s.phase != rules.OVER:
        _check_room(s, fields)


def _check_room(s: Any, fields: Fields) -> None:
    """Leave room for the points and arches still to come."""
    for seat in range(s.players):
        haggle_notation.check_points(s, fields, seat, _points_to_come(s, seat))
        rolls = _is_to_walk(s, seat) + _is_to_act(s, seat)
        fields.check_room("walked", s.walked[seat], rules.FACES * rolls, MOST_WALKED)


def _points_to_come(s: Any, seat: int) -> int:
    """Upper bound of a seat's future points.

    One action a round, with (B10, B30) at least one arch of a lap walked in each.
    """
    scorings = rules.SCORINGS - s.scorings
    rounds = (
        max(0, rules.ARCHES - s.walked[seat] - _is_to_walk(s, seat)) + (scorings - 1) * rules.ARCHES
    )
    return int((_is_to_act(s, seat) + rounds) * NUMBER.most + scorings * MOST_SCORED)


def _is_to_walk(s: Any, seat: int) -> bool:
    """B10: whether a seat has yet to walk this round."""
    return bool(s.phase == rules.START or (s.phase == rules.WALK and seat >= s.turn))


def _is_to_act(s: Any, seat: int) -> bool:
    """B12–B16: whether a seat may still carry out an action this round."""
    return s.phase not in SETTLING or s.choice[seat] >= s.action


def _read_board(s: Any, fields: Fields) -> None:
    """Figures and discs. Both are null for a seat that has yet to place them."""
    discs, figures = fields.items("discs", s.players), fields.items("figures", s.players)
    for name, arches in (("discs", discs), ("figures", figures)):
        for seat, arch in enumerate(arches):
            if arch is None and s.phase == rules.START:
                continue
            if not is_whole(arch) or not 0 <= arch < rules.ARCHES:
                raise fields.wrong(
                    name, f"seat {seat}: {brief(arch)} is not an arch from 0 to {rules.ARCHES - 1}"
                )
    for seat, (disc, figure) in enumerate(zip(discs, figures, strict=True)):
        if (disc is None) != (figure is None):
            raise fields.wrong("figures", f"seat {seat} places its disc and its figure together")
        s.disc[seat] = haggling.NONE if disc is None else disc
        s.figure[seat] = haggling.NONE if figure is None else figure


def _read_turn(s: Any, fields: Fields) -> None:
    """The seat on turn, and the action being settled."""
    if s.phase == rules.OPENER:
        _read_opener(s, fields)
    elif s.phase == rules.HAGGLE:
        haggle_notation.read_haggle(s, fields, ACTIONS)
        haggle_notation.read_speaker(s, fields)
        return
    else:
        fields.nothing("haggle", f"in phase {PHASES[s.phase]}")
    if s.phase in (rules.START, rules.WALK, rules.ROLL):
        s.turn = fields.seat("turn", s.players)
    else:
        haggle_notation.check_turn(s, fields, s.phase == rules.CHOOSE)
    if s.phase == rules.START and s.disc[s.turn] != haggling.NONE:
        raise fields.wrong("turn", f"seat {s.turn} has placed its disc already")
    if s.phase == rules.ROLL:
        _read_roll(s, fields)


def _read_opener(s: Any, fields: Fields) -> None:
    haggle_notation.read_haggle(s, fields, ACTIONS)
    haggle = fields.inner("haggle", haggle_notation.HAGGLE_FIELDS)
    if s.opener > s.other:
        raise haggle.wrong("seats", "must be in ascending order until it is known who opens")
    haggle.nothing("turn", "until it is known who opens")
    haggle.nothing("offer", "until it is known who opens")
    s.turn = haggling.NONE


def _read_roll(s: Any, fields: Fields) -> None:
    s.action = rules.DICE
    seats = haggling.chose(s, rules.DICE)
    if count(seats) not in (1, 2):
        raise fields.wrong("choices", "dice are rolled, so one or two seats must have chosen them")
    if not seats >> s.turn & 1:
        raise fields.wrong("turn", f"seat {s.turn} is to roll and has not chosen dice")


def pieces(s: Any) -> dict[str, int]:
    return haggle_notation.pieces(s)
