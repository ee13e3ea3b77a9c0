"""What can be set about a server. Each is a flag of `souk serve` and a variable of the environment (`SOUK_PORT` for `port`)."""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from souk.games import names

LEVELS = ("apprentice", "trader", "merchant:quick", "merchant", "vizier:quick", "vizier", "vizier:deep")
_MOST_PORTS = 65535


def _set(default: Any, about: str) -> Any:
    return field(default=default, metadata={"about": about})


def _found(default: Callable[[], Any], about: str) -> Any:
    return field(default_factory=default, metadata={"about": about})


def _user_data() -> Path:
    return user_data_path("souk", appauthor=False)


@dataclass(frozen=True)
class Settings:
    """All settings of a server; a list is written with commas."""

    host: str = _set("127.0.0.1", "The address to listen at; 0.0.0.0 for all of this machine's.")
    port: int = _set(7685, "The port; 0 for any that is free.")
    data: Path = field(default_factory=_user_data, metadata={"about": "The folder where tables are kept."})
    key: Path = field(
        default_factory=lambda: Path("key"),
        metadata={
            "about": "The file with the key to what is sealed there: made at the first start; a plain name is in that folder."
        },
    )
    store: str = _set(
        "", "Where tables are kept instead: postgresql://user@host/database; none: in a file in the data folder."
    )
    store_wait: float = _set(
        5.0, "Seconds that a move waits for a database that does not answer, before it is refused."
    )
    store_readers: int = _set(4, "Connections to the database that read; one more writes.")
    processes: int = _set(1, "Server processes at this port; more than one need PostgreSQL (store).")
    hosts: tuple[str, ...] = _set((), "Names by which this server may be asked for, such as example.org; none: all.")
    origins: tuple[str, ...] = _set((), "Other pages that may ask, such as https://example.org, besides this server's.")
    proxies: tuple[str, ...] = _set((), "Addresses of proxies whose X-Forwarded-For and -Proto are believed.")
    levels: tuple[str, ...] = _set(LEVELS, "The bots that may be asked for.")
    games: tuple[str, ...] = _found(lambda: tuple(names()), "The games whose bots are prepared at the start.")
    workers: int = _found(
        lambda: max(1, (os.cpu_count() or 1) - 1),
        "Processes in which bots search; 0 where tables are in PostgreSQL and thinkers elsewhere (souk think) do that.",
    )
    think_wait: float = _set(
        5.0, "Seconds that a bot waits for a thinker where there is none, before a simple one plays for it."
    )
    bot_wait: float = _set(
        1.0, "Seconds that a bot waits for others; where that is too little all think for less time."
    )
    bot_user: str = _set("", "The user that bot programs (levels exec:...) run as, where the server starts as root.")
    trust_bots: bool = _set(False, "Let bot programs do what the server may do, and read its data.")
    pace: float = _set(0.6, "Seconds between an event and a bot's move, so that people can follow.")
    grace: float = _set(4.0, "Seconds after which a person whose page is closed counts as away.")
    away_time: float = _set(45.0, "Seconds after which those present decide about somebody who is to move and away.")
    dice_time: float = _set(15.0, "Seconds a browser has to tell its share in the dice before the game begins without.")
    message_rate: float = _set(20.0, "Commands a second that one connection may send,")
    message_burst: int = _set(60, "and how many at once.")
    frame_rate: float = _set(100.0, "Websocket frames of any kind a second that one connection may send,")
    frame_burst: int = _set(600, "and how many at once.")
    byte_rate: float = _set(100_000.0, "Bytes a second that one websocket connection may send,")
    byte_burst: int = _set(400_000, "and how many at once.")
    request_rate: float = _set(20.0, "Requests and handshakes a second from one address, without pages and languages,")
    request_burst: int = _set(400, "and how many at once.")
    file_rate: float = _set(200.0, "Pages, their files and languages a second to one address,")
    file_burst: int = _set(6000, "and how many at once.")
    table_rate: float = _set(0.2, "New tables a second from one address,")
    table_burst: int = _set(60, "and how many at once.")
    events: str = _set("everybody", "Who may open an event: everybody, host (by `souk host event`), or off.")
    event_wait: float = _set(60.0, "Seconds that a table of an event waits for its people before it begins.")
    hint_rate: float = _set(0.5, "Questions to the coach a second from one address,")
    hint_burst: int = _set(40, "and how many at once.")
    talk_rate: float = _set(0.5, "Things a second that one person may say at tables,")
    talk_burst: int = _set(8, "and how many at once.")
    call_after: float = _set(3.0, "Seconds after which somebody whose turn it is, and who does not look, is called.")
    push_contact: str = _set("", "How push services reach whoever hosts this: mailto:me@example.org, or a page.")
    push_local: bool = _set(False, "Let calls go to private addresses, and without TLS: for closed networks.")
    door_minutes: float = _set(10.0, "Minutes for which a link to a second device works, and a question to a passkey.")
    person_rate: float = _set(
        0.5, "Things a second that one address may ask about who somebody is, such as links and passkeys,"
    )
    person_burst: int = _set(40, "and how many at once.")
    person_days: int = _set(
        90, "Days after which a name without any table, and a device that was signed out, are deleted."
    )
    export_rate: float = _set(0.02, "Times a second that one person may ask for everything they have here,")
    export_burst: int = _set(3, "and how many at once.")
    public_lobby: bool = _set(
        False,
        "Open the house to everybody: open tables, games to watch and people who look for others are shown in the lobby.",
    )
    forbidden: str = _set("", "A file of words that are forbidden in names and in what people write, one on each line.")
    study_workers: int = _found(
        lambda: max(1, min(2, (os.cpu_count() or 1) - 1)),
        "Processes in which games are looked back at; 0 where tables are in PostgreSQL and thinkers elsewhere (souk think) do that.",
    )
    study_rate: float = _set(0.1, "Games a second that one address may begin to look back at,")
    study_burst: int = _set(40, "and how many at once.")
    sockets: int = _set(100, "Tables that one address may have open: websocket connections.")
    connections: int = _set(400, "Connections of any kind that one address (of IPv6: one /64 network) may have open,")
    all_connections: int = _set(0, "and all together; 0 for as many as fit into this machine's limit of open files.")
    abandoned_days: int = _set(
        0, "Days after which an unfinished game that nobody came back to is deleted; 0 for never."
    )
    finished_days: int = _set(0, "Days after which a finished game that nobody looked at is deleted; 0 for never.")
    report_days: int = _set(90, "Days after which what somebody reported is deleted.")
    file_bytes: int = _set(0, "Bytes of the file beyond which new tables are refused; 0 for no limit.")
    metrics: str = _set("", "Where Prometheus may ask for /metrics, such as 127.0.0.1:9685; nowhere by default.")
    log: str = _set("text", "How to log: text or json.")

    def __post_init__(self) -> None:
        if not 0 <= self.port <= _MOST_PORTS:
            raise ValueError(f"port: must be from 0 to {_MOST_PORTS}, not {self.port}")
        if self.metrics and not re.fullmatch(r"(\[[0-9a-f:]+\]|[^:\s]+):\d{1,5}", self.metrics):
            raise ValueError(f"metrics: must be an address and a port, such as 127.0.0.1:9685, not {self.metrics}")
        self._check_store()
        if self.log not in ("text", "json"):
            raise ValueError(f"log: must be text or json, not {self.log}")
        if self.events not in ("everybody", "host", "off"):
            raise ValueError(f"events: must be everybody, host or off, not {self.events}")
        if self.push_contact and not re.fullmatch(r"(mailto:[^\s@]+@[^\s@]+|https://\S+)", self.push_contact):
            raise ValueError(f"push_contact: must begin with mailto: or https://, not {self.push_contact}")
        for name in self.games:
            if name not in names():
                raise ValueError(f"games: there is no {name}; known are {', '.join(names())}")
        self._check_numbers()

    def _check_numbers(self) -> None:
        bursts = [each.name for each in fields(self) if each.name.endswith("_burst")]
        rates = [each.name for each in fields(self) if each.name.endswith("_rate")]
        for name in ("workers", "study_workers"):
            if getattr(self, name) < (0 if self.store else 1):
                raise ValueError(
                    f"{name}: must be at least 1; 0 only with --store postgresql://..., where others think"
                )
        for name in ("processes", "store_readers", "sockets", "connections", *bursts):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}: must be at least 1")
        days = "abandoned_days", "finished_days", "report_days", "person_days", "door_minutes"
        for name in (
            "pace",
            "grace",
            "away_time",
            "event_wait",
            "bot_wait",
            "think_wait",
            "dice_time",
            "call_after",
            "all_connections",
            *days,
            "file_bytes",
            *rates,
        ):
            if not getattr(self, name) >= 0:
                raise ValueError(f"{name}: must not be negative")

    def _check_store(self) -> None:
        if self.store and not self.store.startswith(("postgresql://", "postgres://")):
            raise ValueError("store: must be an address such as postgresql://user@host/database, or nothing for a file")
        if self.processes > 1 and not self.store:
            raise ValueError(
                f"processes: {self.processes} cannot write to one file; name a PostgreSQL that they share (store: postgresql://user@host/database), or serve with 1"
            )
        if not self.store_wait > 0:
            raise ValueError(f"store_wait: must be more than 0, not {self.store_wait:g}")


# What can be set about a thinker elsewhere.
THINKING = ("store", "workers", "study_workers", "games", "bot_wait", "metrics", "log")


def flags() -> list[tuple[str, type, Any, str]]:
    """All settings as flags: name, type, default (lists with commas) and what they are about."""
    plain = Settings()
    found = []
    for each in fields(Settings):
        default = getattr(plain, each.name)
        kind: type = str if isinstance(default, tuple) else Path if isinstance(default, Path) else type(default)
        shown = ",".join(default) if isinstance(default, tuple) else default
        found.append((each.name, kind, shown, each.metadata["about"]))
    return found


def from_flags(given: dict[str, Any]) -> Settings:
    """Settings as the command line gives them."""
    lists = {each.name for each in fields(Settings) if isinstance(getattr(Settings(), each.name), tuple)}
    values: dict[str, Any] = {
        name: tuple(part.strip() for part in value.split(",") if part.strip()) if name in lists else value
        for name, value in given.items()
    }
    return Settings(**values)
