"""What a browser and the server say to each other where people meet: over the socket of the lobby, and over HTTP about invitations.
`web/src/meeting-protocol.ts` is written from this.

* `/api/lobby/socket`: `Hello` first; from then on whatever concerns the page, and `Find`, `StopFinding` and `Ping` from it, which are answered as
  commands at a table are (`Done`, `Refused`, `Pong` of `souk.table.protocol`).
* `GET /api/fellows?table=…`: `Acquaintances`. `POST /api/tables/{table}/invite` with `InviteFellow`: `Acquaintances`.
* `POST /api/tables/{table}/decline` with `DeclineInvitation`, `POST /api/invitations` with `WantInvitations`: `InvitationsNow`.
"""

from typing import Literal

import msgspec

from souk.table.protocol import ClockTerms, Done, Ping, Pong, Refused

ClockChoice = Literal["none", "move", "game"]  # the clocks with which people can be looked for
InviteState = Literal["", "asked", "declined", "here"]


# ---------------------------------------------------------------- the lobby, from browser to server


class Find(msgspec.Struct, tag_field="do", tag="find", forbid_unknown_fields=True):
    """Look for people to play with. Who looks already looks for this from now on. `patience`: seconds until bots fill up; 0: only people."""

    id: int
    game: str
    players: int
    clock: ClockChoice = "none"
    patience: int = 60
    name: str = ""
    commitment: str = ""  # to a share in the dice


class StopFinding(msgspec.Struct, tag_field="do", tag="stop", forbid_unknown_fields=True):
    """Look for nobody any longer."""

    id: int


LobbyCommand = Find | StopFinding | Ping


# ---------------------------------------------------------------- the lobby, from server to browser


class PublicTable(msgspec.Struct, omit_defaults=True):
    """A table that everybody may see."""

    table: str
    game: str
    names: list[str]  # by seat; "" for one that is free
    begun: bool = False  # it can be watched; else there are open seats
    clock: ClockTerms | None = None


class Counts(msgspec.Struct):
    """How much goes on in a public house."""

    here: int  # people
    open: int  # tables with open seats
    playing: int  # games that can be watched
    finding: dict[str, int]  # by game: people who look for others


class BoardNow(msgspec.Struct):
    """All that everybody may see: as many tables as are shown, and how many there are."""

    tables: list[PublicTable]
    counts: Counts


class BoardChange(msgspec.Struct, tag_field="is", tag="board"):
    """What has changed of it: tables that are no longer there, and those that have come or are no longer what they were."""

    gone: list[str]
    tables: list[PublicTable]
    counts: Counts


class Looking(msgspec.Struct):
    """What I am looking for."""

    game: str
    players: int
    clock: ClockChoice
    there: int  # how many of us there are, me among them
    bots_in: float | None  # seconds until bots fill up; None: never


class LookingNow(msgspec.Struct, tag_field="is", tag="looking"):
    """That has changed; None: I look for nobody."""

    looking: Looking | None


class FoundPeople(msgspec.Struct, tag_field="is", tag="found"):
    """There are enough: it goes on at this table."""

    table: str


class InvitationCard(msgspec.Struct):
    """Somebody has asked me to their table; `again`: for a rematch, and my seat is kept."""

    table: str
    game: str
    by: str  # what they are called there
    players: int
    again: bool
    at: float  # when, in seconds since 1970
    clock: ClockTerms | None = None


class InvitationsNow(msgspec.Struct, tag_field="is", tag="invitations"):
    """All of them, the latest first; and whether I want any."""

    invitations: list[InvitationCard]
    wanted: bool = True


class TablesStirred(msgspec.Struct, tag_field="is", tag="stirred"):
    """Something about my tables is no longer as the lobby shows it."""


class Hello(msgspec.Struct, tag_field="is", tag="hello"):
    """The first message on a socket."""

    version: int  # of the protocol, as at a table
    invitations: InvitationsNow
    looking: Looking | None
    board: BoardNow | None  # None where the house is not open to the public
    clocks: dict[str, ClockTerms]  # by ClockChoice


LobbyMessage = Hello | BoardChange | LookingNow | FoundPeople | InvitationsNow | TablesStirred | Done | Refused | Pong


# ---------------------------------------------------------------- over HTTP


class Acquaintance(msgspec.Struct):
    """Somebody I have shared a table with: by that table and their seat, and the name they had there."""

    table: str
    seat: int
    name: str
    game: str
    at: float  # when something last happened there, in seconds since 1970
    state: InviteState = ""  # where a table is named: whether I have asked them to it, and what came of it


class Acquaintances(msgspec.Struct):
    """GET /api/fellows: the latest first."""

    fellows: list[Acquaintance]


class InviteFellow(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/tables/{table}/invite: ask somebody to a table of mine that has not begun."""

    table: str  # that we shared
    seat: int  # theirs


class DeclineInvitation(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/tables/{table}/decline"""


class WantInvitations(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/invitations: whether I want to be asked at all."""

    wanted: bool
