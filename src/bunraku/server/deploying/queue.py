"""The deployments that wait, run and have ended, as the process that runs them knows them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from time import time
from typing import Any

from bunraku.base.records import field, record

MOST_WAITING = 500
MOST_ENDED = 200
MOST_LINES = 2000
"""Lines of the log of a deployment."""
ENDED = frozenset({"complete", "failed", "replaced"})


@record(frozen=True)
class Work:
    """What to deploy: environments (none stands for all), or only modules in them.

    ``pushed`` is whether a webhook has caused it: an environment whose branch is gone is no mistake then.
    """

    environments: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    pushed: bool = False

    @property
    def data(self) -> dict[str, Any]:
        """The work as JSON."""
        return {"environments": self.environments, "modules": self.modules, "pushed": self.pushed}

    @staticmethod
    def of(data: Mapping[str, Any]) -> Work:
        """Return the work in a JSON document."""
        return Work(tuple(data["environments"]), tuple(data["modules"]), bool(data["pushed"]))


@record()
class QueuedDeployment:
    """A deployment; times are seconds since the epoch, ``by`` is the number of the one that replaced it."""

    number: int
    work: Work
    queued: float
    status: str = "queued"
    started: float | None = None
    finished: float | None = None
    by: int | None = None
    result: Mapping[str, Any] | None = None
    error: str | None = None
    lines: list[tuple[str, str]] = field(default_factory=list)

    def summary(self) -> dict[str, Any]:
        """Return the deployment for a list."""
        found: dict[str, Any] = {
            "id": self.number,
            "status": self.status,
            "environments": list(self.work.environments),
            "modules": list(self.work.modules),
            "cause": "webhook" if self.work.pushed else "request",
            "queued": self.queued,
            "started": self.started,
            "finished": self.finished,
        }
        if self.by is not None:
            found["replaced_by"] = self.by
        if self.error is not None:
            found["error"] = self.error
        return found

    def details(self) -> dict[str, Any]:
        """Return the deployment with its result and its log."""
        lines = [{"level": level, "message": text} for level, text in self.lines]
        return {**self.summary(), "result": self.result, "log": lines}


class FullQueue(Exception):
    """Too many deployments wait."""


class DeployQueue:
    """Deployments in the order in which they run, one at a time.

    A later request for the same takes the place of one that waits: it deploys what is newest then.
    """

    def __init__(self, clock: Callable[[], float] = lambda: round(time(), 3)) -> None:
        self.clock = clock
        self.count = 0
        self.waiting: deque[QueuedDeployment] = deque()
        self.running: QueuedDeployment | None = None
        self.ended: deque[QueuedDeployment] = deque(maxlen=MOST_ENDED)

    def add(self, work: Work) -> QueuedDeployment:
        """Add work; raise FullQueue."""
        self.count += 1
        added = QueuedDeployment(self.count, work, self.clock())
        for place, one in enumerate(self.waiting):
            if one.work == work:
                one.status, one.by, one.finished = "replaced", added.number, self.clock()
                self.ended.append(one)
                self.waiting[place] = added
                return added
        if len(self.waiting) >= MOST_WAITING:
            raise FullQueue
        self.waiting.append(added)
        return added

    def start(self) -> QueuedDeployment | None:
        """Return the next deployment, which runs from now on; None if one runs or none waits."""
        if self.running is not None or not self.waiting:
            return None
        one = self.running = self.waiting.popleft()
        one.status, one.started = "running", self.clock()
        return one

    def note(self, level: str, text: str) -> None:
        """Add a line to the log of the running deployment."""
        if self.running is not None and len(self.running.lines) < MOST_LINES:
            self.running.lines.append((level, text))

    def finish(self, result: Mapping[str, Any] | None, error: str | None) -> QueuedDeployment:
        """End the running deployment with a result or an error, and return it."""
        one = self.running
        assert one is not None
        is_whole = error is None and result is not None and bool(result.get("whole"))
        one.status, one.finished = "complete" if is_whole else "failed", self.clock()
        one.result, one.error = result, error
        self.ended.append(one)
        self.running = None
        return one

    def all(self) -> Iterable[QueuedDeployment]:
        """Return all deployments that are known."""
        return [*self.ended, *([self.running] if self.running else []), *self.waiting]

    def find(self, number: int) -> QueuedDeployment | None:
        """Return a deployment by its number."""
        return next((one for one in self.all() if one.number == number), None)

    def status(self) -> dict[str, Any]:
        """Return what waits, runs and has ended, the newest first."""
        return {
            "queued": [one.summary() for one in self.waiting],
            "running": [] if self.running is None else [self.running.summary()],
            "ended": [one.summary() for one in reversed(self.ended)],
        }
