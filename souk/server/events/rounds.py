"""Draws the next round of an event. Pure."""

from random import Random

from souk.core.game_registry import find_game
from souk.server.events.pairing import (
    PairingHistory,
    PairingTable,
    knock_out,
    round_robin,
    sizes,
    swiss,
)
from souk.server.events.scoring import advancing, is_final, standings
from souk.server.events.storage import EventRow, EventTableRow, Ranking, past_tables
from souk.server.tables.seats import new_table_id

MIN_ACTIVE = 2  # players needed for another round


def seats_of_game(game: str) -> list[int]:
    """Table sizes a game allows, without solitaire."""
    return [players for players in find_game(game).players if players > 1]


def game_of(event: EventRow, round_number: int) -> str:
    return event.terms.games[(round_number - 1) % len(event.terms.games)]


def next_people(event: EventRow) -> list[int]:
    """Players of the next round, best first."""
    active = {entrant.number for entrant in event.active}
    if event.terms.form == "knock_out" and event.round:
        if is_final(event, event.round):
            return []
        last_tables = event.of_round(event.round)
        active &= {
            number for event_table in last_tables for number in advancing(event, event_table)
        }
    return [standing.number for standing in standings(event) if standing.number in active]


def has_next(event: EventRow) -> bool:
    """Whether there is another round."""
    within = not event.rounds or event.round < event.rounds
    return within and len(next_people(event)) >= MIN_ACTIVE


def draw_round(event: EventRow) -> list[EventTableRow]:
    """Tables and byes of the next round."""
    round_number = event.round + 1
    game, people = game_of(event, round_number), next_people(event)
    plan = sizes(len(people), event.terms.size, seats_of_game(game))
    pairings = sorted(_pair(event, people, plan), key=lambda event_table: event_table.is_bye)
    return [
        _row(round_number, number, game, event_table) for number, event_table in enumerate(pairings)
    ]


def _pair(event: EventRow, people: list[int], plan: tuple[list[int], int]) -> list[PairingTable]:
    past = PairingHistory(past_tables(event))
    rng = Random(event.seed + event.round.to_bytes(2, "big"))
    form = event.terms.form
    if not event.round:
        people = rng.sample(people, len(people))
    if form == "swiss":
        return swiss(
            people,
            {standing.number: standing.points for standing in standings(event)},
            plan,
            past,
            rng,
        )
    if form == "knock_out":
        return knock_out(people, plan, past, rng)
    entered = [
        entrant.number for entrant in event.entrants if entrant.since == 1 and entrant.until != 0
    ]
    order = Random(event.seed).sample(entered, len(entered))
    return round_robin(order, set(people), event.round, plan, past, rng)


def _row(round_number: int, number: int, game: str, event_table: PairingTable) -> EventTableRow:
    if event_table.is_bye:
        bye = Ranking("bye", [1], [])
        return EventTableRow(
            round_number, number, "", game, event_table.seats, made=True, result=bye
        )
    return EventTableRow(round_number, number, new_table_id(), game, event_table.seats)
