"""systemd units, container and compose files use existing settings and drop privileges."""

import json
import re
import time
from configparser import RawConfigParser
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from souk.server.common.config import ServerConfig, flags, from_flags
from souk.server.common.shutdown import SECONDS_TO_END
from tests.server.support.clients import Server

ROOT = Path(__file__).parents[2]
HOSTING, CONTAINER, COMPOSE = (
    ROOT / "hosting",
    ROOT / "hosting" / "Containerfile",
    ROOT / "hosting" / "compose.yaml",
)
NAMES = {name for name, *_ in flags()}


def unit(name: str) -> dict[str, str]:
    """Settings of a service; the last of duplicates."""
    parser = RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(HOSTING / f"{name}.service")
    return dict(parser["Service"])


def test_the_unit_uses_existing_settings() -> None:
    program, asked, *words = unit("souk")["ExecStart"].split()
    given = dict(
        zip(
            (word.removeprefix("--").replace("-", "_") for word in words[::2]),
            words[1::2],
            strict=True,
        )
    )
    assert (program.endswith("/souk"), asked) == (True, "serve")
    assert set(given) <= NAMES
    found = from_flags(given)
    assert isinstance(found, ServerConfig)
    assert found.metrics.startswith("127.0.0.1:")


def test_the_unit_is_sandboxed() -> None:
    found = unit("souk")
    assert (found["CacheDirectory"], found["CacheDirectoryMode"]) == ("souk", "0700")
    for name in (
        "DynamicUser",
        "NoNewPrivileges",
        "PrivateTmp",
        "ProtectHome",
        "RestrictNamespaces",
    ):
        assert found[name] == "yes"
    assert (found["ProtectSystem"], found["CapabilityBoundingSet"], found["UMask"]) == (
        "strict",
        "",
        "0077",
    )
    assert found.get("StateDirectoryMode", "0700") == "0700"
    assert {"MemoryMax", "TasksMax", "LimitNOFILE"} <= set(found)


def test_the_environment_file_can_set_proxies() -> None:
    """The file overrides the unit's environment, and flags override the file."""
    found = unit("souk")
    assert "SOUK_PROXIES=127.0.0.1" in found["Environment"].split()
    assert found["EnvironmentFile"] == "-/etc/souk.env"
    assert "--proxies" not in found["ExecStart"]


@pytest.mark.parametrize("name", ["nginx-several.conf", "nginx-compose.conf"])
def test_nginx_passes_on_the_host_with_its_port(name: str) -> None:
    """A browser's Origin includes it, so otherwise POST and sockets fail on other ports."""
    conf = (HOSTING / name).read_text()
    assert re.findall(r"proxy_set_header Host ([^;]+);", conf) == ["$http_host"]
    # A location with a header of its own would inherit none.
    assert not re.search(r"location[^{]*\{[^}]*proxy_set_header", conf)


def test_services_wait_for_a_graceful_shutdown() -> None:
    patience = [int(unit("souk")["TimeoutStopSec"])]
    services = yaml.safe_load(COMPOSE.read_text())["services"].values()
    patience += [
        int(each["stop_grace_period"].removesuffix("s"))
        for each in services
        if each.get("image") == "souk"
    ]
    assert len(patience) == 3
    assert all(seconds > SECONDS_TO_END for seconds in patience)
    assert (
        f"never more than {SECONDS_TO_END}:" in (ROOT / "docs" / "host" / "hosting.md").read_text()
    )


def test_the_containerfile_uses_existing_files() -> None:
    text = CONTAINER.read_text()
    assert {name.lower() for name in re.findall(r"SOUK_(\w+)=", text)} <= NAMES
    for file in re.findall(r"(?:-r |python )([\w./-]+\.(?:lock|py))", text):
        assert (ROOT / file).is_file(), file
    assert "--require-hashes" in text
    *_, last = text.split("\nFROM ")
    assert "\nUSER nobody" in last
    assert "://" not in re.sub(r"http://127\.0\.0\.1", "", text)


# ---------------------------------------------------------------- compose.yaml


def composed() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(COMPOSE.read_text())["services"]
    return found


def test_compose_uses_existing_settings() -> None:
    seen = 0
    for service in composed().values():
        given = {
            name.removeprefix("SOUK_").lower(): value
            for name, value in service.get("environment", {}).items()
            if name.startswith("SOUK_")
        }
        if service["image"] == "souk":
            assert set(given) <= NAMES
            numbers = {name: int(given[name]) for name in ("workers", "study_workers")}
            assert isinstance(from_flags(given | numbers), ServerConfig)
            seen += 1
    assert seen == 2


def test_compose_mounts_existing_files() -> None:
    volumes = yaml.safe_load(COMPOSE.read_text())["volumes"]
    mounted = [
        volume.split(":")[0]
        for service in composed().values()
        for volume in service.get("volumes", [])
    ]
    files = [name for name in mounted if name.startswith("./")]
    assert len(files) == 5
    assert all((HOSTING / name).is_file() for name in files)
    assert {name for name in mounted if not name.startswith("./")} == set(volumes)
    assert all(
        (ROOT / service["build"]["dockerfile"]).is_file()
        for service in composed().values()
        if "build" in service
    )


def test_proxy_and_prometheus_name_compose_services() -> None:
    services, port = composed(), str(ServerConfig().port)
    proxy = (HOSTING / "nginx-compose.conf").read_text()
    upstreams = re.findall(r"upstream (\w+) \{(.*?)\}", proxy, flags=re.DOTALL)
    assert {name for name, _ in upstreams} == set(re.findall(r"proxy_pass http://(\w+);", proxy))
    for _, about in upstreams:
        assert re.findall(r"server ([\w-]+):(\d+)", about) == [
            ("server-1", port),
            ("server-2", port),
        ]
    asked = yaml.safe_load((HOSTING / "prometheus.yml").read_text())["scrape_configs"]
    targets = [
        target.split(":")
        for job in asked
        for each in job["static_configs"]
        for target in each["targets"]
    ]
    assert len(targets) == 2
    for name, port in targets:
        assert services[name]["environment"]["SOUK_METRICS"].endswith(f":{port}")
    source = yaml.safe_load((HOSTING / "dashboard" / "source.yaml").read_text())
    assert [each["uid"] for each in source["datasources"]] == ["prometheus"]


def test_the_dashboard_uses_exported_metrics(tmp_path: Path) -> None:
    with Server(tmp_path, metrics="127.0.0.1:0") as server:
        # Another thread reads the lines.
        while not (lines := [line for line in list(server.lines) if '"metrics"' in line]):
            time.sleep(0.01)
        [line] = lines
        metrics = httpx.get(json.loads(line)["address"]).text
    known = set(re.findall(r"^# TYPE (\w+) ", metrics, flags=re.MULTILINE))
    panels = json.loads((HOSTING / "dashboard" / "souk.json").read_text())["panels"]
    used = {
        name
        for panel in panels
        for name in re.findall(r"\b(?:souk|process)_\w+", panel["targets"][0]["expr"])
    }
    assert {name.removesuffix("_bucket") for name in used} <= known
    assert len(used) > 10
