"""All manifests and templates of Debian's Puppet modules, compared with Puppet's parse trees.

Digests were recorded by ``tests/record/record_pn.py``; no Puppet is needed to compare.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from bunraku.base.source import Source
from bunraku.syntax.parser.parser import parse, parse_epp
from bunraku.syntax.pn import to_pn

RECORDED = json.loads((Path(__file__).parent / "debian_pn.json").read_text("utf-8"))


def digest(data: bytes) -> str:
    """As in ``record_pn.py``."""
    return hashlib.sha256(data).hexdigest()[:24]


def installed() -> list[tuple[Path, str, Any]]:
    """The recorded files that are here, unchanged: path, text, digest of the PN."""
    found = []
    for key, (name, expected) in RECORDED.items():
        path = Path(name)
        if path.is_file():
            data = path.read_bytes()
            if path.suffix + digest(data) == key:
                found.append((path, data.decode("utf-8", "surrogateescape"), expected))
    return found


def test_debian_modules_parse_to_the_same_tree() -> None:
    files = installed()
    if not files:
        pytest.skip("the Debian packages puppet-module-* are not installed")
    different = []
    for path, text, expected in files:
        result = (parse_epp if path.suffix == ".epp" else parse)(Source(text, str(path)))
        if isinstance(expected, dict):
            places = [item.line for item in result.errors]
            same = expected["line"] in places
        else:
            tree = to_pn(result.program).encode("utf-8", "surrogateescape")
            same = not result.errors and digest(tree) == expected
        if not same:
            different.append(str(path))
    assert different == []
