"""The HTTP API of accounts. `web/src/protocol/account.ts` is generated from this.

* `GET /api/person`: `Account`. `POST /api/person` with `SetProfile`: `Account`.
* `POST /api/devices/…`: `link` with `{}`: `DeviceLink`. `preview` with `DeviceCode`:
  `DevicePreview`. `sign-in` with `DeviceCode`, `sign-out` with `SignOutDevices`: `Account`.
* `POST /api/passkeys/…`: `creation-options` with `{}`: `PasskeyOptions`. `add` with `PasskeyNew`,
  `remove` with `RemovePasskey`: `Account`. `request-options` with `{}`: `PasskeyRequest`.
  `sign-in` with `PasskeyAnswer`: `Account`.
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
    last_used: float  # to some minutes
    current: bool  # this device


class PasskeyCard(msgspec.Struct):
    """One of my passkeys."""

    id: str
    device: str  # where it was created
    since: float
    last_used: float


class Account(msgspec.Struct):
    """My account."""

    name: str
    figure: str  # "" until chosen
    colour: str
    figures: list[str]  # to choose from
    colours: list[str]
    devices: list[DeviceCard]  # empty until there is a second device
    passkeys: list[PasskeyCard]
    tables: int  # number of mine
    # this device had an account of its own with so many tables, to which signing out returns
    before: int | None = None
    has_cookie: bool = False  # this browser has a cookie, so that choices are stored


class SetProfile(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/person: change my name and appearance."""

    name: str
    figure: str = ""
    colour: str = ""


class RequestDeviceLink(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/devices/link, /api/passkeys/creation-options and /api/passkeys/request-options"""


class DeviceLink(msgspec.Struct):
    """A one-time code for a second device, valid for some minutes."""

    code: str
    minutes: float


class DeviceCode(msgspec.Struct, forbid_unknown_fields=True):
    """POST /api/devices/preview and /api/devices/sign-in"""

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
    """POST /api/devices/sign-out: sign out on this device, on all others, or on one of them."""

    scope: Literal["here", "others", "one"]
    id: str = ""


class PasskeyOptions(msgspec.Struct):
    """Options for creating a passkey."""

    challenge: str
    rp: str
    user: str
    name: str
    algorithms: list[int]
    existing: list[str]  # my existing ones


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
    """POST /api/passkeys/sign-in: the authenticator's response."""

    id: str
    client_data: str
    data: str
    signature: str
    handle: str = ""
