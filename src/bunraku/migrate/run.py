"""A migration: the same nodes under an old version and under a new one, and the differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Protocol, TypeVar

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.records import field, record, replace
from bunraku.base.source import Source
from bunraku.catalog.compare import Difference, compare
from bunraku.catalog.wire import catalog_to_data
from bunraku.compiler.code_names import unit_name
from bunraku.dialects.languages import dialect_named
from bunraku.engine.compile import compile_catalog, compile_resolved
from bunraku.engine.hooks import Hooks
from bunraku.engine.nodes import Task
from bunraku.engine.parallel import Work, for_each
from bunraku.engine.request import Request, resolve
from bunraku.facts.legacy import without_legacy
from bunraku.limits.limits import Limited, Limits
from bunraku.migrate import rules
from bunraku.migrate.compile import compile_watched
from bunraku.migrate.findings import Finding, Findings, apply, line_after
from bunraku.migrate.nine import findings_of_nine
from bunraku.migrate.old_facts import modern_facts
from bunraku.migrate.settings_files import environment_findings, puppet_conf_findings
from bunraku.migrate.seven import findings_of_seven
from bunraku.migrate.versions import NAMES
from bunraku.runtime.log import LogEntry
from bunraku.world.dictionary import DictionaryWorld
from bunraku.world.overlay import Overlay

Data = dict[str, Any]
STRICTNESS = ("strict", "strict_variables")


def ignore(_entry: LogEntry) -> None:
    """Messages of the runs are of no interest."""


@record()
class NodeOutcome:
    """The result for a node: its catalogs compared, without the edits and with them.

    ``new`` is the new version, ``failure`` the error of the old language, ``refusal`` that of the new
    one without the edits, ``remaining_refusal`` that of the new one with the edits.
    """

    node: str
    manifest: str = ""
    new: str = "8"
    failure: Diagnostic | None = None
    refusal: Diagnostic | None = None
    difference: Difference | None = None
    remaining_refusal: Diagnostic | None = None
    remaining: Difference | None = None

    @property
    def worsened(self) -> bool:
        """Whether the edits add differences between the catalogs."""
        if not self.remaining:
            return False
        return self.difference is None or not changes_of(self.remaining) <= changes_of(
            self.difference
        )


def changes_of(found: Difference) -> set[tuple[str, str]]:
    """Return the changes of a difference in a form that can be compared, without places."""
    made = {(name, repr(item)) for name in EDGES_AND_CLASSES for item in getattr(found, name)}
    for name in ("added", "removed"):
        made |= {(name, f"{one.reference} {one.changes}") for one in getattr(found, name)}
    made |= {
        ("changed", f"{one.reference} {change}") for one in found.changed for change in one.changes
    }
    return made


EDGES_AND_CLASSES = ("edges_added", "edges_removed", "classes_added", "classes_removed")


@record()
class Migration:
    """All that a migration finds; ``old`` and ``new`` are versions.

    ``edited`` has the new text of each source by its path.
    """

    old: str
    new: str
    findings: list[Finding] = field(default_factory=list)
    outcomes: list[NodeOutcome] = field(default_factory=list)
    sources: dict[str, Source] = field(default_factory=dict)
    edited: dict[str, str] = field(default_factory=dict)

    @property
    def version(self) -> str:
        """The name of the new version."""
        return NAMES[self.new]

    @property
    def failed(self) -> bool:
        """Whether a node could not be compiled in the old language, and so nothing is known of it."""
        return any(outcome.failure is not None for outcome in self.outcomes)

    def refutations(self) -> list[str]:
        """Return why the edits do not keep the catalogs: a reason for each node, or for all."""
        found = []
        for one in self.outcomes:
            if one.remaining_refusal is not None:
                reason = " ".join(one.remaining_refusal.message.split())
                found.append(
                    f"{one.node}: does not compile in {self.version} with the edits: {reason}"
                )
            elif one.worsened:
                found.append(f"{one.node}: the edits change the catalog")
        if all(one.failure is not None for one in self.outcomes):
            found.append("no node compiles in the old language, and so nothing is verified")
        return found

    @property
    def fixed(self) -> bool:
        """Whether the edits leave nothing to do."""
        return all(one.fixed for one in self.findings) and not self.refutations()

    @property
    def changed(self) -> bool:
        """Whether anything differs."""
        return bool(self.findings) or any(
            outcome.refusal is not None or outcome.difference for outcome in self.outcomes
        )


@record()
class OldRun:
    """The run of a node in the old language, watched: its catalog, or why there is none.

    The catalog is in the form for comparisons. ``sources`` are those that the run loaded, by path.
    """

    catalog: Data | None = None
    failure: Diagnostic | None = None
    findings: Findings = field(default_factory=Findings)
    sources: dict[str, Source] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether there is a catalog."""
        return self.failure is None


@record()
class NewRun:
    """The run of a node in the new language: how its catalog differs from the old one, or the errors."""

    difference: Difference | None = None
    refusals: list[Diagnostic] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether there is a catalog."""
        return not self.refusals


@record(frozen=True)
class NewTask(Task):
    """A node to compile under the new version; ``old`` is its catalog of the old one."""

    old: Data = field(default_factory=dict, shown=False)


class Run(Protocol):
    """The result of a compile."""

    @property
    def ok(self) -> bool:
        """Whether there is a catalog."""


K = TypeVar("K", bound=Task)
R = TypeVar("R", bound=Run)


class RunEach(Protocol):
    """Runs compiles, maybe in other processes."""

    def __call__(self, work: Work[K, R], tasks: Sequence[K]) -> list[R]:
        """Return the results of tasks in their order."""


def each_here(work: Work[K, R], tasks: Sequence[K]) -> list[R]:
    """Return the results of tasks, which run in this process."""
    return for_each(work, tasks, executor=None, jobs=1, done=lambda _at, result: result)


def migrate(
    requests: Sequence[Request],
    old: str,
    limits: Limits | None = None,
    new: str = "8",
    puppet_conf: str | None = None,
    run_each: RunEach = each_here,
) -> Migration:
    """Compile every request under an old version and under a new one (:mod:`bunraku.migrate.versions`).

    ``limits`` are those of each compile. ``puppet_conf`` is the path of the server's configuration.
    ``run_each`` runs the compiles, maybe in other processes; the result does not depend on it.
    """
    found = Findings()
    migration = Migration(old, new)
    requests = [of_one_version(request, new) for request in requests]
    if new == "9" and puppet_conf is not None and requests:
        puppet_conf_findings(found, migration.sources, puppet_conf, requests[0].world)
    tasks = [Task(request, limits=limits) for request in requests]
    old_runs = run_each(Work(partial(run_old, old, new), failed_old), tasks)
    for request, run in zip(requests, old_runs, strict=True):
        found.add_all(run.findings)
        migration.sources.update(run.sources)
        outcome = NodeOutcome(request.node, request.path or "", new, run.failure)
        migration.outcomes.append(outcome)
    edit_sources(migration, found)
    compare_with_new(requests, old_runs, migration, found, limits, run_each)
    migration.findings = found.in_order()
    return migration


def of_one_version(request: Request, new: str) -> Request:
    """Return a request in which the old version, too, reports the version of the new one."""
    request = replace(request, run_config_version=False)
    if not request.adds_versions:
        return request
    version = dialect_named(new).version
    return replace(
        request,
        adds_versions=False,
        facts={"clientcert": request.node, "clientversion": version, **request.facts},
        server_facts={"serverversion": version, **(request.server_facts or {})},
    )


def run_old(old: str, new: str, task: Task) -> OldRun:
    """Compile a node in the old language; the run is watched."""
    made, request = OldRun(), task.request
    try:
        with Limited(task.limits):
            if old in {"7", "8"}:
                catalog = modern_catalog(request, old, new, made.findings, made.sources)
            else:
                catalog = watched(request, old, made.findings, made.sources)
    except PuppetError as error:
        made.failure = error.diagnostic
    else:
        made.catalog = comparable(catalog)
    return made


def failed_old(_task: Task, findings: list[Diagnostic]) -> OldRun:
    """Return the run of a node whose worker failed."""
    return OldRun(failure=findings[0])


def watched(request: Request, old: str, found: Findings, sources: dict[str, Source]) -> Data:
    """Return the catalog of a language of Puppet 3."""
    settings = {name: item for name, item in request.settings.items() if name not in STRICTNESS}
    request = replace(request, language=old, settings=settings)
    return catalog_to_data(compile_watched(request, ignore, found, sources))


def modern_catalog(
    request: Request, old: str, new: str, found: Findings, sources: dict[str, Source]
) -> Data:
    """Return the catalog of Puppet 8, or of Puppet 7: the same language, less strict."""
    settings = {**request.settings, **LESS_STRICT} if old == "7" else request.settings
    entries: list[LogEntry] = []
    loaded: dict[str, Source] = {}

    def add_source(source: Source) -> None:
        loaded[unit_name(source)] = source

    resolved = resolve(replace(request, language="8", settings=settings), entries.append)
    catalog: Data | None = None
    try:
        compiled, _value = compile_resolved(resolved, hooks=Hooks(source_loaded=add_source))
        catalog = catalog_to_data(compiled)
        return catalog
    finally:
        sources.update({source.path: source for source in loaded.values()})
        if old == "7":
            findings_of_seven(found, loaded.values(), entries, request.facts)
        if new == "9":
            findings_of_nine(found, loaded.values(), resolved, catalog)
            if resolved.environment.path is not None:
                environment_findings(found, sources, resolved.environment.path, resolved.world)


LESS_STRICT = {"strict": "warning", "strict_variables": False}


def edit_sources(migration: Migration, found: Findings) -> None:
    """Apply the edits of the findings to each source."""
    by_path: dict[str, list[Finding]] = {}
    for finding in found.in_order():
        by_path.setdefault(finding.span.source.path, []).append(finding)
    drop_stale_copies(by_path)
    for path, findings in by_path.items():
        source = findings[0].span.source
        text = apply(source.text, findings)
        if text != source.text:
            migration.edited[path] = text


def drop_stale_copies(by_path: Mapping[str, Sequence[Finding]]) -> None:
    """Take away edits that insert the text of a file which needs edits itself."""
    for findings in by_path.values():
        for finding in findings:
            for path in finding.copied:
                if any(other.edits for other in by_path.get(path, ())):
                    finding.edits = ()


def compare_with_new(
    requests: Sequence[Request],
    old_runs: Sequence[OldRun],
    migration: Migration,
    found: Findings,
    limits: Limits | None,
    run_each: RunEach,
) -> None:
    """Compile the nodes under the new version, without the edits and with them."""
    legacy_gone = any(item.rule is rules.LEGACY_FACTS for item in found.found.values())
    pairs = [
        (outcome, NewTask(of_new(request, migration, legacy_gone), limits=limits, old=run.catalog))
        for request, run, outcome in zip(requests, old_runs, migration.outcomes, strict=True)
        if run.catalog is not None
    ]
    tasks = [task for _outcome, task in pairs]
    runs = run_each(Work(partial(run_new, {}), failed_new), tasks)
    remaining = runs
    if migration.edited:
        remaining = run_each(Work(partial(run_new, migration.edited), failed_new), tasks)
    for (outcome, _task), run, edited in zip(pairs, runs, remaining, strict=True):
        outcome.difference, outcome.refusal = run.difference, first(run.refusals)
        outcome.remaining, outcome.remaining_refusal = edited.difference, first(edited.refusals)
        for diagnostic in edited.refusals:
            refused(diagnostic, migration, found)


def first(refusals: Sequence[Diagnostic]) -> Diagnostic | None:
    """Return the first of some errors, if there are any."""
    return refusals[0] if refusals else None


def of_new(request: Request, migration: Migration, legacy_gone: bool) -> Request:
    """Return a request for the new version."""
    facts = dict(request.facts) if migration.old == "8" else modern_facts(request.facts)
    if legacy_gone:
        facts = without_legacy(facts)
    return replace(request, language=migration.new, facts=facts)


def run_new(edited: dict[str, str], task: NewTask) -> NewRun:
    """Compile a node under the new version, with the new texts of edited sources."""
    request = with_edits(task.request, edited) if edited else task.request
    try:
        with Limited(task.limits):
            catalog = comparable(catalog_to_data(compile_catalog(request, ignore)))
            return NewRun(compare(task.old, catalog))
    except PuppetError as error:
        return NewRun(refusals=list(error))


def failed_new(_task: NewTask, findings: list[Diagnostic]) -> NewRun:
    """Return the run of a node whose worker failed."""
    return NewRun(refusals=findings)


def with_edits(request: Request, edited: dict[str, str]) -> Request:
    """Return the same request for edited sources."""
    code = request.code
    if code is not None:
        code = edited.get(request.as_file or "", code)
    files = {path: text.encode("utf-8", "surrogateescape") for path, text in edited.items() if path}
    return replace(request, code=code, world=Overlay(DictionaryWorld(files), request.world))


def refused(diagnostic: Diagnostic, migration: Migration, found: Findings) -> None:
    """Report errors of the new version without a rule, at the line that they come from."""
    file, line = diagnostic.file, diagnostic.line
    source = migration.sources.get(file or "")
    if source is None:
        return
    edits = [
        edit
        for finding in found.found.values()
        if finding.fixed and finding.span.source.path == source.path
        for edit in finding.edits
    ]
    text = migration.edited.get(source.path, source.text)
    number = line_after(edits, source, text, line or 1)
    start = source.offset(number, 0)
    shown = source.line_text(number)
    span = source.span(start + len(shown) - len(shown.lstrip()), start + len(shown))
    for other in found.in_order():
        if other.span.source.path == source.path and other.span.line == number and not other.fixed:
            return  # it is known why
    message = f"error: {diagnostic.message} [{diagnostic.code}]"
    found.add(Finding(rules.REFUSED, span, "", message))


def comparable(catalog: Data) -> Data:
    """Return a catalog for comparison, without entries that only describe the code.

    Numbers are text, because Puppet 3 wrote them so and agents accept both. An array of one equals
    its element in relationships and in the parameters of classes and defined types, which agents
    ignore. The node definition of a resource is not compared.
    """
    found: Data = plain_value(catalog)
    found["resources"] = [one for one in found["resources"] if one["type"] != "Node"]
    for resource in found["resources"]:
        parameters = resource.get("parameters") or {}
        inner = resource["type"] == "Class" or resource.get("kind") == "defined_type"
        for name in parameters.keys() if inner else RELATIONSHIPS & parameters.keys():
            if parameters[name].__class__ is list and len(parameters[name]) == 1:
                parameters[name] = parameters[name][0]
    edges = set()
    for edge in found["edges"]:
        ends = [
            NODE if end.startswith("Node[") else end for end in (edge["source"], edge["target"])
        ]
        if ends[0] != ends[1]:
            edges.add(tuple(ends))
    found["edges"] = [{"source": source, "target": target} for source, target in sorted(edges)]
    found["classes"] = [name for name in found["classes"] if is_class(name, found)]
    return found


NODE = "Node"
RELATIONSHIPS = {"before", "require", "notify", "subscribe", "tag", "alias"}
"""Parameters that mean the same with a value and with an array of that one."""


def is_class(name: str, catalog: Data) -> bool:
    """Return whether a name among a catalog's classes is that of a class, not of a node definition."""
    title = "::".join(part.capitalize() for part in name.split("::"))
    return name == "settings" or any(
        one["type"] == "Class" and one["title"].lower() == title.lower()
        for one in catalog["resources"]
    )


def plain_value(value: Any) -> Any:
    """Return a value with its numbers as text.

    >>> plain_value({"parameters": {"port": 80, "noop": True}})
    {'parameters': {'port': '80', 'noop': True}}
    """
    if value.__class__ is int or value.__class__ is float:
        return str(value)
    if isinstance(value, dict):
        return {key: plain_value(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain_value(item) for item in value]
    return str.__str__(value) if isinstance(value, str) else value
