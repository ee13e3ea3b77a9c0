"""What a browser and the server say to each other about who somebody is, over HTTP. `web/src/person-protocol.ts` is written from this.

* `GET /api/person`: `Myself`. `POST /api/person` with `ChooseFace`: `Myself`.
* `POST /api/doors/new` with `{}`: `DoorLink`. `POST /api/doors/look` with `DoorCode`: `DoorAhead`. `POST /api/doors/open` with `DoorCode`: `Myself`.
  `POST /api/doors/shut` with `ShutDoors`: `Myself`.
* `POST /api/passkeys/new` with `{}`: `PasskeyOptions`. `POST /api/passkeys/add` with `PasskeyNew`: `Myself`. `POST /api/passkeys/remove` with
  `RemovePasskey`: `Myself`.
* `POST /api/passkeys/ask` with `{}`: `PasskeyRequest`. `POST /api/passkeys/enter` with `PasskeyAnswer`: `Myself`.
* `GET /api/person/all`: everything I have here, as one file.

Bytes are base64 as it stands in addresses.
"""

from typing import Literal

import msgspec


class DoorCard(msgspec.Struct):
    """A device by which I come in."""

    id: str
    device: str  # in words; "" where nobody knows
    since: float
    seen: float  # when it last came, to some minutes
    here: bool  # this one


class PasskeyCard(msgspec.Struct):
    """A passkey of mine."""

    id: str
    device: str  # where it was made
    since: float
    used: float


class Myself(msgspec.Struct):
    """Who I am here."""

    name: str
    figure: str  # "" until I choose one
    colour: str
    figures: list[str]  # that there are
    colours: list[str]
    doors: list[DoorCard]  # none until there is more than this device
    passkeys: list[PasskeyCard]
    tables: int  # that I have
    before: int | None = None  # this device was somebody else before, with so many tables: signed out here, it is again
    known: bool = False  # this browser's cookie is known: whatever I choose is kept


class ChooseFace(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/person: how I am to be shown."""

    name: str
    figure: str = ""
    colour: str = ""


class AskDoor(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/doors/new, /api/passkeys/new and /api/passkeys/ask"""


class DoorLink(msgspec.Struct):
    """The code for a second device, which works once and for so many minutes."""

    code: str
    minutes: float


class DoorCode(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/doors/look and /api/doors/open"""

    code: str


class DoorAhead(msgspec.Struct):
    """Whom a code leads to, where it still `works`, and how many tables this device has of its own: they stay with whom it is now."""

    works: bool
    name: str = ""
    figure: str = ""
    colour: str = ""
    same: bool = False  # I am that person already
    tables: int = 0


class ShutDoors(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/doors/shut: sign out on this device, on all others, or on one of them."""

    which: Literal["here", "others", "one"]
    id: str = ""


class PasskeyOptions(msgspec.Struct):
    """What an authenticator is to be asked for."""

    challenge: str
    rp: str
    user: str
    name: str
    algorithms: list[int]
    known: list[str]  # that I have already


class PasskeyNew(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/passkeys/add: what it has made."""

    id: str
    client_data: str
    attestation: str


class RemovePasskey(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/passkeys/remove"""

    id: str


class PasskeyRequest(msgspec.Struct):
    """What an authenticator is to be asked, to know whose it is."""

    challenge: str
    rp: str


class PasskeyAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/passkeys/enter: what it answers."""

    id: str
    client_data: str
    data: str
    signature: str
    handle: str = ""
