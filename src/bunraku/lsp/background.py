"""Work that waits until the client wants nothing: in small steps, and interrupted by messages.

A step that a message interrupts runs again from its beginning. So a step must be a computation that
leaves nothing behind but caches, or an effect that comes last.
"""

from __future__ import annotations

import _signal as signal
import sys
from collections.abc import Callable, Iterator
from threading import Event
from time import monotonic
from types import FrameType

from bunraku.base import garbage_collection
from bunraku.base.lazy_typing import Any
from bunraku.base.records import record
from bunraku.limits import limits

SIGNAL: int = getattr(signal, "SIGUSR1", getattr(signal, "SIGBREAK", signal.SIGINT))
"""Sent by this process to itself (SIGBREAK on Windows), for Python runs the handler in the main thread."""

RETRY = 0.01
"""Seconds between two signals to one step; to unwind takes less."""

SWITCH = 0.0005
"""Seconds after which Python lets another thread go on: one that reads a message must not wait for a step for long."""
PAUSE = 0.02
"""Seconds after an answer in which no step begins: a client often asks several things one after the other."""

Step = Callable[[], object]


class Interrupted(BaseException):
    """Raised in a step by a message; no code catches it as an error of its own."""


@record(eq=False)
class Task:
    """Steps under a name; those of the same name replace each other.

    ``due`` is when it may begin; of those that may, the ones with the highest ``priority`` run first. The steps of one that is not interruptible are short.
    ``rest`` are the seconds after an answer in which no step of it begins.
    """

    name: str
    steps: Iterator[Step]
    due: float
    is_interruptible: bool = True
    priority: int = 0
    rest: float = 0.0
    step: Step | None = None


class Background:
    """Tasks of the main thread.

    ``number`` counts the steps that have begun; ``ended`` is set while none runs that can be interrupted.
    """

    def __init__(self) -> None:
        self.tasks: dict[str, Task] = {}
        self.current: Task | None = None
        self.number = 0
        self.answered = self.resumes = 0.0
        self.ended = Event()
        self.ended.set()

    def add(
        self,
        name: str,
        steps: Iterator[Step],
        delay: float = 0.0,
        *,
        is_interruptible: bool = True,
        priority: int = 0,
        rest: float = 0.0,
    ) -> None:
        """Add a task instead of an earlier one of the name."""
        self.tasks.pop(name, None)
        due = monotonic() + delay
        self.tasks[name] = Task(name, steps, due, is_interruptible, priority, rest)

    def drop_current(self) -> None:
        """Drop the task whose step has failed."""
        if self.current is not None:
            self.remove(self.current.name)

    def remove(self, name: str) -> None:
        """Drop a task."""
        self.tasks.pop(name, None)

    def pause(self) -> None:
        """Note that a request is answered: the next one may follow at once."""
        self.answered = monotonic()
        self.resumes = self.answered + PAUSE

    def begin_of(self, task: Task) -> float:
        """Return when the next step of a task may begin."""
        return max(task.due, self.answered + task.rest)

    def wait(self) -> float | None:
        """Return the seconds until a task may run; None without tasks."""
        if not self.tasks:
            return None
        due = min(map(self.begin_of, self.tasks.values()))
        return max(0.0, due - monotonic(), self.resumes - monotonic())

    def run_step(self, has_messages: Callable[[], bool]) -> None:
        """Run one step of the task that is due first, unless a message comes."""
        now = monotonic()
        due = [one for one in self.tasks.values() if self.begin_of(one) <= now]
        if not due:
            return
        task = self.current = min(due, key=lambda one: (-one.priority, one.due))
        if task.step is None:
            task.step = next(task.steps, None)
        if task.step is None:
            if self.tasks.get(task.name) is task:
                del self.tasks[task.name]
            return
        self.number += 1
        try:
            if task.is_interruptible:
                self.ended.clear()
                if not has_messages():
                    interruptible(task.step)
                    task.step = None
            else:
                task.step()
                task.step = None
        except Interrupted:
            pass
        finally:
            self.ended.set()

    # -- interrupting ----------------------------------------------------------------------------

    def interrupt(self) -> None:
        """Interrupt the step that runs; any thread but the main one may call it.

        It tries until the step has ended: an import goes on, and Python drops what is raised in some
        callbacks, such as those of weak references.
        """
        step = self.number
        while not self.ended.is_set() and self.number == step:
            signal.raise_signal(SIGNAL)
            self.ended.wait(RETRY)

    def on_signal(self, _number: int, frame: FrameType | None) -> None:
        """Raise Interrupted if a step runs that can be interrupted."""
        while frame is not None and frame.f_code.co_filename not in NOT_INTERRUPTED:
            if frame.f_code is interruptible.__code__:
                raise Interrupted
            frame = frame.f_back

    def __enter__(self) -> Background:
        self.before: Any = signal.signal(SIGNAL, self.on_signal)
        self.switch_before = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH)
        return self

    def __exit__(self, *_error: object) -> None:
        sys.setswitchinterval(self.switch_before)
        signal.signal(SIGNAL, self.before)


def interruptible(step: Step) -> None:
    """Run a step; Interrupted is raised only below this call."""
    step()


NOT_INTERRUPTED = frozenset(
    {"<frozen importlib._bootstrap>", limits.__file__, garbage_collection.__file__}
)
"""The files of code that goes on: it imports a module, or sets limits of time or the collector of garbage."""
