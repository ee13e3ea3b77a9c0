"""The next round of an evening: who is in it, who meets whom, and whether there is one at all. Pure."""

from random import Random

from souk.core.shelf import find_game
from souk.table.evening_points import going_on, is_final, standings
from souk.table.evening_rows import EveningRow, Ranking, SittingRow, sittings_so_far
from souk.table.pairing import Party, Past, knock_out, round_robin, sizes, swiss
from souk.table.seating import new_table_id

FEWEST = 2  # people who can still meet


def seats_of_game(game: str) -> list[int]:
    """How many may sit at a table of a game, where it is not alone."""
    return [players for players in find_game(game).players if players > 1]


def game_of(evening: EveningRow, turn: int) -> str:
    return evening.terms.games[(turn - 1) % len(evening.terms.games)]


def next_people(evening: EveningRow) -> list[int]:
    """Who is in the next round, the best first."""
    active = {each.number for each in evening.active}
    if evening.terms.form == "knock_out" and evening.round:
        if is_final(evening, evening.round):
            return []
        last = evening.of_round(evening.round)
        active &= {number for sitting in last for number in going_on(evening, sitting)}
    return [stand.number for stand in standings(evening) if stand.number in active]


def has_next(evening: EveningRow) -> bool:
    """Whether there is another round after this one."""
    within = not evening.rounds or evening.round < evening.rounds
    return within and len(next_people(evening)) >= FEWEST


def next_sittings(evening: EveningRow) -> list[SittingRow]:
    """The tables of the next round, each with its name, and the byes."""
    turn = evening.round + 1
    game, people = game_of(evening, turn), next_people(evening)
    plan = sizes(len(people), evening.terms.size, seats_of_game(game))
    drawn = sorted(_drawn(evening, people, plan), key=lambda sitting: sitting.is_bye)
    return [_row(turn, number, game, sitting) for number, sitting in enumerate(drawn)]


def _drawn(evening: EveningRow, people: list[int], plan: tuple[list[int], int]) -> list[Party]:
    past, lot = Past(sittings_so_far(evening)), Random(evening.seed + evening.round.to_bytes(2, "big"))
    form = evening.terms.form
    if not evening.round:
        people = lot.sample(people, len(people))
    if form == "swiss":
        return swiss(people, {stand.number: stand.points for stand in standings(evening)}, plan, past, lot)
    if form == "knock_out":
        return knock_out(people, plan, past, lot)
    entered = [each.number for each in evening.entrants if each.since == 1 and each.until != 0]
    order = Random(evening.seed).sample(entered, len(entered))
    return round_robin(order, set(people), evening.round, plan, past, lot)


def _row(turn: int, number: int, game: str, sitting: Party) -> SittingRow:
    if sitting.is_bye:
        bye = Ranking("bye", [1], [])
        return SittingRow(turn, number, "", game, sitting.seats, made=True, verdict=bye)
    return SittingRow(turn, number, new_table_id(), game, sitting.seats)
