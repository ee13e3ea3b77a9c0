"""What is said about evenings (the page calls them events), over HTTP. `web/src/evening-protocol.ts` is written from this.

* `GET /api/events`: `EveningList`, those of whoever asks. `POST /api/events` with `NewEvening`: `EveningMade`.
* `GET /api/events/{event}?known=…`: `EveningNow`, the same for everybody; where the page knows this one already, the answer waits for the next
  and is 304 where there is none. The header `souk-now` says how late it is here, and `etag` what to ask for next.
* `GET /api/events/{event}/rounds/{round}`: `EveningRound`. `GET /api/events/{event}/me`: `EveningMe`.
* `POST /api/events/{event}/join` with `JoinEvening`, `…/leave` with `LeaveEvening`, `…/host` with `ClaimEvening`: `EveningMe`.
* `POST /api/events/{event}/steer` with `SteerEvening`, by the host alone: `EveningMe`.
"""

from typing import Literal

import msgspec

from souk.table.pairing import Form
from souk.table.protocol import ClockTerms

EveningForm = Form
EveningState = Literal["open", "playing", "between", "over"]  # people come; a round is played; a pause; all is played
Steering = Literal["start", "next", "end_round", "finish", "delete", "bots", "remove"]
# How a table came to its result: played to its end; counted as it stood when time was called; all alike, as it had not begun or is gone; no table
# at all, for whoever sat out.
Outcome = Literal["", "played", "stood", "level", "bye"]


class EveningTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How an evening is played."""

    form: EveningForm
    games: list[str]  # by round, again from the first where they are through
    size: int  # of a table, as near as the number of people allows
    clock: ClockTerms  # of every table: so that it ends
    rounds: int = 0  # 0: as many as it needs. A knock-out has as many as it takes
    advance: int = 1  # knock-out: how many of each table go on
    minutes: int = 0  # after which a round is ended, and unfinished tables count as they stand; 0 for never
    pause: int | None = 30  # seconds between rounds; None: until the host goes on


class NewEvening(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/events"""

    name: str
    terms: EveningTerms
    bots: int = 0  # that take part from the beginning
    level: str = ""  # theirs


class EveningMade(msgspec.Struct):
    evening: str


class JoinEvening(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/events/{event}/join: take part. Who does already is told so."""

    name: str


class LeaveEvening(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/events/{event}/leave: take part no longer. At a table that is being played a bot plays on."""


class ClaimEvening(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/events/{event}/host: whoever has the host's secret is the host."""

    secret: str


class SteerEvening(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/events/{event}/steer, by the host: `bots` of a level come, somebody is to be removed (by number), or one of the other things."""

    do: Steering
    number: int = 0
    count: int = 0
    level: str = ""


class EveningMe(msgspec.Struct):
    """What an evening is to whoever asks."""

    number: int | None  # theirs, where they take part
    host: bool
    gone: bool = False  # the evening has been deleted


class EveningEntrant(msgspec.Struct, omit_defaults=True):
    """Somebody who takes part."""

    number: int
    name: str
    level: str = ""  # of a bot
    here: bool = False  # has a page open
    left: bool = False  # takes part no longer, or not from the next round on
    late: bool = False  # takes part from the next round on


class EveningPlace(msgspec.Struct, omit_defaults=True):
    """A line of the standings."""

    number: int
    place: int  # from 1: those who are alike share one
    points: float
    share: float  # of the scores at their tables: 1 is as much as everybody's mean
    tables: int
    byes: int = 0
    round: int = 0  # knock-out: the last in which they were
    out: bool = False  # knock-out: they go on no longer


class EveningTable(msgspec.Struct, omit_defaults=True):
    """A table of a round, or the bye of one."""

    table: str  # its id; "" for a bye
    seats: list[int]  # entrants by their numbers
    outcome: Outcome = ""  # "" while it is played
    ranks: list[int] = []  # by seat, from 1
    scores: list[int] = []
    points: list[float] = []
    on: list[int] = []  # knock-out: the entrants who go on from here


class EveningRound(msgspec.Struct):
    """GET /api/events/{event}/rounds/{round}"""

    round: int
    game: str
    tables: list[EveningTable]


class EveningNow(msgspec.Struct):
    """GET /api/events/{event}: as everybody may see it."""

    evening: str
    name: str
    terms: EveningTerms
    state: EveningState
    round: int  # 0 before the first
    rounds: int  # 0 where nobody knows yet
    entrants: list[EveningEntrant]
    standings: list[EveningPlace]
    now: EveningRound | None  # the round that is played, or was played last
    joinable: bool
    began_at: float = 0.0  # when this round did, in seconds since 1970
    ends_at: float = 0.0  # when it is ended at the latest; 0 for never
    next_at: float = 0.0  # when the next begins; 0 where the host has to go on


class EveningCard(msgspec.Struct):
    """An evening among mine."""

    evening: str
    name: str
    state: EveningState
    round: int
    host: bool


class EveningList(msgspec.Struct):
    """GET /api/events"""

    evenings: list[EveningCard]
    open_to_all: bool  # anybody may open one
