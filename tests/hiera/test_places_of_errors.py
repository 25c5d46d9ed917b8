"""The places that Puppet 7.23 reports for errors of lookups in the global layer: that of the call, or none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bunraku.jobs.batch import answer

DATA = r"""
alias: "x%{alias('one')}"
one: 1
lookup_options: {one: {merge: nope}, conv: {convert_to: Integer}}
conv: abc
method: "%{foo('x')}"
"""
CALL = (2, 8)
NONE = (None, None)
CASES = [
    ("lookup('one')", CALL),
    ("lookup('absent')", NONE),
    ("lookup('alias')", NONE),
    ("lookup('conv')", NONE),
    ("lookup('method')", NONE),
    ("lookup('alpha', String, {merge => nope})", CALL),
]  # fmt: skip


@pytest.fixture
def configuration(tmp_path: Path) -> str:
    (tmp_path / "a.yaml").write_text(DATA)
    level = {"name": "a", "path": "a.yaml"}
    defaults = {"datadir": str(tmp_path), "data_hash": "yaml_data"}
    path = tmp_path / "hiera.yaml"
    path.write_text(json.dumps({"version": 5, "defaults": defaults, "hierarchy": [level]}))
    return str(path)


@pytest.mark.parametrize(("call", "place"), CASES)
def test_the_place_of_an_error(configuration: str, call: str, place: tuple) -> None:
    request = {"code": f"$x = 1\nnotice({call})", "settings": {"hiera_config": configuration}}
    error = json.loads(answer(json.dumps(request).encode()))["error"]
    assert (error["line"], error["pos"]) == place, error["message"]
