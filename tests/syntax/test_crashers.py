"""Whatever once made bunraku crash, hang or run wild, by fuzzing or by hand: never again."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from bunraku.api.compile import compile as compile_code
from bunraku.base.errors import PuppetError
from bunraku.base.source import Source
from bunraku.syntax.parser.parser import parse, parse_epp
from support.work import counted

CRASHERS = json.loads(Path(__file__).with_name("crashers.json").read_text())
MOST_CALLS = 5_000_000  # the most that one takes is a fifth of it


def text_of(crasher: dict[str, Any]) -> str:
    """The program; what stands in ``repeat`` stands there as often as it says."""
    text: str = crasher["text"]
    piece, times = crasher.get("repeat", ["", 1])
    return text.replace(piece, piece * times) if piece else text


@pytest.mark.parametrize("crasher", CRASHERS, ids=lambda crasher: crasher["what"])
def test_crasher(crasher: dict[str, Any]) -> None:
    text = text_of(crasher)

    def read_and_compile() -> None:
        for entrance in (parse, parse_epp):
            assert entrance(Source(text)).program is not None
        with suppress(PuppetError):
            assert compile_code(text).name == "localhost"

    _, calls = counted(read_and_compile)
    assert calls < MOST_CALLS
