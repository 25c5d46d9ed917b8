"""Runs Ruby code in a function of a module: ``m::ev('code', …)`` sees its arguments as ``r``."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from bunraku.base.errors import PuppetError
from bunraku.catalog.compiled import CompiledCatalog
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.runtime.log import LogEntry

MODULES = str(Path(__file__).parents[1] / "data" / "ruby_modules")
needs_ruby = pytest.mark.skipif(shutil.which("ruby") is None, reason="Ruby is not installed")


def compiled(code: str, **given: Any) -> tuple[CompiledCatalog, list[LogEntry]]:
    """The catalog and the log of a manifest."""
    logged: list[LogEntry] = []
    given.setdefault("modulepath", [MODULES])
    request = Request(code=code, node="testnode.example.com", **given)
    return compile_catalog(request, logged.append), logged


def notices(code: str, **given: Any) -> list[str]:
    """The messages that a manifest logs with notice()."""
    _, logged = compiled(code, **given)
    return [item.message for item in logged if item.level == "notice" and item.scope is not None]


def ruby(code: str, *arguments: str, **given: Any) -> str:
    """The text of the result of Ruby code."""
    quoted = code.replace("\\", "\\\\").replace("'", "\\'")
    listed = ", ".join([f"'{quoted}'", *arguments])
    return notices(f"notice(m::ev({listed}))", **given)[0]


def failure(code: str, **given: Any) -> PuppetError:
    """The error that a manifest ends with."""
    with pytest.raises(PuppetError) as caught:
        compiled(code, **given)
    return caught.value
