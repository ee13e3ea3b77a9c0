"""Web Push messages: encryption (RFC 8291) and delivery.

By hand because pywebpush 2.5, which posts with requests or aiohttp, offers neither one deadline
for the whole exchange with a bounded answer nor a guard against private addresses that connects to
the very address it has checked (endpoints come from users: SSRF, DNS rebinding).
"""

import asyncio
import re
import secrets
import socket
import ssl
from functools import cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any, NamedTuple
from urllib.parse import SplitResult, urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from souk.server.common.shutdown import run_in_new_thread
from souk.server.push.vapid import encoded_point

MAX_ENDPOINT = 1000
_DEADLINE = 15.0  # deadline for everything, name lookup to answer
_MAX_HEADERS = 16_384  # bytes of response headers
_RECORD_SIZE = 4096  # record size: limit for an encrypted message
_PADDED_SIZE = 600  # every message is padded to this, so that its length reveals nothing
_SECRET_SIZE = 16  # bytes of the auth secret
_POINT_SIZE = 65  # bytes of the public key
# NAT64, 6to4, Teredo: may lead to private IPv4 addresses.
_IPV4_TUNNELS = tuple(map(IPv6Network, ("64:ff9b::/96", "2002::/16", "2001::/32")))


class Subscription(NamedTuple):
    """A browser's push subscription."""

    endpoint: str  # URL of the push service
    key: bytes  # public key
    secret: bytes
    language: str


class EndpointNotAllowed(ValueError):
    """The endpoint is malformed or leads into our own network."""


def checked_subscription(subscription: Subscription, local: bool = False) -> Subscription:
    """Return the subscription; ValueError if its keys are invalid, EndpointNotAllowed for its
    endpoint.
    """
    if len(subscription.secret) != _SECRET_SIZE or len(subscription.key) != _POINT_SIZE:
        raise ValueError("key")
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), subscription.key)
    parse_endpoint(subscription.endpoint, local)
    return subscription


def parse_endpoint(endpoint: str, local: bool = False) -> SplitResult:
    """Parse an endpoint: https, a host name rather than an address, default port."""
    try:
        url = urlsplit(endpoint)
        port, host = url.port, url.hostname or ""
    except ValueError:
        raise EndpointNotAllowed(endpoint) from None
    is_plain = (
        endpoint.isascii()
        and endpoint.isprintable()
        and " " not in endpoint
        and len(endpoint) <= MAX_ENDPOINT
    )
    schemes = ("https", "http") if local else ("https",)
    if (
        not is_plain
        or url.scheme not in schemes
        or not host
        or url.username is not None
        or url.fragment
    ):
        raise EndpointNotAllowed(endpoint)
    if not local and (port not in (None, 443) or "." not in host or _is_ip_address(host)):
        raise EndpointNotAllowed(endpoint)
    return url


def _is_ip_address(host: str) -> bool:
    try:
        return bool(ip_address(host))
    except ValueError:
        return host.rpartition(".")[2].isdigit()


def is_public_address(text: str) -> bool:
    """Whether an IP address is public, also behind IPv4-mapped and tunnel addresses."""
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public_address(str(address.ipv4_mapped))
        if any(address in network for network in _IPV4_TUNNELS):
            return False
    return address.is_global and not address.is_multicast


# ---------------------------------------------------------------- encryption


def encrypt_for(subscription: Subscription, content: bytes) -> bytes:
    """Encrypt content for a subscription (`aes128gcm`)."""
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), subscription.key)
    ours = ec.generate_private_key(ec.SECP256R1())
    public, salt = encoded_point(ours.public_key()), secrets.token_bytes(16)
    info = b"WebPush: info\0" + subscription.key + public
    shared = _hkdf(subscription.secret, ours.exchange(ec.ECDH(), theirs), info, 32)
    key = _hkdf(salt, shared, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _hkdf(salt, shared, b"Content-Encoding: nonce\0", 12)
    padded = (content + b"\x02").ljust(_PADDED_SIZE, b"\0")
    return (
        salt
        + _RECORD_SIZE.to_bytes(4, "big")
        + bytes([len(public)])
        + public
        + AESGCM(key).encrypt(nonce, padded, None)
    )


def _hkdf(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


# ---------------------------------------------------------------- delivery


class PushResponse(NamedTuple):
    """Status and, if given, the seconds of Retry-After."""

    status: int
    wait: float | None


async def post(
    endpoint: str, headers: dict[str, str], body: bytes, local: bool = False
) -> PushResponse:
    """Post to an endpoint.

    OSError if there is no answer in time, EndpointNotAllowed if the name resolves into our own
    network. The deadline covers the whole exchange: a service sending a byte now and then would
    never exceed a timeout per read.
    """
    url = parse_endpoint(endpoint, local)
    host, secure = url.hostname or "", url.scheme == "https"
    port = url.port or (443 if secure else 80)
    path = (url.path or "/") + (f"?{url.query}" if url.query else "")
    all_headers = {
        "Host": url.netloc,
        "Content-Length": str(len(body)),
        "Connection": "close",
    } | headers
    lines = [
        f"POST {path} HTTP/1.1",
        *(f"{name}: {value}" for name, value in all_headers.items()),
        "",
        "",
    ]
    async with asyncio.timeout(_DEADLINE):
        # Resolve once, check, and connect to that address: protects against DNS rebinding.
        addresses = await _resolve(host, port)
        if not addresses or not (local or all(map(is_public_address, addresses))):
            raise EndpointNotAllowed(endpoint)
        tls: dict[str, Any] = {"ssl": _tls(), "server_hostname": host} if secure else {}
        reader, writer = await asyncio.open_connection(
            addresses[0], port, limit=_MAX_HEADERS, **tls
        )
        try:
            writer.write("\r\n".join(lines).encode("latin-1") + body)
            return await _read_response(reader)
        finally:
            writer.transport.abort()


async def _resolve(host: str, port: int) -> list[str]:
    """Resolve a name in a thread of its own: slow names must not use up the shared thread pool."""
    try:
        infos = await run_in_new_thread(socket.getaddrinfo, host, port, 0, socket.SOCK_STREAM)
    except UnicodeError:  # not a valid host name
        return []
    return [str(info[4][0]) for info in infos]


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()  # slow: loads all certificates


async def _read_response(reader: asyncio.StreamReader) -> PushResponse:
    """Read headers, skipping provisional (1xx) responses; the body is ignored.

    All headers together are bounded: reading what has already arrived does not yield to the event
    loop.
    """
    left = _MAX_HEADERS
    while left > 0:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            break
        left -= len(head)
        status = re.match(r"HTTP/1\.[01] ([1-5][0-9]{2})\b", head)
        if not status:
            break
        if status[1] > "199":
            retry_after = re.search(
                r"^retry-after:[ \t]*([0-9]{1,9})[ \t]*\r$", head, re.IGNORECASE | re.MULTILINE
            )
            return PushResponse(int(status[1]), float(retry_after[1]) if retry_after else None)
    raise OSError("no answer in HTTP")
