"""What a browser and the server say to each other before there is a table and about one's tables, over HTTP. `web/src/lobby-protocol.ts` is written from this;
what is said at a table is in `souk.table.protocol`.

* `GET /api/lobby`: `Lobby`. `POST /api/tables` with `NewTable`: `TableMade`. `POST /api/tables/{table}/sit` with `SitDown`: `Seated`.
* `POST /api/tables/{table}/invitation` with `AskInvitation`: `Invited`. `GET /api/tables?after=…`: `TableList`.
  `POST /api/tables/{table}/hide` with `HideTable`: `TableHidden`.
* `POST /api/lessons` with `Learn`: `TableMade`. `POST /api/forget` with `ForgetMe`: `Forgotten`.
* `GET /api/boxes/{game}`: `BoxSheet`. `POST /api/boxes/check` with `CheckBox`: `BoxChecked`.
* `GET /api/push`: `PushKey`. `POST /api/push` with `CallMe`, `POST /api/push/end` with `CallMeNot`: `PushKey`.
* `GET /api/tables/{table}/record`: the game as a file. `GET /api/tables/{table}/aside`: slow extras of the game's scene.
* `GET /languages.json`: `Languages`. `GET /languages/{code}.json`: the texts of a language, in tables;
  `GET /languages/{code}/rules.json`: its rules of games; `GET /languages/{code}/later.json`: texts that nobody needs to begin with.

What is refused over HTTP is answered with `Refusal` and a status of 4xx.
"""

from typing import Any, Literal

import msgspec

from souk.core.datafile import BoxPart
from souk.table.protocol import ClockTerms, Told


class SeatWish(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Who is to sit on a seat: "me", "here" (another person at this device), "link" (whoever opens a link of its own), "open" (whoever opens the
    table's address and is first) or "bot"."""

    who: str
    name: str = ""
    level: str = ""  # of a bot, such as "vizier:quick"


class Elsewhere(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Where a table begins that does not begin as its game does: after the first `step` events of a game that is over, or at a position."""

    table: str = ""
    step: int = 0
    position: dict[str, Any] | None = None  # as `to_json` gives it
    seat: int = 0  # mine, where no seats are given: then the others are bots, as they sat there
    name: str = ""  # and mine


class NewTable(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename={"begins": "from"}):
    """POST /api/tables"""

    game: str
    seats: list[SeatWish]  # may be empty with `from`
    options: dict[str, Any] = {}  # with `from` those of the position
    commitment: str = ""  # to a share in the dice (docs/fair-dice.md); who sends none has none
    begins: Elsewhere | None = None  # for me against bots, and no game that counts
    clock: ClockTerms | None = None  # None: everybody takes the time they want
    fill: str = ""  # the level of bots that take open seats which nobody took; "" for the usual
    free_talk: bool = False  # people may write what they like to each other; else there are phrases
    rated: bool = False  # it counts for ratings (docs/ratings.md): people only, usual options, a clock
    public: bool = False  # everybody in the lobby sees it, and may sit on its open seats; not with free talk


class Learn(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/lessons: go on with my lesson in a game, or begin one; `again`: from its beginning in any case. The answer is TableMade."""

    game: str
    name: str = ""
    again: bool = False


class TableMade(msgspec.Struct):
    """The answer: where the table is, and the secret of each seat that is offered by link (shown to whoever made it, once)."""

    table: str
    invitations: dict[int, str]


class AskInvitation(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/tables/{table}/invitation: whether a link still offers its seat. Changes nothing."""

    secret: str


class Invited(msgspec.Struct):
    """The answer to AskInvitation."""

    seat: int
    state: Literal["free", "mine", "taken"]


class SitDown(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/tables/{table}/sit: take the seat that a link offers or, where `secret` is "", one that is open to all."""

    secret: str
    name: str
    commitment: str = ""  # to a share in the dice


class Seated(msgspec.Struct):
    table: str
    seat: int


class Refusal(msgspec.Struct):
    """The answer to a question over HTTP that is refused."""

    reason: Told


class LanguageCard(msgspec.Struct):
    code: str
    name: str  # in its own words
    digest: str  # of its texts: /languages/{code}.json?v={digest} never changes


class Languages(msgspec.Struct):
    """GET /languages.json"""

    languages: list[LanguageCard]


class GameCard(msgspec.Struct):
    """A game in the lobby."""

    game: str
    players: list[int]
    usual: int  # how many play where nobody says otherwise
    options: dict[str, dict[str, Any]]  # by number of players: every option that can be set, with its default
    choices: dict[str, Any]  # by option: what there is to choose from, where one has to see it
    lesson: bool = False  # there is a guided first game
    own_box: str = ""  # the option that takes a box of one's own, as the text of its data file; "" where there is none


class BoxSheet(msgspec.Struct):
    """GET /api/boxes/{game}: what there is to type in of one's own box, and what we have there, as a data file."""

    game: str
    option: str
    parts: list[BoxPart]
    text: str
    entries: dict[str, list[str]]  # by part: the same, one by one


class CheckBox(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/boxes/check: what is wrong with a data file that somebody is typing. Nothing is kept."""

    game: str
    text: str


class BoxFault(msgspec.Struct):
    """Something is wrong with a line; where it is about an entry of a part, with that."""

    line: int
    part: str  # "" where it is about none
    entry: int | None
    said: Told


class BoxChecked(msgspec.Struct):
    """The answer to CheckBox."""

    about: str
    entries: dict[str, list[str]]  # by part: as many as there must be, "" for those still to come
    missing: dict[str, int]  # by part: how many are still to come
    faults: list[BoxFault]
    text: str = ""  # the same in as few words as it needs, once one can play with it
    choices: dict[str, Any] = {}  # then: what options are chosen from, as in GameCard


class TableCard(msgspec.Struct):
    """A table among mine."""

    table: str
    game: str
    seats: list[str]  # names
    mine: list[int]
    over: bool
    my_turn: bool
    waiting: bool  # it has not begun: somebody is still to come
    old: bool  # it was played by other rules than today's, and can only be looked at
    scores: list[int]
    winners: list[int]
    changed: float  # when something last happened there, in seconds since 1970
    lesson: bool = False  # a guided first game; over once it has been gone through
    branch: bool = False  # it was played on from elsewhere
    resigned: bool = False  # I have
    removable: bool = False  # it may be taken off my list: nobody else waits for me there
    rated: bool = False


class TableList(msgspec.Struct):
    """GET /api/tables: my tables, those that go on first, then those that are over, the latest first; so many at a time."""

    tables: list[TableCard]
    next: str  # to be asked for with ?after=…; "" where these were the last


class HideTable(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/tables/{table}/hide: take a table off my list, or put it there again. It stays in the others' lists."""

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
    names: list[list[str]]  # that bots may go by: by seat, those that fit the figure drawn there
    tables: list[TableCard]  # mine: those that go on, then those that are over, the latest first
    announcement: str = ""  # of the host
    more: bool = False  # I have more tables than these
    public: bool = False  # this house has a public lobby: tables may be made public


class Forgotten(msgspec.Struct):
    """The answer to POST /api/forget with `{}`: one's name, and what one is known by, is gone from all tables."""


class ForgetMe(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/forget"""


class PushKey(msgspec.Struct):
    """The server's public key, by which push services know it: base64 as a browser wants it."""

    key: str


class CallMe(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/push: call me at this browser when it is my turn. As its push service names it, keys as base64."""

    endpoint: str
    p256dh: str
    auth: str
    language: str


class CallMeNot(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/push/end: no longer."""

    endpoint: str
