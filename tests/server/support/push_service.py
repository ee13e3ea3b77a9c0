"""A local push service and a subscribed browser; messages are decrypted and checked against the
RFCs.
"""

import base64
import json
import os
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def plain(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def url_safe(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


class PushService:
    """Records posts.

    `answers`: by path, the statuses of the next posts, then 201. `later`: the Retry-After header.
    Paths starting with /drip get a byte now and then until the client hangs up.
    """

    def __init__(self) -> None:
        self.came: list[tuple[str, dict[str, str], bytes]] = []
        self.answers: dict[str, list[int]] = {}
        self.later = ""
        self.dripping = self.hung_up = 0  # answers
        self.some = threading.Event()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.came.append((self.path, dict(self.headers), body))
                if self.path.startswith("/drip"):
                    self.drip()
                    return
                left = service.answers.get(self.path, [])
                self.send_response(left.pop(0) if left else 201)
                if service.later:
                    self.send_header("Retry-After", service.later)
                self.send_header("Content-Length", "0")
                self.end_headers()
                service.some.set()

            def drip(self) -> None:
                service.dripping += 1
                self.wfile.write(b"HTTP/1.1 201 Created\r\nDrip: ")
                with suppress(OSError):
                    while True:
                        self.wfile.write(b".")
                        time.sleep(0.02)
                service.hung_up += 1
                self.close_connection = True

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def __enter__(self) -> "PushService":
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def posts(
        self, path: str, number: int, patience: float = 20.0
    ) -> list[tuple[str, dict[str, str], bytes]]:
        """Wait until a path has received this many posts; return them."""
        end = time.monotonic() + patience
        while len(found := [each for each in self.came if each[0] == path]) < number:
            assert time.monotonic() < end, f"{len(found)} posts to {path}, not {number}"
            self.some.wait(0.2)
            self.some.clear()
        return found


@dataclass
class Subscribed:
    """A browser's subscription, with the private key that never leaves it."""

    service: PushService
    path: str
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    secret: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def public(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def wish(self, language: str = "en") -> dict[str, str]:
        endpoint = self.service.origin + self.path
        return {
            "endpoint": endpoint,
            "p256dh": url_safe(self.public),
            "auth": url_safe(self.secret),
            "language": language,
        }

    def read(self, body: bytes) -> Any:
        """Decrypt (RFC 8291, receiver's side)."""
        salt, size, theirs, sealed = (
            body[:16],
            int.from_bytes(body[16:20], "big"),
            body[21 : 21 + body[20]],
            body[21 + body[20] :],
        )
        assert len(body) <= size
        sender = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
        about = b"WebPush: info\x00" + self.public + theirs
        shared = HKDF(hashes.SHA256(), 32, self.secret, about).derive(
            self.key.exchange(ec.ECDH(), sender)
        )
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\x00").derive(shared)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\x00").derive(shared)
        content, mark, _ = (
            AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0").rpartition(b"\x02")
        )
        assert mark
        return json.loads(content)


def check_signature(authorization: str, origin: str, public: str) -> dict[str, Any]:
    """Verify a VAPID header (RFC 8292) for this origin; return its claims."""
    scheme, _, rest = authorization.partition(" ")
    parts = dict(each.strip().split("=", 1) for each in rest.split(","))
    assert (scheme, parts["k"]) == ("vapid", public)
    signed, _, signature = parts["t"].rpartition(".")
    halves = plain(signature)
    der = encode_dss_signature(
        int.from_bytes(halves[:32], "big"), int.from_bytes(halves[32:], "big")
    )
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), plain(public))
    key.verify(der, signed.encode(), ec.ECDSA(hashes.SHA256()))
    header, claims = (json.loads(plain(each)) for each in signed.split("."))
    assert header["alg"] == "ES256"
    assert claims["aud"] == origin
    assert time.time() < claims["exp"] <= time.time() + 86_400
    return dict(claims)
