"""The Ruby process: started when first needed, one for each thread, ended with its thread.

The two ends exchange frames: four bytes of length (big-endian) and a JSON object. Requests and the
callbacks that come before their answers are strictly nested, so no frame needs a number. The first
frame comes from Ruby and reports that it is ready.

The limits of a request are kept in Ruby (``shim/limits.rb``), which sends the place of the code that
runs past them and ends. This end ends a Ruby that does not even do that.
"""

from __future__ import annotations

import json
import os
import select
import struct
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from math import isfinite
from pathlib import Path
from subprocess import TimeoutExpired
from time import monotonic
from typing import Any, NamedTuple
from weakref import finalize

from bunraku.base.errors import PuppetError
from bunraku.formats.json import lenient_json_text
from bunraku.ruby.process import issues
from bunraku.ruby.process.computing import note_ruby
from bunraku.ruby.syntax.kept_values import State
from bunraku.world.processes import Program
from bunraku.world.protocol import World
from bunraku.world.recording import needs_ruby

Frame = dict[str, Any]
MAIN = Path(__file__).parents[1] / "shim" / "main.rb"
SECONDS = 8.0
"""Processor time of a request, without BUNRAKU_RUBY_TIMEOUT."""
LENGTH = struct.Struct(">I")


class Limits(NamedTuple):
    """Limits of Ruby code, in seconds."""

    processor: float
    """Processor time of one request, without that of the requests inside it."""
    clock: float
    """The time from one frame to the next; it counts for code that waits."""


class Patience(NamedTuple):
    """The times for which this end waits for a Ruby process, in seconds."""

    start: float = 60.0
    """The limit for the start of Ruby, which needs a tenth of a second."""
    least: float = 60.0
    """The lowest limit of waiting for Ruby code."""
    factor: float = 10.0
    """The limit of waiting, as a multiple of the limit of computing."""
    grace: float = 2.0
    """The time in which Ruby must report the position of its code after a limit was reached."""
    short: float = 0.25
    """Waiting that is not looked at closely: nearly all answers come in less."""
    look: float = 1.0
    """The time between two looks at a Ruby that does not answer."""

    def limits(self, processor: float) -> Limits:
        """Return the limits of a request that may use some seconds of processor time."""
        return Limits(processor, max(self.least, self.factor * processor))


PATIENCE = Patience()


class RubyEnded(Exception):
    """The process is gone: it crashed, was killed, or sent an invalid frame."""


class RubyHangs(Exception):
    """A request exceeded a limit; ``used`` is the limit: ``processor`` or ``clock``."""

    def __init__(self, used: str, file: str | None = None, line: int | None = None) -> None:
        super().__init__()
        self.used = used
        self.file = file
        self.line = line


class RubyProcess:
    """A running Ruby and the data that it was sent."""

    def __init__(
        self, program: Program, libraries: tuple[str, ...] = (), patience: Patience = PATIENCE
    ) -> None:
        stdin, stdout = program.stdin, program.stdout
        assert stdin is not None
        assert stdout is not None  # it was started with pipes
        self.program = program
        self.owner = os.getpid()
        self.libraries = libraries
        self.patience = patience
        self.files: dict[str, bytes] = {}
        """The content of the files that are loaded."""
        self.functions: dict[str, Any] = {}
        """What Ruby answered to loading a file of functions."""
        self.used_installed = False
        """Whether it has parts of an installed Puppet, which no other compile may find there."""
        self.state: dict[State, None] = {}
        """What files keep that were loaded, and that Ruby sets back at the begin of a compile."""
        self.unsent: dict[State, None] = {}
        """What of that Ruby does not know yet."""
        self.frames = 0
        """The number of frames that it was sent: each is a round trip."""
        self.limits: Limits | None = None
        """The limits that it was sent last."""
        self.folder: str | None = None
        """The working directory that it was sent last."""
        self.ending: str | None = None
        """The way in which it ended, if known: ``exit code 1``."""
        self.error: PuppetError | None = None
        """The error of the innermost request that its end stopped: those around have the same."""
        self.buffer = bytearray()
        self.input = stdin.fileno()
        self.output = stdout.fileno()
        os.set_blocking(self.input, False)  # a stopped Ruby reads nothing
        self.readable = select.poll()
        self.readable.register(self.output, select.POLLIN)
        self.writable = select.poll()
        self.writable.register(self.input, select.POLLOUT)

    @property
    def alive(self) -> bool:
        """Whether it runs, and was started by this process and not by the one it forked from."""
        return self.owner == os.getpid() and self.ending is None and self.program.poll() is None

    def exchange(self, request: Frame, answer: Callable[[Frame], Frame], limits: Limits) -> Frame:
        """Send a request, serve callbacks, and return the last frame.

        Raise RubyEnded or RubyHangs. The process does not survive anything that leaves the two ends
        out of step; the exchanges around this one then raise RubyEnded.
        """
        if limits != self.limits:
            request["limits"] = self.limits = limits
        try:
            self.write(request, limits)
            while True:
                frame = self.read(limits)
                if "call" in frame:
                    self.write(answer(frame), limits)
                elif "hangs" in frame:
                    raise RubyHangs(frame["hangs"], frame["file"], frame["line"])
                else:
                    return frame
        except BaseException as error:
            self.kill_after(error)
            raise

    def follow(self, request: Frame) -> None:
        """Let the request move Ruby to the working directory of this process, if that has changed."""
        with suppress(FileNotFoundError):  # a removed directory: Ruby stays where it is
            folder = os.getcwd()
            if folder != self.folder:
                request["folder"] = self.folder = folder

    def tell_state(self, request: Frame, state: Iterable[State]) -> None:
        """Let the request name what files keep that Ruby does not know yet.

        Ruby sets ``state`` back now: the code has not run. Code that runs already goes on with what it has.
        """
        for name, found in (("state", state), ("later", tuple(self.unsent))):
            new = [one for one in found if one not in self.state]
            if new:
                request[name] = new
                self.state.update(dict.fromkeys(new))
        self.unsent.clear()

    def await_start(self) -> None:
        """Wait until Ruby is ready; raise RubyEnded or RubyHangs."""
        try:
            start = self.patience.start
            if self.read(Limits(start, start)) != {"ready": True}:
                raise RubyEnded
        except BaseException as error:
            self.kill_after(error)
            raise

    def write(self, frame: Frame, limits: Limits) -> None:
        """Send a frame."""
        if self.ending is not None:
            raise RubyEnded
        data = lenient_json_text(frame).encode()
        self.frames += 1
        view = memoryview(LENGTH.pack(len(data)) + data)
        while view:
            try:
                view = view[os.write(self.input, view) :]
            except BlockingIOError:
                self.wait(self.writable, limits)
            except OSError:
                raise RubyEnded from None

    def read(self, limits: Limits) -> Frame:
        """Receive a frame."""
        (length,) = LENGTH.unpack(self.receive(LENGTH.size, limits))
        try:
            frame = json.loads(self.receive(length, limits))
        except ValueError:
            raise RubyEnded from None
        if not isinstance(frame, dict):
            raise RubyEnded
        return frame

    def receive(self, size: int, limits: Limits) -> bytes:
        """So many bytes from the pipe."""
        buffer = self.buffer
        while len(buffer) < size:
            self.wait(self.readable, limits)
            data = os.read(self.output, 1 << 20)
            if not data:
                raise RubyEnded
            buffer += data
        found = bytes(buffer[:size])
        del buffer[:size]
        return found

    def wait(self, ready: select.poll, limits: Limits) -> None:
        """Wait until Ruby has written or read something.

        Raise RubyHangs for a Ruby that exceeds its limits and does not report it itself: it runs C code
        that leaves its other threads no time, or it is stopped. Time in which this process itself
        did not run is not counted.
        """
        short, look, grace = self.patience.short, self.patience.look, self.patience.grace
        if ready.poll(short * 1000):
            return
        before, waited = processor_time(self.program.pid), short
        while True:
            used = processor_time(self.program.pid) - before
            if used > limits.processor + grace:
                raise RubyHangs("processor")
            if waited > limits.clock + grace:
                raise RubyHangs("clock")
            ended = self.program.poll() is not None
            started = monotonic()
            if ready.poll(0 if ended else look * 1000):
                return
            if ended:  # its children may hold the pipe open
                raise RubyEnded
            waited += min(monotonic() - started, 2 * look)

    def kill(self) -> None:
        """End the process now, with all that it started."""
        if self.ending is None:
            status = self.program.poll() if self.owner == os.getpid() else None
            if status is None:
                self.ending = "its answer was invalid"
            else:
                self.ending = f"signal {-status}" if status < 0 else f"exit code {status}"
        self.program.end()

    def kill_after(self, error: BaseException) -> None:
        """End the process because of an exception, and record its exit status if it ended itself."""
        if isinstance(error, RubyEnded) and self.ending is None:
            with suppress(TimeoutExpired):
                self.program.wait(self.patience.short)  # its pipes close a little before it ends
        self.kill()

    def finish(self) -> None:
        """Let Ruby exit and remove its temporary files, then kill the remaining processes."""
        if self.owner == os.getpid() and self.ending is None and self.program.stdin is not None:
            self.program.stdin.close()
            with suppress(TimeoutExpired):
                self.program.wait(self.patience.grace)
        self.kill()


def processor_time(pid: int) -> float:
    """Return the processor time of a process and of its children that have ended, in seconds.

    Return 0.0 on a system without ``/proc``; there, only the clock and Ruby's own measurements
    count.
    """
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")  # proc(5): utime to cstime


RUNNING = threading.local()
"""The thread's ``process`` and its ``lease``."""


class Lease:
    """A thread's reference to its Ruby process: the process ends with this object."""

    def __init__(self, process: RubyProcess) -> None:
        finalize(self, process.finish)


def ruby_process(
    world: World,
    libraries: tuple[str, ...],
    what: str,
    patience: Patience = PATIENCE,
    is_current: Callable[[str], bool] = os.path.isabs,
) -> RubyProcess:
    """Return the thread's process; start one, with this patience, if none is usable.

    Code that was loaded from the modules of one environment must not be seen by another: then the
    process is started again, as it is if a file was loaded that is not the ``current`` one of its name. Raise PuppetError if Ruby cannot be started, or cannot read the files.
    """
    needs_ruby(world, what)
    expose_files(world, what)  # a process of an earlier compile may be used again
    command = world.environment_variable("BUNRAKU_RUBY") or "ruby"
    note_ruby(world, command)
    found: RubyProcess | None = getattr(RUNNING, "process", None)
    if found is not None:
        stale = found.used_installed or (
            found.files
            and (
                found.libraries != libraries
                or sources_changed(found, world)
                or not all(map(is_current, found.files))
            )
        )
        if found.alive and not stale:
            found.libraries = libraries
            return found
    if not hasattr(select, "poll"):
        reason = "this system cannot wait for pipes"
        raise issues.RUBY_MISSING(what=what, command=command, reason=reason)
    try:
        program = world.spawn([command, "--disable-gems", str(MAIN)])
    except OSError as error:
        reason = error.strerror or "the program does not exist"
        raise issues.RUBY_MISSING(what=what, command=command, reason=reason) from None
    RUNNING.process = found = RubyProcess(program, libraries, patience)
    RUNNING.lease = Lease(found)
    try:
        found.await_start()
    except RubyEnded:
        reason = f"it ended before it was ready ({found.ending})"
        raise issues.RUBY_MISSING(what=what, command=command, reason=reason) from None
    except RubyHangs:
        reason = f"it was not ready within {patience.start:g} seconds"
        raise issues.RUBY_MISSING(what=what, command=command, reason=reason) from None
    return found


def expose_files(world: World, what: str) -> None:
    """Make sure that Ruby can read the files of a world; raise RUBY_WITHOUT_FILES if it cannot."""
    try:
        world.expose()
    except OSError as error:
        reason = error.strerror or str(error)
        raise issues.RUBY_WITHOUT_FILES(what=what, reason=reason) from None


def sources_changed(process: RubyProcess, world: World) -> bool:
    """Return whether a file that was loaded has changed since."""
    try:
        return any(world.read(path) != content for path, content in process.files.items())
    except OSError:
        return True


def time_limits(world: World, patience: Patience = PATIENCE) -> Limits:
    """Return the time limit of one answer from Ruby; raise PuppetError if it is invalid."""
    text = world.environment_variable("BUNRAKU_RUBY_TIMEOUT")
    if text is None:
        return patience.limits(SECONDS)
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not isfinite(seconds) or seconds <= 0:
        raise issues.BAD_TIMEOUT(text=text)
    return patience.limits(seconds)
