"""Every query and every change runs on SQLite and PostgreSQL, which share their SQL."""

import importlib
import inspect
import pkgutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import souk.server
from souk.server.accounts import one_time_codes, passkeys, profiles, sessions
from souk.server.accounts.one_time_codes import CodeRow
from souk.server.admin import data_export
from souk.server.analysis import player_stats
from souk.server.analysis import storage as analysis_storage
from souk.server.analysis.storage import AnalysisStorage, StoredAnalysis
from souk.server.cluster import sync
from souk.server.common.config import LEVELS
from souk.server.events import storage as event_storage
from souk.server.events.storage import EntrantRow, EventRow, EventTableRow, Ranking
from souk.server.http import ratings as rating_endpoints
from souk.server.lobby import invitations
from souk.server.push import subscriptions
from souk.server.push.webpush import Subscription
from souk.server.ratings import ladder, leaderboards, ratings
from souk.server.ratings.leaderboards import Contestant
from souk.server.storage import maintenance
from souk.server.storage.connection import Connection
from souk.server.storage.encryption import Cipher
from souk.server.storage.errors import WriteConflict, WriteFailed
from souk.server.storage.rows import (
    CoachNote,
    Profile,
    Snapshot,
    Statement,
    TableVersion,
    update_seat,
)
from souk.server.storage.store import Store
from souk.server.tables import unseen_writes
from souk.server.tables.chat import chat_log
from souk.server.tables.coach import fair_play
from souk.server.tables.timing import timing_rows
from souk.server.tables.timing.timing_rows import TimingState
from souk.server.tables.timing.uptime_clock import save_uptime, stored_uptime
from souk.server.tables.unseen_writes import KnownSequence
from tests.server.admin.test_migrate_store import TERMS
from tests.server.storage.test_store import SEATS, STANDING, event, row, with_store
from tests.server.support.databases import in_both, look_into

ANN, T, NOW = b"ann", "a", 1.0
WHO = Contestant(1, ANN, "00", "Ann", True)
TIMING = TimingState(version=1)
EVENT = EventRow(
    "e", "Friday", ANN, b"key", TERMS, "open", 0, 2, None, None, b"seed", NOW, NOW, 1, (), ()
)

# Arguments of each query after the connection.
QUERIES: dict[Callable[..., Any], tuple[Any, ...]] = {
    data_export._count: (ANN,),
    data_export._last_name: (ANN,),
    data_export._collected: (ANN,),
    data_export._tables: (ANN,),
    data_export._results: (ANN,),
    data_export._chat_lines: (ANN,),
    maintenance.host_notices: (0,),
    maintenance.text_setting: ("announcement",),
    maintenance.last_notice_number: (),
    maintenance.abandoned_tables: (False, NOW, 10),
    one_time_codes._find: ("device", b"digest", NOW),
    subscriptions._rows: (ANN,),
    subscriptions._key: (),
    subscriptions._was_notified: (T, 0, 1),
    sessions.sessions_of: (ANN,),
    sessions._all: (),
    sessions._some: ([ANN], [b"cookie"]),
    event_storage.read_event: ("e",),
    event_storage.events_of: (ANN, 10),
    event_storage.count_hosted: (ANN,),
    event_storage.count_bots_only: (ANN, "e"),
    event_storage.due_events: (NOW, 60.0),
    event_storage.running_events: (),
    event_storage.versions: (["e", "f"],),
    stored_uptime: (),
    fair_play.running_tables: (ANN, "bazaar"),
    invitations._past_players: (ANN, T),
    invitations._sat_at: (ANN, T, 1),
    invitations._waiting_for: (ANN,),
    invitations._why_not_invited: (T, ANN, b"ben"),
    invitations._invited_by: (T, None),
    invitations._invitees: (T,),
    ladder.ladders_of: (ANN, LEVELS),
    ladder.climbs_of: (None,),
    leaderboards.contestant_by_public_id: ("00",),
    leaderboards.contestant_of: (None,),
    leaderboards._contestant: ("player", ANN),
    leaderboards.leaderboard: ("bazaar", False, 0, None),
    leaderboards._my_place: (WHO, {"game": "bazaar", "sure": 6.25, "provisional": True}),
    leaderboards.place_of: (WHO, "bazaar"),
    leaderboards.games_of: (WHO,),
    leaderboards._history: (1, "bazaar"),
    leaderboards.recent_games: (1,),
    leaderboards.rating_before: (1, 1, "bazaar"),
    leaderboards._others: (1, 0),
    leaderboards.seat_ratings: (T,),
    leaderboards._ratings_before: (T,),
    timing_rows.read_timing: (T,),
    unseen_writes._read_unseen_writes: (Cipher(bytes(32)), T, KnownSequence(-1, 0, 0, -1, 0)),
    sync._people_at: ([T, "b"],),
    timing_rows.next_due: (),
    timing_rows.due_tables: (NOW, 10),
    rating_endpoints._games_of: (WHO,),
    rating_endpoints._table_ratings: (T, ANN, LEVELS),
    passkeys.passkeys_of: (ANN,),
    passkeys._passkey: (b"credential", "localhost"),
    profiles.profile_of: (ANN,),
    ratings._known: ("bazaar", 1),
    ratings._met: ("bazaar", (1, 2), NOW),
    ratings._moves_made: (T,),
    chat_log.chat_since: (T, 3),
    analysis_storage._stored: (T,),
    player_stats._played: (ANN, True, 10),
}
# Tested elsewhere: these change data or concern the database itself.
ELSEWHERE = {
    "execute_in_transaction",
    "store_result",
    "_kind",
    "_contestant",
    "_write",
    "_results",
    "_columns",
    "_rows",
    "_summary",
}
ELSEWHERE |= {"size_of_database", "check_complete", "cipher_of", "execute_all"}


def all_queries() -> set[Callable[..., Any]]:
    """Every function of the server that takes a connection to either database."""
    modules = [
        importlib.import_module(module.name)
        for module in pkgutil.walk_packages(souk.server.__path__, "souk.server.")
    ]
    queries = set()
    for module in modules:
        for name, function in inspect.getmembers(module, inspect.isfunction):
            first = next(iter(inspect.signature(function).parameters.values()), None)
            if (
                function.__module__ == module.__name__
                and first
                and first.annotation is Connection
                and name not in ELSEWHERE
            ):
                queries.add(function)
    return queries


def test_none_is_forgotten() -> None:
    assert {query for query in QUERIES if query.__name__ not in ELSEWHERE} == all_queries()


@in_both
def test_every_query_runs(tmp_path: Path) -> None:
    """On an empty database, then with a table."""

    async def nothing(_store: Store) -> None:
        pass

    async def a_table(store: Store) -> None:
        await store.add_table(row(T), SEATS, [event(0)])

    for work in (nothing, a_table):
        with_store(tmp_path, work)
        with look_into(tmp_path) as connection:
            for query, arguments in QUERIES.items():
                query(connection, *arguments)


CHANGES: dict[str, list[Statement]] = {
    "adding an event": event_storage.insert_event(
        EVENT._replace(entrants=(EntrantRow(1, "Ann", ANN, ""),))
    ),
    "entering again": [
        event_storage.upsert_entrant("e", EntrantRow(1, "Ann", ANN, "", until=3, removed=True))
    ],
    "pairing": [event_storage.insert_event_table("e", EventTableRow(1, 1, T, "suleika", (1, 2)))],
    "marking as made": [event_storage.mark_made("e", EventTableRow(1, 1, T, "suleika", (1, 2)))],
    "marking as late": [event_storage.mark_late("e", EventTableRow(1, 1, T, "suleika", (1, 2)))],
    "adding a result": [
        event_storage.insert_result(
            "e", EventTableRow(1, 1, T, "s", (1, 2)), Ranking("played", [1, 2], [3, 4])
        )
    ],
    "changing an event": [
        event_storage.update_event(EVENT, EVENT._replace(state="playing", due=NOW))
    ],
    "deleting an entrant": [event_storage.delete_entrant("e", 1)],
    "deleting old events": event_storage.delete_old_events(NOW - 1, NOW - 1),
    "deleting an event": event_storage.delete_event("e"),
    "a profile": profiles.save_profile(ANN, Profile("Ann", "cat", "jade")),
    "another profile": profiles.save_profile(ANN, Profile("Ann", "owl", "rose")),
    "listing a device": sessions.list_device(b"cookie", ANN, "Firefox"),
    "adding a session": sessions.insert_session(b"other", ANN, b"own", "Chrome"),
    "ending a session": sessions.revoke(b"other", ANN),
    "hiding": maintenance.hide_table(ANN, T),
    "hiding again": maintenance.hide_table(ANN, T),
    "showing again": maintenance.unhide_table(ANN, T),
    "banning": maintenance.ban("address 203.0.113.7", None),
    "banning again": maintenance.ban("address 203.0.113.7", NOW),
    "unbanning": maintenance.unban("address 203.0.113.7"),
    "deleting outdated rows": maintenance.delete_outdated(NOW, NOW),
    "clearing reports": maintenance.clear_reports(),
    "announcing": maintenance.announce("Welcome"),
    "forbidding words": maintenance.set_forbidden_words(["goat", "ass"]),
    "rereading forbidden words": maintenance.reread_forbidden_words(),
    "renaming": maintenance.reset_names([(T, 0)]),
    "an invitation": [invitations._invitation(T, b"ben", ANN, "Ben", "asked")],
    "timing": timing_rows.save_statements(T, TimingState(), TIMING, NOW),
    "more timing": timing_rows.save_statements(T, TIMING, TimingState(version=2), NOW),
    "stopping the clocks": [timing_rows.stop_watching(T)],
    "a seat": [
        update_seat(T, SEATS[0]._replace(name="Guest 1", figure="owl", colour="rose"), SEATS[0])
    ],
    "uptime": [save_uptime(9.0)],
    "forgetting a player": maintenance.forget_player(ANN),
    "cancelling a table": maintenance.cancel_table(T),
}


@in_both
def test_every_change_runs(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        await store.add_table(row(T), SEATS, [])
        await store.add_note(T, CoachNote(0, "hint", 0, 1))
        assert await store.notes(T) == [CoachNote(0, "hint", 0, 1)]
        for seq in (3, 5):
            await store.save_snapshot(T, Snapshot(seq, 1, b"content"))
        assert await store.snapshot(T) == Snapshot(5, 1, b"content")
        await store.add_events(T, [event(0)], STANDING)
        assert await store.tables_of(ANN, 10, TableVersion(False, time.time() + 9, "")) != []
        push = subscriptions.PushSubscriptions(store)
        for turn in (3, 4):
            await push.add(ANN, Subscription("https://push.example/1", b"key", b"secret", "en"))
            await push.note_notified(T, 0, turn)
        # Only one of two servers notifies.
        with pytest.raises(WriteConflict):
            await push.note_notified(T, 0, 4)
        assert len(await push.of(ANN)) == 1
        assert await push.was_notified(T, 0, 4)
        await push.remove("https://push.example/1")
        assert await push.of(ANN) == []
        for playouts in (1, 2):
            await AnalysisStorage(store).keep(T, StoredAnalysis(playouts, 1, b"{}"))
        assert await AnalysisStorage(store).find(T) == StoredAnalysis(2, 1, b"{}")
        for name, changes in CHANGES.items():
            try:
                await store.write(changes)
            except WriteFailed as error:
                pytest.fail(f"{name}: {error}")
        with pytest.raises(WriteFailed):
            await store.write(
                [one_time_codes.consume("device", "secret", CodeRow(None, b"cookie", NOW))]
            )
        assert await store.table(T) is None

    with_store(tmp_path, work)
