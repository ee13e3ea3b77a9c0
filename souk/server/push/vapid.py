"""By which key push services know this server (RFC 8292, "VAPID"): a private key on the curve P-256, and what is signed with it."""

import base64
import json
import time

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

_KEY = 32  # bytes of a private key, and of each half of a signature
_SECONDS_VALID = 12 * 3600.0  # of a signature; services take at most a day


def new_private_key() -> bytes:
    return ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value.to_bytes(_KEY, "big")


def unpadded(content: bytes) -> str:
    """Base64 as it stands in addresses."""
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def padded(text: str) -> bytes:
    """What such base64 says; ValueError where it says nothing."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    """A public key as 65 bytes."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


class Vapid:
    """Signs for push services. `contact`: where they reach whoever hosts the server, or ""."""

    def __init__(self, private: bytes, contact: str = "") -> None:
        self._key = ec.derive_private_key(int.from_bytes(private, "big"), ec.SECP256R1())
        self._contact = contact
        self.public = unpadded(point(self._key.public_key()))  # as a browser wants it

    def authorization(self, origin: str) -> str:
        """The header that says to the service of this origin who sends."""
        claims = {"aud": origin, "exp": int(time.time() + _SECONDS_VALID)}
        claims |= {"sub": self._contact} if self._contact else {}
        signed = ".".join(unpadded(json.dumps(each).encode()) for each in ({"typ": "JWT", "alg": "ES256"}, claims))
        halves = decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        signature = b"".join(half.to_bytes(_KEY, "big") for half in halves)
        return f"vapid t={signed}.{unpadded(signature)}, k={self.public}"
