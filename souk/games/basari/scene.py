"""Basari at a table: the arches, what a scoring and the actions would bring now, and what can be watched of an event."""

from typing import Any

from souk.core.position import Position
from souk.games.basari import rules
from souk.games.basari.words import ACTIONS
from souk.games.haggling import rules as haggling
from souk.games.haggling import scene as haggling_scene
from souk.games.haggling.scene import copied


def box(pos: Position) -> dict[str, Any]:
    """`arches`: each as its number and its gems by colour; `dice`: the points of another roll of 1 to 6."""
    s = pos.state
    arches = [[rules.arch_number(s, arch), *_gems_of(s, arch)] for arch in range(rules.ARCHES)]
    dice = [_points_of_roll(s, roll) for roll in range(1, rules.FACES + 1)]
    return haggling_scene.box() | {
        "arches": arches,
        "dice": dice,
        "lap": rules.ARCHES,
        "lap_points": rules.LAP_POINTS,
        "scorings": rules.SCORINGS,
    }


def _gems_of(s: Any, arch: int) -> list[int]:
    return [rules.arch_gems(s, arch, colour) for colour in range(haggling.COLOURS)]


def _points_of_roll(s: Any, roll: int) -> int:
    """B12: what another roll brings, at a table where nobody wants anything else."""
    rolled = copied(s)
    haggling.forget_choices(rolled)
    _postpone(rolled)
    rolled.turn = 0
    rules.roll_again(rolled, roll)
    points: int = rolled.points[0] - s.points[0]
    return points


# ---------------------------------------------------------------- now


def scene(pos: Position, seat: int) -> dict[str, Any]:
    """What a scoring would bring now; for a seat what the actions would, and what it may say in a haggle."""
    s = pos.state
    if pos.over:
        return {}
    shown = haggling_scene.scoring_now(s, _score, _score_majorities)
    if seat >= 0 and s.figure[seat] != haggling.NONE:
        shown["actions"] = _actions(s, seat)
    if s.opener != haggling.NONE:
        shown |= haggling_scene.stakes(s, _actions, ACTIONS[s.action])
    if s.phase == rules.HAGGLE:
        shown |= haggling_scene.haggle_now(s, seat, True, rules.carry_out, _score)
    return shown


def _score(s: Any) -> None:
    """A scoring, also where nobody has walked a lap yet."""
    before = s.scorings
    rules.score_if_due(s)
    if s.scorings == before:
        _score_majorities(s)


def _score_majorities(s: Any) -> None:
    for colour in range(haggling.COLOURS):
        rules.score_majority(s, colour)


def _actions(s: Any, seat: int) -> dict[str, Any]:
    """What points and gems would bring a seat where its figure stands."""
    done = copied(s)
    rules.carry_out(done, rules.POINTS, seat)
    rules.carry_out(done, rules.GEMS, seat)
    gems = [done.gems[seat, colour] - s.gems[seat, colour] for colour in range(haggling.COLOURS)]
    return {"points": done.points[seat] - s.points[seat], "gems": gems}


# ---------------------------------------------------------------- what happens


def shown(before: Position, after: Position, seat: int | None, text: str) -> dict[str, Any]:
    s = before.state
    if s.phase == rules.START:
        return {"placed": int(after.state.figure[seat])}
    if s.phase == rules.CHOOSE and seat is not None:
        found = haggling_scene.revealed(before, seat, text)
        if not found:
            return {}
    else:
        found = {"roller": s.turn, "path": _path(s, int(text))} if s.phase in (rules.WALK, rules.ROLL) else {}
    settled = haggling_scene.settled(before, seat, text, _postpone).state
    found |= haggling_scene.changed(s, settled, seat, text)
    if after.state.scorings > s.scorings:
        scoring = haggling_scene.scoring_shown(settled, after.state, _score_majorities)
        found["scoring"] = {"number": after.state.scorings} | scoring
    return found


def _path(s: Any, roll: int) -> list[int]:
    """The arches a figure walks to, one after the other."""
    walking, path = copied(s), []
    for _ in range(roll):
        rules.walk(walking, s.turn, 1)
        path.append(walking.figure[s.turn])
    return path


def _postpone(s: Any) -> None:
    for seat in range(s.players):
        s.walked[seat] = 0


# ---------------------------------------------------------------- where points came from


def sources(positions: list[Position], events: list[tuple[int | None, str]]) -> list[dict[str, int]]:
    """By seat: points by arches, by the dice, for laps, and for the majorities of each scoring."""
    names = [*ACTIONS[: rules.GEMS], "lap", *(f"scoring_{number + 1}" for number in range(rules.SCORINGS))]
    found = [dict.fromkeys(names, 0) for _ in range(positions[0].players)]
    for before, after, (seat, text) in zip(positions, positions[1:], events, strict=False):
        if before.scores != after.scores:
            _note_sources(found, before, after, seat, text)
    return found


def _note_sources(found: list[dict[str, int]], before: Position, after: Position, seat: int | None, text: str) -> None:
    event = shown(before, after, seat, text)
    choices = event.get("choices") or before.to_json()["choices"]
    for each, points in event.get("points", []):
        found[each][choices[each]] += points
    if scoring := event.get("scoring"):
        for each, points in scoring["besides"]:
            found[each]["lap"] += points
        for seats, points, _ in scoring["colours"]:
            for each in seats:
                found[each][f"scoring_{scoring['number']}"] += points
