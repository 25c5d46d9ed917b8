"""Whatever once made bunraku crash, hang or run wild, by fuzzing or by hand: never again."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from bunraku.api.compile import compile as compile_code
from bunraku.base.errors import PuppetError
from bunraku.base.source import Source
from bunraku.syntax.parser.parser import parse, parse_epp

CRASHERS = json.loads(Path(__file__).with_name("crashers.json").read_text())
SLOWEST = 5.0  # seconds of the processor


def text_of(crasher: dict[str, Any]) -> str:
    """The program; what stands in ``repeat`` stands there as often as it says."""
    text: str = crasher["text"]
    piece, times = crasher.get("repeat", ["", 1])
    return text.replace(piece, piece * times) if piece else text


@pytest.mark.parametrize("crasher", CRASHERS, ids=lambda crasher: crasher["what"])
def test_crasher(crasher: dict[str, Any]) -> None:
    text = text_of(crasher)
    begin = time.process_time()
    for entrance in (parse, parse_epp):
        assert entrance(Source(text)).program is not None
    with suppress(PuppetError):
        assert compile_code(text).name == "localhost"
    assert time.process_time() - begin < SLOWEST
