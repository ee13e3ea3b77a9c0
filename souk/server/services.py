"""Builds the services of a server process and connects them."""

import asyncio
import contextlib
from typing import Protocol

from souk.server.accounts.one_time_codes import OneTimeCodes
from souk.server.accounts.passkeys import Passkeys
from souk.server.accounts.profiles import Profiles
from souk.server.accounts.sessions import Sessions
from souk.server.admin.housekeeping import Housekeeping
from souk.server.analysis.finished_games import FinishedGames
from souk.server.analysis.player_stats import PlayerStats
from souk.server.analysis.scheduler import AnalysisScheduler
from souk.server.analysis.storage import AnalysisStorage
from souk.server.bus.bus import ProcessBus
from souk.server.cluster.shared_limits import SharedLimits
from souk.server.cluster.sync import TableSync
from souk.server.cluster.vote_sync import VoteSync
from souk.server.common.config import ServerConfig
from souk.server.common.logs import log_error, log_info
from souk.server.common.metrics import Metrics
from souk.server.common.request_pool import RequestPool
from souk.server.compute.scheduler import BotScheduler
from souk.server.events.live_view import EventLiveView
from souk.server.events.organiser import EventRunner
from souk.server.events.service import EventService
from souk.server.events.storage import EventStorage
from souk.server.lobby.direct_messages import DirectMessages
from souk.server.lobby.invitations import Invitations
from souk.server.lobby.matchmaking import CLOCKS, Matchmaking
from souk.server.lobby.my_tables import MyTables
from souk.server.lobby.pages import LobbyPages
from souk.server.lobby.public_board import PublicBoard
from souk.server.protocol import lobby as lobby_protocol
from souk.server.protocol import meeting as meeting_protocol
from souk.server.protocol import table as protocol
from souk.server.protocol.errors import RequestRefused, retry_when_stale
from souk.server.push.notifier import PushNotifier
from souk.server.storage.store import Store
from souk.server.tables.bot_owner import BotOwner
from souk.server.tables.chat.chat import Chat
from souk.server.tables.chat.word_filter import WordFilter
from souk.server.tables.coach.coach import Coach
from souk.server.tables.coach.fair_play import FairPlay
from souk.server.tables.commands import TableCommands
from souk.server.tables.due_work import DueWork
from souk.server.tables.full_state_message import seats_now
from souk.server.tables.game.views import encode
from souk.server.tables.peer_processes import PeerProcesses
from souk.server.tables.presence import Presence
from souk.server.tables.record_reader import RecordReader
from souk.server.tables.registry import TableRegistry
from souk.server.tables.setup.create import TableFactory
from souk.server.tables.setup.start import GameStart
from souk.server.tables.setup.waiting import WaitingTables
from souk.server.tables.table import Table
from souk.server.tables.timing.clock_watcher import ClockWatcher
from souk.server.tables.timing.uptime_clock import UptimeClock
from souk.server.tables.viewers import LocalViewer
from souk.server.tables.votes.absence import AbsentPlayers
from souk.server.tables.votes.proposals import Proposals

_SECONDS_BETWEEN_LOOKS = 1.0  # at the public board and the lobby
# On shutdown: for running writes; for notifications, analyses and bots.
_SECONDS_FOR_TABLES, _SECONDS_FOR_OTHERS = 1.5, 3.0


class _Closable(Protocol):
    async def close(self) -> None: ...


class Services:
    """All services of a server process, wired together.

    Services call each other directly. Where that would be a cycle, one sets a callback of the
    other here.
    """

    def __init__(
        self,
        config: ServerConfig,
        store: Store,
        bot_scheduler: BotScheduler,
        metrics: Metrics,
        bus: ProcessBus | None = None,
    ) -> None:
        self.bus = bus or ProcessBus()
        self.config, self.store, self.metrics = config, store, metrics
        self._bot_scheduler = bot_scheduler
        self.time, self.pool = UptimeClock(), RequestPool()
        self.peers = PeerProcesses(self.bus, self.time, lambda: self.public_board.people_here())
        self._add_accounts()
        self._add_tables()
        self._add_events()
        self._add_lobby()
        self._add_analysis()
        self._add_cluster()
        self.due_work.on_change = self._table_changed
        self.commands.on_rematch = self.invitations.rematch
        self.housekeeping.forbid = self.forbid

    def _add_accounts(self) -> None:
        self.profiles, self.sessions = Profiles(self.store), Sessions(self.store)
        self.one_time_codes = OneTimeCodes(self.store, self.config.code_minutes)
        self.passkeys = Passkeys(self.store, self.sessions, self.one_time_codes)

    def _add_tables(self) -> None:
        config, store, bots = self.config, self.store, self._bot_scheduler
        self.tables = TableRegistry(
            store, bots, config.grace, self.time.now, config.away_time, self.peers
        )
        self.fair_play = FairPlay(store, self.tables, self.pool)
        self.table_factory = TableFactory(
            config,
            store,
            self.tables,
            bots,
            self.pool,
            self.fair_play,
            self.profiles.profile,
            self.time.now,
        )
        self.waiting_tables = WaitingTables(config, store, self.tables)
        self.presence = Presence(self.peers)
        self.game_start = GameStart(config.dice_time)
        self.records = RecordReader(store, self.tables, self.pool)
        self.due_work = DueWork(
            config,
            self.tables,
            bots,
            self.metrics,
            BotOwner(self.peers),
            self.game_start,
            self.records,
        )
        self.commands = TableCommands(config, self.table_factory, self.metrics, self.due_work)
        self.proposals = Proposals(self.due_work)
        self.absent_players = AbsentPlayers(config, self.due_work)
        self.clock_watcher = ClockWatcher(
            store, self.tables, self.due_work, self.time, config.levels, self.bus
        )
        self.coach, self.chat = Coach(config, bots, self.fair_play), Chat(config)
        self.housekeeping = Housekeeping(config, store, self.tables, self.sessions, self.bus)

    def _add_events(self) -> None:
        storage = EventStorage(self.store)
        self.event_runner = EventRunner(
            self.config,
            self.store,
            storage,
            self.table_factory,
            self.waiting_tables,
            self.tables,
            self.commands,
            self.due_work,
            self.time,
            self.bus,
        )
        self.event_service = EventService(self.config, self.store, storage, self.event_runner)
        self.event_live_view = EventLiveView(self.store, storage, self.time, self.peers)
        storage.changed = self.event_live_view.changed
        self.event_runner.has_viewers = self.event_live_view.has_viewers

    def _add_lobby(self) -> None:
        self.my_tables = MyTables(self.config, self.store)
        self.lobby_pages = LobbyPages()
        self.matchmaking = Matchmaking(
            self.config, self.table_factory, self.lobby_pages, self.time.now, self.peers
        )
        self.public_board = PublicBoard(
            self.tables, self.lobby_pages, self.matchmaking.by_game, self.peers
        )
        self.direct_messages = DirectMessages(self.bus, self.tables, self.lobby_pages)
        self.push_notifier = PushNotifier(self.config, self.store, self.tables, self.metrics)
        self.invitations = Invitations(
            self.store, self.tables, self.direct_messages, self.push_notifier
        )

    def _add_analysis(self) -> None:
        storage = AnalysisStorage(self.store)
        self.finished_games = FinishedGames(
            self.store, self.tables, self.records, self.pool, self.fair_play
        )
        self.analysis_scheduler = AnalysisScheduler(
            self.config, storage, self._bot_scheduler.precompiler
        )
        self.player_stats = PlayerStats(self.store, storage)
        self.finished_games.file_expired = self.analysis_scheduler.forget

    def _add_cluster(self) -> None:
        """Everything shared with other server processes."""
        self.table_sync = TableSync(
            self.store,
            self.bus,
            self.peers,
            VoteSync(self.bus, self.tables, self.absent_players),
            self.tables,
            self.due_work,
            self.invitations.tell_host,
        )
        self.limits = SharedLimits(self.bus)
        self.limits.share(
            tables=self.table_factory.limits,
            hints=self.coach.limits,
            talk=self.chat.limits,
            calls=self.push_notifier.allowed,
            invitations=self.invitations.sent,
            events=self.event_service.opened,
            studies=self.analysis_scheduler.requests,
        )

    def start(self) -> None:
        self._bot_scheduler.start(self._bots_woke)

    async def load_sessions(self) -> None:
        """Load bans and sessions before the first request; changes arrive over the bus."""
        await self.housekeeping.look()
        await self.sessions.load()

    async def close(self) -> None:
        """Finish writes and stop. Services that hang or fail do not keep the store from closing."""
        self.pool.close()
        await self.table_sync.close()
        await _closed(_SECONDS_FOR_TABLES, self.due_work)
        others = self.push_notifier, self.analysis_scheduler, self._bot_scheduler
        await _closed(_SECONDS_FOR_OTHERS, self.sessions, *others)
        await self.store.close()
        self.peers.leave()
        await self.bus.close()  # last, so that everything written is announced

    async def check_health(self) -> None:
        """Test that the store can be written; WriteFailed says why not."""
        await self.store.check_health()

    # ------------------------------------------------------------ tables

    async def enter(self, table: Table, viewer: LocalViewer, after: int) -> None:
        """A page opens a table or switches seats: send everything it needs to know."""
        await self.presence.enter(table, viewer, after)
        if self.housekeeping.announcement:
            viewer.post(encode(protocol.Announcement(self.housekeeping.announcement)))
        if table.over:
            viewer.post(encode(await self.records.result(table)))
        self.due_work.run(table)
        await self._accept_invitation(table, viewer.player)

    async def _accept_invitation(self, table: Table, player: bytes) -> None:
        """Close the player's invitation. If that cannot be written, it stays for a while."""
        with contextlib.suppress(RequestRefused):
            await self.invitations.arrived(table, player)

    async def decline(self, name: str, player: bytes | None) -> meeting_protocol.InvitationsNow:
        """Decline an invitation and free the seat that was kept."""
        invitations = await self.invitations.decline(name, player)
        async with self.tables.at(name) as table:
            if (
                player
                and table.seats_of(player)
                and not table.shares.closed
                and player != table.host
            ):
                await retry_when_stale(lambda: self.waiting_tables.leave(table, player))
        return invitations

    async def sit_down(
        self, name: str, wish: lobby_protocol.TakeSeat, player: bytes
    ) -> lobby_protocol.SeatTaken:
        """Take an offered seat; the game may start with it."""
        async with self.tables.at(name) as table:
            taken = await retry_when_stale(lambda: self.table_factory.sit_down(name, wish, player))
            self.due_work.run(table)
            await self._accept_invitation(table, player)
            return taken

    def leave(self, table: Table, viewer: LocalViewer) -> None:
        """A page that had a table open has disconnected."""
        self.presence.leave(table, viewer)
        self.tables.unpin(table)
        self.due_work.run(table)

    def _table_changed(self, table: Table) -> None:
        self.push_notifier.notify_players_to_move(table)
        self.event_runner.note_table_change(table)
        self.lobby_pages.table_changed(table)

    def forbid(self, words: WordFilter) -> None:
        """Use a new list of forbidden words."""
        self.table_factory.word_filter = words
        self.chat.word_filter = words
        self.event_service.word_filter = words

    def _bots_woke(self, game: str) -> None:
        """Tell tables with bots of this game, and all still waiting: their estimate changed."""
        for table in self.tables.open.values():
            if table.position.game.name == game or any(seat.waking for seat in seats_now(table)):
                table.broadcast_seats()

    # ------------------------------------------------------------ the lobby

    def greeting(
        self, player: bytes, invitations: meeting_protocol.InvitationsNow
    ) -> meeting_protocol.Hello:
        """The first message to a page in the lobby."""
        self.matchmaking.adopt(player)
        board = self.public_board.state() if self.config.public_lobby else None
        return meeting_protocol.Hello(
            protocol.VERSION, invitations, self.matchmaking.search_of(player), board, CLOCKS
        )

    async def keep_lobby(self) -> None:
        """Match players, and announce changes to players' own tables, while the server runs."""
        while True:
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
            try:
                await self.table_sync.notify_lobby(self.lobby_pages)
                self.lobby_pages.send_changes()
                if self._has_lobby_visitors:
                    await self.matchmaking.match()
            except Exception as error:  # retried with the next look
                log_error("lobby failed", error)

    async def keep_public_board(self) -> None:
        """Send changes of the public board while the server runs.

        Apart from `keep_lobby`, because sending to many pages takes its time.
        """
        while True:
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
            try:
                if self._has_lobby_visitors and (change := self.public_board.update()) is not None:
                    await self.lobby_pages.broadcast(change)
            except Exception as error:  # retried with the next look
                log_error("notices failed", error)

    @property
    def _has_lobby_visitors(self) -> bool:
        """Whether there is a public lobby and anybody in it, here or at another process."""
        return self.config.public_lobby and bool(self.lobby_pages.pages or self.peers.others)


async def _closed(seconds: float, *services: _Closable) -> None:
    """Close services concurrently, waiting no longer than this."""
    closing = {asyncio.create_task(service.close()): type(service).__name__ for service in services}
    done, late = await asyncio.wait(closing, timeout=seconds)
    for task in done:
        if error := task.exception():
            log_error("not closed", error, part=closing[task])
    for task in late:
        log_info("not closed in time", part=closing[task])
