"""Sends push notifications to people who are not looking: when it is their turn, or on an
invitation.

Each turn is notified at most once. Nothing at a table waits for a notification, and the text names
only the game.
"""

import asyncio
import contextlib
import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakValueDictionary

import msgspec

from souk.core.messages import Message, texts
from souk.server.common.config import ServerConfig
from souk.server.common.logs import log_error, log_info
from souk.server.common.metrics import Metrics
from souk.server.common.rate_limits import PerClientLimits
from souk.server.push.subscriptions import PushSubscriptions
from souk.server.push.vapid import Vapid, base64url_encode
from souk.server.push.webpush import (
    EndpointNotAllowed,
    PushResponse,
    Subscription,
    encrypt_for,
    post,
)
from souk.server.storage.errors import WriteConflict
from souk.server.storage.store import Store
from souk.server.tables.registry import TableRegistry
from souk.server.tables.table import Table

# Seconds before each retry if a push service does not answer or asks us to wait.
_RETRY_DELAYS = (1.0, 10.0, 60.0)
_MAX_RETRY_DELAY = 300.0
# TTL header: how long a push service keeps a message for a device that is off.
_TTL_SECONDS = 86_400
# Concurrent posts in total, per push service and per person: slow services delay few others.
_AT_ONCE, _AT_ONCE_TO_SERVICE, _AT_ONCE_TO_PERSON = 64, 16, 2
# Drop notifications while this many are in progress.
_MAX_TASKS = 2000
_RATE, _BURST = 0.1, 20  # notifications per second and person
_MAX_TURNS_SEEN = 20_000  # cached, to avoid asking the database
_SECONDS_TO_CLOSE = 2.0
_GONE, _REFUSED = (404, 410), (400, 401, 403, 413)


class Notification(msgspec.Struct):
    """What the page's service worker shows."""

    title: str
    body: str
    table: str


class _Turn(NamedTuple):
    """A seat's turn, identified by the number of that seat's previous event."""

    table: str
    seat: int
    number: int


class _SemaphorePool:
    """Semaphores by name; names without users are dropped."""

    def __init__(self, limit: int) -> None:
        self._limit, self._semaphores = limit, WeakValueDictionary[str, asyncio.Semaphore]()

    def of(self, name: str) -> asyncio.Semaphore:
        return self._semaphores.setdefault(name, asyncio.Semaphore(self._limit))


class PushNotifier:
    """Notifies people by Web Push."""

    def __init__(
        self, config: ServerConfig, store: Store, tables: TableRegistry, metrics: Metrics
    ) -> None:
        self._config, self._tables = config, tables
        self.subscriptions = PushSubscriptions(store)
        self.allowed = PerClientLimits(_RATE, _BURST)
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self._service_slots, self._person_slots = (
            _SemaphorePool(_AT_ONCE_TO_SERVICE),
            _SemaphorePool(_AT_ONCE_TO_PERSON),
        )
        self._tasks: set[asyncio.Task[None]] = set()
        # turns notified already, or seen on a page
        self._turns_seen: OrderedDict[_Turn, None] = OrderedDict()
        self._vapid: Vapid | None = None
        self._closing = asyncio.Event()
        self._outcomes = metrics.calls

    async def vapid(self) -> Vapid:
        if self._vapid is None:
            contact = self._config.push_contact or next(
                (f"https://{host}" for host in self._config.hosts), ""
            )
            self._vapid = Vapid(await self.subscriptions.private_key(), contact)
        return self._vapid

    async def close(self) -> None:
        """Cut waits short and give running notifications a moment to finish."""
        self._closing.set()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_SECONDS_TO_CLOSE)
        for task in self._tasks:
            task.cancel()

    def notify_players_to_move(self, table: Table) -> None:
        """Notify everybody who is to move at this table and has no visible page."""
        if (
            not table.begun
            or table.over
            or table.old
            or table.deleted
            or table.state.lesson
            or table.state.status.paused
        ):
            return
        for seat in table.state.actors:
            turn = _Turn(table.id, seat, table.state.last_by_seat.get(seat, -1))
            if turn in self._turns_seen or not _is_notifiable(table, seat):
                continue
            self._remember(turn)
            if not table.is_visible_to(seat) and len(self._tasks) < _MAX_TASKS:
                task = asyncio.create_task(self._notify_turn(turn, table))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    def invite(self, player: bytes, game: str, table: str, again: bool) -> None:
        """Notify a person of an invitation."""
        if len(self._tasks) < _MAX_TASKS:
            task = asyncio.create_task(
                self._invite(player, game, table, "call.rematch" if again else "call.invited")
            )
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _invite(self, player: bytes, game: str, table: str, key: str) -> None:
        try:
            subscriptions = await self.subscriptions.of(player)
            if subscriptions and self.allowed.take(player.hex()):
                await self._send_to_devices(subscriptions, player, game, table, key)
        except Exception as error:
            log_error("push notification failed", error, table=table)

    async def _send_to_devices(
        self,
        subscriptions: Sequence[Subscription],
        player: bytes,
        game: str,
        table: str,
        key: str = "call.your_turn",
    ) -> None:
        """Send to every device of a person; newer messages about a table replace older ones."""
        topic = base64url_encode(hashlib.sha256(table.encode() + player).digest()[:24])
        person_slots = self._person_slots.of(player.hex())
        notifications = [
            (subscription, notification_in(subscription.language, game, table, key))
            for subscription in subscriptions
        ]
        await asyncio.gather(
            *(
                self._send(subscription, notification, topic, person_slots)
                for subscription, notification in notifications
            )
        )

    def _remember(self, turn: _Turn) -> None:
        self._turns_seen[turn] = None
        if len(self._turns_seen) > _MAX_TURNS_SEEN:
            self._turns_seen.popitem(last=False)

    # ------------------------------------------------------------ one notification

    async def _notify_turn(self, turn: _Turn, table: Table) -> None:
        """Notify after a delay, unless the person has come back meanwhile."""
        try:
            await self._pause(self._config.call_after)
            # if it is no longer open, nothing has happened there
            table = self._tables.open.get(turn.table, table)
            player = table.seats[turn.seat].player
            subscriptions = (
                await self.subscriptions.of(player) if player and _is_still_due(turn, table) else []
            )
            if not subscriptions or not player or await self.subscriptions.was_notified(*turn):
                return
            await self.subscriptions.note_notified(*turn)
            if self.allowed.take(player.hex()):
                await self._send_to_devices(
                    subscriptions, player, table.position.game.name, turn.table
                )
        except WriteConflict:  # another server has notified them
            pass
        except Exception as error:
            log_error("push notification failed", error, table=turn.table)

    async def _pause(self, seconds: float) -> None:
        """Sleep, or return early when the server stops."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), seconds)

    async def _send(
        self,
        subscription: Subscription,
        notification: Notification,
        topic: str,
        person_slots: asyncio.Semaphore,
    ) -> None:
        """Post to one device, with retries; delete subscriptions that no longer exist."""
        service = self._service_slots.of("/".join(subscription.endpoint.split("/", 3)[:3]))
        for delay in (*_RETRY_DELAYS, None):
            async with person_slots, service, self._slots:
                status, retry_after = await self._post(subscription, notification, topic)
            if status in _GONE:
                await self.subscriptions.remove(subscription.endpoint)
            if (
                200 <= status < 300
                or status in (*_GONE, *_REFUSED)
                or delay is None
                or self._closing.is_set()
            ):
                self._outcomes.labels(_outcome(status)).inc()
                if status in _REFUSED:
                    log_info("push service refused a notification", status=status)
                return
            await self._pause(delay if retry_after is None else min(retry_after, _MAX_RETRY_DELAY))

    async def _post(
        self, subscription: Subscription, notification: Notification, topic: str
    ) -> PushResponse:
        """Post once; status 0 if there is no answer."""
        address = subscription.endpoint.split("/", 3)
        headers = {
            "Authorization": (await self.vapid()).authorization("/".join(address[:3])),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(_TTL_SECONDS),
            "Urgency": "high",
            "Topic": topic,
        }
        body = encrypt_for(subscription, msgspec.json.encode(notification))
        try:
            return await post(subscription.endpoint, headers, body, self._config.push_local)
        except EndpointNotAllowed:  # the name now resolves into our own network
            return PushResponse(_GONE[0], None)
        except OSError:
            return PushResponse(0, None)


def _is_notifiable(table: Table, seat: int) -> bool:
    """Whether a seat belongs to a person whom others wait for."""
    row = table.seats[seat]
    return (
        row.kind == "person"
        and row.player is not None
        and not row.stand_in
        and table.is_multiplayer
    )


def _is_still_due(turn: _Turn, table: Table) -> bool:
    """Whether it is still this turn and nobody is looking."""
    still = (
        turn.seat in table.state.actors
        and table.state.last_by_seat.get(turn.seat, -1) == turn.number
    )
    goes_on = not (table.deleted or table.over or table.state.status.paused)
    return (
        still
        and goes_on
        and not table.seats[turn.seat].stand_in
        and not table.is_visible_to(turn.seat)
    )


def notification_in(
    language: str, game: str, table: str, key: str = "call.your_turn"
) -> Notification:
    """A notification in a language. It never quotes the chat."""
    title = (
        Message(f"{game}.title").text(language=language)
        if f"{game}.title" in texts(language)
        else game
    )
    return Notification(title, Message(key).text(language=language), table)


def _outcome(status: int) -> str:
    if 200 <= status < 300:
        return "taken"
    if status in _GONE:
        return "gone"
    return "refused" if status else "unanswered"
