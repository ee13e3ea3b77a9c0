"""What hosts are given: the unit of systemd and the container's file ask for what there is, and give no rights away."""

import re
from configparser import RawConfigParser
from pathlib import Path

from souk.table.settings import Settings, flags, from_flags

ROOT = Path(__file__).parent.parent
UNIT, CONTAINER = ROOT / "hosting" / "souk.service", ROOT / "hosting" / "Containerfile"
NAMES = {name for name, *_ in flags()}


def unit() -> dict[str, str]:
    """The settings of the service; of those that stand there twice, the last."""
    parser = RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(UNIT)
    return dict(parser["Service"])


def test_the_unit_asks_for_settings_that_there_are() -> None:
    program, serve, *words = unit()["ExecStart"].split()
    given = dict(zip((word.removeprefix("--").replace("-", "_") for word in words[::2]), words[1::2], strict=True))
    assert (program.endswith("/souk"), serve) == (True, "serve")
    assert set(given) <= NAMES
    found = from_flags(given)
    assert isinstance(found, Settings)
    assert found.metrics.startswith("127.0.0.1:")


def test_the_unit_runs_as_nobody_and_writes_only_its_own() -> None:
    found = unit()
    for name in ("DynamicUser", "NoNewPrivileges", "PrivateTmp", "ProtectHome", "RestrictNamespaces"):
        assert found[name] == "yes"
    assert (found["ProtectSystem"], found["CapabilityBoundingSet"], found["UMask"]) == ("strict", "", "0077")
    assert (found["StateDirectory"], found["StateDirectoryMode"]) == ("souk", "0700")
    assert {"MemoryMax", "TasksMax", "LimitNOFILE"} <= set(found)


def test_the_container_is_made_of_what_is_here() -> None:
    text = CONTAINER.read_text()
    assert {name.lower() for name in re.findall(r"SOUK_(\w+)=", text)} <= NAMES
    for file in re.findall(r"(?:-r |python )([\w./-]+\.(?:lock|py))", text):
        assert (ROOT / file).is_file(), file
    assert "--require-hashes" in text
    *_, last = text.split("\nFROM ")
    assert "\nUSER nobody" in last
    assert "://" not in re.sub(r"http://127\.0\.0\.1", "", text)
