"""Limits of time and memory for one piece of work, kept by the process that does it.

The time is that of the clock. A timer of the system interrupts Python code in the main thread, so
nothing is counted while code runs. Code in C that does not return to the interpreter cannot be
interrupted this way: a second timer, of the processor's time, ends the process a little later.
Memory is the address space, which the system limits; then Python raises MemoryError. A child process
inherits the limit of memory, but not the timers. Windows has neither: a thread interrupts the code, and
memory has no limit.

Every command imports this module, so it takes little time to import.
"""

from __future__ import annotations

# The C module behind ``signal``, without the time that its enumerations take.
import _signal as signal
import os
import sys
from time import monotonic
from types import FrameType, TracebackType

from bunraku.base.errors import PuppetError
from bunraku.base.file_reading import read_whole
from bunraku.base.lazy_typing import Any
from bunraku.base.system import HAS_FORK

HAS_MEMORY_LIMITS = HAS_FORK
HAS_TIMERS = hasattr(signal, "setitimer")
DEFAULT_SECONDS = 300.0
DEFAULT_BYTES = 4 << 30
AGAIN = 0.25
"""Seconds until the exception is raised again, in case some code caught it."""
GRACE = 10.0
"""Seconds of the processor that code may take over the limit before the system ends the process."""
OF_THE_CONTAINER = "/sys/fs/cgroup/memory.max"


class Limits:
    """Seconds on the clock, and bytes of address space; 0 means no limit.

    The memory of the machine, or of its container, is a limit in every case.

    >>> Limits().seconds, Limits().memory == 4 << 30
    (300.0, True)
    """

    __slots__ = ("memory", "seconds")

    def __init__(self, seconds: float = DEFAULT_SECONDS, memory: int = DEFAULT_BYTES) -> None:
        self.seconds = seconds
        self.memory = memory

    def __repr__(self) -> str:
        return f"Limits(seconds={self.seconds}, memory={self.memory})"


class TimeLimitReached(BaseException):
    """Raised in the code that runs when the time is over.

    It is not an Exception, so code that catches failures does not catch it.
    """


class Limited:
    """Apply limits while a ``with`` block runs; in the main thread only if there is one of time.

    The block ends with the PuppetError TIMEOUT or OUT_OF_MEMORY where a limit was reached and nothing
    in the block reported it (see :func:`reached`). Limits of the code around the block are restored
    afterwards. Raises RuntimeError for a limit of time outside of the main thread.

    >>> with Limited(Limits(seconds=0.01)):
    ...     while True:
    ...         pass
    Traceback (most recent call last):
    ...
    bunraku.base.errors.PuppetError: The time limit of 0.01 s was reached
    """

    def __init__(self, limits: Limits | None) -> None:
        self.limits = limits
        self.over = True
        self.error = TimeLimitReached()

    def __enter__(self) -> None:
        limits = self.limits
        if limits is None:
            return
        self.over = False
        self.set_memory(limits.memory)
        ACTIVE.append(self)
        try:
            self.start_timers(limits.seconds)
        except BaseException:
            ACTIVE.remove(self)
            set_address_space(*self.memory_before)
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.limits is None:
            return
        self.stop()
        ACTIVE.remove(self)
        if isinstance(error, TimeLimitReached | MemoryError):
            raise self.failure(error).with_traceback(trace) from None

    def failure(self, error: BaseException) -> PuppetError:
        """Return the PuppetError for a limit that was reached."""
        assert self.limits is not None
        if isinstance(error, TimeLimitReached):
            found = timeout(self.limits)
        else:
            found = out_of_memory(self.limits.memory)
        notes = getattr(error, "__notes__", ())
        return found.hinted("; ".join([*notes, found.diagnostic.hint or ""]))

    def set_memory(self, size: int) -> None:
        """Limit the address space."""
        self.memory_before = limit_memory(size)

    def start_timers(self, seconds: float) -> None:
        """Start the timer of the clock, and that of the processor which ends the process."""
        self.timed = seconds > 0
        if not self.timed:
            return
        if not HAS_TIMERS:
            from bunraku.limits.thread_timer import ThreadTimer

            self.timer = ThreadTimer(seconds, AGAIN, TimeLimitReached)
            return
        try:
            self.handler_before = signal.signal(signal.SIGALRM, self.interrupt)
        except ValueError:
            message = "a time limit can only be set in the main thread of the process"
            raise RuntimeError(message) from None
        self.hook_before = sys.unraisablehook
        sys.unraisablehook = self.ignore_unraisable
        self.started = monotonic()
        remaining = signal.getitimer(signal.ITIMER_REAL)[0]
        first = min(seconds, remaining) if remaining else seconds
        self.real_before = signal.setitimer(signal.ITIMER_REAL, first, AGAIN)
        self.ends_process = signal.getsignal(signal.SIGPROF) is signal.SIG_DFL
        if self.ends_process:
            self.cpu_before = signal.setitimer(signal.ITIMER_PROF, seconds + GRACE)

    def interrupt(self, _number: int, frame: FrameType | None) -> None:
        """Raise the exception in the code that runs; the same one each time, for its traceback.

        Code of this module is not interrupted, because a timer would be started or stopped by half.
        Before the block, the next alarm follows soon; after it, the block is done.
        """
        if not self.over and (frame is None or frame.f_globals is not globals()):
            raise self.error

    def ignore_unraisable(self, unraisable: Any) -> None:
        """Print nothing about an exception raised at a place that cannot pass it on."""
        if unraisable.exc_type is not TimeLimitReached:
            self.hook_before(unraisable)

    def stop(self) -> None:
        """Stop the timers and restore the limits of the code around the block."""
        if self.over:
            return
        self.over = True
        set_address_space(*self.memory_before)
        if not self.timed:
            return
        if not HAS_TIMERS:
            self.timer.stop()
            return
        signal.setitimer(signal.ITIMER_REAL, 0)
        passed = monotonic() - self.started
        if self.ends_process:
            signal.setitimer(signal.ITIMER_PROF, *rest_of(self.cpu_before, passed))
        sys.unraisablehook = self.hook_before
        signal.signal(signal.SIGALRM, self.handler_before or signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, *rest_of(self.real_before, passed))


ACTIVE: list[Limited] = []
"""The blocks that run, the innermost last. Timers and limits belong to the process, so it does."""


def reached(error: BaseException) -> PuppetError:
    """Return the error for a limit that was reached, and stop the limits of the innermost block.

    Without the limits, there is time and memory to report the error.
    """
    if not ACTIVE:
        return out_of_memory(0)
    ACTIVE[-1].stop()
    return ACTIVE[-1].failure(error)


def note_work(error: BaseException, work: str) -> None:
    """Add the current work to a limit's error, for the hint; the innermost note counts."""
    if not getattr(error, "__notes__", None):
        error.add_note(work)


def timeout(limits: Limits) -> PuppetError:
    """Return the error for a time limit; its code is imported only when needed."""
    from bunraku.limits.issues import TIMEOUT

    return TIMEOUT(limit=f"{limits.seconds:g} s")


def out_of_memory(size: int) -> PuppetError:
    """Return the error for a limit of memory."""
    from bunraku.limits.issues import OUT_OF_MEMORY

    return OUT_OF_MEMORY(limit=shown_size(memory_limit(size)))


def rest_of(timer: tuple[float, float], passed: float) -> tuple[float, float]:
    """Return the rest of a timer some seconds later: its delay and its interval.

    >>> rest_of((5.0, 0.5), 2.0), rest_of((0.0, 0.0), 2.0)
    ((3.0, 0.5), (0.0, 0.0))
    """
    delay, interval = timer
    return (max(delay - passed, 0.001), interval) if delay else timer


def limit_memory(size: int) -> tuple[int, int]:
    """Limit the address space of this process unless it is smaller; return the limits before."""
    if not HAS_MEMORY_LIMITS:
        return 0, 0
    import resource  # a library of its own, which commands without limits do not load

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = memory_limit(size)
    set_address_space(wanted if soft == resource.RLIM_INFINITY else min(wanted, soft), hard)
    return soft, hard


def set_address_space(soft: int, hard: int) -> None:
    """Set the limits of the address space, on systems that have them."""
    if not HAS_MEMORY_LIMITS:
        return
    import resource

    try:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    except (OSError, ValueError):
        return


def memory_limit(size: int) -> int:
    """Return the smallest of a size (0 is none), the machine's memory and the container's."""
    if not HAS_MEMORY_LIMITS:
        return size
    found = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    try:
        found = min(found, int(read_whole(OF_THE_CONTAINER)))
    except (OSError, ValueError):  # no container, or one without a limit: "max"
        return min(found, size or found)
    return min(found, size or found)


def shown_size(size: int) -> str:
    """Format a size for messages.

    >>> shown_size(4 << 30), shown_size(1536 << 20), shown_size(3 << 9)
    ('4 GiB', '1.5 GiB', '1536 B')
    """
    for unit, shift in (("GiB", 30), ("MiB", 20)):
        if size >= 1 << shift:
            return f"{size / (1 << shift):.4g} {unit}"
    return f"{size} B"
