"""The lobby's socket, and the HTTP API of invitations.

`web/src/protocol/meeting.ts` is generated from this.

* `/api/lobby/socket`: `Hello` first, then everything that concerns the page. From the browser come
  `FindPlayers`, `StopSearch` and `Ping`, answered like commands at a table (`Done`, `Refused` and
  `Pong` of `souk.server.protocol.table`).
* `GET /api/fellows?table=…`: `PastPlayers`. `POST /api/tables/{table}/invite` with `InvitePlayer`:
  `PastPlayers`.
* `POST /api/tables/{table}/decline` with `DeclineInvitation` and `POST /api/invitations` with
  `SetInvitationsAllowed`: `InvitationsNow`.
"""

from typing import Literal

import msgspec

from souk.server.protocol.table import AnyCommand, AnyMessage, ClockTerms, Done, Ping, Pong, Refused

ClockChoice = Literal["none", "move", "game"]  # the clocks with which people can be looked for
InviteState = Literal["", "asked", "declined", "here"]


# ---------------------------------------------------------------- the lobby, from browser to server


class FindPlayers(AnyCommand):
    """Look for people to play with, replacing an earlier search.

    `patience`: seconds until bots fill the table; 0: only people.
    """

    game: str
    players: int
    clock: ClockChoice = "none"
    patience: int = 60
    name: str = ""
    commitment: str = ""  # to a share of the dice


class StopSearch(AnyCommand):
    """Stop looking."""


LobbyCommand = FindPlayers | StopSearch | Ping


# ---------------------------------------------------------------- the lobby, from server to browser


class PublicTable(msgspec.Struct, omit_defaults=True):
    """A public table."""

    table: str
    game: str
    names: list[str]  # by seat; "" for a free one
    begun: bool = False  # can be watched; otherwise it has open seats
    clock: ClockTerms | None = None


class Counts(msgspec.Struct):
    """Numbers of a public lobby."""

    here: int  # people
    open: int  # tables with open seats
    playing: int  # games to watch
    finding: dict[str, int]  # by game: people looking for others


class PublicBoardState(msgspec.Struct):
    """The public tables that are shown, and how many there are."""

    tables: list[PublicTable]
    counts: Counts


class PublicBoardChange(AnyMessage, tag="board"):
    """Changes of the public board: tables that are gone, and new or changed ones."""

    gone: list[str]
    tables: list[PublicTable]
    counts: Counts


class Searching(msgspec.Struct):
    """My search."""

    game: str
    players: int
    clock: ClockChoice
    there: int  # how many we are, including me
    bots_in: float | None  # seconds until bots fill the table; null: never


class SearchingNow(AnyMessage):
    """My search has changed; null: I look for nobody."""

    looking: Searching | None


class PlayersFound(AnyMessage):
    """Enough players: the game is at this table."""

    table: str


class InvitationCard(msgspec.Struct):
    """An invitation to a table; `again`: to a rematch, where my seat is reserved."""

    table: str
    game: str
    by: str  # their name at that table
    players: int
    again: bool
    at: float  # when, in seconds since 1970
    clock: ClockTerms | None = None


class InvitationsNow(AnyMessage):
    """All my invitations, latest first, and whether I want any."""

    invitations: list[InvitationCard]
    wanted: bool = True


class TablesChanged(AnyMessage):
    """My list of tables is out of date."""


class Hello(AnyMessage):
    """The first message on a socket."""

    version: int  # of the protocol, as at tables
    invitations: InvitationsNow
    looking: Searching | None
    board: PublicBoardState | None  # null if this server has no public lobby
    clocks: dict[str, ClockTerms]  # by ClockChoice


LobbyState = Hello | PublicBoardChange | SearchingNow | InvitationsNow | TablesChanged
LobbyMessage = LobbyState | PlayersFound | Done | Refused | Pong


# ---------------------------------------------------------------- over HTTP


class PastPlayer(msgspec.Struct):
    """A person I have shared a table with: the table, their seat, and their name there."""

    table: str
    seat: int
    name: str
    game: str
    at: float  # when something last happened there, in seconds since 1970
    # if a table is named: whether I have invited them to it, and their answer
    state: InviteState = ""


class PastPlayers(msgspec.Struct):
    """GET /api/fellows: latest first."""

    fellows: list[PastPlayer]


class InvitePlayer(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/tables/{table}/invite: invite somebody to a table of mine that has not begun."""

    table: str  # the one we shared
    seat: int  # theirs


class DeclineInvitation(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/tables/{table}/decline"""


class SetInvitationsAllowed(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/invitations: whether I want invitations at all."""

    wanted: bool
