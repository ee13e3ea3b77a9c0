"""The house: all who work at the tables of a server, and how they begin and end."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, TypeVar

from souk.table import lobby_protocol, meeting_protocol, protocol
from souk.table.agreements import Agreements
from souk.table.board import NoticeBoard
from souk.table.calling import Caller
from souk.table.coaching import Coach
from souk.table.codes import Codes
from souk.table.croupier import Croupier
from souk.table.doors import Doors
from souk.table.evening_board import EveningBoard
from souk.table.evening_rows import EveningShelf
from souk.table.evenings import Evenings
from souk.table.finding import CLOCKS, Finding
from souk.table.finished import FinishedGames
from souk.table.following import Following
from souk.table.forbidden import Forbidden
from souk.table.foyer import Foyer
from souk.table.gathering import Gathering
from souk.table.gauges import Gauges
from souk.table.house_time import HouseTime
from souk.table.inviting import Inviting
from souk.table.logs import trouble
from souk.table.measuring import Measuring
from souk.table.messengers import Messengers
from souk.table.my_tables import MyTables
from souk.table.neighbours import Neighbours
from souk.table.news import News
from souk.table.organising import Organiser
from souk.table.passkeys import Passkeys
from souk.table.people import People
from souk.table.presence import Presence
from souk.table.previews import Previews
from souk.table.reception import Reception
from souk.table.refusals import Refuse, tried_again
from souk.table.settings import Settings
from souk.table.shared_limits import SharedLimits
from souk.table.shelves import Shelves
from souk.table.store import Store
from souk.table.studies import Studies
from souk.table.table import Table
from souk.table.table_now import seats_now
from souk.table.tables import Tables
from souk.table.talking import Talk
from souk.table.tallies import Tallies
from souk.table.thinkers import Thinkers
from souk.table.timekeeping import Timekeeper
from souk.table.turns import Turns
from souk.table.upkeep import Upkeep
from souk.table.views import encode
from souk.table.votes import Votes
from souk.table.watchers import Watcher

T = TypeVar("T")
_SECONDS_BETWEEN_LOOKS = 1.0  # at what everybody may see


class House:
    """Each has one job: `tables` keeps them in memory, `reception` makes them, `gathering` sees to those that have not begun, `my_tables` lists
    somebody's, `previews` say what is sent, `presence` knows who is there, `croupier` carries out what is asked for, `agreements` are what people
    decide together, `time` is that of clocks and the `timekeeper` sees to them, `coach` gives advice, `talk` lets people speak, `caller` calls those
    who do not look, `organiser` sees to `evenings`, whose `board` all can read, `thinkers` are the bots, `finished` has the games that are over and `studies` looks back at them, `tallies`
    add them up, `measuring` says how strong somebody is, `people` keeps how they are shown, `doors` by which devices they come in, `codes` what lets in once and `passkeys` what
    always does, `foyer` is who is in the lobby, `finding` brings people together, `notices` are what everybody may see there, `inviting` asks people to tables, `upkeep` sees to what the
    host says and to what is old, `gauges` count it all. Of other processes of the house, `news` are what they tell each other, `neighbours` who is there, `messengers` tell one
    person something wherever they are, `following` takes over what was written there, and `limits` are those that hold for all together."""

    def __init__(
        self, settings: Settings, store: Store, thinkers: Thinkers, gauges: Gauges, news: News | None = None
    ) -> None:
        self.news = news or News()
        self.settings, self._store, self._thinkers, self.gauges = settings, store, thinkers, gauges
        self.time = HouseTime()
        self.neighbours = Neighbours(self.news, self.time, lambda: self.notices.people_here())
        self.tables = Tables(store, thinkers, settings.grace, self.time.now, settings.away_time, self.neighbours)
        self.reception = Reception(settings, store, self.tables, thinkers, self.time.now)
        self.gathering = Gathering(settings, store, self.tables)
        self.my_tables = MyTables(store)
        self.previews = Previews(store)
        self.presence = Presence(self.neighbours)
        self.people, self.doors, self.codes = People(store), Doors(store), Codes(store, settings.door_minutes)
        self.passkeys = Passkeys(store, self.doors, self.codes)
        self.upkeep = Upkeep(settings, store, self.tables, self.doors, self.news)
        self.coach = Coach(settings, thinkers)
        self.talk = Talk(settings)
        self.caller = Caller(settings, store, self.tables, gauges)
        turns = Turns(self.neighbours)
        self.croupier = Croupier(settings, store, self.tables, thinkers, self.reception, gauges, turns)
        self.agreements = Agreements(settings, self.croupier)
        self.timekeeper = Timekeeper(store, self.tables, self.croupier, self.time, settings.levels, self.news)
        shelf = EveningShelf(store)
        self.organiser = Organiser(
            settings, store, shelf, self.reception, self.gathering, self.tables, self.croupier, self.time, self.news
        )
        self.evenings = Evenings(settings, store, shelf, self.organiser)
        self.board = EveningBoard(store, shelf, self.time, self.neighbours)
        shelf.changed = self.board.changed
        self.croupier.happened = self._happened
        self.upkeep.forbid = self.forbid
        self._open_lobby(store)
        self.finished = FinishedGames(store, self.tables, self.croupier)
        shelves = Shelves(store)
        self.studies = Studies(settings, shelves, thinkers)
        self.tallies = Tallies(store, shelves)
        self.measuring = Measuring(store, self.tallies, settings.levels)
        self.finished.gone = self.studies.forget
        self._agree_with_others(store)

    def _open_lobby(self, store: Store) -> None:
        self.foyer = Foyer()
        self.finding = Finding(self.settings, self.reception, self.foyer, self.time.now, self.neighbours)
        self.notices = NoticeBoard(self.tables, self.foyer, self.finding.by_game, self.neighbours)
        self.messengers = Messengers(self.news, self.tables, self.foyer)
        self.inviting = Inviting(store, self.tables, self.messengers, self.caller)
        self.croupier.asked_again = self.inviting.again

    def _agree_with_others(self, store: Store) -> None:
        """Other processes of the house: what they write is followed, what people want there is counted, and so is what addresses take."""
        votes = Votes(self.news, self.tables, self.agreements)
        self.following = Following(
            store, self.news, self.neighbours, votes, self.tables, self.croupier, self.inviting.tell_host
        )
        self.limits = SharedLimits(self.news)
        self.limits.share(
            tables=self.reception.made,
            hints=self.coach.asked,
            talk=self.talk.spoken,
            calls=self.caller.allowed,
            invitations=self.inviting.sent,
            evenings=self.evenings.opened,
            studies=self.studies.asked_for,
        )

    def start(self) -> None:
        self._thinkers.start(self._bots_wake)

    async def ask(self, question: Callable[..., T], *arguments: Any) -> T:
        """A question to the file."""
        return await self._store.ask(question, *arguments)

    async def know_doors(self) -> None:
        """Before anybody is let in. What changes from now on is heard of."""
        await self.upkeep.look()
        await self.doors.load()

    async def close(self) -> None:
        """Finish what is being written, and stop."""
        self.neighbours.leave()
        await self.following.close()
        await self.croupier.close()
        await self.caller.close()
        await self.studies.close()
        await self._thinkers.close()
        await self._store.close()
        await self.news.close()  # the last: what was written is still told

    async def try_out(self) -> None:
        """Whether what happens here can be kept; NotKept says why not."""
        await self._store.try_out()

    async def enter(self, table: Table, watcher: Watcher, after: int) -> None:
        """Somebody opens a table, or looks through another seat: they are told all there is to know."""
        await self.presence.enter(table, watcher, after)
        if self.upkeep.announcement:
            watcher.post(encode(protocol.Announcement(self.upkeep.announcement)))
        if table.over:
            watcher.post(encode(await self.croupier.result(table)))
        self.croupier.see_to(table)
        await self._came(table, watcher.player)

    async def _came(self, table: Table, player: bytes) -> None:
        """Whoever was asked to a table is there; where that cannot be kept, the invitation stays a while longer."""
        with contextlib.suppress(Refuse):
            await self.inviting.came(table, player)

    async def decline(self, name: str, player: bytes | None) -> meeting_protocol.InvitationsNow:
        """Somebody does not come to a table they were asked to. A seat that was kept for them there is free again."""
        now = await self.inviting.decline(name, player)
        async with self.tables.at(name) as table:
            if player and table.seats_of(player) and not table.shares.closed and player != table.host:
                await tried_again(lambda: self.gathering.leave(table, player))
        return now

    async def sit_down(self, name: str, wish: lobby_protocol.SitDown, player: bytes) -> lobby_protocol.Seated:
        """Somebody takes a seat that was offered; the table may begin with it."""
        async with self.tables.at(name) as table:
            seated = await tried_again(lambda: self.reception.sit_down(name, wish, player))
            self.croupier.see_to(table)
            await self._came(table, player)
            return seated

    def leave(self, table: Table, watcher: Watcher) -> None:
        """A page that had taken a table is gone."""
        self.presence.leave(table, watcher)
        self.tables.put_back(table)
        self.croupier.see_to(table)

    # ------------------------------------------------------------ the lobby

    def greeting(self, player: bytes, invitations: meeting_protocol.InvitationsNow) -> meeting_protocol.Hello:
        """What a page that comes to the lobby is told first."""
        self.finding.adopt(player)
        board = self.notices.now() if self.settings.public_lobby else None
        return meeting_protocol.Hello(protocol.VERSION, invitations, self.finding.looking(player), board, CLOCKS)

    async def keep_lobby(self) -> None:
        """For as long as the server runs: bring people together, and tell those in the lobby of their own tables."""
        while True:
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
            try:
                await self.following.stir(self.foyer)
                self.foyer.tell_stirred()
                if self._is_met_in:
                    await self.finding.look()
            except Exception as error:  # whatever it is, it is tried again
                trouble("lobby failed", error)

    async def keep_notices(self) -> None:
        """For as long as the server runs: tell everybody in the lobby what has changed for all. Where many are there this takes its time,
        for which nobody's own affairs wait."""
        while True:
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
            try:
                if self._is_met_in and (change := self.notices.look()) is not None:
                    await self.foyer.tell_all(change)
            except Exception as error:  # whatever it is, it is tried again
                trouble("notices failed", error)

    @property
    def _is_met_in(self) -> bool:
        """Whether this is a public house with anybody to meet."""
        return self.settings.public_lobby and bool(self.foyer.pages or self.neighbours.others)

    def _happened(self, table: Table) -> None:
        self.caller.see_to(table)
        self.organiser.see_to(table)
        self.foyer.stir(table)

    def forbid(self, forbidden: Forbidden) -> None:
        """From now on these words are refused."""
        self.reception.forbidden = self.talk.forbidden = self.evenings.forbidden = forbidden

    def _bots_wake(self, game: str) -> None:
        """Those are told whose bots are awake now or soon, and all who still wait: it may be for another time than they were told."""
        for table in self.tables.open.values():
            if table.position.game.name == game or any(seat.waking for seat in seats_now(table)):
                table.tell_seats()
