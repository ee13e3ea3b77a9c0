"""What hosts are given: the unit of systemd and the container's file ask for what there is, and give no rights away."""

import json
import re
import time
from configparser import RawConfigParser
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from souk.table.settings import THINKING, Settings, flags, from_flags
from tests.table.clients import Server

ROOT = Path(__file__).parent.parent
HOSTING, CONTAINER, COMPOSE = ROOT / "hosting", ROOT / "hosting" / "Containerfile", ROOT / "compose.yaml"
NAMES = {name for name, *_ in flags()}
KNOWN = {"serve": NAMES, "think": set(THINKING)}  # by command


def unit(name: str) -> dict[str, str]:
    """The settings of a service; of those that stand there twice, the last."""
    parser = RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(HOSTING / f"{name}.service")
    return dict(parser["Service"])


@pytest.mark.parametrize(("name", "command"), [("souk", "serve"), ("souk-think", "think")])
def test_a_unit_asks_for_settings_that_there_are(name: str, command: str) -> None:
    program, asked, *words = unit(name)["ExecStart"].split()
    given = dict(zip((word.removeprefix("--").replace("-", "_") for word in words[::2]), words[1::2], strict=True))
    assert (program.endswith("/souk"), asked) == (True, command)
    assert set(given) <= KNOWN[command]
    found = from_flags(given)
    assert isinstance(found, Settings)
    assert found.metrics.startswith("127.0.0.1:")


@pytest.mark.parametrize("name", ["souk", "souk-think"])
def test_a_unit_runs_as_nobody_and_writes_only_its_own(name: str) -> None:
    found = unit(name)
    assert (found["CacheDirectory"], found["CacheDirectoryMode"]) == (name, "0700")
    for name in ("DynamicUser", "NoNewPrivileges", "PrivateTmp", "ProtectHome", "RestrictNamespaces"):
        assert found[name] == "yes"
    assert (found["ProtectSystem"], found["CapabilityBoundingSet"], found["UMask"]) == ("strict", "", "0077")
    assert found.get("StateDirectoryMode", "0700") == "0700"
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


# ---------------------------------------------------------------- all together


def composed() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(COMPOSE.read_text())["services"]
    return found


def test_what_is_composed_asks_for_settings_that_there_are() -> None:
    seen = []
    for service in composed().values():
        command = service.get("entrypoint", ["souk", "serve"])[-1]
        given = {
            name.removeprefix("SOUK_").lower(): value
            for name, value in service.get("environment", {}).items()
            if name.startswith("SOUK_")
        }
        if service["image"] == "souk":
            assert set(given) <= KNOWN[command]
            numbers = {name: int(given[name]) for name in ("workers", "study_workers")}
            assert isinstance(from_flags(given | numbers), Settings)
            seen.append(command)
    assert sorted(seen) == ["serve", "serve", "think", "think"]


def test_what_is_composed_mounts_files_that_there_are() -> None:
    volumes = yaml.safe_load(COMPOSE.read_text())["volumes"]
    mounted = [volume.split(":")[0] for service in composed().values() for volume in service.get("volumes", [])]
    files = [name for name in mounted if name.startswith("./")]
    assert len(files) == 5
    assert all((ROOT / name).is_file() for name in files)
    assert {name for name in mounted if not name.startswith("./")} == set(volumes)
    assert all(
        (ROOT / service["build"]["dockerfile"]).is_file() for service in composed().values() if "build" in service
    )


def test_proxy_and_prometheus_name_those_that_are_composed() -> None:
    services, port = composed(), str(Settings().port)
    proxy = (HOSTING / "nginx-compose.conf").read_text()
    upstreams = re.findall(r"upstream (\w+) \{(.*?)\}", proxy, flags=re.DOTALL)
    assert {name for name, _ in upstreams} == set(re.findall(r"proxy_pass http://(\w+);", proxy))
    for _, about in upstreams:
        assert re.findall(r"server ([\w-]+):(\d+)", about) == [("server-1", port), ("server-2", port)]
    asked = yaml.safe_load((HOSTING / "prometheus.yml").read_text())["scrape_configs"]
    targets = [target.split(":") for job in asked for each in job["static_configs"] for target in each["targets"]]
    assert len(targets) == 4
    for name, port in targets:
        assert services[name]["environment"]["SOUK_METRICS"].endswith(f":{port}")
    source = yaml.safe_load((HOSTING / "dashboard" / "source.yaml").read_text())
    assert [each["uid"] for each in source["datasources"]] == ["prometheus"]


def test_the_dashboard_shows_what_a_server_or_a_thinker_tells(tmp_path: Path) -> None:
    with Server(tmp_path, metrics="127.0.0.1:0") as server:
        while not (found := [line for line in list(server.lines) if '"metrics"' in line]):  # it is read in a thread
            time.sleep(0.01)
        [line] = found
        told = httpx.get(json.loads(line)["address"]).text
    known = set(re.findall(r"^# TYPE (\w+) ", told, flags=re.MULTILINE)) | {
        "souk_errands_under_way"
    }  # of a thinker: see test_errands
    panels = json.loads((HOSTING / "dashboard" / "souk.json").read_text())["panels"]
    used = {name for panel in panels for name in re.findall(r"\b(?:souk|process)_\w+", panel["targets"][0]["expr"])}
    assert {name.removesuffix("_bucket") for name in used} <= known
    assert len(used) > 10
