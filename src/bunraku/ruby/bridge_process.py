"""The Ruby process: started when first needed, one for each thread, talked to in frames of JSON.

A frame is four bytes of length (big-endian) and a JSON object. Requests and the callbacks that come
before their answers are strictly nested, so no frame needs a number.
"""

from __future__ import annotations

import json
import os
import select
import signal
import struct
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

from bunraku.records import field, record
from bunraku.ruby import bridge_issues as issues
from bunraku.world import World
from bunraku.world.processes import Program

Frame = dict[str, Any]
MAIN = Path(__file__).with_name("shim") / "main.rb"
SECONDS = 8.0  # less than the 10 that a case of a batch has, so that the error can still be told
GRACE = 0.5  # seconds that Ruby has to say where it hangs
LENGTH = struct.Struct(">I")


class RubyEnded(Exception):
    """The process is gone: it crashed or was killed."""


class RubyHangs(Exception):
    """The process did not answer in time and did not say where it hangs."""


@record(slots=False)
class RubyProcess:
    """A running Ruby, the content of the files loaded into it, its functions by their file."""

    process: Program
    owner: int = field(default_factory=os.getpid)
    libraries: tuple[str, ...] = ()
    files: dict[str, bytes] = field(default_factory=dict)
    functions: dict[str, Frame] = field(default_factory=dict)
    buffer: bytearray = field(default_factory=bytearray)
    used_installed: bool = False
    """Whether it has parts of an installed Puppet, which no other compile may find there."""
    frames: int = 0
    """How many frames it was sent: each is a round trip."""

    @property
    def alive(self) -> bool:
        """Whether it runs, and was started by this process and not by the one it forked from."""
        return self.owner == os.getpid() and self.process.poll() is None

    def exchange(self, request: Frame, answer: Callable[[Frame], Frame], seconds: float) -> Frame:
        """Send a request, serve callbacks, return the last frame. The process does not survive
        anything that leaves the two ends out of step.
        """
        try:
            self.write(request)
            while True:
                frame = self.read(seconds)
                if "call" not in frame:
                    return frame
                self.write(answer(frame))
        except BaseException:
            self.kill()
            raise

    def write(self, frame: Frame) -> None:
        """Send a frame."""
        data = json.dumps(frame, ensure_ascii=False, separators=(",", ":")).encode()
        self.frames += 1
        view = memoryview(LENGTH.pack(len(data)) + data)
        assert self.process.stdin is not None  # it was started with pipes
        try:
            while view:
                view = view[self.process.stdin.write(view) :]
        except OSError:
            raise RubyEnded from None

    def read(self, seconds: float) -> Frame:
        """Receive a frame; past the time Ruby is asked once where it is."""
        (length,) = LENGTH.unpack(self.receive(LENGTH.size, seconds))
        frame: Frame = json.loads(self.receive(length, seconds))
        return frame

    def receive(self, size: int, seconds: float) -> bytes:
        """So many bytes from the pipe."""
        assert self.process.stdout is not None  # it was started with pipes
        pipe = self.process.stdout.fileno()
        buffer = self.buffer
        deadline, asked = monotonic() + seconds, False
        while len(buffer) < size:
            ready, _, _ = select.select([pipe], [], [], max(0.0, deadline - monotonic()))
            if not ready:
                if asked:
                    raise RubyHangs
                os.kill(self.process.pid, signal.SIGUSR1)
                deadline, asked = monotonic() + GRACE, True
                continue
            data = os.read(pipe, 1 << 20)
            if not data:
                raise RubyEnded
            buffer += data
        found = bytes(buffer[:size])
        del buffer[:size]
        return found

    def kill(self) -> None:
        """End the process now."""
        self.process.end()


RUNNING = threading.local()


def ruby_process(world: World, libraries: tuple[str, ...], what: str) -> RubyProcess:
    """The thread's process, started when there is none that may be used.

    Code that was loaded from the modules of one environment must not be seen by another: then the
    process is begun anew.
    """
    world.expose()  # a process of an earlier compile may be used again
    found: RubyProcess | None = getattr(RUNNING, "process", None)
    if found is not None:
        stale = found.used_installed or (
            found.files and (found.libraries != libraries or sources_changed(found, world))
        )
        if found.alive and not stale:
            found.libraries = libraries
            return found
        if found.alive:
            found.kill()
    command = world.environment_variable("BUNRAKU_RUBY") or "ruby"
    try:
        process = world.spawn([command, "--disable-gems", str(MAIN)])
    except OSError as error:
        reason = error.strerror or "there is no such program"
        raise issues.RUBY_MISSING(what=what, command=command, reason=reason) from None
    RUNNING.process = found = RubyProcess(process, libraries=libraries)
    return found


def sources_changed(process: RubyProcess, world: World) -> bool:
    """Whether a file that was loaded has changed since."""
    try:
        return any(world.read(path) != content for path, content in process.files.items())
    except OSError:
        return True


def time_limit(world: World) -> float:
    """How many seconds Ruby code may take for one answer."""
    text = world.environment_variable("BUNRAKU_RUBY_TIMEOUT")
    if text is None:
        return SECONDS
    try:
        return float(text)
    except ValueError:
        raise issues.BAD_TIMEOUT(text=text) from None
