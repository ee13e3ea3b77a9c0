"""VAPID (RFC 8292): signs requests to push services with the server's P-256 key."""

import base64
import json
import time

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

_KEY = 32  # bytes of a private key and of each half of a signature
_SECONDS_VALID = 12 * 3600.0  # services accept at most a day


def base64url_encode(content: bytes) -> str:
    """Encode as base64url without padding."""
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def base64url_decode(text: str) -> bytes:
    """Decode base64url without padding; ValueError if malformed."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def encoded_point(key: ec.EllipticCurvePublicKey) -> bytes:
    """A public key as 65 bytes (uncompressed point)."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


class Vapid:
    """Signs requests. `contact`: mailto: or https: address of the host, or ""."""

    def __init__(self, private: bytes, contact: str = "") -> None:
        self._key = ec.derive_private_key(int.from_bytes(private, "big"), ec.SECP256R1())
        self._contact = contact
        self.public = base64url_encode(
            encoded_point(self._key.public_key())
        )  # for `PushManager.subscribe`

    def authorization(self, origin: str) -> str:
        """The Authorization header for a push service's origin."""
        claims = {"aud": origin, "exp": int(time.time() + _SECONDS_VALID)}
        claims |= {"sub": self._contact} if self._contact else {}
        signed = ".".join(
            base64url_encode(json.dumps(part).encode())
            for part in ({"typ": "JWT", "alg": "ES256"}, claims)
        )
        halves = decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        signature = b"".join(half.to_bytes(_KEY, "big") for half in halves)
        return f"vapid t={signed}.{base64url_encode(signature)}, k={self.public}"
