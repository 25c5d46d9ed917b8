"""A run over the resources of a catalog: order, skipping, changes and refreshes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from bunraku.apply.events import Event, Status
from bunraku.apply.graph import Boundary, Graph, Vertex
from bunraku.apply.harness import FAILURES, Harness, add_failure, reason_of
from bunraku.apply.issues import UNKNOWN_SCHEDULE
from bunraku.apply.report import Report
from bunraku.apply.resources import AppliedCatalog
from bunraku.apply.state import State
from bunraku.apply.system_values import SystemValues
from bunraku.base.records import field, record
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.file_server import FileServer
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.providers.run import Run
from bunraku.providers.schedule.type import schedule_of
from bunraku.web.requests import HttpRequest

Value = Any
Watch = Callable[[int, int, str], None]
"""Gets the number of a resource, the number of all resources, and a reference."""


@record(frozen=True)
class FromServer:
    """What the run of an agent has besides the catalog.

    ``report`` has begun before the run, and is stored by the agent; ``files`` is the server of
    sources, ``libraries`` are the directories of plugins. A run that is not ``announced`` is a part
    of another one: the lines about its begin and end are not logged.
    """

    report: Report | None = None
    files: FileServer | None = None
    libraries: Sequence[str] = ()
    announced: bool = True


@record(frozen=True)
class Options:
    """The resources that a run applies: with one of ``tags`` and without any of ``skip_tags``."""

    tags: tuple[str, ...] = ()
    skip_tags: tuple[str, ...] = ()
    ignore_schedules: bool = False
    stopped: Callable[[], bool] = field(default=lambda: False)
    """Whether the run should end after the current resource."""
    traces: bool = False
    """Whether the time of each resource is logged (``--evaltrace``)."""
    watch: Watch | None = None
    """Called before each resource is applied."""
    web: HttpRequest = HttpRequest("GET", "")
    """What the requests for sources on web servers have in common."""
    facts: Callable[[], Mapping[str, Any]] = dict
    """Returns the facts of the machine, for code of providers."""
    agent: FromServer = FromServer()
    """What the run of an agent has besides the catalog."""


class Transaction:
    """One run. ``statuses`` has the outcome of each resource by reference, in order."""

    def __init__(
        self,
        catalog: AppliedCatalog,
        run: Run,
        state: State,
        values: SystemValues,
        options: Options,
    ) -> None:
        self.catalog = catalog
        self.run = run
        self.state = state
        self.options = options
        self.values = values
        self.harness = Harness(state, values)
        self.graph = Graph()
        self.statuses: dict[Vertex, Status] = {}
        self.queues: dict[Vertex, list[Event]] = {}
        """The events that a vertex must react to."""
        self.notifiers: dict[Vertex, dict[str, None]] = {}
        """The vertices that sent events to a vertex."""
        self.refreshed: dict[str, tuple[str, ...]] = {}
        """The resources that were refreshed, or would be, with the notifiers of each."""
        self.prefetched: set[Provider] = set()
        self.broken: dict[Provider, str] = {}
        """The providers that could not read the state of their resources."""
        self.unresolved: dict[Vertex, Exception] = {}
        """The resources whose deferred values could not be computed."""
        self.reported: set[str] = set()
        """The failed resources that were reported as the cause of a skip."""
        self.traced = 0
        self.watched = 0
        self.total = 0
        """The resources at the start of the run."""
        self.generation_failed = catalog.generation_failed
        self.completed = False

    # -- the run ---------------------------------------------------------------------------------

    def evaluate(self, graph: Graph) -> None:
        """Apply all resources in the order of the graph."""
        self.graph = graph
        graph.start()
        if self.options.watch is not None:
            self.total = sum(1 for _ in self.catalog.resources())
        try:
            self.evaluate_all()
        finally:
            self.do_postponed()
        self.finish_providers()
        self.run.end()
        self.completed = True

    def evaluate_all(self) -> None:
        """Apply the resources until none is left or the run is stopped."""
        graph = self.graph
        deferred: list[Vertex] = []
        progress = False
        while not (self.run.is_stopping or self.options.stopped()):
            vertex = graph.next()
            if vertex is None:
                break
            if isinstance(vertex, ManagedResource) and not vertex.suitable():
                deferred.append(vertex)
            else:
                progress = True
                if self.options.watch is not None and isinstance(vertex, ManagedResource):
                    self.watched += 1
                    total = max(self.total, self.watched)
                    self.options.watch(self.watched, total, vertex.reference)
                self.trace(vertex) if self.options.traces else self.evaluate_vertex(vertex)
                graph.finish(vertex)
            if deferred and not graph.any_ready():
                # A resource applied since then may have installed the program of the provider.
                for waiting in deferred:
                    if progress:
                        graph.enqueue(waiting)
                    else:
                        self.fail_unsuitable(waiting)
                        graph.finish(waiting)
                deferred, progress = [], False
        self.cancel_rest(deferred)

    def do_postponed(self) -> None:
        """Do what providers postponed; a failure is only logged."""
        postponed, self.run.postponed = self.run.postponed, {}
        for work in postponed.values():
            try:
                work()
            except FAILURES as error:
                self.run.log("err", reason_of(error))

    def finish_providers(self) -> None:
        """Let the providers of the run do what is left; a failure is only logged, as in Puppet."""
        for provider in sorted(self.prefetched, key=lambda one: one.name):
            try:
                provider.finish_run()
            except FAILURES as error:
                text = f"post_resource_eval failed for provider {provider.name}"
                self.run.log("err", f"{text}: {reason_of(error)}")

    def cancel_rest(self, deferred: Iterable[Vertex]) -> None:
        """Mark the remaining resources of a stopped run as skipped."""
        rest: list[Vertex] = list(deferred)
        while (vertex := self.graph.next()) is not None:
            rest.append(vertex)
            self.graph.finish(vertex)
        for vertex in rest:
            self.status(vertex).skipped = True

    def trace(self, vertex: Vertex) -> None:
        """Apply a resource; log its start and its duration."""
        self.traced += 1
        count = f"{self.traced} of {len(self.graph.after)}"
        self.log(vertex, "info", f"Starting to evaluate the resource ({count})")
        begin = self.run.host.monotonic()
        self.evaluate_vertex(vertex)
        seconds = self.run.host.monotonic() - begin
        self.log(vertex, "info", f"Evaluated in {seconds:.2f} seconds")

    def evaluate_vertex(self, vertex: Vertex) -> None:
        """Apply a resource, or pass a boundary of a container."""
        self.propagate_failures(vertex)
        if isinstance(vertex, ManagedResource):
            if self.run.postponed and not (vertex.has_provider and vertex.provider.is_independent):
                self.do_postponed()
            self.resolve(vertex)
            if vertex not in self.unresolved:
                self.prefetch(vertex)
                self.propagate_broken(vertex)
                self.add_children(vertex)
        if self.is_skipped(vertex):
            self.status(vertex).skipped = True
            self.drop_events(vertex)
            if isinstance(vertex, ManagedResource):
                self.values.keep_old(vertex)
            return
        if isinstance(vertex, ManagedResource):
            status = self.harness.apply(vertex, self.unresolved.pop(vertex, None))
            status.failed_dependencies = self.status(vertex).failed_dependencies
            self.statuses[vertex] = status
            if not status.failed:
                self.queue(vertex, status.events)
        self.process_events(vertex)

    def status(self, vertex: Vertex) -> Status:
        """Return the status of a vertex."""
        if vertex not in self.statuses:
            self.statuses[vertex] = Status(vertex.reference, self.run.host.now())
        return self.statuses[vertex]

    def fail_unsuitable(self, vertex: Vertex) -> None:
        """Fail a resource whose provider does not work on this machine."""
        assert isinstance(vertex, ManagedResource)
        if self.lacks_tags(vertex):
            return
        if vertex.has_provider:
            vertex.log("err", f"Provider {vertex.provider.name} is not functional on this host")
        else:
            text = f"Could not find a suitable provider for {vertex.type.name}"
            if text not in self.reported:
                self.reported.add(text)
                self.run.log("err", text)
        self.status(vertex).failed = True

    # -- deferred values and prefetching ----------------------------------------------------------

    def resolve(self, resource: ManagedResource) -> None:
        """Compute the deferred values of a resource that will be applied.

        The provider reads the state of its resources again, because a value may say where the
        resource is, such as a file. A failure is that of the resource.
        """
        schedule = self.schedule_of(resource)
        waiting = [one for one in (schedule, resource) if one is not None and one.deferred]
        if not waiting or self.status(resource).failed_dependencies:
            return
        try:
            for one in waiting:
                if not self.is_excluded(resource):
                    one.resolve_deferred()
            self.schedule_of(resource)
            self.check_chosen_provider(resource)
        except FAILURES as error:
            self.unresolved[resource] = error
        if resource.has_provider:
            self.prefetched.discard(resource.provider)

    def check_chosen_provider(self, resource: ManagedResource) -> None:
        """Raise ResourceFailure if a provider that was a deferred value does not work here."""
        if not resource.suitable():
            name = resource.provider.name if resource.has_provider else resource.type.name
            raise ResourceFailure(f"Provider {name} is not functional on this host")

    def prefetch(self, resource: ManagedResource) -> None:
        """Let a provider read the state of all its resources before the first one is applied."""
        if not resource.has_provider:
            return
        provider = resource.provider
        if provider in self.prefetched:
            return
        self.prefetched.add(provider)
        mine = [
            one
            for one in self.catalog.resources()
            if one.has_provider and one.provider is provider and one.unusable() is None
        ]
        try:
            provider.prefetch(mine)
        except FAILURES as error:
            kind, name = resource.type.name, provider.name
            self.broken[provider] = f"Prefetch failed for {kind} provider '{name}'"
            text = f"Could not prefetch {kind} provider '{name}': {reason_of(error)}"
            self.run.log("err", text)

    # -- generated resources ---------------------------------------------------------------------

    def add_children(self, resource: ManagedResource) -> None:
        """Add the resources that a resource generates during the run, and order them."""
        try:
            generated = resource.type.children(resource)
            made: dict[str, ManagedResource] = {}
            fresh: list[ManagedResource] = []
            for one in generated:
                known = self.run.find(one.type.name, one.title)
                made[one.name] = known or one
                if known is None:
                    fresh.append(one)
            if fresh:
                self.catalog.insert(resource, fresh)
        except FAILURES as error:
            self.generation_failed = True
            reason = reason_of(error)
            text = f"Failed to generate additional resources using 'eval_generate': {reason}"
            resource.log("err", text)
            return
        if not generated:
            return
        graph = self.graph
        for one in fresh:
            graph.add(one, graph.below(resource))
        end = Boundary(resource.title, resource.tags, ends=True)
        graph.add(end, graph.below(resource))
        for then, refreshes in list(graph.after[resource].items()):
            if then not in made.values():
                graph.connect(end, then, refreshes=refreshes)
                graph.disconnect(resource, then)
                graph.recount(then)
        for one in made.values():
            self.order(one, end, refreshes=True)
            parent = nearest(one, made) or resource
            self.order(parent, one, refreshes=False)
        self.order(resource, end, refreshes=True)
        for one in made.values():
            graph.recount(one)
        graph.recount(end)

    def order(self, first: Vertex, then: Vertex, *, refreshes: bool) -> None:
        """Order a vertex before another one, unless it already comes after it."""
        if not self.graph.connected(then, first):
            self.graph.connect(first, then, refreshes=refreshes)

    # -- skipping --------------------------------------------------------------------------------

    def propagate_failures(self, vertex: Vertex) -> None:
        """Record the failed dependencies of a vertex, including those of skipped resources."""
        found: dict[Vertex, None] = {}
        for before in self.graph.before[vertex]:
            status = self.status(before)
            found.update(dict.fromkeys(status.failed_dependencies))
            if status.failed or status.failed_to_restart:
                found[before] = None
        self.status(vertex).failed_dependencies = tuple(found)

    def propagate_broken(self, resource: ManagedResource) -> None:
        """Fail a resource whose provider could not read its state."""
        reason = self.broken.get(resource.provider) if resource.has_provider else None
        if reason is not None:
            add_failure(resource, self.status(resource), reason)

    def is_excluded(self, vertex: Vertex) -> bool:
        """Return whether the options or the schedule of a vertex exclude it from the run."""
        tags = self.options.skip_tags
        if tags and tagged(vertex, tags):
            return True
        return self.lacks_tags(vertex) or not self.is_scheduled(vertex)

    def is_skipped(self, vertex: Vertex) -> bool:
        """Return whether a vertex is skipped, and log the reason if users should see it."""
        if self.is_excluded(vertex):
            return True
        status = self.status(vertex)
        if status.failed_dependencies:
            if isinstance(vertex, ManagedResource):
                for cause in status.failed_dependencies:
                    if cause.reference not in self.reported:
                        self.reported.add(cause.reference)
                        failed = str(self.status(cause).failed).lower()
                        text = f"Dependency {cause.reference} has failures: {failed}"
                        vertex.log("notice", text)
                vertex.log("warning", "Skipping because of failed dependencies")
            return True
        if isinstance(vertex, ManagedResource) and status.failed:
            vertex.log("warning", "Skipping because provider prefetch failed")
            return True
        return False

    def lacks_tags(self, vertex: Vertex) -> bool:
        """Return whether the run is limited to tags that a vertex does not have."""
        return bool(self.options.tags) and not tagged(vertex, self.options.tags)

    def is_scheduled(self, vertex: Vertex) -> bool:
        """Return whether the schedule of a resource, if any, allows it to be applied now."""
        if not isinstance(vertex, ManagedResource) or vertex.schedule is None:
            return True
        if vertex in self.unresolved:
            return True  # to be reported
        schedule = self.schedule_of(vertex)
        if schedule is None or schedule.deferred:
            return True
        checked = self.state.of(vertex.reference).get("checked")
        return schedule_of(schedule).matches(schedule, checked)

    def schedule_of(self, resource: ManagedResource) -> ManagedResource | None:
        """Return the schedule that limits a resource; raise PuppetError for an unknown one."""
        name = resource.schedule
        if name is None or self.options.ignore_schedules:
            return None
        found = self.run.find("schedule", name)
        if found is None:
            raise UNKNOWN_SCHEDULE(name=resource.hidden(name)).at(resource.place)
        return found

    # -- events ----------------------------------------------------------------------------------

    def queue(self, source: Vertex, events: list[Event]) -> None:
        """Send the events of a vertex to the vertices that it notifies."""
        by_name: dict[str, list[Event]] = {}
        for event in events:
            by_name.setdefault(event.name, []).append(event)
        for some in by_name.values():
            for target, refreshes in self.graph.after[source].items():
                if refreshes and reacts(target):
                    self.queue_for(source, target, some)
            if isinstance(source, ManagedResource) and source.type.refreshes_itself:
                if source["ensure"] != "absent":
                    self.queue_for(source, source, some[:1])
        if any(event.drops_refresh for event in events) and isinstance(source, ManagedResource):
            source.log("info", f"Unscheduling refresh on {source.reference}")
            self.queues.pop(source, None)

    def queue_for(self, source: Vertex, target: Vertex, events: list[Event]) -> None:
        """Add events to those that a vertex must react to."""
        if not (isinstance(target, Boundary) and target.ends):
            self.log(source, "info", f"Scheduling refresh of {target.reference}")
        self.queues.setdefault(target, []).extend(events)
        self.notifiers.setdefault(target, {})[source.reference] = None

    def drop_events(self, vertex: Vertex) -> None:
        """Drop the events of a vertex that is skipped."""
        if self.queues.pop(vertex, None):
            self.log(vertex, "info", f"Unscheduling all events on {vertex.reference}")

    def process_events(self, vertex: Vertex) -> None:
        """React to the pending events of a vertex."""
        events = self.queues.get(vertex)
        if not events:
            return
        count = f"{len(events)} event" + ("s" if len(events) != 1 else "")
        if isinstance(vertex, ManagedResource):
            self.refreshed[vertex.reference] = tuple(self.notifiers[vertex])
        noop = vertex.noop if isinstance(vertex, ManagedResource) else self.run.settings["noop"]
        if noop or all(event.status == "noop" for event in events):
            self.log(vertex, "notice", f"Would have triggered 'refresh' from {count}")
            self.queue(vertex, [self.event(vertex, "noop_restart", "noop")])
            return
        if isinstance(vertex, ManagedResource) and not self.refresh(vertex, count):
            return
        self.queue(vertex, [self.event(vertex, "restarted", "success")])
        self.status(vertex).restarted = True

    def refresh(self, resource: ManagedResource, count: str) -> bool:
        """Refresh a resource; return whether this succeeded."""
        status = self.status(resource)
        self.run.changes += 1
        try:
            resource.type.refresh(resource)
        except FAILURES as error:
            reason = resource.hidden(reason_of(error))
            text = f"Failed to call refresh: {reason}"
            resource.log("err", text)
            status.failed_to_restart = True
            add_failure(resource, status, text)
            resource.log("err", reason)
            return False
        text = f"Triggered 'refresh' from {count}"
        resource.log("notice", text)
        event = self.event(resource, "refresh", "success")
        event.message = text
        status.add(event)
        return True

    def event(self, vertex: Vertex, name: str, status: Value) -> Event:
        """Return an event that does not belong to a property."""
        now = self.run.host.now()
        return Event(vertex.reference, vertex.path, name, status, time=now)

    def log(self, vertex: Vertex, level: str, message: str) -> None:
        """Log a message about a resource or a container."""
        if isinstance(vertex, ManagedResource):
            vertex.log(level, message)
        else:
            self.run.log(level, message, vertex.path, tags=vertex.tags)


def reacts(vertex: Vertex) -> bool:
    """Return whether a vertex can be refreshed; containers pass events on."""
    return isinstance(vertex, Boundary) or vertex.type.refreshable


def nearest(resource: ManagedResource, made: dict[str, ManagedResource]) -> ManagedResource | None:
    """Return the nearest generated directory above a generated resource."""
    above = resource.name.rpartition("/")[0]
    while above:
        if above in made and made[above] is not resource:
            return made[above]
        above = above.rpartition("/")[0]
    return None


def tagged(vertex: Vertex, tags: Iterable[str]) -> bool:
    """Return whether a vertex has one of the tags."""
    return any(tag.lower() in vertex.tags for tag in tags)
