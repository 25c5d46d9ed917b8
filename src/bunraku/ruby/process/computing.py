"""Ruby code that only computes: a recorded compile can be used again although Ruby ran it."""

from __future__ import annotations

import shutil
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import TYPE_CHECKING

from bunraku.base.bounded_cache import BoundedCache
from bunraku.world.protocol import World
from bunraku.world.recording import Recording, recording_of

if TYPE_CHECKING:
    from bunraku.ruby.syntax.purity import Impurity

MOST_FUNCTIONS = 2_000
START_OF_PROGRAM = 4096
"""Bytes; the beginning of a program has the number of its build."""
IMPURITIES: BoundedCache[str, tuple[bytes, Impurity | None]] = BoundedCache(
    "what Ruby functions do besides computing", MOST_FUNCTIONS
)
"""By path, with the content of the file."""


def computing_function(world: World, path: str, name: str) -> AbstractContextManager[None]:
    """Return a context in which Ruby runs a function; a recorded compile notes why it cannot be used again."""
    recording = recording_of(world)
    if recording is None or recording.unrepeatable is not None:
        return nullcontext()
    found = impurity_of(recording, path)
    if found is not None:
        with recording.computing(False):
            recording.cannot_repeat(f"the function {name} {found.what} ({path}:{found.line})")
    return recording.computing(found is None)


def impurity_of(recording: Recording, path: str) -> Impurity | None:
    """Return what the function in a file does besides computing; the compile depends on the file."""
    try:
        content = recording.read(path)
    except OSError:
        content = b""
    known = IMPURITIES.get(path)
    if known is None or (known[0] is not content and known[0] != content):
        from bunraku.ruby.syntax.purity import impurity_of_function

        text = content.decode("utf-8", "surrogateescape")
        known = IMPURITIES.keep(path, (content, impurity_of_function(text)))
    return known[1]


def note_ruby(world: World, command: str) -> None:
    """Record which Ruby runs: another one may compute something else."""
    recording = recording_of(world)
    if recording is None or recording.unrepeatable is not None:
        return
    path = shutil.which(command, path=recording.environment_variable("PATH"))
    with suppress(OSError):
        recording.beginning(path or command, START_OF_PROGRAM)
