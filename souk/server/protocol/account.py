"""The HTTP API of accounts. `web/src/protocol/account.ts` is generated from this.

* `GET /api/person`: `Account`. `POST /api/person` with `SetProfile`: `Account`.
* `POST /api/doors/new` with `{}`: `DeviceLink`. `POST /api/doors/look` with `DeviceCode`:
  `DevicePreview`. `POST /api/doors/open` with `DeviceCode`: `Account`. `POST /api/doors/shut` with
  `SignOutDevices`: `Account`.
* `POST /api/passkeys/new` with `{}`: `PasskeyOptions`. `POST /api/passkeys/add` with `PasskeyNew`:
  `Account`. `POST /api/passkeys/remove` with `RemovePasskey`: `Account`.
* `POST /api/passkeys/ask` with `{}`: `PasskeyRequest`. `POST /api/passkeys/enter` with
  `PasskeyAnswer`: `Account`.
* `GET /api/person/all`: my data as a file.

Bytes are base64url.
"""

from typing import Literal

import msgspec


class DeviceCard(msgspec.Struct):
    """A device signed in to my account."""

    id: str
    device: str  # description; "" if unknown
    since: float
    seen: float  # last use, to some minutes
    here: bool  # this device


class PasskeyCard(msgspec.Struct):
    """One of my passkeys."""

    id: str
    device: str  # where it was created
    since: float
    used: float


class Account(msgspec.Struct):
    """My account."""

    name: str
    figure: str  # "" until chosen
    colour: str
    figures: list[str]  # to choose from
    colours: list[str]
    doors: list[DeviceCard]  # empty until there is a second device
    passkeys: list[PasskeyCard]
    tables: int  # number of mine
    # this device had an account of its own with so many tables, to which signing out returns
    before: int | None = None
    known: bool = False  # this browser has a cookie, so that choices are stored


class SetProfile(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/person: change my name and appearance."""

    name: str
    figure: str = ""
    colour: str = ""


class RequestDeviceLink(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/doors/new, /api/passkeys/new and /api/passkeys/ask"""


class DeviceLink(msgspec.Struct):
    """A one-time code for a second device, valid for some minutes."""

    code: str
    minutes: float


class DeviceCode(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/doors/look and /api/doors/open"""

    code: str


class DevicePreview(msgspec.Struct):
    """The account a code leads to, if it still works.

    `tables`: this device's own tables, which stay with its present account.
    """

    works: bool
    name: str = ""
    figure: str = ""
    colour: str = ""
    same: bool = False  # it is my account already
    tables: int = 0


class SignOutDevices(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/doors/shut: sign out on this device, on all others, or on one of them."""

    which: Literal["here", "others", "one"]
    id: str = ""


class PasskeyOptions(msgspec.Struct):
    """Options for creating a passkey."""

    challenge: str
    rp: str
    user: str
    name: str
    algorithms: list[int]
    known: list[str]  # my existing ones


class PasskeyNew(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/passkeys/add: the authenticator's response."""

    id: str
    client_data: str
    attestation: str


class RemovePasskey(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/passkeys/remove"""

    id: str


class PasskeyRequest(msgspec.Struct):
    """Options for signing in with a passkey."""

    challenge: str
    rp: str


class PasskeyAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/passkeys/enter: the authenticator's response."""

    id: str
    client_data: str
    data: str
    signature: str
    handle: str = ""
