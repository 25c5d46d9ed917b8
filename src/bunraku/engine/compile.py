"""Compile a catalog: resolve the request (:mod:`bunraku.engine.request`), then run its manifests."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from subprocess import CalledProcessError
from typing import Any

from bunraku.base.disk_cache import DiskCache
from bunraku.base.errors import PuppetError
from bunraku.base.garbage_collection import PATIENT
from bunraku.base.records import replace
from bunraku.base.source import Place
from bunraku.catalog.compiled import CompiledCatalog
from bunraku.engine.hooks import NO_HOOKS, Hooks
from bunraku.engine.loader import Body, Loader
from bunraku.engine.manifests import Manifests
from bunraku.engine.request import Request, ResolvedRequest, facts_of, log_finding, resolve
from bunraku.limits.limits import TimeLimitReached, reached
from bunraku.modules import issues as issues_modules
from bunraku.modules.fact_reads import VALUE, FactHash, Gathering, LaterFacts
from bunraku.runtime import issues
from bunraku.runtime.collect import collectors_of
from bunraku.runtime.control import ControlSignal, StoppedByError
from bunraku.runtime.error_places import illegal_control, locate, locate_interrupted
from bunraku.runtime.evaluation import run
from bunraku.runtime.fact_variables import RecordedCompilation
from bunraku.runtime.log import LogEntry
from bunraku.runtime.python_frames import running_line
from bunraku.runtime.state import Compilation, Scope
from bunraku.world.processes import failure_reason
from bunraku.world.recording import EXPORTED, Recording, recording_of

Value = Any
Log = Callable[[LogEntry], None]
Action = Callable[[Scope], Value]
Exported = Callable[[str, Value], Sequence[Mapping[str, Value]]]
RECURSION_LIMIT = 12_000


def compile_catalog(request: Request, log: Log, hooks: Hooks = NO_HOOKS) -> CompiledCatalog:
    """Compile a node's catalog; log messages go to ``log`` as they come.

    Raises PuppetError for anything wrong in the code, its data or the request.
    """
    catalog, _value = compile_resolved(resolve(request, log), hooks=hooks)
    return catalog


def compile_collecting(request: Request, log: Log, collects: Callable[[], None]) -> CompiledCatalog:
    """Compile a catalog as :func:`compile_catalog`; call ``collects`` if exports are collected.

    ``collects`` is called for a failing compile, too.
    """
    catalog, _value = compile_resolved(resolve(request, log), collects=collects)
    return catalog


def evaluate_code(request: Request, log: Log, hooks: Hooks = NO_HOOKS) -> Value:
    """Return the value of a manifest's last expression, evaluated in top scope."""
    _catalog, value = compile_resolved(resolve(request, log), hooks=hooks)
    return value


def in_top_scope(request: Request, log: Log, action: Action) -> Value:
    """Return the result of an action for the top scope of a compiled catalog."""
    _catalog, value = compile_resolved(resolve(request, log), then=action)
    return value


def compile_resolved(
    resolved: ResolvedRequest,
    *,
    then: Action | None = None,
    collects: Callable[[], None] = lambda: None,
    hooks: Hooks = NO_HOOKS,
    gathering: Gathering | None = None,
) -> tuple[CompiledCatalog, Value]:
    """Compile the catalog of a resolved request; return it and the value of its last expression.

    ``then`` is called with the top scope of the complete catalog; its result is the value
    instead. ``collects`` is called if the code collects exported resources, even if it fails.
    ``gathering`` collects the facts that the request lacks when code reads them.
    """
    if sys.getrecursionlimit() < RECURSION_LIMIT:
        sys.setrecursionlimit(RECURSION_LIMIT)
    if resolved.disk_cache is not None and (warning := cache_warning()):
        resolved.log(warning)
    manifests = Manifests(resolved, hooks)
    recorder = manifests.recorder
    if recorder is not None:
        recorder.start()
    if gathering is not None:
        resolved, gathering = with_first_facts(resolved, gathering)
    variables = top_variables(resolved)
    if hooks.top_variables is not None:
        variables = hooks.top_variables(resolved.node, variables)
    compilation, at_start = new_compilation(resolved, manifests, variables, gathering)
    compilation.watch_template = hooks.template_rendered
    compilation.watch_unknown_variable = hooks.unknown_variable
    if hooks.begun is not None:
        hooks.begun(compilation)
    try:
        with PATIENT:
            try:
                catalog, value = run_manifests(compilation, resolved, at_start)
            finally:
                if any(one.exported for one in collectors_of(compilation)):
                    collects()
            version = config_version(resolved)
            if version is not None:
                catalog.version = version
            if then is not None:
                value = then(compilation.top_scope)
            compilation.close()
        return catalog, value
    except PuppetError as error:
        from bunraku.engine.value_origins import with_value_origin

        error = locate(error, manifests.sources, resolved.dialect.parse)
        error = with_value_origin(error, compilation)
        raise noted(error, hooks) from error.__cause__
    except StoppedByError as stop:
        failure = stop.error.with_traceback(stop.__traceback__)
        failure = locate(failure, manifests.sources, resolved.dialect.parse)
        raise noted(failure, hooks) from None
    except ControlSignal as signal:
        failure = illegal_control(signal.name, signal.__traceback__)
        failure = locate(failure, manifests.sources, resolved.dialect.parse)
        raise noted(failure, hooks) from None
    except (RecursionError, MemoryError, TimeLimitReached) as error:
        failure = issues.RECURSION() if isinstance(error, RecursionError) else reached(error)
        failure = failure.with_traceback(error.__traceback__)
        failure = locate_interrupted(failure, manifests.sources, resolved.dialect.parse)
        raise noted(failure, hooks) from None
    finally:
        if recorder is not None:
            recorder.finish(resolved.node.name)
        if hooks.ended is not None:
            hooks.ended()


def noted(error: PuppetError, hooks: Hooks) -> PuppetError:
    """Return the error that ends a compile, after its hook was called."""
    if hooks.failed is not None:
        hooks.failed(error)
    return error


def new_compilation(
    resolved: ResolvedRequest,
    manifests: Manifests,
    variables: Mapping[str, Value],
    gathering: Gathering | None = None,
) -> tuple[Compilation, Mapping[str, Value]]:
    """Return the state of a compile before any code runs, and the variables that it has from the start."""
    request, node = resolved.request, resolved.node
    recording = recording_of(resolved.world)
    facts, order = facts_hash(resolved, variables), partial(tuple, variables)
    if recording is not None:
        facts, variables = watched_facts(facts, resolved, variables, recording)
    elif gathering is not None:
        facts, variables = later_facts(facts, resolved, variables, gathering)
        order = partial(names_of_all, resolved, facts)
    is_plain = recording is None and gathering is None
    compilation = (Compilation if is_plain else RecordedCompilation)(
        request.node,
        world=resolved.world,
        loader=partial(Loader, resolved, manifests),
        environment=resolved.environment,
        settings=resolved.settings,
        facts=facts,
        trusted=variables.get("trusted") or {},
        log=resolved.log,
        rules=resolved.rules,
    )
    if isinstance(compilation, RecordedCompilation):
        compilation.top_scope.order = order
        compilation.is_native = partial(is_native, resolved)
    if recording is not None:
        recording.line = running_line
    compilation.limits = request.generation_limits
    dialect = resolved.dialect
    if dialect.outer_variables is not None:
        below = Scope(compilation, None)
        outer = dialect.outer_variables(node.name, dialect.version, resolved.world)
        for name, value in outer.items():
            below.set(name, value)
        compilation.top_scope.outer = below
    if request.storedconfigs is not None:
        from bunraku.puppetdb.site.opening import open_site

        world = resolved.world
        if recording is not None and recording.site is not None:
            world = recording.below  # what it asks is recorded by question
        compilation.site = open_site(request.storedconfigs, world, request.settings)
    if compilation.site is not None or request.exports is not None:
        from bunraku.puppetdb.site.exports import exported_resources

        site = compilation.site
        if recording is not None and site is not None:
            from bunraku.puppetdb.site.recorded import RecordedSite

            site = compilation.site = RecordedSite(site, recording)
        exported = exported_resources(site, request.node, request.exports)
        if recording is not None and (recording.site is None or request.exports is not None):
            exported = recorded(exported, recording, request.node)
        compilation.exported = exported
    return compilation, variables


def is_native(resolved: ResolvedRequest, name: str) -> bool:
    """Return whether a function is implemented by this program."""
    choice = resolved.chooser.choose(name)
    return choice is not None and choice.function is not None


def has_facts_hash(resolved: ResolvedRequest) -> bool:
    """Return whether ``$facts`` is the hash of facts; in Puppet 3 that is a setting."""
    return bool(
        not resolved.rules.node_data_when_asked or resolved.settings.get("trusted_node_data")
    )


def facts_hash(resolved: ResolvedRequest, variables: Mapping[str, Value]) -> dict[str, Value]:
    """Return the facts in the form for manifests."""
    if has_facts_hash(resolved):
        found: dict[str, Value] = variables["facts"]
        return found
    return resolved.node.clean_facts(as_text=facts_are_text(resolved))


def watched_facts(
    facts: Mapping[str, Value],
    resolved: ResolvedRequest,
    variables: Mapping[str, Value],
    recording: Recording,
) -> tuple[FactHash, dict[str, Value]]:
    """Return facts whose reads are recorded, and the variables that are not facts.

    A name that something else has, too, stays among the variables, and the fact is recorded now: it
    decides which value the variable gets, and whether there is a warning.
    """
    for name in sorted(resolved.node.names_of_others()):
        recording.note_fact((VALUE, name))
    found = FactHash(facts, recording.note_fact)
    return found, without_facts(variables, facts, resolved, found)


def without_facts(
    variables: Mapping[str, Value],
    facts: Mapping[str, Value],
    resolved: ResolvedRequest,
    found: FactHash,
) -> dict[str, Value]:
    """Return the variables that are not facts, or not always, with ``$facts`` as the hash found."""
    others = resolved.node.names_of_others()
    rest = {name: value for name, value in variables.items() if name in others or name not in facts}
    if has_facts_hash(resolved):
        rest["facts"] = found
    return rest


# -- facts that are collected when code reads them ---------------------------------------------------


def with_first_facts(
    resolved: ResolvedRequest, gathering: Gathering
) -> tuple[ResolvedRequest, Gathering | None]:
    """Return a request with the facts that decide other variables, and what collects the rest.

    These are all facts where a read cannot be observed: in Puppet 3, and in a recorded compile.
    """
    is_old = resolved.rules.node_data_when_asked or facts_are_text(resolved)
    node = resolved.node
    everything = is_old or recording_of(resolved.world) is not None
    names = None if everything else gathering.among(node.names_of_others())
    if names is None or names:
        facts = {**facts_of(resolved.request, gathering.facts(names)), **node.facts}
        resolved = replace(resolved, node=replace(node, facts=facts))
    return resolved, None if everything else gathering


def later_facts(
    facts: Mapping[str, Value],
    resolved: ResolvedRequest,
    variables: Mapping[str, Value],
    gathering: Gathering,
) -> tuple[FactHash, dict[str, Value]]:
    """Return facts that are collected when they are read, and the variables that are not facts."""

    def clean(found: Mapping[str, Value]) -> dict[str, Value]:
        return replace(resolved.node, facts=facts_of(resolved.request, found)).clean_facts()

    found = LaterFacts(facts, gathering, clean)
    return found, without_facts(variables, facts, resolved, found)


def names_of_all(resolved: ResolvedRequest, facts: Mapping[str, Value]) -> tuple[str, ...]:
    """Return the names of all variables of the node, whose facts are all collected for it."""
    complete = replace(resolved, node=replace(resolved.node, facts=dict(facts)))
    return tuple(complete.node.top_scope())


def recorded(exported: Exported, recording: Recording, own: str) -> Exported:
    """Return a function that finds exported resources and records those of other nodes."""

    def found(type_: str, query: Value) -> Sequence[Mapping[str, Value]]:
        resources = exported(type_, query)
        others = [one for one in resources if one["certname"] != own]
        recording.note((EXPORTED, type_), others)
        return resources

    return found


def top_variables(resolved: ResolvedRequest) -> dict[str, Value]:
    """Return the variables of top scope."""
    variables: dict[str, Value] = resolved.dialect.top_variables(
        resolved.node, resolved.settings, partial(log_finding, resolved.log)
    )
    return variables


def facts_are_text(resolved: ResolvedRequest) -> bool:
    """Return whether every fact is a string, as is the default in Puppet 3."""
    return bool(resolved.settings.get("stringify_facts"))


def run_manifests(
    compilation: Compilation, resolved: ResolvedRequest, variables: Mapping[str, Value]
) -> tuple[CompiledCatalog, Value]:
    """Read the main manifests and run them; return the catalog and the value of the last one."""
    try:
        bodies: list[Body] = compilation.loader.load_main()
    except PuppetError as error:
        error.phase = "parse"
        raise
    if not resolved.request.node_definitions:
        compilation.definitions.nodes.clear()
    value: Value = None

    def keep_value(body: Body) -> Callable[[Scope], None]:
        def keep(scope: Scope) -> None:
            nonlocal value
            value = body(scope)

        return keep

    catalog = run(
        compilation,
        [keep_value(body) for body in bodies],
        variables,
        resolved.node.class_parameters(),
        cycles=resolved.request.cycles,
    )
    return catalog, value


def config_version(resolved: ResolvedRequest) -> str | None:
    """Return the output of the environment's ``config_version`` command; both of its streams, as in Puppet."""
    command = resolved.environment.config_version
    if not command or not resolved.request.run_config_version:
        return None
    try:
        return resolved.world.run(["/bin/sh", "-c", f"exec 2>&1\n{command}"]).strip()
    except (OSError, CalledProcessError) as error:
        reason = failure_reason(error)
        failure = issues_modules.CONFIG_VERSION_FAILED(command=command, reason=reason)
        if resolved.environment.path is not None:
            failure = failure.at(Place(f"{resolved.environment.path}/environment.conf"))
        raise failure from None


def cache_warning() -> LogEntry | None:
    """Return the warning that the cache on disk cannot be used, once per process.

    The forked workers of a process that called this do not warn.
    """
    reason = DiskCache().warning()
    if reason is None:
        return None
    finding = issues.CACHE_NOT_USED.diagnostic(severity="warning", reason=reason)
    return LogEntry("warning", finding.message, code=finding.code)
