"""Passkeys (WebAuthn): for who wants to be known here also when all cookies are lost. No password, no address: the device keeps a key, and the server
what belongs to it and proves nothing by itself. `fido2` reads and checks what authenticators answer; it is imported when that is first wanted."""

import asyncio
import hashlib
import re
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from souk.table.codes import CodeKind, CodeRow, Codes, using_up
from souk.table.database import Line, marks
from souk.table.doors import Doors, base_of, opening, writing_down
from souk.table.logs import note
from souk.table.person_protocol import PasskeyAnswer, PasskeyNew, PasskeyOptions, PasskeyRequest
from souk.table.refusals import Refuse
from souk.table.seating import digest, new_secret
from souk.table.store import NotKept, Overtaken, Statement, Store
from souk.table.vapid import padded, unpadded
from souk.table.visitors import Visitor, is_number

if TYPE_CHECKING:
    from fido2.server import Fido2Server

MOST_PASSKEYS = 10  # of one person
_LARGEST_ID = 1023  # bytes that a credential's id may have, by the standard
_ALGORITHMS = [-8, -7, -257]  # Ed25519, ECDSA with P-256, RSA: one of these every authenticator has


class PasskeyRow(NamedTuple):
    """What is kept of a passkey. `key`: the credential as the authenticator attested it, public key and all; `handle`: what it knows its person by."""

    credential: bytes
    player: bytes
    rp: str  # the name of this server for which it was made
    handle: bytes
    key: bytes
    counter: int  # of its signatures, where it counts them
    device: str
    since: float
    used: float


class Home(NamedTuple):
    """Under which name the server is asked for, and which pages are its own."""

    rp: str
    origins: frozenset[str]

    @classmethod
    def of(cls, visitor: Visitor) -> "Home":
        """The host was checked already: it is one of those that the server answers to. Browsers know passkeys over TLS, and on the machine itself."""
        name = re.sub(r":\d*$", "", visitor.host)
        if not name or is_number(name):
            raise Refuse("passkey_number", 409)
        local = name == "localhost" or name.endswith(".localhost")
        return cls(name, frozenset([f"https://{visitor.host}", *([f"http://{visitor.host}"] if local else [])]))


class Passkeys:
    """Adds passkeys to people, and lets people in who have one."""

    def __init__(self, store: Store, doors: Doors, codes: Codes) -> None:
        self._store, self._doors, self._codes = store, doors, codes

    async def of(self, player: bytes) -> list[PasskeyRow]:
        return await self._store.ask(passkeys_of, player)

    # ------------------------------------------------------------ a new one

    async def options(self, visitor: Visitor, player: bytes, cookie: bytes, name: str) -> PasskeyOptions:
        home, known = Home.of(visitor), await self.of(player)
        if len(known) >= MOST_PASSKEYS:
            raise Refuse("too_many_passkeys", 409, most=MOST_PASSKEYS)
        challenge = await self._challenge("register", player, cookie)
        ids = [unpadded(each.credential) for each in known if each.rp == home.rp]
        return PasskeyOptions(challenge, home.rp, unpadded(_handle(player)), name or "Souk", _ALGORITHMS, ids)

    async def add(self, visitor: Visitor, player: bytes, cookie: bytes, device: str, answer: PasskeyNew) -> None:
        """Keep what an authenticator has made, if it is the answer to what this device was asked."""
        home, secret = Home.of(visitor), _challenge_in(answer.client_data)
        code = await self._answered("register", secret, cookie)
        if code.player != player:
            raise Refuse("passkey_old", 409)
        key, counter = await asyncio.to_thread(_registered, home, secret, answer)
        now = time.time()
        row = PasskeyRow(_credential_of(key), player, home.rp, _handle(player), key, counter, device, now, now)
        changes = [
            using_up("register", secret, code),
            adding(row),
            *writing_down(cookie, player, device),
        ]
        await self._written(changes, player)
        note("a passkey was added")

    async def remove(self, player: bytes, credential: str) -> None:
        change = "DELETE FROM passkeys WHERE credential = ? AND player = ?"
        try:
            await self._store.carry_out([Statement(change, (_bytes(credential), player), certain=True)])
        except Overtaken:
            raise Refuse("passkey_unknown", 404) from None
        except NotKept:
            raise Refuse("not_kept", 503) from None

    # ------------------------------------------------------------ coming in

    async def request(self, visitor: Visitor, cookie: bytes) -> PasskeyRequest:
        """What to ask an authenticator. Which passkey it is, it knows itself: no name is needed."""
        home = Home.of(visitor)
        return PasskeyRequest(await self._challenge("enter", None, cookie), home.rp)

    async def enter(self, visitor: Visitor, cookie: bytes, device: str, answer: PasskeyAnswer) -> str:
        """A door for this device to the person whose passkey has answered: returns the secret of its new cookie, "" where it was theirs already. It is a
        new one, so that whoever knew the old one comes in by nothing."""
        home, secret = Home.of(visitor), _challenge_in(answer.client_data)
        code = await self._answered("enter", secret, cookie)
        row = await self._store.ask(_passkey, _bytes(answer.id), home.rp)
        if row is None:
            raise Refuse("passkey_unknown", 404)
        if answer.handle and _bytes(answer.handle) != row.handle:
            raise Refuse("passkey_wrong", 403)
        counter = await asyncio.to_thread(_authenticated, home, secret, row, answer)
        own = await self._store.ask(base_of(cookie, visitor.player)) if visitor.player else None
        is_new = visitor.player != row.player
        fresh = new_secret() if is_new else ""
        counted = "UPDATE passkeys SET counter = ?1, used = ?2 WHERE credential = ?3 AND player = ?4 AND (counter < ?1 OR (counter = 0 AND ?1 = 0))"
        changes = [
            using_up("enter", secret, code),
            Statement(counted, (counter, time.time(), row.credential, row.player), certain=True),
            *(opening(digest(fresh), row.player, own if own != row.player else None, device) if is_new else []),
        ]
        await self._written(changes, row.player)
        note("somebody came in by a passkey")
        return fresh

    # ------------------------------------------------------------ challenges

    async def _challenge(self, kind: CodeKind, player: bytes | None, cookie: bytes) -> str:
        try:
            return unpadded((await self._codes.make(kind, player, cookie)).encode())
        except NotKept:
            raise Refuse("not_kept", 503) from None

    async def _answered(self, kind: CodeKind, secret: str, cookie: bytes) -> CodeRow:
        """The challenge that is answered: one of ours, to this very device, that nobody has answered yet."""
        found = await self._codes.find(kind, secret)
        if found is None or found.cookie != cookie:
            raise Refuse("passkey_old", 409)
        return found

    async def _written(self, changes: list[Statement], player: bytes) -> None:
        try:
            await self._doors.carry_out(changes, player)
        except Overtaken:  # it was answered just now, its signature was counted before, or there are too many
            raise Refuse("passkey_old", 409) from None
        except NotKept:
            raise Refuse("not_kept", 503) from None


# ---------------------------------------------------------------- what authenticators say


class _ClientData(msgspec.Struct):
    """What a browser says that it has asked its authenticator."""

    challenge: str
    crossOrigin: bool = False  # noqa: N815  as the standard has it


def _challenge_in(client_data: str) -> str:
    """The challenge that is answered. Whether the answer holds is looked at later."""
    try:
        found = msgspec.json.decode(padded(client_data), type=_ClientData)
        secret = padded(found.challenge).decode("ascii")
    except ValueError:
        raise Refuse("passkey_wrong", 403) from None
    if found.crossOrigin:
        raise Refuse("passkey_wrong", 403)
    return secret


def _bytes(text: str) -> bytes:
    try:
        found = padded(text)
    except ValueError:
        raise Refuse("passkey_wrong", 403) from None
    if not 0 < len(found) <= _LARGEST_ID:
        raise Refuse("passkey_wrong", 403)
    return found


def _handle(player: bytes) -> bytes:
    """By which an authenticator knows a person: it tells nobody by what they are known here."""
    return hashlib.sha256(b"passkey" + player).digest()


def _credential_of(key: bytes) -> bytes:
    from fido2.webauthn import AttestedCredentialData

    return AttestedCredentialData(key).credential_id


def _registered(home: Home, secret: str, answer: PasskeyNew) -> tuple[bytes, int]:
    """The credential that was made, and what it counts from."""
    response = {"clientDataJSON": answer.client_data, "attestationObject": answer.attestation}
    try:
        data = _server(home).register_complete(_asked(secret), _response(answer.id, response))
        assert data.credential_data is not None
        if data.credential_data.credential_id != padded(answer.id):
            raise ValueError("another credential")
        return bytes(data.credential_data), data.counter
    except Exception as error:  # whatever a library says of what may be anything
        raise _wrong(error) from None


def _authenticated(home: Home, secret: str, row: PasskeyRow, answer: PasskeyAnswer) -> int:
    """The number of the signature that was made with a passkey."""
    from fido2.webauthn import AttestedCredentialData, AuthenticatorData

    response = {
        "clientDataJSON": answer.client_data,
        "authenticatorData": answer.data,
        "signature": answer.signature,
        "userHandle": answer.handle or None,
    }
    try:
        known = [AttestedCredentialData(row.key)]
        _server(home).authenticate_complete(_asked(secret), known, _response(answer.id, response))
        return AuthenticatorData(padded(answer.data)).counter
    except Exception as error:
        raise _wrong(error) from None


def _server(home: Home) -> "Fido2Server":
    from fido2.server import Fido2Server
    from fido2.webauthn import PublicKeyCredentialRpEntity

    return Fido2Server(
        PublicKeyCredentialRpEntity(id=home.rp, name="Souk"), verify_origin=lambda origin: origin in home.origins
    )


def _asked(secret: str) -> dict[str, str]:
    return {"challenge": unpadded(secret.encode()), "user_verification": "preferred"}


def _response(identity: str, response: Mapping[str, str | None]) -> dict[str, object]:
    given = {name: value for name, value in response.items() if value is not None}
    return {"id": identity, "rawId": identity, "type": "public-key", "response": given}


def _wrong(error: Exception) -> Refuse:
    note("a passkey was refused", why=str(error)[:80])
    return Refuse("passkey_wrong", 403)


# ---------------------------------------------------------------- what is kept


def adding(row: PasskeyRow) -> Statement:
    """Somebody has one more: Overtaken where they have as many as may be."""
    added = f"""INSERT INTO passkeys SELECT {marks(len(row))}
        WHERE (SELECT count(*) FROM passkeys WHERE player = ?) < ?"""
    return Statement(added, (*row, row.player, MOST_PASSKEYS), certain=True, turn="passkeys")


_COLUMNS = ", ".join(PasskeyRow._fields)


def passkeys_of(connection: Line, player: bytes) -> list[PasskeyRow]:
    asked = f"SELECT {_COLUMNS} FROM passkeys WHERE player = ? ORDER BY since"
    return [PasskeyRow(*row) for row in connection.execute(asked, (player,))]


def _passkey(connection: Line, credential: bytes, rp: str) -> PasskeyRow | None:
    asked = f"SELECT {_COLUMNS} FROM passkeys WHERE credential = ? AND rp = ?"
    found = connection.execute(asked, (credential, rp)).fetchone()
    return PasskeyRow(*found) if found else None
