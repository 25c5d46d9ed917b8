"""Catalogs that are compiled in the background after a change of code or data, before agents ask for them.

The nodes whose agents have asked since the start of the server are remembered, with what they asked for. After a
switch of an environment, a flush, or an edit that a look at the recorded questions shows, the stored catalog of each
node in that environment is checked, the most recently seen node first. A catalog that would be another one now is
compiled with the facts of the site's data. One process of the lowest priority does this, so the
compile processes stay free for agents. Nothing is sent to agents or to PuppetDB.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, Protocol

from bunraku.base.errors import PuppetError
from bunraku.base.records import record, replace
from bunraku.server.compiling.compilers import Compilers
from bunraku.server.compiling.jobs import Job, Kind, Result
from bunraku.server.compiling.renewals import CHANGED, FAILED, HELD, NO_FACTS, NOTHING
from bunraku.server.compiling.trees import folders_of, tree_of
from bunraku.server.flushes import Flushes
from bunraku.web.http import ClientGone

MOST_NODES = 100_000
PAUSE = 1.0
"""Seconds between two looks at which trees the environments are."""
SHARE = 0.02
"""The share of one processor that looks for edits may take."""
LONGEST = 30.0
"""Seconds between two looks for edits at most, even on a busy machine."""
AFTER_LOSS = 60.0
"""Seconds until the nodes of an environment are looked at again, if that yielded nothing."""
AFTER_FAILURE = 10.0
UNREPEATABLE = "unrepeatable"
Log = Callable[[str, str], None]
State = tuple[Any, ...]


@record(frozen=True)
class Seen:
    """What the agent of a node last asked for; ``found`` is the environment of the catalog.

    ``reason`` is why a compile in the background would be of no use; empty if it is.
    """

    environment: str
    found: str
    formats: tuple[str, ...]
    trusted: Mapping[str, Any] | None
    checksum_types: str | None
    checks_environment: bool
    reason: str


class Requested(Protocol):
    """Takes note of what agents ask for."""

    def note(self, job: Job, result: Result) -> None:
        """Note what the agent of a node has asked for, and the result."""


class Watch:
    """What is known of an environment: which tree it is, and when edits were last looked for.

    ``is_held`` is whether code stays as it was read, so that there is nothing to look for.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.is_held = False
        self.looked = 0.0


class Background:
    """Compiles in the background; ``log`` is called with a level and a sentence.

    ``pause`` is the number of seconds between two looks at the trees, half of what is at least
    between two looks for edits.
    """

    def __init__(
        self, compilers: Compilers, flushes: Flushes, log: Log, pause: float = PAUSE
    ) -> None:
        self.compilers = compilers
        self.flushes = flushes
        self.log = log
        self.pause = pause
        self.lock = Lock()
        self.seen: OrderedDict[str, Seen] = OrderedDict()
        self.names: Counter[str] = Counter()
        """The number of nodes by the environment of their catalogs."""
        self.last: Job | None = None
        self.looks: dict[str, None] = {}
        self.queue: deque[str] = deque()
        self.watches: dict[str, Watch] = {}
        self.checked = 0.0
        self.due = 0.0
        """When to look for edits again, in one of the environments."""
        self.begun = 0.0
        self.done: Counter[str] = Counter()
        """What was done since the last change."""
        self.total: Counter[str] = Counter()
        self.stopping = Event()
        self.wake = Event()

    # -- what agents ask for -------------------------------------------------------------------------

    def note(self, job: Job, result: Result) -> None:
        """Remember what the agent of a node has asked for, and look at what its catalog depends on."""
        seen, last = seen_of(job, result), None
        if self.last is None or self.last.settings is not job.settings:
            last = without_request(job)
        self.take(job.node, seen, last, is_shared=result.shared, is_reused=result.reused)

    def take(
        self, node: str, seen: Seen, last: Job | None, *, is_shared: bool, is_reused: bool
    ) -> None:
        """Remember what the agent of a node has asked for. ``last`` has the settings if they are others than before."""
        with self.lock:
            is_new = self.forget(node) is None
            self.seen[node] = seen
            self.names[seen.found] += 1
            if len(self.seen) > MOST_NODES:
                self.forget(next(iter(self.seen)))
            if last is not None:
                self.last = last
            if is_shared and (is_new or not is_reused):
                self.looks[node] = None
        if self.looks:
            self.wake.set()

    def forget(self, node: str) -> Seen | None:
        """Forget what the agent of a node has asked for, and return it."""
        before = self.seen.pop(node, None)
        if before is not None:
            self.names -= Counter([before.found])
        return before

    # -- the thread ----------------------------------------------------------------------------------

    @contextmanager
    def running(self) -> Iterator[None]:
        """Work in a thread during the block; its end does not wait for a compile."""
        thread = Thread(target=self.work, name="compiles in the background", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self.stopping.set()
            self.wake.set()

    def work(self) -> None:
        """Follow changes and do what is queued, until the end."""
        while not self.stopping.is_set():
            self.wake.clear()
            try:
                with suppress(ClientGone):
                    self.follow_changes()
                    if not self.do_next() and not self.stopping.is_set():
                        self.wake.wait(self.pause)
            except PuppetError as error:
                self.log("err", f"Compiles in the background stop for a while: {error.message}")
                self.stopping.wait(AFTER_FAILURE)

    def follow_changes(self) -> None:
        """Queue the nodes of the environments that have changed."""
        job, now = self.last, monotonic()
        if job is None or now < self.checked + self.pause:
            return
        self.checked = now
        folders, flushes = folders_of(job), self.flushes.of_environments()
        with self.lock:
            names = sorted(self.names)
        for name in names:
            state = (tree_of(folders, name), self.flushes.count, flushes.get(name, 0))
            watch = self.watches.setdefault(name, Watch(state))
            if watch.state != state:
                self.watches[name] = Watch(state)
                self.begin(name, "it was switched, or its caches were flushed")
        watched = [
            (self.watches[name].looked, name) for name in names if not self.watches[name].is_held
        ]
        if watched and now >= self.due and not self.looks:
            looked, name = min(watched)
            if now >= looked:
                self.look_for_edits(name, self.watches[name])

    def look_for_edits(self, name: str, watch: Watch) -> None:
        """Queue the nodes of an environment if something that its catalogs depend on has changed."""
        begin = monotonic()
        result = self.result("changes", "localhost", environment=name)
        watch.looked = monotonic()
        took = watch.looked - begin
        self.due = watch.looked + min(max(2 * self.pause, took / SHARE), LONGEST)
        watch.is_held = result.cause == HELD
        if result.cause == CHANGED:
            self.begin(name, result.why)
        elif result.cause == NOTHING:  # the process was replaced
            watch.looked += AFTER_LOSS
            with self.lock:
                self.looks.update(dict.fromkeys(self.nodes_of(name)))

    def nodes_of(self, name: str) -> list[str]:
        """Return the nodes of an environment whose catalogs are stored for all processes."""
        return [node for node, one in self.seen.items() if one.found == name and not one.reason]

    def begin(self, name: str, why: str) -> None:
        """Queue the nodes of an environment, with those that wait; the most recently seen come first."""
        self.log("info", f"The catalogs of environment {name} are checked in the background: {why}")
        with self.lock:
            waiting = {*self.queue, *[n for n, one in self.seen.items() if one.found == name]}
            self.queue = deque([node for node in reversed(self.seen) if node in waiting])
        if not self.done:
            self.begun = monotonic()

    def do_next(self) -> bool:
        """Do what comes next; return False if there is nothing."""
        with self.lock:
            node = next(iter(self.looks), None)
            if node is not None:
                del self.looks[node]
        if node is not None:
            self.look(node)
            return True
        if not self.queue:
            self.finish()
            return False
        self.renew(self.queue.popleft())
        return True

    def finish(self) -> None:
        """Log what was done since the last change."""
        if self.done:
            counts = ", ".join(f"{name} {number}" for name, number in sorted(self.done.items()))
            seconds = monotonic() - self.begun
            self.log("info", f"Catalogs checked in the background in {seconds:.1f} s: {counts}")
            self.done.clear()

    # -- jobs ----------------------------------------------------------------------------------------

    def look(self, node: str) -> None:
        """Let the process know what the catalog of a node depends on."""
        seen = self.seen.get(node)
        if seen is not None:
            self.result("look", node, **requested_values(seen))

    def renew(self, node: str) -> None:
        """Compile the catalog of a node, if its stored one does not hold."""
        seen = self.seen.get(node)
        if seen is None:
            return
        if seen.reason:
            self.count(f"skipped: {seen.reason}")
            return
        try:
            result = self.result("renewal", node, **requested_values(seen))
        except PuppetError:
            self.count(FAILED)
            raise
        self.count(outcome(result))
        if result.cause == FAILED:
            self.log("info", f"The catalog of {node} fails in the background: {result.message}")
        elif not result.shared and result.cause != NO_FACTS:
            with self.lock:
                if self.seen.get(node) is seen:
                    self.seen[node] = replace(seen, reason=unshared_reason(result))

    def count(self, outcome: str) -> None:
        """Count what was done with a catalog."""
        self.done[outcome] += 1
        self.total[outcome] += 1

    def result(self, kind: Kind, node: str, **values: Any) -> Result:
        """Return the result of a job; ClientGone at the end of the server."""
        if self.last is None:
            raise ClientGone
        job = replace(
            self.last,
            kind=kind,
            node=node,
            verifies=0,
            flushes=self.flushes.count,
            environment_flushes=self.flushes.of_environments(),
            **values,
        )
        return Result.decoded(self.compilers.ask(job.encoded(), self.stopping.is_set))


def seen_of(job: Job, result: Result) -> Seen:
    """Return what the agent of a node has asked for."""
    return Seen(
        job.environment,
        result.environment,
        tuple(job.formats),
        job.trusted,
        job.checksum_types,
        job.checks_environment,
        unshared_reason(result),
    )


def without_request(job: Job) -> Job:
    """Return a job without what is a part of one request."""
    values = dict.fromkeys(("facts", "trusted", "transaction_uuid", "job_id"))
    return replace(job, tag="", **values)


def requested_values(seen: Seen) -> dict[str, Any]:
    """Return the fields of a job that an agent decides."""
    names = ("environment", "formats", "trusted", "checksum_types", "checks_environment")
    return {name: getattr(seen, name) for name in names}


def unshared_reason(result: Result) -> str:
    """Return why other processes cannot reuse a catalog; empty if they can.

    >>> unshared_reason(Result(cause="unrepeatable")), unshared_reason(Result(reused=True))
    ('unrepeatable', 'in memory only')
    """
    if result.shared:
        return ""
    return result.cause if result.cause == UNREPEATABLE else "in memory only"


def outcome(result: Result) -> str:
    """Return what was done with a catalog.

    >>> outcome(Result(reused=True)), outcome(Result(cause="files", shared=True))
    ('unchanged', 'compiled')
    """
    if result.reused:
        return "unchanged"
    if result.cause == NO_FACTS:
        return f"skipped: {NO_FACTS}"
    if result.cause == FAILED:
        return FAILED
    return "compiled" if result.shared else f"compiled: {unshared_reason(result)}"
