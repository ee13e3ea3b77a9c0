"""Calls people whose turn it is, or whom somebody asks to a table, and who do not look: by the push services of the browsers where they have asked for it.

Nobody who plays waits for a call: it is made beside the tables, once for each turn, and says no more than the game and that it is one's turn.
"""

import asyncio
import contextlib
import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import msgspec

from souk.core.message import Message, texts
from souk.table.devices import Devices
from souk.table.gauges import Gauges
from souk.table.limits import Buckets
from souk.table.logs import note, trouble
from souk.table.posting import Device, WrongAddress, post, sealed_for
from souk.table.settings import Settings
from souk.table.store import Overtaken, Store
from souk.table.table import Table
from souk.table.tables import Tables
from souk.table.vapid import Vapid, unpadded

_WAITS = (1.0, 10.0, 60.0)  # seconds before another try, where a service does not answer or asks for patience
_LONGEST_WAIT = 300.0
_SECONDS_KEPT = 86_400  # that a service is to keep a call for a device that is off
_AT_ONCE = 8  # services that are spoken to at the same time
_MOST_WAITING = 2000  # calls that are being made; beyond that nobody is called
_RATE, _BURST = 0.1, 20  # calls a second to one person, and how many at once
_MOST_KNOWN = 20_000  # turns that are remembered without asking the file
_SECONDS_TO_END = 3.0  # for what is under way when the server stops
_GONE, _REFUSED = (404, 410), (400, 401, 403, 413)


class Call(msgspec.Struct):
    """What a device is told; the service worker of the page shows it."""

    title: str
    body: str
    table: str


class _Due(NamedTuple):
    """A seat that is to move, and since which event of its own."""

    table: str
    seat: int
    turn: int


class Caller:
    """Sees to it that people come back to their tables."""

    def __init__(self, settings: Settings, store: Store, tables: Tables, gauges: Gauges) -> None:
        self._settings, self._tables = settings, tables
        self.devices = Devices(store)
        self.allowed = Buckets(_RATE, _BURST)
        self._threads = ThreadPoolExecutor(_AT_ONCE, "calling")
        self._tasks: set[asyncio.Task[None]] = set()
        self._known: OrderedDict[_Due, None] = OrderedDict()  # turns that were called for, or seen to have come
        self._vapid: Vapid | None = None
        self._ending = asyncio.Event()
        self._counted = gauges.calls

    async def vapid(self) -> Vapid:
        if self._vapid is None:
            contact = self._settings.push_contact or next((f"https://{host}" for host in self._settings.hosts), "")
            self._vapid = Vapid(await self.devices.private_key(), contact)
        return self._vapid

    async def close(self) -> None:
        """What is under way is hurried, and waited for a moment."""
        self._ending.set()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_SECONDS_TO_END)
        for task in self._tasks:
            task.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def see_to(self, table: Table) -> None:
        """Something has happened at a table: whoever is to move now, and does not look, will be called."""
        if not table.begun or table.over or table.old or table.gone or table.course.lesson or table.course.fate.paused:
            return
        for seat in table.course.actors:
            due = _Due(table.id, seat, table.course.own.get(seat, -1))
            if due in self._known or not _is_called_for(table, seat):
                continue
            self._remember(due)
            if not table.is_in_sight(seat) and len(self._tasks) < _MOST_WAITING:
                task = asyncio.create_task(self._call(due, table))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    def invite(self, player: bytes, game: str, table: str, again: bool) -> None:
        """Somebody is asked to a table, and does not look at any page."""
        if len(self._tasks) < _MOST_WAITING:
            task = asyncio.create_task(self._invite(player, game, table, "call.rematch" if again else "call.invited"))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _invite(self, player: bytes, game: str, table: str, key: str) -> None:
        try:
            devices = await self.devices.of(player)
            if devices and self.allowed.take(player.hex()):
                await self._tell_all(devices, player, game, table, key)
        except Exception as error:  # whatever it is, others are still to be called
            trouble("call failed", error, table=table)

    async def _tell_all(
        self, devices: Sequence[Device], player: bytes, game: str, table: str, key: str = "call.your_turn"
    ) -> None:
        """All devices of a person; what is newer of the same table takes the place of what is older."""
        topic = unpadded(hashlib.sha256(table.encode() + player).digest()[:24])
        await asyncio.gather(*(self._tell(each, call_in(each.language, game, table, key), topic) for each in devices))

    def _remember(self, due: _Due) -> None:
        self._known[due] = None
        if len(self._known) > _MOST_KNOWN:
            self._known.popitem(last=False)

    # ------------------------------------------------------------ one call

    async def _call(self, due: _Due, table: Table) -> None:
        """After a while, unless they have come meanwhile."""
        try:
            await self._pause(self._settings.call_after)
            table = self._tables.open.get(due.table, table)  # nothing happens at one that is not in memory
            player = table.seats[due.seat].player
            devices = await self.devices.of(player) if player and _is_due(due, table) else []
            if not devices or not player or await self.devices.was_called(*due):
                return
            await self.devices.note_call(*due)
            if self.allowed.take(player.hex()):
                await self._tell_all(devices, player, table.position.game.name, due.table)
        except Overtaken:  # another server has called them
            pass
        except Exception as error:  # whatever it is, others are still to be called
            trouble("call failed", error, table=due.table)

    async def _pause(self, seconds: float) -> None:
        """Cut short when the server stops."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._ending.wait(), seconds)

    async def _tell(self, device: Device, call: Call, topic: str) -> None:
        """Try to reach a device, and again after a while. One that no longer exists is forgotten."""
        for wait in (*_WAITS, None):
            status, later = await self._post(device, call, topic)
            if status in _GONE:
                await self.devices.remove(device.endpoint)
            if 200 <= status < 300 or status in (*_GONE, *_REFUSED) or wait is None or self._ending.is_set():
                self._counted.labels(_outcome(status)).inc()
                if status in _REFUSED:
                    note("a push service refused a call", status=status)
                return
            await self._pause(min(float(later), _LONGEST_WAIT) if later.isdigit() else wait)

    async def _post(self, device: Device, call: Call, topic: str) -> tuple[int, str]:
        """The status, and when to try again; 0 where nobody answers."""
        address = device.endpoint.split("/", 3)
        headers = {
            "Authorization": (await self.vapid()).authorization("/".join(address[:3])),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(_SECONDS_KEPT),
            "Urgency": "high",
            "Topic": topic,
        }
        body = sealed_for(device, msgspec.json.encode(call))
        local, loop = self._settings.push_local, asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._threads, post, device.endpoint, headers, body, local)
        except WrongAddress:  # it leads into our own network by now: nothing of ours is sent there
            return _GONE[0], ""
        except OSError:
            return 0, ""


def _is_called_for(table: Table, seat: int) -> bool:
    """Whether a person plays on a seat, among others who wait for them."""
    row = table.seats[seat]
    return row.kind == "person" and row.player is not None and not row.stand_in and table.has_company


def _is_due(due: _Due, table: Table) -> bool:
    """Whether a turn is still to be called for."""
    still = due.seat in table.course.actors and table.course.own.get(due.seat, -1) == due.turn
    goes_on = not (table.gone or table.over or table.course.fate.paused)
    return still and goes_on and not table.seats[due.seat].stand_in and not table.is_in_sight(due.seat)


def call_in(language: str, game: str, table: str, key: str = "call.your_turn") -> Call:
    """A call in a language; nothing that is said at the table is in it."""
    title = Message(f"{game}.title").text(language=language) if f"{game}.title" in texts(language) else game
    return Call(title, Message(key).text(language=language), table)


def _outcome(status: int) -> str:
    return "taken" if 200 <= status < 300 else "gone" if status in _GONE else "refused" if status else "unanswered"
