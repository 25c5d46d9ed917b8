"""uvicorn's class for connections has what ``web/protocol.py`` extends, and its version is bounded."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import version
from inspect import getsource
from pathlib import Path

from uvicorn.protocols.http.h11_impl import H11Protocol

from bunraku.web.protocol import Connection

ROOT = Path(__file__).parents[2]
ATTRIBUTES = ("app", "conn", "cycle", "loop", "transport")


def test_only_the_tested_minor_version_is_allowed():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (requirement,) = [
        one for one in project["optional-dependencies"]["server"] if one.startswith("uvicorn")
    ]
    low, high = re.fullmatch(r"uvicorn>=0\.(\d+),<0\.(\d+)", requirement).groups()
    assert int(high) == int(low) + 1
    assert version("uvicorn").startswith(f"0.{low}.")


def test_each_overridden_method_exists():
    own = {name for name, value in vars(Connection).items() if callable(value)}
    called = set(re.findall(r"super\(\)\.(\w+)\(", getsource(Connection)))
    assert called - {"__init__"} <= own & set(dir(H11Protocol))


def test_each_attribute_exists():
    source = getsource(H11Protocol)
    assert [name for name in ATTRIBUTES if f"self.{name}" not in source] == []
