"""Passkeys (WebAuthn): a way back in when all cookies are lost, without passwords or email
addresses.

`fido2` parses and verifies what authenticators answer; it is imported on first use.
"""

import asyncio
import hashlib
import re
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from souk.server.accounts.one_time_codes import CodeKind, CodeRow, OneTimeCodes, consume
from souk.server.accounts.sessions import Sessions, insert_session, list_device, signed_out_player
from souk.server.common.client import Client, is_ip_address
from souk.server.common.logs import log_info
from souk.server.common.tokens import digest, new_secret
from souk.server.protocol.account import PasskeyAnswer, PasskeyNew, PasskeyOptions, PasskeyRequest
from souk.server.protocol.errors import RequestRefused
from souk.server.push.vapid import base64url_decode, base64url_encode
from souk.server.storage.connection import Connection, placeholders
from souk.server.storage.errors import refuse_failed_writes
from souk.server.storage.rows import Statement
from souk.server.storage.store import Store

if TYPE_CHECKING:
    from fido2.server import Fido2Server

MAX_PASSKEYS = 10  # per person
_MAX_ID_LENGTH = 1023  # bytes of a credential id, limit of the standard
# Ed25519, ECDSA with P-256, RSA: every authenticator supports one of these
_ALGORITHMS = [-8, -7, -257]


class PasskeyRow(NamedTuple):
    """A stored passkey.

    `key`: the attested credential data with the public key; `handle`: the user handle given to the
    authenticator.
    """

    credential: bytes
    player: bytes
    rp: str  # relying party id: the host name it was made for
    handle: bytes
    key: bytes
    counter: int  # signature counter; 0 if the authenticator has none
    device: str
    since: float
    used: float


class RelyingParty(NamedTuple):
    """The relying party id, and the origins accepted as our own pages."""

    rp: str
    origins: frozenset[str]

    @classmethod
    def of(cls, client: Client) -> "RelyingParty":
        """From a request's host, which has been checked already. Browsers allow passkeys over TLS
        and on localhost.
        """
        name = re.sub(r":\d*$", "", client.host)
        if not name or is_ip_address(name):
            raise RequestRefused("passkey_number", 409)
        local = name == "localhost" or name.endswith(".localhost")
        return cls(
            name,
            frozenset([f"https://{client.host}", *([f"http://{client.host}"] if local else [])]),
        )


class Passkeys:
    """Registers passkeys and signs people in with them."""

    def __init__(self, store: Store, sessions: Sessions, one_time_codes: OneTimeCodes) -> None:
        self._store, self._sessions, self._one_time_codes = store, sessions, one_time_codes

    async def of(self, player: bytes) -> list[PasskeyRow]:
        return await self._store.query(passkeys_of, player)

    # ------------------------------------------------------------ registration

    async def options(
        self, client: Client, player: bytes, cookie: bytes, name: str
    ) -> PasskeyOptions:
        relying_party, passkeys = RelyingParty.of(client), await self.of(player)
        if len(passkeys) >= MAX_PASSKEYS:
            raise RequestRefused("too_many_passkeys", 409, most=MAX_PASSKEYS)
        challenge = await self._challenge("register", player, cookie)
        ids = [
            base64url_encode(passkey.credential)
            for passkey in passkeys
            if passkey.rp == relying_party.rp
        ]
        return PasskeyOptions(
            challenge,
            relying_party.rp,
            base64url_encode(_handle(player)),
            name or "Souk",
            _ALGORITHMS,
            ids,
        )

    async def add(
        self, client: Client, player: bytes, cookie: bytes, device: str, answer: PasskeyNew
    ) -> None:
        """Store a new passkey if it answers the challenge given to this device."""
        relying_party, secret = RelyingParty.of(client), _challenge_in(answer.client_data)
        challenge_row = await self._find_challenge("register", secret, cookie)
        if challenge_row.player != player:
            raise RequestRefused("passkey_old", 409)
        key, counter = await asyncio.to_thread(_verify_registration, relying_party, secret, answer)
        now = time.time()
        row = PasskeyRow(
            _credential_of(key),
            player,
            relying_party.rp,
            _handle(player),
            key,
            counter,
            device,
            now,
            now,
        )
        changes = [
            consume("register", secret, challenge_row),
            insert_passkey(row),
            *list_device(cookie, player, device),
        ]
        await self._carry_out(changes, player)
        log_info("passkey added")

    async def remove(self, player: bytes, credential: str) -> None:
        change = "DELETE FROM passkeys WHERE credential = ? AND player = ?"
        with refuse_failed_writes("passkey_unknown", 404):
            await self._store.write(
                [Statement(change, (_bytes(credential), player), exactly_one=True)]
            )

    # ------------------------------------------------------------ signing in

    async def request(self, client: Client, cookie: bytes) -> PasskeyRequest:
        """A challenge for any passkey: no user name needed."""
        relying_party = RelyingParty.of(client)
        return PasskeyRequest(await self._challenge("sign_in", None, cookie), relying_party.rp)

    async def sign_in(
        self, client: Client, cookie: bytes, device: str, answer: PasskeyAnswer
    ) -> str:
        """Sign this device in. Returns the secret of a new cookie, or "" if it was signed in
        already.

        The cookie is always new, so that whoever knew the old one gains nothing (session fixation).
        """
        relying_party, secret = RelyingParty.of(client), _challenge_in(answer.client_data)
        challenge_row = await self._find_challenge("sign_in", secret, cookie)
        row = await self._store.query(_passkey, _bytes(answer.id), relying_party.rp)
        if row is None:
            raise RequestRefused("passkey_unknown", 404)
        if answer.handle and _bytes(answer.handle) != row.handle:
            raise RequestRefused("passkey_wrong", 403)
        counter = await asyncio.to_thread(_verify_signature, relying_party, secret, row, answer)
        previous_player = (
            await self._store.query(signed_out_player(cookie, client.player))
            if client.player
            else None
        )
        is_new = client.player != row.player
        new_cookie = new_secret() if is_new else ""
        update = """UPDATE passkeys SET counter = ?1, used = ?2
            WHERE credential = ?3 AND player = ?4 AND (counter < ?1 OR (counter = 0 AND ?1 = 0))"""
        changes = [
            consume("sign_in", secret, challenge_row),
            Statement(update, (counter, time.time(), row.credential, row.player), exactly_one=True),
            *(
                insert_session(
                    digest(new_cookie),
                    row.player,
                    previous_player if previous_player != row.player else None,
                    device,
                )
                if is_new
                else []
            ),
        ]
        await self._carry_out(changes, row.player)
        log_info("signed in by passkey")
        return new_cookie

    # ------------------------------------------------------------ challenges

    async def _challenge(self, kind: CodeKind, player: bytes | None, cookie: bytes) -> str:
        with refuse_failed_writes():
            return base64url_encode(
                (await self._one_time_codes.make(kind, player, cookie)).encode()
            )

    async def _find_challenge(self, kind: CodeKind, secret: str, cookie: bytes) -> CodeRow:
        """The challenge being answered: made here, for this device, not used yet."""
        row = await self._one_time_codes.find(kind, secret)
        if row is None or row.cookie != cookie:
            raise RequestRefused("passkey_old", 409)
        return row

    async def _carry_out(self, changes: list[Statement], player: bytes) -> None:
        # answered already, counter not increased (cloned key), or too many passkeys
        with refuse_failed_writes("passkey_old", 409):
            await self._sessions.carry_out(changes, player)


# ---------------------------------------------------------------- verification


class _ClientData(msgspec.Struct):
    """The fields of `clientDataJSON` read here."""

    challenge: str
    crossOrigin: bool = False  # noqa: N815  standard name


def _challenge_in(client_data: str) -> str:
    """The challenge named in the client data; the signature is verified later."""
    try:
        data = msgspec.json.decode(base64url_decode(client_data), type=_ClientData)
        secret = base64url_decode(data.challenge).decode("ascii")
    except (ValueError, RecursionError):
        raise RequestRefused("passkey_wrong", 403) from None
    if data.crossOrigin:
        raise RequestRefused("passkey_wrong", 403)
    return secret


def _bytes(text: str) -> bytes:
    try:
        decoded = base64url_decode(text)
    except ValueError:
        raise RequestRefused("passkey_wrong", 403) from None
    if not 0 < len(decoded) <= _MAX_ID_LENGTH:
        raise RequestRefused("passkey_wrong", 403)
    return decoded


def _handle(player: bytes) -> bytes:
    """User handle given to authenticators; a hash, so that it does not reveal the person's id."""
    return hashlib.sha256(b"passkey" + player).digest()


def _credential_of(key: bytes) -> bytes:
    from fido2.webauthn import AttestedCredentialData

    return AttestedCredentialData(key).credential_id


def _verify_registration(
    relying_party: RelyingParty, secret: str, answer: PasskeyNew
) -> tuple[bytes, int]:
    """Verify a registration; returns the credential and its counter."""
    response = {"clientDataJSON": answer.client_data, "attestationObject": answer.attestation}
    try:
        data = _server(relying_party).register_complete(
            _fido2_state(secret), _response(answer.id, response)
        )
        assert data.credential_data is not None
        if data.credential_data.credential_id != base64url_decode(answer.id):
            raise ValueError("credential id mismatch")
        return bytes(data.credential_data), data.counter
    except Exception as error:  # untrusted input: fido2 may raise anything
        raise _refusal(error) from None


def _verify_signature(
    relying_party: RelyingParty, secret: str, row: PasskeyRow, answer: PasskeyAnswer
) -> int:
    """Verify a signature; returns its counter."""
    from fido2.webauthn import AttestedCredentialData, AuthenticatorData

    response = {
        "clientDataJSON": answer.client_data,
        "authenticatorData": answer.data,
        "signature": answer.signature,
        "userHandle": answer.handle or None,
    }
    try:
        credentials = [AttestedCredentialData(row.key)]
        _server(relying_party).authenticate_complete(
            _fido2_state(secret), credentials, _response(answer.id, response)
        )
        return AuthenticatorData(base64url_decode(answer.data)).counter
    except Exception as error:
        raise _refusal(error) from None


def _server(relying_party: RelyingParty) -> "Fido2Server":
    from fido2.server import Fido2Server
    from fido2.webauthn import PublicKeyCredentialRpEntity

    return Fido2Server(
        PublicKeyCredentialRpEntity(id=relying_party.rp, name="Souk"),
        verify_origin=lambda origin: origin in relying_party.origins,
    )


def _fido2_state(secret: str) -> dict[str, str]:
    return {"challenge": base64url_encode(secret.encode()), "user_verification": "preferred"}


def _response(identity: str, response: Mapping[str, str | None]) -> dict[str, object]:
    given = {name: value for name, value in response.items() if value is not None}
    return {"id": identity, "rawId": identity, "type": "public-key", "response": given}


def _refusal(error: Exception) -> RequestRefused:
    log_info("passkey refused", reason=str(error)[:80])
    return RequestRefused("passkey_wrong", 403)


# ---------------------------------------------------------------- database


def insert_passkey(row: PasskeyRow) -> Statement:
    """Store a passkey; WriteConflict if the person has the maximum already."""
    insert = f"""INSERT INTO passkeys SELECT {placeholders(len(row))}
        WHERE (SELECT count(*) FROM passkeys WHERE player = ?) < ?"""
    return Statement(insert, (*row, row.player, MAX_PASSKEYS), exactly_one=True, lock="passkeys")


_COLUMNS = ", ".join(PasskeyRow._fields)


def passkeys_of(connection: Connection, player: bytes) -> list[PasskeyRow]:
    query = f"SELECT {_COLUMNS} FROM passkeys WHERE player = ? ORDER BY since"
    return [PasskeyRow(*row) for row in connection.execute(query, (player,))]


def _passkey(connection: Connection, credential: bytes, rp: str) -> PasskeyRow | None:
    query = f"SELECT {_COLUMNS} FROM passkeys WHERE credential = ? AND rp = ?"
    row_values = connection.execute(query, (credential, rp)).fetchone()
    return PasskeyRow(*row_values) if row_values else None
