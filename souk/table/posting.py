"""A message on its way to somebody's device: sealed so that the push service between cannot read it (RFC 8291), and posted to an address
that is not one of our own network."""

import http.client
import secrets
import socket
import ssl
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from souk.table.vapid import point

LONGEST_ENDPOINT = 1000
_SECONDS = 10.0  # for a service to take a message
_MOST_ANSWER = 2000  # bytes of its answer that are read
_RECORD = 4096  # bytes that a message may have once it is sealed
_PADDED = 600  # bytes that each has before: how long a message is tells nothing
_SECRET = 16  # bytes of a device's secret
_POINT = 65  # bytes of its public key
_INTO_OLD_NETWORKS = (IPv6Network("64:ff9b::/96"), IPv6Network("2002::/16"), IPv6Network("2001::/32"))


class Device(NamedTuple):
    """A browser that wants to be called, as its push service names it."""

    endpoint: str  # where to post
    key: bytes  # its public one
    secret: bytes
    language: str


class WrongAddress(ValueError):
    """Where a call is to go is no place for it."""


def checked_device(device: Device, local: bool = False) -> Device:
    """ValueError where messages cannot be sealed for it, or WrongAddress where they may not be sent there."""
    if len(device.secret) != _SECRET or len(device.key) != _POINT:
        raise ValueError("key")
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), device.key)
    address_of(device.endpoint, local)
    return device


def address_of(endpoint: str, local: bool = False) -> SplitResult:
    """An endpoint in its parts: of a service in the world it is reached by its name, over TLS, at the usual port."""
    try:
        address = urlsplit(endpoint)
        port, host = address.port, address.hostname or ""
    except ValueError:
        raise WrongAddress(endpoint) from None
    plain = endpoint.isascii() and endpoint.isprintable() and " " not in endpoint and len(endpoint) <= LONGEST_ENDPOINT
    schemes = ("https", "http") if local else ("https",)
    if not plain or address.scheme not in schemes or not host or address.username is not None or address.fragment:
        raise WrongAddress(endpoint)
    if not local and (port not in (None, 443) or "." not in host or _is_number(host)):
        raise WrongAddress(endpoint)
    return address


def _is_number(host: str) -> bool:
    try:
        return bool(ip_address(host))
    except ValueError:
        return host.rpartition(".")[2].isdigit()


def is_in_the_world(number: str) -> bool:
    """Whether an address leads out of our own networks, and not by a detour into them."""
    found = ip_address(number.partition("%")[0])
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return is_in_the_world(str(found.ipv4_mapped))
        if any(found in network for network in _INTO_OLD_NETWORKS):
            return False
    return found.is_global and not found.is_multicast


# ---------------------------------------------------------------- sealing


def sealed_for(device: Device, content: bytes) -> bytes:
    """Content that only the device can read, as the encoding `aes128gcm` has it."""
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), device.key)
    ours = ec.generate_private_key(ec.SECP256R1())
    public, salt = point(ours.public_key()), secrets.token_bytes(16)
    about = b"WebPush: info\0" + device.key + public
    shared = _derived(device.secret, ours.exchange(ec.ECDH(), theirs), about, 32)
    key = _derived(salt, shared, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(salt, shared, b"Content-Encoding: nonce\0", 12)
    whole = (content + b"\x02").ljust(_PADDED, b"\0")
    return salt + _RECORD.to_bytes(4, "big") + bytes([len(public)]) + public + AESGCM(key).encrypt(nonce, whole, None)


def _derived(salt: bytes, secret: bytes, about: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, about).derive(secret)


# ---------------------------------------------------------------- posting


def post(endpoint: str, headers: dict[str, str], body: bytes, local: bool = False) -> tuple[int, str]:
    """Post to an endpoint; returns the status, and how long to wait before trying again as the service says, or "". OSError where nobody answers,
    WrongAddress where its name leads into our own network. Takes up to some seconds: not for the loop."""
    address = address_of(endpoint, local)
    host, secure = address.hostname or "", address.scheme == "https"
    port = address.port or (443 if secure else 80)
    # The number is looked up once, checked and then used: a name that leads elsewhere the next time leads nowhere.
    numbers = [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not numbers or not (local or all(map(is_in_the_world, numbers))):
        raise WrongAddress(endpoint)
    line = socket.create_connection((numbers[0], port), _SECONDS)
    connection = http.client.HTTPConnection(host, port, timeout=_SECONDS)
    try:
        connection.sock = ssl.create_default_context().wrap_socket(line, server_hostname=host) if secure else line
        path = (address.path or "/") + (f"?{address.query}" if address.query else "")
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        answer.read(_MOST_ANSWER)
        return answer.status, answer.headers.get("Retry-After", "")
    except http.client.HTTPException as error:
        raise OSError(f"no answer of HTTP: {type(error).__name__}") from None
    finally:
        connection.close()
        line.close()
