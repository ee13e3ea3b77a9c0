"""Every question and every change is understood by both databases, also where there is nothing to find: their SQL is written once."""

import importlib
import inspect
import pkgutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import souk.table
from souk.table import (
    belongings,
    chores,
    codes,
    devices,
    doors,
    evening_rows,
    following,
    inviting,
    ladders,
    leaders,
    life_rows,
    measuring,
    novelties,
    passkeys,
    people,
    ratings,
    sayings,
    shelves,
    tallies,
)
from souk.table.codes import CodeRow
from souk.table.database import Line
from souk.table.evening_rows import EntrantRow, EveningRow, Ranking, SittingRow
from souk.table.house_time import keeping, kept_time
from souk.table.leaders import Contestant
from souk.table.life_rows import Life
from souk.table.novelties import Known
from souk.table.posting import Device
from souk.table.sealing import Seal
from souk.table.settings import LEVELS
from souk.table.shelves import KeptStudy, Shelves
from souk.table.sql_store import SqlStore
from souk.table.store import Bookmark, CoachNote, Face, NotKept, Overtaken, Snapshot, Statement
from tests.table.places import in_both, look_into
from tests.table.test_move import TERMS
from tests.table.test_store import SEATS, STANDING, event, row, with_store

ANN, T, NOW = b"ann", "a", 1.0
WHO = Contestant(1, ANN, "00", "Ann", True)
LIFE = Life(version=1)
EVENING = EveningRow("e", "Friday", ANN, b"key", TERMS, "open", 0, 2, None, None, b"seed", NOW, NOW, 1, (), ())

# What each question is asked besides the line.
ASKED: dict[Callable[..., Any], tuple[Any, ...]] = {
    belongings._count: (ANN,),
    belongings._last_name: (ANN,),
    belongings._collected: (ANN,),
    belongings._tables: (ANN,),
    belongings._results: (ANN,),
    belongings._said: (ANN,),
    chores.news: (0,),
    chores.said: ("announcement",),
    chores.last_notice: (),
    chores.left_alone: (False, NOW, 10),
    codes._find: ("door", b"digest", NOW),
    devices._rows: (ANN,),
    devices._key: (),
    devices._was_called: (T, 0, 1),
    doors.doors_of: (ANN,),
    doors._all: (),
    doors._some: ([ANN], [b"cookie"]),
    evening_rows.read_evening: ("e",),
    evening_rows.evenings_of: (ANN, 10),
    evening_rows.hosted_by: (ANN,),
    evening_rows.wanting: (NOW, 60.0),
    evening_rows.being_played: (),
    evening_rows.versions: (["e", "f"],),
    kept_time: (),
    inviting._met: (ANN, T),
    inviting._sat_at: (ANN, T, 1),
    inviting._waiting_for: (ANN,),
    inviting._why_not: (T, ANN, b"ben"),
    inviting._is_invited: (T, None),
    inviting._invitees: (T,),
    ladders.ladders_of: (ANN, LEVELS),
    ladders.climbs_of: (None,),
    leaders.contestant_known_as: ("00",),
    leaders.contestant_of: (None,),
    leaders._contestant: ("player", ANN),
    leaders.board: ("bazaar", False, 0, None),
    leaders._my_place: (WHO, {"game": "bazaar", "sure": 6.25, "provisional": True}),
    leaders.place_of: (WHO, "bazaar"),
    leaders.games_of: (WHO,),
    leaders._history: (1, "bazaar"),
    leaders.recent_games: (1,),
    leaders.rating_before: (1, 1, "bazaar"),
    leaders._others: (1, 0),
    leaders.seat_ratings: (T,),
    leaders._ratings_of_sitting: (T,),
    life_rows.life_of: (T,),
    novelties._novelties: (Seal(bytes(32)), T, Known(-1, 0, 0, -1, 0)),
    following._people_at: ([T, "b"],),
    life_rows.next_due: (),
    life_rows.due_tables: (NOW, 10),
    measuring._what_was_done: (WHO,),
    measuring._table_ratings: (T, ANN, LEVELS),
    passkeys.passkeys_of: (ANN,),
    passkeys._passkey: (b"credential", "localhost"),
    people.face_of: (ANN,),
    ratings._known: ("bazaar", 1),
    sayings.said_since: (T, 3),
    shelves._kept: (T,),
    tallies._played: (ANN, True, 10),
}
# Those that are tried elsewhere, as they change something or are about the database itself.
ELSEWHERE = {"carry_out", "keep_result", "_contestant", "_write", "_results", "_columns", "_rows", "_summary"}
ELSEWHERE |= {"size_of_house", "check_whole", "seal_of", "execute_all"}


def questions() -> set[Callable[..., Any]]:
    """Every function of the tables' room that is given a line to either database. The queues are in PostgreSQL alone: test_errands and
    test_lookbacks try them."""
    queues = "errands", "lookbacks"
    names = [each.name for each in pkgutil.iter_modules(souk.table.__path__) if each.name not in queues]
    modules = [importlib.import_module(f"souk.table.{name}") for name in names]
    found = set()
    for module in modules:
        for name, function in inspect.getmembers(module, inspect.isfunction):
            first = next(iter(inspect.signature(function).parameters.values()), None)
            if function.__module__ == module.__name__ and first and first.annotation is Line and name not in ELSEWHERE:
                found.add(function)
    return found


def test_none_is_forgotten() -> None:
    assert {each for each in ASKED if each.__name__ not in ELSEWHERE} == questions()


@in_both
def test_every_question_is_understood(tmp_path: Path) -> None:
    """First where there is nothing, then where there is a table."""

    async def nothing(_store: SqlStore) -> None:
        pass

    async def a_table(store: SqlStore) -> None:
        await store.add_table(row(T), SEATS, [event(0)])

    for work in (nothing, a_table):
        with_store(tmp_path, work)
        with look_into(tmp_path) as line:
            for question, values in ASKED.items():
                question(line, *values)


CHANGES: dict[str, list[Statement]] = {
    "adding an evening": evening_rows.adding(EVENING._replace(entrants=(EntrantRow(1, "Ann", ANN, ""),))),
    "entering again": [evening_rows.entering("e", EntrantRow(1, "Ann", ANN, "", until=3, removed=True))],
    "drawing": [evening_rows.drawing("e", SittingRow(1, 1, T, "suleika", (1, 2)))],
    "making": [evening_rows.making("e", SittingRow(1, 1, T, "suleika", (1, 2)))],
    "not waiting": [evening_rows.not_waiting("e", SittingRow(1, 1, T, "suleika", (1, 2)))],
    "judging": [evening_rows.judging("e", SittingRow(1, 1, T, "s", (1, 2)), Ranking("played", [1, 2], [3, 4]))],
    "changing": [evening_rows.changing(EVENING, EVENING._replace(state="playing", due=NOW))],
    "going": [evening_rows.going("e", 1)],
    "outdating evenings": evening_rows.outdating_evenings(NOW - 1, NOW - 1),
    "deleting an evening": evening_rows.deleting("e"),
    "a face": people.choosing(ANN, Face("Ann", "cat", "jade")),
    "another face": people.choosing(ANN, Face("Ann", "owl", "rose")),
    "writing down a door": doors.writing_down(b"cookie", ANN, "Firefox"),
    "opening a door": doors.opening(b"other", ANN, b"own", "Chrome"),
    "shutting a door": doors.shutting(b"other", ANN),
    "hiding": chores.hiding(ANN, T),
    "hiding again": chores.hiding(ANN, T),
    "showing again": chores.showing_again(ANN, T),
    "banning": chores.banning("address 203.0.113.7", None),
    "banning again": chores.banning("address 203.0.113.7", NOW),
    "unbanning": chores.unbanning("address 203.0.113.7"),
    "outdating": chores.outdating(NOW, NOW),
    "reports": chores.clearing_reports(),
    "announcing": chores.announcing("Welcome"),
    "forbidding": chores.forbidding(["goat", "ass"]),
    "rereading": chores.rereading(),
    "renaming": chores.renaming([(T, 0)]),
    "an invitation": [inviting._invitation(T, b"ben", ANN, "Ben", "asked")],
    "life": life_rows.statements(T, Life(), LIFE, NOW),
    "more life": life_rows.statements(T, LIFE, Life(version=2), NOW),
    "standing still": [life_rows.standing_still(T)],
    "a seat": [life_rows.seat_statement(T, SEATS[0]._replace(name="Guest 1", figure="owl", colour="rose"), SEATS[0])],
    "time": [keeping(9.0)],
    "forgetting": chores.forgetting(ANN),
    "cancelling": chores.cancelling(T),
}


@in_both
def test_every_change_is_understood(tmp_path: Path) -> None:
    async def work(store: SqlStore) -> None:
        await store.add_table(row(T), SEATS, [])
        await store.add_note(T, CoachNote(0, "hint", 0, 1))
        assert await store.notes(T) == [CoachNote(0, "hint", 0, 1)]
        for seq in (3, 5):
            await store.keep_snapshot(T, Snapshot(seq, 1, b"content"))
        assert await store.snapshot(T) == Snapshot(5, 1, b"content")
        await store.add_events(T, [event(0)], STANDING)
        await store.retell(T, [event(0)._replace(told=b"[]")])
        assert not await store.lacks_words(T)
        assert await store.tables_of(ANN, 10, Bookmark(False, time.time() + 9, "")) != []
        calls = devices.Devices(store)
        for turn in (3, 4):
            await calls.add(ANN, Device("https://push.example/1", b"key", b"secret", "en"))
            await calls.note_call(T, 0, turn)
        with pytest.raises(Overtaken):  # of two servers one calls
            await calls.note_call(T, 0, 4)
        assert len(await calls.of(ANN)) == 1
        assert await calls.was_called(T, 0, 4)
        await calls.remove("https://push.example/1")
        assert await calls.of(ANN) == []
        for playouts in (1, 2):
            await Shelves(store).keep(T, KeptStudy(playouts, 1, b"{}"))
        assert await Shelves(store).study(T) == KeptStudy(2, 1, b"{}")
        for what, changes in CHANGES.items():
            try:
                await store.carry_out(changes)
            except NotKept as error:
                pytest.fail(f"{what}: {error}")
        with pytest.raises(NotKept):
            await store.carry_out([codes.using_up("door", "secret", CodeRow(None, b"cookie", NOW))])
        assert await store.table(T) is None

    with_store(tmp_path, work)
