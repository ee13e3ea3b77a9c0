"""Basari as text: moves, outcomes, positions, and what happened."""

from typing import Any

from souk.core.errors import IllegalMove
from souk.core.fields import Fields, is_whole, shown
from souk.games import haggle_words, haggling
from souk.games.basari import rules
from souk.games.text import number, split, squeeze, unreadable

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
        arch = number(rest, "an arch")
        if arch >= rules.ARCHES:
            raise IllegalMove(f"there is no arch {arch}: they are numbered from 0 to {rules.ARCHES - 1}", "B1")
        return rules.ARCH + arch
    move = haggle_words.read_haggle_move(word, rest)
    if move is None:
        raise unreadable(text, _moves_now(s))
    return move


def _moves_now(s: Any) -> str:
    if s.phase == rules.START:
        return f'A disc goes to "arch 0" to "arch {rules.ARCHES - 1}".'
    if s.phase == rules.CHOOSE:
        return 'The choice is "dice", "points" or "gems".'
    return f'One offers, such as "offer 1r2b", or says "{"accept" if s.offer else "pass"}".'


def refusal(s: Any, seat: int, move: int) -> tuple[str, str | None]:
    if s.phase == rules.START:
        if rules.ARCH <= move < haggling.ACCEPT:
            return f"there is a start disc on arch {move - rules.ARCH} already", "B5"
        return "first everybody places a start disc", "B5"
    if s.phase == rules.CHOOSE:
        return "now everybody chooses dice, points or gems", "B11"
    if move < haggling.ACCEPT:
        return f"two have chosen {ACTIONS[s.action]}: now they haggle for it", "B15"
    return haggle_words.haggle_refusal(s, seat, move, CLAUSES)


# ---------------------------------------------------------------- chance


def outcome_text(s: Any, outcome: int) -> str:
    return f"opens {outcome}" if s.phase == rules.OPENER else str(outcome)


def read_outcome(s: Any, text: str) -> int:
    if s.phase != rules.OPENER:
        return number(squeeze(text), "what the die shows")
    word, rest = split(text)
    if word != "opens":
        raise unreadable(text, f'Who opens is found: "opens {s.opener}" or "opens {s.other}".')
    return number(rest, "a seat")


def due(s: Any) -> str:
    return "the roll for who opens the haggle" if s.phase == rules.OPENER else f"the die of seat {s.turn}"


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
    if haggling.count_seats(seats) not in (1, 2):
        raise fields.wrong("choices", "dice are rolled, so one or two seats must have chosen them")
    if not seats >> s.turn & 1:
        raise fields.wrong("turn", f"seat {s.turn} is to roll and has not chosen dice")


# ---------------------------------------------------------------- what happened


def pieces(s: Any) -> dict[str, int]:
    names = enumerate(haggle_words.GEM_NAMES)
    return {name: s.supply[colour] + sum(row[colour] for row in haggle_words.gems_json(s)) for colour, name in names}


def tell(before: Any, after: Any, seat: int | None, text: str) -> str:
    said = _told_move(before, after, seat, text) if seat is not None else _told_roll(before, after, text)
    told = [said, *(_told_change(before, after, each) for each in range(after.players))]
    if after.scorings > before.scorings:
        told.insert(1, f"Scoring {after.scorings} of {rules.SCORINGS}.")
    if after.phase == rules.OVER:
        told.append("The game is over.")
    return " ".join(filter(None, told))


def _told_move(before: Any, after: Any, seat: int, text: str) -> str:
    if before.phase == rules.START:
        return f"{{{seat}}} starts at {text}."
    if before.phase == rules.CHOOSE:
        if haggling.count_seats(haggling.yet_to_choose(before)) > 1:
            return f"{{{seat}}} has chosen."
        choices = list(before.choice[: before.players])
        choices[seat] = ACTIONS.index(text)
        shown_by = [f"{{{each}}} {ACTIONS[choice]}" for each, choice in enumerate(choices)]
        return f"All have chosen: {', '.join(shown_by)}."
    if text.startswith("offer"):
        return f"{{{seat}}} offers {haggle_words.in_words(after.offer)}."
    what = f"{haggle_words.in_words(before.offer)} and leaves" if before.offer else "and leaves"
    verb = "accepts" if before.offer else "passes"
    return f"{{{seat}}} {verb} {what} the {ACTIONS[before.action]} to {{{haggling.partner(before, seat)}}}."


def _told_roll(before: Any, after: Any, text: str) -> str:
    if before.phase == rules.OPENER:
        return f"{{{after.turn}}} opens the haggle."
    return f"{{{before.turn}}} rolls {text} and walks to arch {after.figure[before.turn]}."


def _told_change(before: Any, after: Any, seat: int) -> str:
    """What a seat has won and lost, in points and gems together."""
    changes = [("points", after.points[seat] - before.points[seat])]
    for colour, name in enumerate(haggle_words.GEM_NAMES):
        changes.append((name, after.gems[seat, colour] - before.gems[seat, colour]))
    listed = ", ".join(f"{change:+} {name}" for name, change in changes if change)
    return f"{{{seat}}}: {listed}." if listed else ""
