"""Hatchling build hook: builds the browser pages with web/build.py."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def _web(root: str) -> ModuleType | None:
    """web/build.py as a module, or None in a source distribution without it."""
    path = Path(root) / "web" / "build.py"
    if not path.is_file():
        return None
    spec = importlib.util.spec_from_file_location("souk_web_build", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    return module


class PagesHook(BuildHookInterface[Any]):
    """Builds web/ into souk/server/site."""

    def dependencies(self) -> list[str]:
        """The Node wheel, if the pages must be built and this machine has no Node."""
        web = _web(self.root)
        return [web.node_wheel()] if web and not web.is_built() and web.find_node() is None else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        if web := _web(self.root):
            web.build()
