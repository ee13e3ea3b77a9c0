"""Server settings: each is a flag of `souk serve` and an environment variable (`SOUK_PORT`)."""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from souk.games import names

LEVELS = (
    "apprentice",
    "trader",
    "merchant:quick",
    "merchant",
    "vizier:quick",
    "vizier",
    "vizier:deep",
)
_MAX_PORT = 65535


def _set(default: Any, about: str) -> Any:
    return field(default=default, metadata={"about": about})


def _computed(default: Callable[[], Any], about: str) -> Any:
    return field(default_factory=default, metadata={"about": about})


def _user_data() -> Path:
    return user_data_path("souk", appauthor=False)


@dataclass(frozen=True)
class ServerConfig:
    """All settings of a server. Lists are separated by commas."""

    host: str = _set("127.0.0.1", "Address to listen on; 0.0.0.0 for all of this machine.")
    port: int = _set(7685, "Port to listen on (0: any free one).")
    data: Path = field(
        default_factory=_user_data, metadata={"about": "Folder for the database and key."}
    )
    key: Path = field(
        default_factory=lambda: Path("key"),
        metadata={
            "about": "File with the encryption key, created at the first start; a plain name "
            "is relative to the data folder."
        },
    )
    store: str = _set(
        "",
        "PostgreSQL database for the tables, postgresql://user@host/database (default: a "
        "file in the data folder).",
    )
    store_wait: float = _set(5.0, "Seconds to wait for the database before a move is refused.")
    store_readers: int = _set(4, "Database connections for reading; there is one more for writing.")
    processes: int = _set(1, "Server processes on this port; several need PostgreSQL (store).")
    hosts: tuple[str, ...] = _set((), "Host names of this server, like example.org (default: any).")
    origins: tuple[str, ...] = _set(
        (), "Other allowed origins of requests, like https://example.org."
    )
    proxies: tuple[str, ...] = _set((), "Proxies whose X-Forwarded-For and -Proto are trusted.")
    levels: tuple[str, ...] = _set(LEVELS, "Bot levels on offer.")
    games: tuple[str, ...] = _computed(
        lambda: tuple(names()), "Games whose bots are compiled at startup."
    )
    workers: int = _computed(
        lambda: max(1, (os.cpu_count() or 1) - 1), "Processes in which bots search."
    )
    bot_wait: float = _set(
        1.0,
        "Longest time in seconds that a bot waits for other bots; beyond that all bots "
        "think for a shorter time.",
    )
    bot_user: str = _set("", "User that runs bot programs (exec:...) if the server starts as root.")
    trust_bots: bool = _set(False, "Let bot programs do what the server may do, and read its data.")
    pace: float = _set(0.6, "Seconds between an event and a bot's move, so that people can follow.")
    grace: float = _set(4.0, "Seconds after which a person with no open page counts as away.")
    away_time: float = _set(45.0, "Seconds until others may decide about an absent player to move.")
    dice_time: float = _set(15.0, "Seconds a browser has to reveal its share of the dice.")
    message_rate: float = _set(20.0, "Max commands per second per connection.")
    message_burst: int = _set(60, "Burst size for --message-rate.")
    frame_rate: float = _set(100.0, "Max websocket frames of any kind per second per connection.")
    frame_burst: int = _set(600, "Burst size for --frame-rate.")
    byte_rate: float = _set(100_000.0, "Max bytes per second per websocket connection.")
    byte_burst: int = _set(400_000, "Burst size for --byte-rate.")
    request_rate: float = _set(20.0, "Max requests per second per address (pages: --file-rate).")
    request_burst: int = _set(400, "Burst size for --request-rate.")
    file_rate: float = _set(200.0, "Max pages, their files and languages per second per address.")
    file_burst: int = _set(6000, "Burst size for --file-rate.")
    table_rate: float = _set(0.2, "Max new tables per second per address.")
    table_burst: int = _set(60, "Burst size for --table-rate.")
    events: str = _set("everybody", "Who may open events: everybody, host (`souk host`), or off.")
    event_wait: float = _set(60.0, "Seconds that a table of an event waits for its players.")
    hint_rate: float = _set(0.5, "Max requests to the coach per second per address.")
    hint_burst: int = _set(40, "Burst size for --hint-rate.")
    talk_rate: float = _set(0.5, "Max chat messages per second per person.")
    talk_burst: int = _set(8, "Burst size for --talk-rate.")
    call_after: float = _set(3.0, "Seconds before players with a hidden page are notified.")
    push_contact: str = _set("", "Contact for push services: mailto:me@example.org, or a page.")
    push_local: bool = _set(False, "Allow push services on private networks, even without TLS.")
    code_minutes: float = _set(10.0, "Minutes for which device links and passkey challenges last.")
    person_rate: float = _set(0.5, "Max account requests (links, passkeys) per second per address.")
    person_burst: int = _set(40, "Burst size for --person-rate.")
    person_days: int = _set(90, "Days to keep names without tables, and signed-out devices.")
    export_rate: float = _set(0.02, "Max exports of personal data per second per person.")
    export_burst: int = _set(3, "Burst size for --export-rate.")
    public_lobby: bool = _set(False, "Show open tables, games and player searches in the lobby.")
    forbidden: str = _set("", "File with words forbidden in names and chat, one per line.")
    study_workers: int = _computed(
        lambda: max(1, min(2, (os.cpu_count() or 1) - 1)), "Processes that analyse finished games."
    )
    study_rate: float = _set(0.1, "Max new analyses per second per address.")
    study_burst: int = _set(40, "Burst size for --study-rate.")
    sockets: int = _set(100, "Max open tables (websockets) per address.")
    connections: int = _set(400, "Max connections of any kind per address (IPv6: per /64 network).")
    all_connections: int = _set(0, "Max connections in total (0: what the open file limit allows).")
    abandoned_days: int = _set(
        0, "Delete unfinished games not visited for so many days (0: never)."
    )
    finished_days: int = _set(0, "Delete finished games not viewed for this many days (0: never).")
    report_days: int = _set(90, "Delete reported chat messages after this many days.")
    file_bytes: int = _set(0, "Refuse new tables above this database file size (0: no limit).")
    metrics: str = _set("", "Address for Prometheus to fetch /metrics, like 127.0.0.1:9685.")
    log: str = _set("text", "Log format: text or json.")

    def __post_init__(self) -> None:
        if not 0 <= self.port <= _MAX_PORT:
            raise ValueError(f"port: must be from 0 to {_MAX_PORT}, not {self.port}")
        if self.metrics and not re.fullmatch(r"(\[[0-9a-f:]+\]|[^:\s]+):\d{1,5}", self.metrics):
            raise ValueError(
                "metrics: must be an address and a port, such as 127.0.0.1:9685, "
                f"not {self.metrics}"
            )
        self._check_store()
        if self.log not in ("text", "json"):
            raise ValueError(f"log: must be text or json, not {self.log}")
        if self.events not in ("everybody", "host", "off"):
            raise ValueError(f"events: must be everybody, host or off, not {self.events}")
        if self.push_contact and not re.fullmatch(
            r"(mailto:[^\s@]+@[^\s@]+|https://\S+)", self.push_contact
        ):
            raise ValueError(
                f"push_contact: must begin with mailto: or https://, not {self.push_contact}"
            )
        for name in self.games:
            if name not in names():
                raise ValueError(f"games: there is no {name}; known are {', '.join(names())}")
        self._check_numbers()

    def _check_numbers(self) -> None:
        names = [setting.name for setting in fields(self)]
        bursts = [name for name in names if name.endswith("_burst")]
        rates = [name for name in names if name.endswith("_rate")]
        counts = "workers", "study_workers", "processes", "store_readers", "sockets", "connections"
        for name in (*counts, *bursts):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}: must be at least 1")
        times = "pace", "grace", "away_time", "event_wait", "bot_wait", "dice_time", "call_after"
        days = "abandoned_days", "finished_days", "report_days", "person_days", "code_minutes"
        for name in (*times, *days, *rates, "all_connections", "file_bytes"):
            if not getattr(self, name) >= 0:
                raise ValueError(f"{name}: must not be negative")

    def _check_store(self) -> None:
        if self.store and not self.store.startswith(("postgresql://", "postgres://")):
            raise ValueError(
                "store: must be an address such as postgresql://user@host/database, "
                "or empty for a file"
            )
        if self.processes > 1 and not self.store:
            raise ValueError(
                f"processes: {self.processes} cannot write to one file; name a PostgreSQL database "
                "that they share (store: postgresql://user@host/database), or use 1"
            )
        if not self.store_wait > 0:
            raise ValueError(f"store_wait: must be more than 0, not {self.store_wait:g}")


def flags() -> list[tuple[str, type, Any, str]]:
    """All settings as flags: name, type, default (lists with commas) and help text."""
    plain = ServerConfig()
    rows = []
    for setting in fields(ServerConfig):
        default = getattr(plain, setting.name)
        kind: type = (
            str
            if isinstance(default, tuple)
            else Path
            if isinstance(default, Path)
            else type(default)
        )
        shown = ",".join(default) if isinstance(default, tuple) else default
        rows.append((setting.name, kind, shown, setting.metadata["about"]))
    return rows


def from_flags(given: dict[str, Any]) -> ServerConfig:
    """Build settings from command line values."""
    lists = {
        setting.name
        for setting in fields(ServerConfig)
        if isinstance(getattr(ServerConfig(), setting.name), tuple)
    }
    values: dict[str, Any] = {
        name: tuple(part.strip() for part in value.split(",") if part.strip())
        if name in lists
        else value
        for name, value in given.items()
    }
    return ServerConfig(**values)
