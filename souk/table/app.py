"""The server's addresses."""

import asyncio
import gzip
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from souk.table import boxes, lobby_protocol, positions, protocol, puzzles, rating_protocol, study_protocol
from souk.table.answering import LARGEST_BODY, json_answer, read_posted, visitor_of
from souk.table.evening_pages import EveningPages
from souk.table.finished import LARGEST_FILE, BadFile, is_file
from souk.table.forbidden import forbidden_by
from souk.table.garbage import keep_tidy
from souk.table.gauges import Gauges, serve_metrics
from souk.table.house import House
from souk.table.logs import note, trouble
from souk.table.measuring import Asked
from souk.table.meeting_pages import MeetingPages
from souk.table.person_pages import PersonPages
from souk.table.posting import Device, checked_device
from souk.table.programs import cage_for
from souk.table.refusals import Refuse
from souk.table.replays import MOST_AT_ONCE, instead, replay
from souk.table.seating import digest, new_secret
from souk.table.settings import Settings
from souk.table.site import COMPANY, EVENTS, LATER, RULES, LanguagePages, Site, known_language
from souk.table.sockets import Sockets
from souk.table.store import NotKept, Overtaken, Unanswered
from souk.table.stores import FILE, open_news, open_store, thinkers_for
from souk.table.studies import Task
from souk.table.ushers import Usher
from souk.table.vapid import padded
from souk.table.views import encode
from souk.table.visitors import Visitor, cookie_header
from souk.table.wall import Wall

LONGEST_MOVE = 200  # letters
_WORTH_ZIPPING = 2000  # bytes
_HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        b"worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]

T = TypeVar("T")
Answering = Callable[["Pages", Request], Awaitable[Response]]


async def _zipped(request: Request, message: msgspec.Struct) -> Response:
    """An answer that may be large."""
    answer = json_answer(message)
    if len(answer.body) > _WORTH_ZIPPING and "gzip" in request.headers.get("accept-encoding", ""):
        answer.body = await asyncio.to_thread(
            gzip.compress, bytes(answer.body), 5, mtime=0
        )  # no clock: it may be anywhere
        answer.headers["content-encoding"] = "gzip"
        answer.headers["content-length"] = str(len(answer.body))
    return answer


def _whole(request: Request, name: str, usual: int) -> int:
    """A number in the address; refused where it is none."""
    text = request.query_params.get(name, str(usual))
    if not re.fullmatch(r"-?[0-9]{1,6}", text):
        raise Refuse("unreadable")
    return int(text)


class Pages:
    """Answers what is asked over HTTP."""

    def __init__(self, settings: Settings, house: House) -> None:
        self.settings, self.house = settings, house
        self.site, self.languages = Site(), LanguagePages()
        house.previews.has = self.site.has

    def answers(self, answer: Answering) -> Callable[[Request], Awaitable[Response]]:
        """An endpoint, with refusals said as JSON."""

        async def endpoint(request: Request) -> Response:
            try:
                return await answer(self, request)
            except Refuse as refused:
                self.house.gauges.refusals.labels(refused.key).inc()
                return json_answer(lobby_protocol.Refusal(refused.reason), refused.status)
            except ClientDisconnect:
                return Response(status_code=400)
            except Unanswered as error:
                note("no answer from the database", path=request.url.path, why=str(error))
                return json_answer(lobby_protocol.Refusal(Refuse("failed").reason), 503)
            except Exception as error:
                trouble("request failed", error, path=request.url.path)
                return json_answer(lobby_protocol.Refusal(Refuse("failed").reason), 500)

        return endpoint

    # ------------------------------------------------------------ the lobby

    async def lobby(self, request: Request) -> Response:
        visitor = visitor_of(request)
        lobby = await self.house.reception.lobby(visitor.player, self.house.upkeep.announcement)
        answer = await _zipped(request, lobby)
        if visitor.player is None:
            answer.headers["set-cookie"] = cookie_header(new_secret(), visitor.secure)
        return answer

    async def my_tables(self, request: Request) -> Response:
        """All of mine, some at a time."""
        after = request.query_params.get("after", "")
        return await _zipped(request, await self.house.my_tables.listed(visitor_of(request).player, after))

    async def hide(self, request: Request) -> Response:
        visitor = visitor_of(request)
        wish = await self._read(request, visitor, lobby_protocol.HideTable)
        return json_answer(await self.house.my_tables.hide(request.path_params["table"], visitor.player, wish.hidden))

    async def invitation(self, request: Request) -> Response:
        visitor = visitor_of(request)
        wish = await self._read(request, visitor, lobby_protocol.AskInvitation)
        table = request.path_params["table"]
        return json_answer(await self.house.reception.invitation(table, wish.secret, visitor.player))

    async def me(self, request: Request) -> Response:
        """Of nobody but whoever asks."""
        return await _zipped(request, await self.house.tallies.numbers(visitor_of(request).player))

    def asked(self, asked: Asked) -> Callable[[Request], Awaitable[Response]]:
        """An endpoint of a part of the house that answers by itself, to whoever it is that asks."""

        async def answer(_pages: Pages, request: Request) -> Response:
            return await _zipped(request, await asked(request, visitor_of(request).player))

        return self.answers(answer)

    async def set_listed(self, request: Request) -> Response:
        visitor = visitor_of(request)
        wish = await self._read(request, visitor, rating_protocol.SetListed)
        return await _zipped(request, await self.house.measuring.set_listed(wish, visitor.player))

    async def new_table(self, request: Request) -> Response:
        visitor = visitor_of(request)
        wish = await self._read(request, visitor, lobby_protocol.NewTable)
        address = visitor.counted_as
        return await self._as_known(visitor, lambda player: self.house.reception.new_table(wish, player, address))

    async def learn(self, request: Request) -> Response:
        visitor = visitor_of(request)
        wish = await self._read(request, visitor, lobby_protocol.Learn)
        address = visitor.counted_as
        return await self._as_known(visitor, lambda player: self.house.reception.learn(wish, player, address))

    async def box(self, request: Request) -> Response:
        return json_answer(boxes.sheet(request.path_params["game"]))

    async def check_box(self, request: Request) -> Response:
        """Read beside the loop: a box may be nonsense of many lines."""
        wish = await self._read(request, visitor_of(request), lobby_protocol.CheckBox)
        return json_answer(await asyncio.to_thread(boxes.check, wish))

    async def puzzle_day(self, request: Request) -> Response:
        return json_answer(await asyncio.to_thread(puzzles.day, request.path_params["date"]))

    async def try_puzzle(self, request: Request) -> Response:
        """Worked out beside the loop: many moves may have to be made again."""
        wish = await self._read(request, visitor_of(request), study_protocol.TryPuzzle)
        return json_answer(await asyncio.to_thread(puzzles.look, wish))

    async def ask_puzzle(self, request: Request) -> Response:
        """Whether the last of the moves is allowed, without making it."""
        wish = await self._read(request, visitor_of(request), study_protocol.TryPuzzle)
        return json_answer(await asyncio.to_thread(puzzles.ask, wish))

    async def check_position(self, request: Request) -> Response:
        """Read beside the loop, as a box is."""
        wish = await self._read(request, visitor_of(request), study_protocol.CheckPosition)
        return json_answer(await asyncio.to_thread(positions.check, wish))

    async def advise_position(self, request: Request) -> Response:
        visitor = visitor_of(request)
        wish = await self._read(request, visitor, study_protocol.AdvisePosition)
        position, seat = await asyncio.to_thread(positions.to_move, wish)
        return json_answer(await self.house.coach.advise_on(position, seat, visitor.counted_as))

    async def sit(self, request: Request) -> Response:
        visitor = visitor_of(request)
        wish = await self._read(request, visitor, lobby_protocol.SitDown)
        table = request.path_params["table"]
        return await self._as_known(visitor, lambda player: self.house.sit_down(table, wish, player))

    async def forget(self, request: Request) -> Response:
        """Somebody's name, and what they are known by, is removed everywhere; and their cookie."""
        visitor = visitor_of(request)
        await self._read(request, visitor, lobby_protocol.ForgetMe)
        if visitor.player is not None:
            try:
                await self.house.upkeep.forget(visitor.player)
            except NotKept:
                raise Refuse("not_kept", 503) from None
        answer = json_answer(lobby_protocol.Forgotten())
        if (
            visitor.cookie is None or self.house.doors.who(visitor.cookie) == visitor.cookie
        ):  # it is nobody's any longer
            answer.headers["set-cookie"] = cookie_header("", visitor.secure, seconds=0)
        return answer

    async def push_key(self, _request: Request) -> Response:
        return json_answer(lobby_protocol.PushKey((await self.house.caller.vapid()).public))

    async def call_me(self, request: Request) -> Response:
        """Somebody who sits at a table wants to be called."""
        visitor = visitor_of(request)
        wish = await self._read(request, visitor, lobby_protocol.CallMe)
        try:
            device = Device(wish.endpoint, padded(wish.p256dh), padded(wish.auth), known_language(wish.language))
            checked_device(device, self.settings.push_local)
        except ValueError:
            raise Refuse("device_wrong") from None
        return await self._about_calls(visitor, lambda player: self.house.caller.devices.add(player, device))

    async def call_me_not(self, request: Request) -> Response:
        visitor = visitor_of(request)
        wish = await self._read(request, visitor, lobby_protocol.CallMeNot)
        return await self._about_calls(visitor, lambda player: self.house.caller.devices.remove(wish.endpoint, player))

    async def _about_calls(self, visitor: Visitor, work: Callable[[bytes], Awaitable[None]]) -> Response:
        try:
            if visitor.player is None:
                raise Overtaken
            await work(visitor.player)
        except Overtaken:
            raise Refuse("no_seat_yet", 409) from None
        except NotKept:
            raise Refuse("not_kept", 503) from None
        return json_answer(lobby_protocol.PushKey((await self.house.caller.vapid()).public))

    async def _as_known(self, visitor: Visitor, work: Callable[[bytes], Awaitable[msgspec.Struct]]) -> Response:
        """Do something for a person, who gets a cookie where they have none."""
        if visitor.player is not None:
            return json_answer(await work(visitor.player))
        secret = new_secret()
        answer = json_answer(await work(digest(secret)))
        answer.headers["set-cookie"] = cookie_header(secret, visitor.secure)
        return answer

    async def _read(self, request: Request, visitor: Visitor, kind: type[T], largest: int = LARGEST_BODY) -> T:
        return await read_posted(request, visitor, kind, self.settings.origins, largest)

    # ------------------------------------------------------------ a table

    async def record(self, request: Request) -> Response:
        table = request.path_params["table"]
        game, text = await self.house.croupier.record_text(table)
        name = f"{game}-{table[:6]}.souk"
        headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
        return Response(text, media_type="text/plain; charset=utf-8", headers=headers)

    async def aside(self, request: Request) -> Response:
        name = request.path_params["table"]
        if is_file(name):
            position = (await self.house.finished.find(name, None)).record.position
        else:
            async with self.house.tables.at(name) as table:
                table.check_begun()
                position = table.position.seen_by(protocol.NOBODY)
        found = await asyncio.to_thread(position.game.scene.aside, position)
        return Response(encode(found), media_type="application/json", headers={"cache-control": "no-store"})

    # ------------------------------------------------------------ looking back at a game that is over

    async def take_file(self, request: Request) -> Response:
        """Somebody has a game as a file."""
        wish = await self._read(
            request, visitor_of(request), study_protocol.StudyFile, largest=LARGEST_FILE + LARGEST_BODY
        )
        try:
            return json_answer(study_protocol.FileTaken(await self.house.finished.take_file(wish.record)))
        except BadFile as bad:
            return json_answer(study_protocol.FileTaken(fault=bad.reason))

    async def study(self, request: Request) -> Response:
        """What has been found out so far; who asks first has it begun."""
        task = await self._task(request)
        return await _zipped(request, self.house.studies.shown(task, request.query_params.get("known", "")))

    async def study_deeper(self, request: Request) -> Response:
        visitor = visitor_of(request)
        wish = await self._read(request, visitor, study_protocol.LookDeeper)
        task = await self._task(request)
        self.house.studies.deeper(task, wish.playouts, visitor.counted_as)
        return await _zipped(request, self.house.studies.shown(task, task.version))

    async def _task(self, request: Request) -> Task:
        visitor = visitor_of(request)
        game = await self.house.finished.find(request.path_params["table"], visitor.player)
        return await self.house.studies.begin(game, visitor.counted_as)

    async def replay(self, request: Request) -> Response:
        game = await self.house.finished.find(request.path_params["table"], visitor_of(request).player)
        first, end = _whole(request, "from", 0), _whole(request, "to", MOST_AT_ONCE)
        return await _zipped(request, await asyncio.to_thread(replay, game, first, end))

    async def instead(self, request: Request) -> Response:
        game = await self.house.finished.find(request.path_params["table"], visitor_of(request).player)
        step, move = _whole(request, "step", -1), request.query_params.get("move", "")
        found = await asyncio.to_thread(instead, game, step, move[:LONGEST_MOVE])
        return Response(found, media_type="application/json", headers={"cache-control": "no-store"})

    # ------------------------------------------------------------ pages

    async def language_list(self, request: Request) -> Response:
        return self.languages.all(request)

    async def language(self, request: Request) -> Response:
        return self._part_of_language(request, "")

    async def rules(self, request: Request) -> Response:
        return self._part_of_language(request, RULES)

    async def later(self, request: Request) -> Response:
        return self._part_of_language(request, LATER)

    async def company(self, request: Request) -> Response:
        return self._part_of_language(request, COMPANY)

    async def events(self, request: Request) -> Response:
        return self._part_of_language(request, EVENTS)

    async def offline(self, request: Request) -> Response:
        return self.languages.offline(request)

    def _part_of_language(self, request: Request, part: str) -> Response:
        found = self.languages.one(request, request.path_params["code"], part)
        if found is None:
            raise Refuse("language_unknown", 404)
        return found

    async def page(self, request: Request) -> Response:
        found = None if request.url.path.startswith("/api/") else await self._own_page(request)
        if found is None:
            raise Refuse("page_unknown", 404)
        return found

    async def _own_page(self, request: Request) -> Response | None:
        """A table's page says in its head whose table it is, for those who are sent its address."""
        head = await self.house.previews.head(
            request.url.path, visitor_of(request), request.headers.get("accept-language", "")
        )
        return self.site.index(request, head) if head else self.site.page(request)

    async def ready(self, _request: Request) -> Response:
        """Whether moves can be kept: written to disk and read again."""
        try:
            await self.house.try_out()
        except (NotKept, Unanswered, TimeoutError) as error:
            return Response(
                f"not ready: {error or 'the disk does not answer'}\n", 503, {"cache-control": "no-store"}, "text/plain"
            )
        return Response(b"ready\n", media_type="text/plain", headers={"cache-control": "no-store"})

    async def health(self, _request: Request) -> Response:
        return Response(b"ok\n", media_type="text/plain", headers={"cache-control": "no-store"})


def make_app(settings: Settings, usher: Usher | None = None) -> Any:
    """The whole server as an ASGI application."""
    cage, words = cage_for(settings), forbidden_by(settings.forbidden)  # which may refuse to begin
    gauges = Gauges()
    news = open_news(settings)
    store = open_store(settings, gauges.written, news)
    thinkers = thinkers_for(settings, store.seal, cage)
    thinkers.stood_in = gauges.stood_in.inc
    house = House(settings, store, thinkers, gauges, news)
    house.forbid(words)
    pages = Pages(settings, house)
    wall = Wall(settings)
    house.limits.share(requests=wall.requests, files=wall.files)
    sockets = Sockets(house, settings, wall)
    _gauge(gauges, house, sockets)
    if not settings.store:
        gauges.look_at_file(settings.data / FILE)
    gauges.look_at("souk_bots_waiting", "Moves that wait for their bots to begin.", lambda: thinkers.waiting)
    gauges.look_at("souk_thinkers", "Thinkers that take bots' moves, here and elsewhere.", lambda: thinkers.present_now)
    gauges.look_at("souk_studies_waiting", "Games that are being looked back at.", lambda: house.studies.waiting)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[dict[str, Any]]:
        await news.start()
        house.start()
        await house.time.begin(store)
        await house.know_doors()
        tasks = [sockets.look_for_life(), wall.keep_watch(), gauges.watch_the_loop(), house.upkeep.keep_watch()]
        tasks += [house.timekeeper.keep_watch(), house.organiser.keep_watch(), house.board.keep_watch()]
        tasks += [house.keep_lobby(), house.keep_notices(), house.neighbours.keep_in_touch()]
        tasks += [house.limits.keep_telling(), keep_tidy()]
        watches = [asyncio.create_task(task) for task in tasks]
        stop_metrics = serve_metrics(gauges, settings.metrics)
        # where souk.table.wires and souk.table.requests find them
        yield {"sockets": sockets, "wall": wall, "usher": usher, "stopping": house.board.close}
        stop_metrics()
        for watch in watches:
            watch.cancel()
        await house.close()
        note("stopped")

    return Guarded(Starlette(routes=_routes(pages), lifespan=lifespan), sockets)


_POSTED: dict[str, Answering] = {
    "/api/tables": Pages.new_table,
    "/api/lessons": Pages.learn,
    "/api/boxes/check": Pages.check_box,
    "/api/puzzles": Pages.try_puzzle,
    "/api/puzzles/ask": Pages.ask_puzzle,
    "/api/positions/check": Pages.check_position,
    "/api/positions/advise": Pages.advise_position,
    "/api/forget": Pages.forget,
    "/api/people/me/listed": Pages.set_listed,
    "/api/push": Pages.call_me,
    "/api/push/end": Pages.call_me_not,
    "/api/tables/{table}/sit": Pages.sit,
    "/api/tables/{table}/invitation": Pages.invitation,
    "/api/tables/{table}/hide": Pages.hide,
    "/api/tables/{table}/study": Pages.study_deeper,
    "/api/studies": Pages.take_file,
}
_FETCHED: dict[str, Answering] = {
    "/readyz": Pages.ready,
    "/api/lobby": Pages.lobby,
    "/api/me": Pages.me,
    "/api/tables": Pages.my_tables,
    "/api/push": Pages.push_key,
    "/api/boxes/{game}": Pages.box,
    "/api/puzzles/{date}": Pages.puzzle_day,
    "/api/tables/{table}/record": Pages.record,
    "/api/tables/{table}/aside": Pages.aside,
    "/api/tables/{table}/study": Pages.study,
    "/api/tables/{table}/replay": Pages.replay,
    "/api/tables/{table}/instead": Pages.instead,
    "/offline": Pages.offline,
    "/languages.json": Pages.language_list,
    "/languages/{code}.json": Pages.language,
    "/languages/{code}/rules.json": Pages.rules,
    "/languages/{code}/company.json": Pages.company,
    "/languages/{code}/events.json": Pages.events,
    "/languages/{code}/later.json": Pages.later,
    "/{path:path}": Pages.page,  # whatever else there is
}


def _routes(pages: Pages) -> list[Route]:
    """Every address, and who answers there."""
    return [
        Route("/healthz", pages.health, methods=["GET"]),
        *(Route(path, pages.answers(answer), methods=["POST"]) for path, answer in _POSTED.items()),
        *PersonPages(pages.settings, pages.house).routes(pages.answers),
        *MeetingPages(pages.settings, pages.house).routes(pages.answers),
        *(Route(path, pages.asked(answer), methods=["GET"]) for path, answer in pages.house.measuring.fetched.items()),
        *EveningPages(pages.settings, pages.house, pages._as_known).routes(pages.answers),
        *(Route(path, pages.answers(answer), methods=["GET"]) for path, answer in _FETCHED.items()),
    ]


def _gauge(gauges: Gauges, house: House, sockets: Sockets) -> None:
    """What can be seen of all this from outside."""
    gauges.look_at("souk_sockets", "Pages that have a table open.", lambda: len(sockets.wires))
    gauges.look_at("souk_lobby", "Pages in the lobby.", lambda: house.foyer.pages)
    gauges.look_at("souk_connections", "Connections of any kind.", lambda: sockets.wall.inside)
    gauges.look_at("souk_tables_in_memory", "Tables that somebody needs now.", lambda: len(house.tables.open))
    gauges.look_at_the_wall(sockets.wall.refused)


_BANNED = json_answer(lobby_protocol.Refusal(Refuse("banned").reason), 403)
_TOO_FAST = json_answer(lobby_protocol.Refusal(Refuse("too_fast").reason), 429)
_OTHER_HOST = json_answer(lobby_protocol.Refusal(Refuse("other_host").reason), 421)
_TOO_FAST.headers["connection"] = "close"  # who goes on must come again


class Guarded:
    """The whole server: knows who asks, and how often they may; adds the headers that keep a browser from doing what our pages never do."""

    def __init__(self, inner: Starlette, sockets: Sockets) -> None:
        self.inner, self.sockets = inner, sockets

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.inner(scope, receive, send)
            return

        async def guarded(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS]
            await send(message)

        visitor = scope["visitor"] = Visitor(scope, self.sockets.settings.proxies, self.sockets.house.doors.who)
        if scope["path"].startswith("/api/") and self.sockets.wall.is_banned(visitor.counted_as, visitor.player):
            self.sockets.wall.refuse("banned")
            await _BANNED(scope, receive, guarded)
        elif not self._is_within_limits(scope["path"], visitor):
            await _TOO_FAST(scope, receive, guarded)
        elif not visitor.means(self.sockets.hosts):
            self.sockets.wall.refuse("requests: for another host")
            await _OTHER_HOST(scope, receive, guarded)
        else:
            await self.inner(scope, receive, guarded)

    def _is_within_limits(self, path: str, visitor: Visitor) -> bool:
        """Pages and languages are prepared and cheap, and many people may be behind one address: they are counted apart."""
        wall = self.sockets.wall
        buckets, what = (wall.requests, "questions") if path.startswith("/api/") else (wall.files, "pages")
        if buckets.take(visitor.counted_as):
            return True
        wall.refuse(f"requests: too many {what}")
        return False
