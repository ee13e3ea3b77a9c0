"""Looking at the events of a game one by one: each look is a piece of work of its own, that can be done anywhere and in any order."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from souk.bots.bot import Considered
from souk.core.position import Position
from souk.core.record import Record
from souk.study.mixing import SecretRound, together
from souk.study.weighing import FEWEST, Chances, Effort, Lead, after_move, after_outcome, best_moves, lead, worths


@dataclass(frozen=True)
class AsPlayed:
    """A move than which none better was found, or an event that nothing else could have been."""

    considered: Sequence[Considered] = ()
    exact: bool = False


@dataclass(frozen=True)
class Outdone:
    """A move that all could see, beside the best one there was."""

    best: str
    lead: Lead  # of the best
    considered: Sequence[Considered]
    exact: bool


@dataclass(frozen=True)
class Drawn:
    """A die or card: what else could have come up."""

    share: float  # how likely what came up was
    others: Chances  # what all else would have been worth, each as likely as it was


@dataclass(frozen=True)
class Concealed:
    """One of several secret choices of a round."""

    round: SecretRound
    place: int  # among the seats that chose
    considered: Sequence[Considered]


Look = AsPlayed | Outdone | Drawn | Concealed


@dataclass(frozen=True)
class Piece:
    """What is looked at in one go: one event, or all secret choices of a round."""

    first: int  # event
    position: Position  # before it
    events: tuple[tuple[int | None, str], ...]
    secret: bool


def pieces(record: Record) -> list[Piece]:
    """A game, cut into what is looked at in one go. A round of secret choices that was broken off is left out."""
    found: list[Piece] = []
    positions = list(record.positions())
    first = 0
    while first < len(record.events):
        last = first + 1
        secret = record.events[first][0] is not None and len(positions[first].actors) > 1
        while secret and last < len(record.events) and positions[last].has_secrets:
            last += 1
        found.append(Piece(first, positions[first], tuple(record.events[first:last]), secret))
        first = last
    return found


def look_at(piece: Piece, effort: Effort) -> list[Look]:
    """What there is to say about a piece, event by event."""
    if piece.secret:
        return _look_at_secrets(piece, effort)
    seat, text = piece.events[0]
    return [
        look_at_outcome(piece.position, text, effort)
        if seat is None
        else look_at_move(piece.position, seat, text, effort)
    ]


def look_at_outcome(pos: Position, outcome: str, effort: Effort) -> Look:
    """Every outcome there was is looked at."""
    chances = pos.chances()
    share = chances.pop(outcome)
    if not chances:
        return AsPlayed()
    each = effort.part(1 / len(chances))
    others = worths([after_outcome(pos, other) for other in chances], each)
    return Drawn(share, np.array(list(chances.values())) @ others)


def look_at_move(pos: Position, seat: int, move: str, effort: Effort) -> Look:
    """The best move is found by a search, and then compared with the one that was made by another, which does not know what the first has
    found: so the best is not taken to be better than it is."""
    if len(pos.move_codes(seat, pos.game.widest)) == 1:
        return AsPlayed(best_moves(pos, seat, Effort(FEWEST, effort.seed)).considered)
    choice = best_moves(pos, seat, effort)
    if choice.move == move:
        return AsPlayed(choice.considered, choice.exact)
    afresh = effort if choice.exact else Effort(max(FEWEST, effort.playouts // 2), effort.seed + 1)
    better = lead(after_move(pos, seat, choice.move), after_move(pos, seat, move), seat, afresh)
    return Outdone(choice.move, better, choice.considered, choice.exact and better.error == 0)


def _look_at_secrets(piece: Piece, effort: Effort) -> list[Look]:
    seats = [seat for seat, _ in piece.events if seat is not None]
    moves = [text for _, text in piece.events]
    found = together(piece.position, seats, moves, effort) if len(seats) == len(piece.position.actors) else None
    if not found:
        return [AsPlayed() for _ in seats]
    return [Concealed(found, place, _mixed(piece.position, found, place, effort)) for place in range(len(seats))]


def _mixed(pos: Position, found: SecretRound, place: int, effort: Effort) -> list[Considered]:
    """What a seat could choose, what it should choose most often first. Which scores that leads to is asked of a short search."""
    searched = best_moves(pos, found.seats[place], effort.part(1 / len(found.seats)))
    scores = {each.move: each.score for each in searched.considered}
    listed = zip(found.moves[place], found.mixes[place], found.values(place), strict=True)
    mixed = [Considered(move, float(share), win, scores.get(move, 0.0)) for move, share, win in listed]
    return sorted(mixed, key=lambda each: -each.share)
