"""A software authenticator for passkeys: creates keys and answers challenges as a browser would."""

import hashlib
import json
import secrets
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.webauthn import Aaguid, AttestationObject, AttestedCredentialData, AuthenticatorData

from souk.server.push.vapid import base64url_decode, base64url_encode

_PRESENT, _MADE = 0x05, 0x45  # flags: user present and verified; attested credential included


class Authenticator:
    """One passkey, once `make` was called. `origin`: the page's origin as browsers report it."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id, self.handle, self.counter = secrets.token_bytes(16), "", 0

    def make(self, options: dict[str, Any], origin: str = "", rp: str = "") -> dict[str, str]:
        """Create the passkey and answer the registration options."""
        self.handle = options["user"]
        public = AttestedCredentialData.create(
            Aaguid.NONE, self.id, ES256.from_cryptography_key(self.key.public_key())
        )
        data = self._data(rp or options["rp"], _MADE, bytes(public))
        made = AttestationObject.create("none", AuthenticatorData(data), {})
        client_data = self._client_data("webauthn.create", options["challenge"], origin)
        return {
            "id": base64url_encode(self.id),
            "client_data": base64url_encode(client_data),
            "attestation": base64url_encode(bytes(made)),
        }

    def answer(
        self, request: dict[str, Any], origin: str = "", rp: str = "", counted: bool = True
    ) -> dict[str, str]:
        """Sign a challenge."""
        self.counter += counted
        data = self._data(rp or request["rp"], _PRESENT)
        client_data = self._client_data("webauthn.get", request["challenge"], origin)
        signed = self.key.sign(
            data + hashlib.sha256(client_data).digest(), ec.ECDSA(hashes.SHA256())
        )
        return {
            "id": base64url_encode(self.id),
            "client_data": base64url_encode(client_data),
            "data": base64url_encode(data),
            "signature": base64url_encode(signed),
            "handle": self.handle,
        }

    def _data(self, rp: str, flags: int, made: bytes = b"") -> bytes:
        name = hashlib.sha256(rp.encode()).digest()
        return name + bytes([flags]) + self.counter.to_bytes(4, "big") + made

    def _client_data(self, kind: str, challenge: str, origin: str) -> bytes:
        said = {
            "type": kind,
            "challenge": challenge,
            "origin": origin or self.origin,
            "crossOrigin": False,
        }
        return json.dumps(said).encode()


def changed(answer: dict[str, str], part: str) -> dict[str, str]:
    """The answer with one bit of a part flipped."""
    content = bytearray(base64url_decode(answer[part]))
    content[-1] ^= 1
    return answer | {part: base64url_encode(bytes(content))}
