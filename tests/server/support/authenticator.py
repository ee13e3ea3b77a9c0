"""An authenticator for passkeys, in software: makes keys, and answers challenges with them as a browser would send it."""

import hashlib
import json
import secrets
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.webauthn import Aaguid, AttestationObject, AttestedCredentialData, AuthenticatorData

from souk.table.vapid import padded, unpadded

_PRESENT, _MADE = 0x05, 0x45  # somebody is there, and was verified; and a credential was made


class Authenticator:
    """One passkey, on the way to being one until `make` was called. `origin`: the page that asks, as its browser sees it."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id, self.handle, self.counter = secrets.token_bytes(16), "", 0

    def make(self, options: dict[str, Any], origin: str = "", rp: str = "") -> dict[str, str]:
        """The answer to what is asked when a passkey is made."""
        self.handle = options["user"]
        public = AttestedCredentialData.create(Aaguid.NONE, self.id, ES256.from_cryptography_key(self.key.public_key()))
        data = self._data(rp or options["rp"], _MADE, bytes(public))
        made = AttestationObject.create("none", AuthenticatorData(data), {})
        client_data = self._client_data("webauthn.create", options["challenge"], origin)
        return {"id": unpadded(self.id), "client_data": unpadded(client_data), "attestation": unpadded(bytes(made))}

    def answer(self, request: dict[str, Any], origin: str = "", rp: str = "", counted: bool = True) -> dict[str, str]:
        """The answer to a challenge."""
        self.counter += counted
        data = self._data(rp or request["rp"], _PRESENT)
        client_data = self._client_data("webauthn.get", request["challenge"], origin)
        signed = self.key.sign(data + hashlib.sha256(client_data).digest(), ec.ECDSA(hashes.SHA256()))
        return {
            "id": unpadded(self.id),
            "client_data": unpadded(client_data),
            "data": unpadded(data),
            "signature": unpadded(signed),
            "handle": self.handle,
        }

    def _data(self, rp: str, flags: int, made: bytes = b"") -> bytes:
        name = hashlib.sha256(rp.encode()).digest()
        return name + bytes([flags]) + self.counter.to_bytes(4, "big") + made

    def _client_data(self, kind: str, challenge: str, origin: str) -> bytes:
        said = {"type": kind, "challenge": challenge, "origin": origin or self.origin, "crossOrigin": False}
        return json.dumps(said).encode()


def changed(answer: dict[str, str], part: str) -> dict[str, str]:
    """The same with one bit of a part turned over."""
    content = bytearray(padded(answer[part]))
    content[-1] ^= 1
    return answer | {part: unpadded(bytes(content))}
