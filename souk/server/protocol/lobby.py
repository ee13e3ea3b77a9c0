"""The HTTP API of the lobby. `web/src/protocol/lobby.ts` is generated from this.

* `GET /api/lobby`: `Lobby`. `POST /api/tables` with `NewTable`: `TableCreated`.
* `POST /api/tables/{table}/sit` with `TakeSeat`: `SeatTaken`.
* `POST /api/tables/{table}/invitation` with `RequestInvitation`: `Invited`.
* `GET /api/tables?after=…`: `TableList`. `POST /api/tables/{table}/hide` with `HideTable`:
  `TableHidden`.
* `POST /api/lessons` with `StartLesson`: `TableCreated`. `POST /api/forget` with `DeleteAccount`:
  `AccountDeleted`.
* `GET /api/boxes/{game}`: `CustomBoxForm`. `POST /api/boxes/check` with `CheckCustomBox`:
  `CustomBoxChecked`.
* `GET /api/push`: `PushKey`. `POST /api/push` with `PushSubscribe` and `POST /api/push/end` with
  `PushUnsubscribe`: `PushKey`.
* `GET /api/tables/{table}/record`: the game as a file. `GET /api/tables/{table}/aside`: slow extras
  of the game's scene.
* `GET /languages.json`: `Languages`. `GET /languages/{code}.json`: the texts of a language, in
  tables; `…/rules.json`: its rules of games; `…/later.json`: texts not needed at first.

Refused requests are answered with `Refusal` and a status of 4xx.
"""

from typing import Any, Literal

import msgspec

from souk.core.box_data import BoxPart
from souk.server.protocol.table import ClockTerms, Told


class SeatRequest(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Who gets a seat: "me", "here" (another person at this device), "link" (by a link of its own),
    "open" (first come, by the table's address) or "bot".
    """

    who: str
    name: str = ""
    level: str = ""  # of a bot, such as "vizier:quick"


class StartFrom(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A start position: after the first `step` events of a finished game, or `position`."""

    table: str = ""
    step: int = 0
    position: dict[str, Any] | None = None  # as `to_json` gives it
    seat: int = 0  # mine, if no seats are given; bots take the others as they sat there
    name: str = ""  # mine


class NewTable(
    msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"begins": "from"}
):
    """POST /api/tables"""

    game: str
    seats: list[SeatRequest]  # may be empty with `from`
    options: dict[str, Any] = {}  # with `from` those of the position
    commitment: str = ""  # to a share of the dice (docs/play/fair-dice.md)
    begins: StartFrom | None = None  # only for me against bots, and unrated
    clock: ClockTerms | None = None  # null: no clock
    fill: str = ""  # level of the bots that take open seats; "" for the default
    free_talk: bool = False  # people may write free text; otherwise there are phrases
    # counts for ratings (docs/play/ratings.md): people only, default options, a clock
    rated: bool = False
    public: bool = False  # listed in the lobby, with open seats for everybody; not with free chat


class StartLesson(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/lessons: continue my lesson in a game, or start one; `again`: start over.

    The answer is TableCreated.
    """

    game: str
    name: str = ""
    again: bool = False


class TableCreated(msgspec.Struct):
    """The new table, and the secrets of the seats offered by link, shown once to the host."""

    table: str
    invitations: dict[int, str]


class RequestInvitation(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/tables/{table}/invitation: ask whether a link still offers its seat.

    Changes nothing.
    """

    secret: str


class Invited(msgspec.Struct):
    """The answer to RequestInvitation."""

    seat: int
    state: Literal["free", "mine", "taken"]


class TakeSeat(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/tables/{table}/sit: take the seat of a link, or an open one if `secret` is ""."""

    secret: str
    name: str
    commitment: str = ""  # to a share of the dice


class SeatTaken(msgspec.Struct):
    table: str
    seat: int


class Refusal(msgspec.Struct):
    """The answer to a refused request."""

    reason: Told


class LanguageCard(msgspec.Struct):
    code: str
    name: str  # in the language itself
    digest: str  # of its texts: /languages/{code}.json?v={digest} never changes


class Languages(msgspec.Struct):
    """GET /languages.json"""

    languages: list[LanguageCard]


class GameCard(msgspec.Struct):
    """A game in the lobby."""

    game: str
    players: list[int]
    usual: int  # the default number of players
    options: dict[str, dict[str, Any]]  # by number of players: every option with its default
    choices: dict[str, Any]  # by option: the values to choose from, if they need a picture
    lesson: bool = False  # has a guided first game
    own_box: str = ""  # the option that takes the text of a custom data file; "" if there is none


class CustomBoxForm(msgspec.Struct):
    """GET /api/boxes/{game}: the fields of a custom box, filled with our data."""

    game: str
    option: str
    parts: list[BoxPart]
    text: str
    entries: dict[str, list[str]]  # by part: the entries of the text


class CheckCustomBox(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/boxes/check: check a data file that is being typed. Nothing is stored."""

    game: str
    text: str


class CustomBoxError(msgspec.Struct):
    """An error in a line, and in an entry of a part if it is about one."""

    line: int
    part: str  # "" if it is about none
    entry: int | None
    said: Told


class CustomBoxChecked(msgspec.Struct):
    """The answer to CheckCustomBox."""

    about: str
    entries: dict[str, list[str]]  # by part: as many as needed, "" for missing ones
    missing: dict[str, int]  # by part: the number of missing entries
    faults: list[CustomBoxError]
    text: str = ""  # the normalised file, once it is complete
    choices: dict[str, Any] = {}  # then: the values of options, as in GameCard


class TableCard(msgspec.Struct):
    """One of my tables."""

    table: str
    game: str
    seats: list[str]  # names
    mine: list[int]
    over: bool
    my_turn: bool
    waiting: bool  # has not begun: people are missing
    old: bool  # played by older rules: can only be viewed
    scores: list[int]
    winners: list[int]
    changed: float  # when something last happened, in seconds since 1970
    lesson: bool = False  # a guided first game; over once it has been completed
    branch: bool = False  # continued from another game or position
    resigned: bool = False  # by me
    removable: bool = False  # may be taken off my list: nobody waits for me there
    rated: bool = False


class TableList(msgspec.Struct):
    """GET /api/tables: a page of my tables, running ones first, then finished ones, each latest
    first.
    """

    tables: list[TableCard]
    next: str  # for ?after=…; "" on the last page


class HideTable(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/tables/{table}/hide: take a table off my list, or put it back.

    Others' lists stay.
    """

    hidden: bool


class TableHidden(msgspec.Struct):
    """The answer to HideTable."""

    table: str
    hidden: bool


class Lobby(msgspec.Struct):
    """GET /api/lobby"""

    version: int
    games: list[GameCard]  # in the order in which they are introduced
    levels: list[str]  # of bots
    names: list[list[str]]  # for bots, by seat, fitting the figure drawn there
    tables: list[TableCard]  # mine: running ones, then finished ones, each latest first
    announcement: str = ""  # by the host
    more: bool = False  # I have more tables than these
    public: bool = False  # this server has a public lobby


class AccountDeleted(msgspec.Struct):
    """The answer to POST /api/forget: my name and cookie are gone from all tables."""


class DeleteAccount(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/forget"""


class PushKey(msgspec.Struct):
    """The server's public key for push services, in base64 as browsers want it."""

    key: str


class PushSubscribe(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/push: notify this browser when it is my turn.

    Fields as its push service names them.
    """

    endpoint: str
    p256dh: str
    auth: str
    language: str


class PushUnsubscribe(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/push/end: stop notifications."""

    endpoint: str
