"""Who asks: their address, their cookie, and whether their page is ours."""

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

from souk.table.limits import counted
from souk.table.seating import digest
from souk.table.settings import Settings

COOKIE = "souk"
_SAFER = "__Host-"  # before a name: a browser then takes it over TLS only, and from no other host of the same domain
_MOST_COOKIES = 4096  # bytes of the header that are looked at
_SECRET = re.compile(
    rb"(?:^|;)[ \t]*(" + _SAFER.encode() + b")?" + COOKIE.encode() + rb"=([A-Za-z0-9_-]{32})[ \t]*(?=;|$)"
)  # linear: each `;` begins once
_YEAR = 365 * 24 * 3600
_NUMBERS = re.compile(r"\d+(\.\d+){3}|\[[0-9a-f:.]+\]")  # an address instead of a name
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


class Visitor:
    """What a request or a socket says about who asks. `counted_as` is the name under which limits count them. `who`: whom a cookie belongs to, by its
    digest; None where it was signed out."""

    __slots__ = ("address", "cookie", "counted_as", "host", "origin", "player", "secure")

    def __init__(
        self, scope: Any, proxies: Sequence[str] = (), who: Callable[[bytes], bytes | None] = lambda cookie: cookie
    ) -> None:
        headers: dict[bytes, bytes] = dict(scope["headers"])
        self.address: str = (scope.get("client") or ("",))[0]
        self.host = headers.get(b"host", b"").decode("latin-1").lower()
        self.origin = headers.get(b"origin", b"").decode("latin-1").lower()
        self.secure = scope["scheme"] in ("https", "wss")
        if self.address in proxies:
            self._believe(headers, proxies)
        self.counted_as = counted(self.address)
        secret = _cookie(headers.get(b"cookie", b""))
        self.cookie = digest(secret) if secret else None
        self.player = who(self.cookie) if self.cookie else None  # the person behind it; None where they are new

    def _believe(self, headers: dict[bytes, bytes], proxies: Sequence[str]) -> None:
        """What a proxy of ours says: the nearest address that is not a proxy, and how it was reached."""
        told = headers.get(b"x-forwarded-for", b"").decode("latin-1").split(",")
        addresses = [each.strip() for each in told if each.strip() and each.strip() not in proxies]
        self.address = addresses[-1] if addresses else self.address
        self.secure = headers.get(b"x-forwarded-proto", b"").strip().lower() in (b"https", b"wss") or self.secure

    def is_at_home(self, origins: Sequence[str]) -> bool:
        """Whether the page that asks is this server's own, or one of those allowed. Who names no page is no browser."""
        if not self.origin or self.origin in origins:
            return True
        _, found, page_host = self.origin.partition("://")
        return bool(found and page_host) and page_host == self.host

    def means(self, hosts: Collection[str]) -> bool:
        """Whether what is asked for is one of these hosts; none are all. Somebody else's name that leads here is how a page of theirs would
        get behind a firewall; a number is no name, and leads nowhere else."""
        name = re.sub(r":\d*$", "", self.host)
        return not hosts or not name or name in hosts or is_number(name)


def is_number(name: str) -> bool:
    """Whether a host is asked for by its number."""
    return bool(_NUMBERS.fullmatch(name))


def our_hosts(settings: Settings) -> Collection[str]:
    """The names under which this server may be asked for; none where it cannot tell. What only this machine can reach has only this machine's
    name, unless a proxy is in front."""
    local = not settings.proxies and settings.host in _LOOPBACK
    return {host.lower() for host in settings.hosts} | {"localhost"} if settings.hosts or local else ()


def cookie_header(secret: str, secure: bool, seconds: int = _YEAR) -> str:
    """The header that gives somebody their cookie, for so long; 0 takes it away."""
    name, safely = (_SAFER + COOKIE, "; Secure") if secure else (COOKIE, "")
    return f"{name}={secret}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{safely}"


def _cookie(header: bytes) -> str | None:
    """Our cookie among those sent. Python's own reader takes minutes for some headers in versions that are still about."""
    found = sorted(_SECRET.findall(header[:_MOST_COOKIES]), reverse=True)  # the safer one first
    return found[0][1].decode() if found else None
