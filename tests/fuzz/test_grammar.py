"""Programs by chance through the whole engine: PuppetError is the only exception there is.

    BUNRAKU_FUZZ_SECONDS=1200 pytest tests/fuzz/test_grammar.py

runs for that long with programs that are new each time; without it the programs are always the same.
"""

from __future__ import annotations

import json
import os
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from bunraku.api.compile import compile as compile_code
from bunraku.base.errors import PuppetError
from bunraku.runtime.log import LogEntry
from bunraku.world.dictionary import DictionaryWorld
from support.programs import DATA, EXTREMES, FACTS, MODULES, programs
from support.work import Hanging, watched

LONG = float(os.environ.get("BUNRAKU_FUZZ_SECONDS", "0"))
SLOWEST = 60.0  # seconds of the processor until a program counts as hanging
MOST_MEMORY = 8 << 30
FILES = {f"/modules/{name}": text.encode() for name, text in MODULES.items()}
FILES |= {f"/{name}": text.encode() for name, text in DATA.items()}


@contextmanager
def limited() -> Iterator[None]:
    """Stop code that takes too much time or memory."""
    memory = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, memory[1]))
    try:
        with watched(SLOWEST):
            yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, memory)


def outcome(code: str, given_settings: dict[str, Any]) -> str:
    """The result of a program: the catalog or the error, and the log."""
    log: list[LogEntry] = []
    found: Any
    try:
        catalog = compile_code(
            code,
            facts=FACTS,
            settings=given_settings,
            modulepath=["/modules"],
            hiera_config="/hiera.yaml",
            world=DictionaryWorld(FILES),
            log=log.append,
        )
        found = {**catalog.to_data(), "version": 0, "catalog_uuid": ""}
    except PuppetError as error:
        found = [(one.code, one.message, one.place.where, one.hint) for one in error]
    return json.dumps([found, [repr(entry) for entry in log]])


def judge(code: str, given_settings: dict[str, Any]) -> None:
    """Compile a program twice: the same must come of it, and nothing but PuppetError."""
    with limited():
        try:
            assert outcome(code, given_settings) == outcome(code, given_settings)
        except Hanging:
            if not any(number in code for number in EXTREMES):  # those may be long loops
                raise


@settings(
    max_examples=250, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
@given(programs())
def test_programs_end_in_a_catalog_or_an_error(program: tuple[str, dict[str, Any]]) -> None:
    judge(*program)


@pytest.mark.skipif(not LONG, reason="BUNRAKU_FUZZ_SECONDS says how long")
def test_many_programs() -> None:
    end = time.monotonic() + LONG
    count = 0

    @settings(
        max_examples=1000,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
    )
    @given(programs())
    def run(program: tuple[str, dict[str, Any]]) -> None:
        nonlocal count
        if time.monotonic() < end:
            count += 1
            judge(*program)

    while time.monotonic() < end:
        run()
    print(f"{count} programs")
