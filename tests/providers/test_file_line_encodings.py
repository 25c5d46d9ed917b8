"""Encodings of ``file_line`` that do not exist, or do not have a character."""

from __future__ import annotations

import pytest

from support.applying import apply
from support.host import MemoryHost
from support.wrong_values import catalog_of


@pytest.mark.parametrize(
    ("encoding", "line", "reason"),
    [
        ("nothing", "a", "unknown encoding name - nothing"),
        ("base64", "a", "unknown encoding name - base64"),
        ("ISO-8859-1", "€", "the line has a character that ISO-8859-1 lacks"),
        ("utf-16", "a", "/srv/a is not in utf-16: "),
    ],
)
def test_the_resource_fails(encoding: str, line: str, reason: str) -> None:
    host = MemoryHost({"/srv/a": "x"})
    code = f"file_line {{ 'a': path => '/srv/a', line => '{line}', encoding => '{encoding}' }}"
    done = apply(host, catalog_of(code + " notify { 'b': }"))
    assert reason in "\n".join(done.lines)
    assert "Notice: b" in done.lines
    assert host.text("/srv/a") == "x"
