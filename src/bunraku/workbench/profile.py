"""Sampling profiler of a compile: samples of the Puppet code that runs, taken by a second thread.

Compiled Puppet code runs as Python functions whose file and lines are the manifest's, so a sample of
Python's frames is one of Puppet's: no code is instrumented, and the compile is hardly slowed.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Any

from bunraku.base.records import field, record
from bunraku.engine.loader import Loader
from bunraku.engine.manifests import Manifests
from bunraku.engine.request import find_environment
from bunraku.functions.declaration import BuiltinFunction
from bunraku.hiera.lookup import LookupEngine
from bunraku.runtime.collect import evaluate_collectors
from bunraku.runtime.cycles import check_cycles
from bunraku.runtime.finish import compiled_catalog, finish
from bunraku.runtime.relate import check_targets

INTERVAL = 0.001
TEMPLATES = frozenset({"template", "epp", "inline_template", "inline_epp"})
LOOKUPS = frozenset(
    {"lookup", "hiera", "hiera_array", "hiera_hash", "hiera_include", "dynamic_lookup"}
)
KINDS = ("class", "define", "function", "lookup", "template", "node", "main", "lambda", "compiler")
STAGES = {
    Manifests.compile.__code__: "read and compile code",
    Loader.resource_type.__code__: "read resource types",
    find_environment.__code__: "find the environment",
    evaluate_collectors.__code__: "collect",
    finish.__code__: "finish resources",
    check_targets.__code__: "check relationships",
    check_cycles.__code__: "check relationships",
    compiled_catalog.__code__: "finish the catalog",
}
"""Stages of a compile besides running code, by the function of the stage."""


@record(frozen=True)
class StackLevel:
    """One level of a stack: the kind of code, its name, and the running line."""

    kind: str
    name: str
    file: str = ""
    line: int = 0

    @property
    def label(self) -> str:
        """``class apache``; for code without a name, the kind."""
        return f"{self.kind} {self.name}".rstrip()


Stack = tuple[StackLevel, ...]


@record(slots=False)
class Profile:
    """The samples of one compile: seconds by stack, the outermost level first."""

    interval: float = INTERVAL
    seconds: dict[Stack, float] = field(default_factory=dict)
    samples: int = 0

    @property
    def total(self) -> float:
        """Seconds on the clock that were sampled."""
        return sum(self.seconds.values())

    def add(self, stack: Stack, seconds: float) -> None:
        """Count a sample."""
        self.samples += 1
        self.seconds[stack] = self.seconds.get(stack, 0.0) + seconds

    def totals(self) -> list[tuple[str, str, float, float]]:
        """Return kind, name, total and own seconds of each level, the most costly first."""
        whole: dict[tuple[str, str], float] = {}
        alone: dict[tuple[str, str], float] = {}
        for stack, seconds in self.seconds.items():
            for key in dict.fromkeys((level.kind, level.name) for level in stack):
                whole[key] = whole.get(key, 0.0) + seconds
            if stack:
                key = (stack[-1].kind, stack[-1].name)
                alone[key] = alone.get(key, 0.0) + seconds
        found = [
            (kind, name, time_, alone.get((kind, name), 0.0))
            for (kind, name), time_ in whole.items()
        ]
        return sorted(found, key=lambda row: (-row[2], row[0], row[1]))


class Sampler:
    """Samples the thread that enters it until it is left.

    >>> with Sampler() as sampler:
    ...     pass
    >>> sampler.profile.total >= 0
    True
    """

    def __init__(self, interval: float = INTERVAL) -> None:
        self.profile = Profile(interval)
        self.stop = threading.Event()
        self.watched = threading.get_ident()
        self.thread = threading.Thread(target=self.watch, name="profile", daemon=True)
        self.switch = sys.getswitchinterval()

    def __enter__(self) -> Sampler:
        # A thread that computes hands over only at this interval.
        sys.setswitchinterval(min(self.switch, self.profile.interval / 2))
        self.thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop.set()
        self.thread.join()
        sys.setswitchinterval(self.switch)

    def watch(self) -> None:
        """Take samples; each represents the time since the one before."""
        last = time.perf_counter()
        while not self.stop.wait(self.profile.interval):
            frame = sys._current_frames().get(self.watched)  # noqa: SLF001, the only way to them
            stack = tuple(reversed(list(stack_levels(frame))))
            now = time.perf_counter()
            self.profile.add(stack, now - last)
            last = now


def stack_levels(frame: FrameType | None) -> Iterator[StackLevel]:
    """Yield the running code of a thread, Puppet code and steps of the compiler, innermost first."""
    while frame is not None:
        found = level_of(frame)
        if found is not None:
            yield found
        frame = frame.f_back


def level_of(frame: FrameType) -> StackLevel | None:
    """Return the Puppet code or step of the compiler that a frame runs, if any."""
    code = frame.f_code
    if frame.f_globals.get("__puppet__") is not None:
        kind, _, name = code.co_name.rpartition(".")[0].partition(" ")
        return StackLevel(kind or "main", name, code.co_filename, frame.f_lineno or 0)
    if code is BuiltinFunction.call.__code__:
        return builtin_level(frame.f_locals)
    if code is LookupEngine.lookup_parameter.__code__:
        known = frame.f_locals
        return StackLevel("lookup", f"{known.get('class_name', '')}::{known.get('parameter', '')}")
    stage = STAGES.get(code)
    return None if stage is None else StackLevel("compiler", stage)


def builtin_level(known: dict[str, Any]) -> StackLevel:
    """Return the level of a built-in function call, with the template or lookup key."""
    name = str(getattr(known.get("self"), "name", ""))
    if name not in TEMPLATES and name not in LOOKUPS:
        return StackLevel("function", name)
    arguments = known.get("arguments") or ()
    first = arguments[0] if arguments else ""
    told = first if isinstance(first, str) and not name.startswith("inline") else name
    return StackLevel("template" if name in TEMPLATES else "lookup", told)
