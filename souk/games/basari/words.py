"""Basari as text: moves, outcomes, positions, and what happened."""

from typing import Any

from souk.core.errors import IllegalMove
from souk.core.fields import Fields, is_whole, shown
from souk.core.message import Message, Seat
from souk.core.reading import number, split, squeeze, unreadable
from souk.games.basari import rules
from souk.games.haggling import notation as haggle_words
from souk.games.haggling import rules as haggling
from souk.kernel.bits import count

ACTIONS = ("dice", "points", "gems")
PHASES = ("start", "walk", "choose", "opener", "haggle", "dice", "over")
SETTLING = (rules.OPENER, rules.HAGGLE, rules.ROLL)
CLAUSES = {"own": "B21", "raise": "B23", "accept": "B22", "pass": "B22"}
MOST_WALKED = 9999  # in a made-up position; in play a scoring comes long before

# ---------------------------------------------------------------- moves


def move_text(s: Any, move: int) -> str:
    if move < rules.ARCH:
        return ACTIONS[move]
    if move < haggling.ACCEPT:
        return f"arch {move - rules.ARCH}"
    return haggle_words.haggle_move_text(move)


def read_move(s: Any, text: str) -> int:
    word, rest = split(text)
    if word in ACTIONS and not rest:
        return ACTIONS.index(word)
    if word == "arch":
        arch = number(rest, Message("reason.basari.an_arch"))
        if arch >= rules.ARCHES:
            raise IllegalMove(Message("reason.basari.no_such_arch", arch=arch, last=rules.ARCHES - 1), "B1")
        return rules.ARCH + arch
    move = haggle_words.read_haggle_move(word, rest)
    if move is None:
        raise unreadable(text, _moves_now(s))
    return move


def _moves_now(s: Any) -> Message:
    if s.phase == rules.START:
        return Message("reason.basari.arches", last=rules.ARCHES - 1)
    return Message("reason.basari.choices") if s.phase == rules.CHOOSE else haggle_words.haggle_moves(s)


def _action(action: int) -> Message:
    return Message(f"word.action.{ACTIONS[action]}")


def refusal(s: Any, seat: int, move: int) -> tuple[Message, str | None]:
    if s.phase == rules.START:
        if rules.ARCH <= move < haggling.ACCEPT:
            return Message("reason.basari.arch_taken", arch=move - rules.ARCH), "B5"
        return Message("reason.basari.discs_first"), "B5"
    if s.phase == rules.CHOOSE:
        return Message("reason.basari.choose_now"), "B11"
    if move < haggling.ACCEPT:
        return Message("reason.haggle.haggle_now", action=_action(s.action)), "B15"
    return haggle_words.haggle_refusal(s, seat, move, CLAUSES)


# ---------------------------------------------------------------- chance


def outcome_text(s: Any, outcome: int) -> str:
    return f"opens {outcome}" if s.phase == rules.OPENER else str(outcome)


def read_outcome(s: Any, text: str) -> int:
    if s.phase != rules.OPENER:
        return number(squeeze(text), Message("reason.core.what_the_die_shows"))
    word, rest = split(text)
    if word != "opens":
        raise unreadable(text, Message("reason.basari.openers", one=s.opener, other=s.other))
    return number(rest, Message("reason.core.a_seat"))


def due(s: Any) -> Message:
    if s.phase == rules.OPENER:
        return Message("reason.basari.the_roll_for_opening")
    return Message("reason.core.the_die_of", who=Seat(s.turn))


# ---------------------------------------------------------------- positions


def field_names(players: int) -> tuple[list[str], list[str]]:
    board = ["figures", "discs", "walked", "points", "gems", "supply"]
    return ["phase", "turn", *board, "choices", "haggle", "pending", "scorings"], ["ready"]


def to_json(s: Any) -> dict[str, Any]:
    return {
        "phase": PHASES[s.phase],
        "turn": haggle_words.turn_json(s, s.phase == rules.CHOOSE),
        "figures": [None if arch == haggling.NONE else arch for arch in s.figure[: s.players]],
        "discs": [None if arch == haggling.NONE else arch for arch in s.disc[: s.players]],
        "walked": list(s.walked[: s.players]),
        "points": list(s.points[: s.players]),
        "gems": haggle_words.gems_json(s),
        "supply": list(s.supply),
        "choices": haggle_words.choices_json(s, ACTIONS),
        "ready": haggle_words.ready_json(s, s.phase == rules.CHOOSE),
        "haggle": haggle_words.haggle_json(s, ACTIONS, s.phase == rules.HAGGLE),
        "pending": _pending(s),
        "scorings": s.scorings,
    }


def _pending(s: Any) -> list[str]:
    """B15–B16: the actions still to be settled, the present one first; what three or four have chosen is lost."""
    return [ACTIONS[action] for action, seats in haggle_words.to_settle(s, len(ACTIONS)) if seats in (1, 2)]


def from_json(s: Any, fields: Fields) -> None:
    s.phase = PHASES.index(fields.word("phase", PHASES))
    _read_board(s, fields)
    for seat, walked in enumerate(fields.wholes("walked", s.players, 0, MOST_WALKED)):
        s.walked[seat] = walked
    for seat, points in enumerate(fields.wholes("points", s.players, 0, haggle_words.MOST_POINTS)):
        s.points[seat] = points
    haggle_words.read_gems(s, fields, rules.GEMS_OF_EACH)
    s.scorings = fields.whole("scorings", 0, rules.SCORINGS)
    if s.scorings == rules.SCORINGS and s.phase != rules.OVER:
        raise fields.wrong("scorings", "the game is over after the third")
    haggle_words.read_choices(s, fields, ACTIONS, s.phase == rules.CHOOSE, s.phase in SETTLING)
    s.action = haggling.NONE
    s.turn = haggling.NONE
    haggling.end_haggle(s)
    _read_turn(s, fields)
    if fields["pending"] != _pending(s):
        raise fields.wrong("pending", f"must be {shown(_pending(s))} here, not {shown(fields['pending'])}")


def _read_board(s: Any, fields: Fields) -> None:
    """Where figures and discs stand. Both are null for a seat that has not placed its own yet."""
    discs, figures = fields.items("discs", s.players), fields.items("figures", s.players)
    for name, arches in (("discs", discs), ("figures", figures)):
        for seat, arch in enumerate(arches):
            if arch is None and s.phase == rules.START:
                continue
            if not is_whole(arch) or not 0 <= arch < rules.ARCHES:
                raise fields.wrong(name, f"seat {seat}: {shown(arch)} is not an arch from 0 to {rules.ARCHES - 1}")
    for seat, (disc, figure) in enumerate(zip(discs, figures, strict=True)):
        if (disc is None) != (figure is None):
            raise fields.wrong("figures", f"seat {seat} places its disc and its figure together")
        s.disc[seat] = haggling.NONE if disc is None else disc
        s.figure[seat] = haggling.NONE if figure is None else figure


def _read_turn(s: Any, fields: Fields) -> None:
    """Whose turn it is, and what is being settled."""
    if s.phase == rules.OPENER:
        _read_opener(s, fields)
    elif s.phase == rules.HAGGLE:
        haggle_words.read_haggle(s, fields, ACTIONS)
        haggle_words.read_speaker(s, fields)
        return
    else:
        fields.nothing("haggle", f"in phase {PHASES[s.phase]}")
    if s.phase in (rules.START, rules.WALK, rules.ROLL):
        s.turn = fields.seat("turn", s.players)
    else:
        haggle_words.check_turn(s, fields, s.phase == rules.CHOOSE)
    if s.phase == rules.START and s.disc[s.turn] != haggling.NONE:
        raise fields.wrong("turn", f"seat {s.turn} has placed its disc already")
    if s.phase == rules.ROLL:
        _read_roll(s, fields)


def _read_opener(s: Any, fields: Fields) -> None:
    haggle_words.read_haggle(s, fields, ACTIONS)
    haggle = fields.inner("haggle", haggle_words.HAGGLE_FIELDS)
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


# ---------------------------------------------------------------- what happened


def pieces(s: Any) -> dict[str, int]:
    names = enumerate(haggle_words.GEM_NAMES)
    return {name: s.supply[colour] + sum(row[colour] for row in haggle_words.gems_json(s)) for colour, name in names}


def tell(before: Any, after: Any, seat: int | None, text: str) -> list[Message]:
    told = [_told_move(before, after, seat, text) if seat is not None else _told_roll(before, after, text)]
    if after.scorings > before.scorings:
        told.append(Message("told.basari.scoring", n=after.scorings, last=rules.SCORINGS))
    for each in range(after.players):
        if changes := _changes(before, after, each):
            told.append(Message("told.basari.changes", who=Seat(each), changes=changes))
    return [*told, Message("told.core.over")] if after.phase == rules.OVER else told


def _told_move(before: Any, after: Any, seat: int, text: str) -> Message:
    """What a seat did. A choice is not told before all have chosen."""
    who = Seat(seat)
    if before.phase == rules.START:
        return Message("told.basari.starts", who=who, arch=after.disc[seat])
    if before.phase == rules.CHOOSE:
        if count(haggling.yet_to_choose(before)) > 1:
            return Message("told.core.has_chosen", who=who)
        return _told_choices(before, seat, ACTIONS.index(text))
    if text.startswith("offer"):
        return haggle_words.told_offer(seat, after.offer)
    left = {"action": _action(before.action), "other": Seat(haggling.partner(before, seat))}
    if not before.offer:
        return Message("told.basari.passes", who=who, **left)
    return Message("told.basari.accepts", who=who, gems=haggle_words.in_words(before.offer), **left)


def _told_choices(before: Any, last: int, choice: int) -> Message:
    """What all have chosen, now that the last one has."""
    choices = list(before.choice[: before.players])
    choices[last] = choice
    chosen = [Message("told.haggle.choice", who=Seat(seat), action=_action(each)) for seat, each in enumerate(choices)]
    return Message("told.basari.all_have_chosen", choices=chosen)


def _told_roll(before: Any, after: Any, text: str) -> Message:
    if before.phase == rules.OPENER:
        return Message("told.basari.opens", who=Seat(after.turn))
    return Message("told.basari.rolls", who=Seat(before.turn), n=int(text), arch=after.figure[before.turn])


def _changes(before: Any, after: Any, seat: int) -> list[Message]:
    """What a seat has won and lost, in points and gems together."""
    changes = [("points", after.points[seat] - before.points[seat])]
    for colour, name in enumerate(haggle_words.GEM_NAMES):
        changes.append((name, after.gems[seat, colour] - before.gems[seat, colour]))
    return [Message(f"word.gained.{name}", n=change) for name, change in changes if change]
