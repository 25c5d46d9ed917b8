"""The first stage of a compile: a request becomes a resolved one.

A request has the arguments of the caller. :func:`resolve` finds everything that the request refers
to: the dialect, the settings, the node's classification, the environment and its functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.disk_cache import DiskCache
from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.paths import path_list
from bunraku.base.records import field, record, replace
from bunraku.dialects.dialect import Dialect
from bunraku.dialects.languages import PARSERS
from bunraku.engine.dialects import find_dialect
from bunraku.facts.documents import read_facts
from bunraku.facts.legacy import legacy_facts, without_legacy
from bunraku.functions import issues as python_issues
from bunraku.functions.choice import Chooser
from bunraku.functions.python import given_functions
from bunraku.functions.registry import Library
from bunraku.modules.autoload import Autoloader
from bunraku.modules.classifier import Classified, classify
from bunraku.modules.environment import (
    Environment,
    environment_directories,
    environment_language,
    load_environment,
    read_environment,
)
from bunraku.modules.fact_reads import FactTable
from bunraku.modules.names import check_node_name, check_trusted_names
from bunraku.modules.node import Node
from bunraku.modules.settings import resolve as resolve_settings
from bunraku.modules.settings import resolve_one
from bunraku.modules.vendored import vendor_directory
from bunraku.puppetdb.site import issues as site_issues
from bunraku.runtime.log import LogEntry
from bunraku.runtime.rules import RuntimeRules
from bunraku.runtime.state import GENERATION_LIMITS, GenerationLimits
from bunraku.world.disk import Disk
from bunraku.world.machine import Machine
from bunraku.world.protocol import World
from bunraku.world.recording import is_this_machine

Value = Any
MACHINE = Machine()
DISK = Disk()
"""This machine, shared by all compiles of this process."""


@record(slots=False)
class Request:
    """All that one compile needs.

    ``code`` is a manifest's text, or ``path`` a file or folder of manifests; ``as_file`` is the
    name that messages and the catalog give to ``code``. ``settings`` are Puppet's, by name.
    ``modules`` maps names of modules to directories outside of the modulepath. ``module_hiera`` maps
    names of modules to the ``hiera.yaml`` that replaces their own, or to None if they have no data.
    ``environment_directory`` is the directory of the environment, under any name; without it the
    environment is searched on the ``environmentpath`` of the settings. ``server_directories``
    maps directories of a server to those that hold their contents here; Hiera reads data there.
    ``functions`` are Python functions under ``@bunraku.function``, or modules that hold such.
    ``exports`` are the exported resources of other nodes (see ``puppetdb.site.documents``),
    which replace the resources in ``storedconfigs`` for those nodes. ``cycles`` is whether dependency
    cycles are errors, as for what judges code; False does not check them, None warns about them. ``facts_from`` names the data
    of a site, as ``storedconfigs`` does: the facts of the node there override ``facts``. ``run_config_version`` is
    whether the environment's ``config_version`` command is run. ``adds_versions`` adds
    ``clientversion`` and ``serverversion`` of the language, where they are missing. ``keeps_null_facts``
    is whether a fact without a value is undef, instead of the empty text that agents send.
    ``later_manifests`` are names and texts of manifests that run after the main ones, such as code that
    prepares a test. ``node_definitions`` is whether those of the main manifest count; a node that stands for a class has none.
    """

    code: str | None = None
    path: str | None = None
    as_file: str | None = None
    node: str = "localhost"
    facts: Mapping[str, Value] = field(default_factory=dict)
    trusted: Mapping[str, Value] | None = None
    server_facts: Mapping[str, Value] | None = None
    node_classes: Any = None
    node_parameters: Mapping[str, Value] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    modulepath: Sequence[str] = ()
    modules: Mapping[str, str] = field(default_factory=dict)
    module_hiera: Mapping[str, str | None] = field(default_factory=dict)
    environment_directory: str | None = None
    server_directories: Mapping[str, str] = field(default_factory=dict)
    language: str | None = None
    follow: str = "puppet"
    hiera_config: str | None = None
    cycles: bool | None = None
    storedconfigs: str | None = None
    facts_from: str | None = None
    exports: Mapping[str, Sequence[dict[str, Any]]] | None = None
    run_config_version: bool = True
    adds_versions: bool = False
    keeps_null_facts: bool = False
    later_manifests: Sequence[tuple[str, str]] = ()
    node_definitions: bool = True
    world: World = MACHINE
    functions: Sequence[Any] = ()
    generation_limits: GenerationLimits = GENERATION_LIMITS


@record(frozen=True)
class ResolvedRequest:
    """A request, and all that it names.

    ``helpers`` are the globals of compiled code. ``settings`` has every setting of the dialect; those
    that the classifier and the environment decide are in it. ``functions`` are the Python functions of
    the request by name. ``disk_cache`` is None for files that are not on this machine's disk.
    """

    request: Request
    log: Callable[[LogEntry], None]
    world: World
    dialect: Dialect
    rules: RuntimeRules
    helpers: dict[str, Any]
    library: Library
    settings: dict[str, Any]
    environment: Environment
    node: Node
    autoloader: Autoloader
    functions: Mapping[str, Any]
    chooser: Chooser
    disk_cache: DiskCache | None


def resolve(request: Request, log: Callable[[LogEntry], None]) -> ResolvedRequest:
    """Resolve a request; warnings about its environment go to ``log``.

    Raises PuppetError for an illegal request, a failing classifier and an invalid environment.
    """
    check_node_name(request.node)
    world = world_of(request)
    if request.facts_from is not None:
        request = with_facts_from(request.facts_from, request, world)
    check_trusted_names(request.trusted)

    language = request.language or environment_language_of(request)
    dialect = find_dialect(language, request.follow, request.settings)
    library: Library = dialect.functions.get()
    rules = dialect.runtime_rules()

    settings = settings_of(request, dialect)
    known = request.node_classes is not None
    classified = Classified() if known else classify(settings, request.node, world)
    if classified.environment:
        settings["environment"] = classified.environment
    try:
        environment = environment_of(request, settings, world, log, dialect.removed_settings)
    except PuppetError as error:
        raise with_classifier(error, classified, settings, request.node) from None
    settings.update(environment.setting_values())

    autoloader = Autoloader(environment, library.kinds)
    functions = given_functions(request.functions)
    for name in functions:
        if library.builtin(name) is not None:
            raise python_issues.TAKEN(name=name)
    return ResolvedRequest(
        request=request,
        log=log,
        world=world,
        dialect=dialect,
        rules=rules,
        helpers=dialect.helper_table(),
        library=library,
        settings=settings,
        environment=environment,
        node=node_of(request, classified, environment.name, dialect.version),
        autoloader=autoloader,
        functions=functions,
        chooser=Chooser(library, environment, autoloader, functions, rules.stdlib_without_module),
        disk_cache=DiskCache() if is_this_machine(world) else None,
    )


def world_of(request: Request) -> World:
    """Return the world of a request; the contents of this machine's files are shared by compiles."""
    return DISK if request.world.__class__ is Machine else request.world


def environment_language_of(request: Request) -> str | None:
    """Return the language that the ``environment.conf`` of the request's environment names.

    The settings of the request decide which environment that is, before any classifier does.
    """
    if request.environment_directory is not None:
        return environment_language([request.environment_directory], request.world, PARSERS)
    if "environmentpath" not in request.settings:
        return None
    path, name = (
        str(resolve_one(setting, request.settings, request.node))
        for setting in ("environmentpath", "environment")
    )
    return environment_language(
        environment_directories(path_list(path), name), request.world, PARSERS
    )


SETTINGS: BoundedCache[str, dict[str, Any]] = BoundedCache("settings", 200)


def settings_of(request: Request, dialect: Dialect) -> dict[str, Any]:
    """Return all settings: those of the request over the defaults of the dialect."""
    given = {**dialect.given_settings, **request.settings}
    given = {name: value for name, value in given.items() if name not in dialect.removed_settings}
    if request.hiera_config is not None:
        given["hiera_config"] = request.hiera_config
    key = repr((sorted(given.items(), key=lambda item: item[0]), request.node, dialect.name))
    resolved = SETTINGS.get(key)
    if resolved is None:
        resolved = resolve_settings(given, request.node, dialect.default_settings())
        SETTINGS.keep(key, resolved)
    settings = dict(resolved)
    if request.storedconfigs is not None or request.exports is not None:
        settings["storeconfigs"] = True
    return settings


def environment_of(
    request: Request,
    settings: Mapping[str, Any],
    world: World,
    log: Callable[[LogEntry], None],
    removed_settings: frozenset[str],
) -> Environment:
    """Return the environment of a request, with the modules and directories that the request adds."""
    environment = find_environment(request, settings, world, log, removed_settings)
    environment.module_directories = request.modules
    environment.module_hiera = request.module_hiera
    environment.server_directories = request.server_directories
    environment.vendor_directory = vendor_directory(request.settings, world)
    return environment


def find_environment(
    request: Request,
    settings: Mapping[str, Any],
    world: World,
    log: Callable[[LogEntry], None],
    removed_settings: frozenset[str],
) -> Environment:
    """Return a directory environment, or one of a bare modulepath."""

    def warn(finding: Diagnostic) -> None:
        log_finding(log, finding)

    name = str(settings.get("environment") or "production")
    base = path_list(str(settings["basemodulepath"]))
    modulepath = request.modulepath
    directory = request.environment_directory
    if directory is None and "environmentpath" not in request.settings:
        if not modulepath and "basemodulepath" in request.settings:
            modulepath = base
        return Environment(name, modulepath, world, settings=settings, warn=warn)
    if directory is not None:
        environment = read_environment(
            name, directory, world, base, settings, warn, removed_settings
        )
    else:
        folders = path_list(str(settings["environmentpath"]))
        environment = load_environment(
            name,
            folders,
            world,
            base_modulepath=base,
            settings=settings,
            warn=warn,
            removed_settings=removed_settings,
        )
    if modulepath:
        environment.modulepath = tuple(modulepath)
    return environment


def with_classifier(
    error: PuppetError, classified: Classified, settings: Mapping[str, Any], node: str
) -> PuppetError:
    """Add to an error of the environment that a node classifier chose the environment."""
    name = classified.environment
    if name is None:
        return error
    source = settings.get("external_nodes")
    chosen = f"the node classifier {source} assigned environment '{name}' to {node}"
    meant = error.arguments.get("meant")
    return error.hinted(f"{chosen}; {meant}" if meant else chosen)


def node_of(request: Request, classified: Classified, environment: str, version: str) -> Node:
    """Return the node with its facts and its classification; the request wins over the classifier."""
    facts, server_facts = facts_of(request, request.facts), request.server_facts or {}
    if request.adds_versions:
        name = facts.get("clientcert", request.node)
        facts = {**facts, "clientcert": name, "clientversion": version, **facts}
        server_facts = {"serverversion": version, **server_facts}
    return Node(
        request.node,
        facts=facts,
        trusted=request.trusted,
        parameters={**classified.parameters, **request.node_parameters},
        classes=request.node_classes or classified.classes,
        environment=environment,
        server_facts=server_facts,
        keeps_null_facts=request.keeps_null_facts,
    )


def with_facts_from(source: str, request: Request, world: World) -> Request:
    """Return a request with the facts that a source has of its node; PuppetError if there are none.

    PuppetDB keeps the trusted data of a node as a fact: it is used unless the request has its own.
    """
    from bunraku.puppetdb.site.opening import open_site

    facts = open_site(source, world, request.settings).facts(request.node)
    if facts is None:
        raise site_issues.NO_FACTS(source=shown_source(source), node=request.node)
    trusted = facts.pop("trusted", None)
    return replace(
        request,
        facts={**request.facts, **facts},
        trusted=trusted
        if request.trusted is None and isinstance(trusted, dict)
        else request.trusted,
    )


def nodes_from(request: Request) -> list[str]:
    """Return the nodes that have facts in the source of a request; PuppetError if none has."""
    from bunraku.puppetdb.site.opening import open_site

    source = request.facts_from or ""
    found = open_site(source, request.world, request.settings).nodes()
    if not found:
        raise site_issues.NO_NODES(source=shown_source(source))
    for node in found:
        check_node_name(node)
    return found


def shown_source(source: str) -> str:
    """Return a source for messages, without what stands before the host in a URL.

    >>> shown_source("postgresql://me:secret@db/puppetdb")
    'postgresql://db/puppetdb'
    """
    scheme, separator, rest = source.partition("://")
    return f"{scheme}{separator}{rest.rpartition('@')[2]}" if separator else source


def facts_of(request: Request, facts: Mapping[str, Value]) -> Mapping[str, Value]:
    """Return facts with or without legacy facts, if ``include_legacy_facts`` is given."""
    included = request.settings.get("include_legacy_facts")
    if included is None:
        return facts
    return {**legacy_facts(facts), **facts} if included else without_legacy(facts)


def with_facts_file(request: Request, path: str | None) -> Request:
    """Return a request with the facts in a node's file, which override those of the request and come first.

    Agents add their own facts at the end. Raises PuppetError if the file cannot be read.
    """
    if path is None:
        return request
    own = read_facts(path)
    return replace(request, facts={**own, **request.facts, **own})


def fact_table(request: Request) -> FactTable:
    """Return the facts of a request, for questions about them."""
    return FactTable(facts_of(request, request.facts))


def log_finding(log: Callable[[LogEntry], None], finding: Diagnostic) -> None:
    """Log a warning that has a place."""
    file, line, column = finding.place.where
    log(LogEntry("warning", finding.message, None, file, line, column, finding.code))
