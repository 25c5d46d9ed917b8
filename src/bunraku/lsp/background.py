"""Work that waits until the client wants nothing: in small steps, and interrupted by messages.

A step that a message interrupts runs again from its beginning. So a step must be a computation that
leaves nothing behind but caches, or an effect that comes last.
"""

from __future__ import annotations

import _signal as signal
from collections.abc import Callable, Iterator
from time import monotonic
from types import FrameType

from bunraku.base.lazy_typing import Any
from bunraku.base.records import record
from bunraku.limits import limits

SIGNAL: int = getattr(signal, "SIGUSR1", getattr(signal, "SIGBREAK", signal.SIGINT))
"""Sent by this process to itself (SIGBREAK on Windows), for Python runs the handler in the main thread."""

Step = Callable[[], None]


class Interrupted(BaseException):
    """Raised in a step by a message; no code catches it as an error of its own."""


@record(eq=False)
class Task:
    """Steps under a name; those of the same name replace each other.

    ``due`` is when it may begin; of those that may, the ones with the highest ``priority`` run first. The steps of one that is not interruptible are short.
    """

    name: str
    steps: Iterator[Step]
    due: float
    is_interruptible: bool = True
    priority: int = 0
    step: Step | None = None


class Background:
    """Tasks of the main thread."""

    def __init__(self) -> None:
        self.tasks: dict[str, Task] = {}
        self.current: Task | None = None
        self.is_running = False

    def add(
        self,
        name: str,
        steps: Iterator[Step],
        delay: float = 0.0,
        *,
        is_interruptible: bool = True,
        priority: int = 0,
    ) -> None:
        """Add a task instead of an earlier one of the name."""
        self.tasks.pop(name, None)
        due = monotonic() + delay
        self.tasks[name] = Task(name, steps, due, is_interruptible, priority)

    def drop_current(self) -> None:
        """Drop the task whose step has failed."""
        if self.current is not None:
            self.remove(self.current.name)

    def remove(self, name: str) -> None:
        """Drop a task."""
        self.tasks.pop(name, None)

    def wait(self) -> float | None:
        """Return the seconds until a task is due; None without tasks."""
        if not self.tasks:
            return None
        return max(0.0, min(one.due for one in self.tasks.values()) - monotonic())

    def run_step(self, has_messages: Callable[[], bool]) -> None:
        """Run one step of the task that is due first, unless a message comes."""
        now = monotonic()
        due = [one for one in self.tasks.values() if one.due <= now]
        if not due:
            return
        task = self.current = min(due, key=lambda one: (-one.priority, one.due))
        if task.step is None:
            task.step = next(task.steps, None)
        if task.step is None:
            if self.tasks.get(task.name) is task:
                del self.tasks[task.name]
            return
        try:
            self.is_running = task.is_interruptible
            if not has_messages():
                task.step()
                self.is_running = False
                task.step = None
        except Interrupted:
            pass
        finally:
            self.is_running = False

    # -- interrupting ----------------------------------------------------------------------------

    def interrupt(self) -> None:
        """Interrupt the step that runs; any thread may call it."""
        if self.is_running:
            signal.raise_signal(SIGNAL)

    def on_signal(self, _number: int, frame: FrameType | None) -> None:
        """Raise Interrupted in the step that runs."""
        if self.is_running and not is_in_import(frame):
            self.is_running = False
            raise Interrupted

    def __enter__(self) -> Background:
        self.before: Any = signal.signal(SIGNAL, self.on_signal)
        return self

    def __exit__(self, *_error: object) -> None:
        signal.signal(SIGNAL, self.before)


def is_in_import(frame: FrameType | None) -> bool:
    """Return whether a module is being imported, or limits of time are being set: these are not interrupted."""
    while frame is not None:
        if frame.f_code.co_filename in NOT_INTERRUPTED:
            return True
        frame = frame.f_back
    return False


NOT_INTERRUPTED = frozenset({"<frozen importlib._bootstrap>", limits.__file__})
