"""Who sent a request: address, cookie, and whether the page is ours."""

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

from souk.server.common.config import ServerConfig
from souk.server.common.rate_limits import rate_limit_key
from souk.server.common.tokens import digest

COOKIE = "souk"
# With this prefix browsers accept a cookie over TLS only, and from no other host of the domain.
_HOST_PREFIX = "__Host-"
_MAX_COOKIE_HEADER = 4096  # bytes that are parsed
# Linear time: each `;` starts one attempt.
_SECRET = re.compile(
    rb"(?:^|;)[ \t]*("
    + _HOST_PREFIX.encode()
    + b")?"
    + COOKIE.encode()
    + rb"=([A-Za-z0-9_-]{32})[ \t]*(?=;|$)"
)
_YEAR = 365 * 24 * 3600
_IP_ADDRESS = re.compile(r"\d+(\.\d+){3}|\[[0-9a-f:.]+\]")
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


class Client:
    """The sender of a request or socket.

    `player` is the person behind the cookie, or None if there is no cookie or it was signed out.

    Args:
        who: maps the digest of a cookie to its player.
    """

    __slots__ = ("address", "cookie", "host", "origin", "player", "rate_limit_key", "secure")

    def __init__(
        self,
        scope: Any,
        proxies: Sequence[str] = (),
        who: Callable[[bytes], bytes | None] = lambda cookie: cookie,
    ) -> None:
        headers: dict[bytes, bytes] = dict(scope["headers"])
        self.address: str = (scope.get("client") or ("",))[0]
        self.host = headers.get(b"host", b"").decode("latin-1").lower()
        self.origin = headers.get(b"origin", b"").decode("latin-1").lower()
        self.secure = scope["scheme"] in ("https", "wss")
        if self.address in proxies:
            self._apply_forwarded(headers, proxies)
        self.rate_limit_key = rate_limit_key(self.address)
        secret = _cookie(headers.get(b"cookie", b""))
        self.cookie = digest(secret) if secret else None
        self.player = who(self.cookie) if self.cookie else None

    def _apply_forwarded(self, headers: dict[bytes, bytes], proxies: Sequence[str]) -> None:
        """Take the nearest address that is no proxy, and the scheme, from a trusted proxy."""
        forwarded = headers.get(b"x-forwarded-for", b"").decode("latin-1").split(",")
        addresses = [
            address.strip()
            for address in forwarded
            if address.strip() and address.strip() not in proxies
        ]
        self.address = addresses[-1] if addresses else self.address
        self.secure = (
            headers.get(b"x-forwarded-proto", b"").strip().lower() in (b"https", b"wss")
            or self.secure
        )

    def is_same_origin(self, origins: Sequence[str]) -> bool:
        """Whether the page is this server's or an allowed one. No origin means no browser."""
        if not self.origin or self.origin in origins:
            return True
        return (
            bool(self.host) and self.origin == f"{'https' if self.secure else 'http'}://{self.host}"
        )

    def means(self, hosts: Collection[str]) -> bool:
        """Whether the Host header names one of these hosts; none allows all.

        Prevents DNS rebinding: a foreign name that resolves to this server would let its pages
        through a firewall. IP addresses are always allowed, as they cannot be rebound.
        """
        name = re.sub(r":\d*$", "", self.host)
        return not hosts or name in hosts or is_ip_address(name)


def is_ip_address(name: str) -> bool:
    return bool(_IP_ADDRESS.fullmatch(name))


def allowed_hosts(config: ServerConfig) -> Collection[str]:
    """The host names of this server; none if unknown.

    Without a proxy, a server that listens on loopback only is called localhost.
    """
    local = not config.proxies and config.host in _LOOPBACK
    return {host.lower() for host in config.hosts} | {"localhost"} if config.hosts or local else ()


def cookie_header(secret: str, secure: bool, seconds: int = _YEAR) -> str:
    """A Set-Cookie header; 0 seconds delete the cookie."""
    name, attribute = (_HOST_PREFIX + COOKIE, "; Secure") if secure else (COOKIE, "")
    return f"{name}={secret}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{attribute}"


def _cookie(header: bytes) -> str | None:
    """Our cookie in a Cookie header.

    Python's own parser takes minutes for some headers in versions still in use.
    """
    matches = sorted(_SECRET.findall(header[:_MAX_COOKIE_HEADER]), reverse=True)  # safer one first
    return matches[0][1].decode() if matches else None
