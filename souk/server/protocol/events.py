"""The HTTP API of events. `web/src/protocol/events.ts` is generated from this.

* `GET /api/events`: `EventList` with mine. `POST /api/events` with `NewEvent`: `EventCreated`.
* `GET /api/events/{event}?known=…`: `EventState`, the same for everybody. If the page knows this
  state, the answer waits for the next one, and is 304 if there is none. The header `souk-now` is
  the server's time, `etag` the value for `known`.
* `GET /api/events/{event}/rounds/{round}`: `EventRound`. `GET /api/events/{event}/me`:
  `MyEventEntry`.
* `POST /api/events/{event}/join` with `JoinEvent`, `…/leave` with `LeaveEvent`, `…/host` with
  `ClaimEvent`: `MyEventEntry`.
* `POST /api/events/{event}/control` with `ControlEvent`, for the host: `MyEventEntry`.
"""

from typing import Literal

import msgspec

from souk.server.protocol.table import ClockTerms

EventForm = Literal["round_robin", "swiss", "knock_out"]
# Entrants join; a round is played; a pause; all rounds are played.
EventStatus = Literal["open", "playing", "between", "over"]
EventAction = Literal["start", "next", "end_round", "finish", "delete", "bots", "remove"]
# How a table was decided: played to its end; by the scores when the round was ended; a draw, as it
# had not begun or was deleted; or a bye.
Outcome = Literal["", "played", "stood", "level", "bye"]


class EventSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How an event is played."""

    form: EventForm
    games: list[str]  # by round, repeated from the first
    size: int  # of a table, as near as the number of entrants allows
    clock: ClockTerms  # of every table
    rounds: int = 0  # 0: as many as needed; a knock-out ignores it
    advance: int = 1  # knock-out: how many of each table go on
    # after which a round is ended, and unfinished tables count as they stand; 0: never
    minutes: int = 0
    pause: int | None = 30  # seconds between rounds; null: until the host goes on


class NewEvent(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/events"""

    name: str
    terms: EventSettings
    bots: int = 0  # that take part from the beginning
    level: str = ""  # of the bots


class EventCreated(msgspec.Struct):
    event: str


class JoinEvent(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/events/{event}/join: take part. Harmless for entrants."""

    name: str


class LeaveEvent(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/events/{event}/leave: withdraw. A bot takes over at a running table."""


class ClaimEvent(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/events/{event}/host: become the host, with its secret."""

    secret: str


class ControlEvent(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/events/{event}/control, by the host: add `count` bots of a level, remove entrant
    `number`, or control the rounds.
    """

    do: EventAction
    number: int = 0
    count: int = 0
    level: str = ""


class MyEventEntry(msgspec.Struct):
    """My part in an event."""

    number: int | None  # mine, if I take part
    host: bool
    gone: bool = False  # the event has been deleted


class EventEntrant(msgspec.Struct, omit_defaults=True):
    """A person or bot that takes part."""

    number: int
    name: str
    level: str = ""  # of a bot
    here: bool = False  # has a page open
    left: bool = False  # does not take part any more, or from the next round on
    late: bool = False  # takes part from the next round on


class EventPlace(msgspec.Struct, omit_defaults=True):
    """A line of the standings."""

    number: int
    place: int  # from 1; equals share one
    points: float
    share: float  # of the scores at their tables: 1 is the mean
    tables: int
    byes: int = 0
    round: int = 0  # knock-out: their last round
    out: bool = False  # knock-out: eliminated


class EventTable(msgspec.Struct, omit_defaults=True):
    """A table of a round, or a bye."""

    table: str  # its id; "" for a bye
    seats: list[int]  # numbers of entrants
    outcome: Outcome = ""  # "" while it is played
    ranks: list[int] = []  # by seat, from 1
    scores: list[int] = []
    points: list[float] = []
    on: list[int] = []  # knock-out: entrants who go on


class EventRound(msgspec.Struct):
    """GET /api/events/{event}/rounds/{round}"""

    round: int
    game: str
    tables: list[EventTable]


class EventState(msgspec.Struct):
    """GET /api/events/{event}: what everybody may see."""

    event: str
    name: str  # "" if its host was forgotten
    terms: EventSettings
    state: EventStatus
    round: int  # 0 before the first
    rounds: int  # 0 if unknown
    entrants: list[EventEntrant]
    standings: list[EventPlace]
    now: EventRound | None  # the current or last round
    joinable: bool
    began_at: float = 0.0  # start of this round, in seconds since 1970
    ends_at: float = 0.0  # its latest end; 0: never
    next_at: float = 0.0  # start of the next round; 0 if the host has to start it


class EventCard(msgspec.Struct):
    """One of my events."""

    event: str
    name: str  # "" if its host was forgotten
    state: EventStatus
    round: int
    host: bool


class EventList(msgspec.Struct):
    """GET /api/events"""

    events: list[EventCard]
    open_to_all: bool  # anybody may open one
