"""What a front process notes for the home: counts of requests, explanations of catalogs, what agents asked for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.server.background import Background, Seen, seen_of, without_request
from bunraku.server.compiling.jobs import Job, Result
from bunraku.server.counts import CatalogExplanation, Counts
from bunraku.server.service import Service

INTERVAL = 0.2
"""Seconds between two messages."""
Document = dict[str, Any]


class Notes(Counts):
    """The counts of a front process, which the home adds to its own; ``send`` sends a message to it."""

    def __init__(self, send: Callable[[bytes], object]) -> None:
        super().__init__()
        self.send = send
        self.sending = Lock()
        self.noted: dict[str, CatalogExplanation] = {}
        self.seen: dict[str, tuple[Seen, bool, bool]] = {}
        self.job: Job | None = None
        self.is_new_job = False
        self.sent: tuple[int, float] = (0, 0.0)
        self.configured = monotonic()
        """When the configuration was read; the clock is that of all processes."""
        self.stopping = Event()
        self.thread = Thread(target=self.repeat, name="notes for the home", daemon=True)

    def explain(self, node: str, explanation: CatalogExplanation) -> bool:
        """See :class:`Counts`; the home gets the explanation, too."""
        with self.lock:
            self.noted[node] = explanation
        return super().explain(node, explanation)

    def note(self, job: Job, result: Result) -> None:
        """Note what the agent of a node has asked for, for compiles in the background."""
        with self.lock:
            self.seen.pop(job.node, None)
            self.seen[job.node] = (seen_of(job, result), result.shared, result.reused)
            if self.job is None or self.job.settings is not job.settings:
                self.job, self.is_new_job = without_request(job), True

    def taken(self) -> Document:
        """Return what was noted since the last call, and begin again."""
        with self.lock:
            found: Document = {
                "requests": [[*key, number] for key, number in self.requests.items()],
                "seconds": self.seconds,
                "catalogs": dict(self.catalogs),
                "state": (self.active, self.configured),
                "explanations": {node: plain(one) for node, one in self.noted.items()},
                "seen": [[node, plain(one), *rest] for node, (one, *rest) in self.seen.items()],
                "job": self.job.encoded().decode() if self.job and self.is_new_job else None,
            }
            self.requests, self.seconds, self.catalogs = Counter(), {}, Counter()
            self.noted, self.seen, self.is_new_job = {}, {}, False
        return found

    def flush(self) -> None:
        """Send what was noted; the home knows it afterwards."""
        with self.sending:
            found = self.taken()
            state = found["state"]
            if state != self.sent or any(found[name] for name in found if name != "state"):
                self.send(json.dumps(found).encode())
                self.sent = state

    def follow(self, reload: Callable[[], None]) -> None:
        """Read the configuration again, and let the home know."""
        begun = monotonic()
        reload()
        self.configured = begun
        self.flush()

    def begin_sending(self) -> None:
        """Send from now on, at intervals; the first message reports that this process accepts requests."""
        self.send(json.dumps(self.taken()).encode())
        self.thread.start()

    def repeat(self) -> None:
        """Send until the end."""
        while not self.stopping.wait(INTERVAL):
            try:
                self.flush()
            except PuppetError:  # the home has ended, and this process is about to
                return

    def close(self) -> None:
        """Send the last notes."""
        self.stopping.set()
        if self.thread.is_alive():
            self.thread.join()
            self.flush()


def plain(value: CatalogExplanation | Seen) -> Document:
    """Return a record as a JSON object."""
    return {name: getattr(value, name) for name in type(value).__annotations__}


def take_notes(service: Service, front: object, parts: Sequence[bytes]) -> float:
    """Add the notes of a front process to what the home knows; return when it has read its configuration."""
    found: Mapping[str, Any] = json.loads(parts[0])
    active, configured = found["state"]
    counts = service.counts
    requests = Counter({(one[0], one[1], one[2]): one[3] for one in found["requests"]})
    counts.add(requests, found["seconds"], Counter(found["catalogs"]))
    counts.elsewhere[front] = active
    for node, one in found["explanations"].items():
        counts.explain(node, CatalogExplanation(**one))
    if isinstance(service.background, Background):
        take_seen(service.background, found)
    return float(configured)


def take_seen(background: Background, found: Mapping[str, Any]) -> None:
    """Remember what agents have asked a front process for."""
    job = None if found["job"] is None else Job.decoded(found["job"].encode())
    for node, one, shared, reused in found["seen"]:
        seen = Seen(**{**one, "formats": tuple(one["formats"])})
        background.take(node, seen, job, is_shared=shared, is_reused=reused)
