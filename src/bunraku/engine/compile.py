"""The one place that wires things: code, environment, node and facts become a catalog."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from subprocess import CalledProcessError
from typing import Any

from bunraku.base.disk_cache import DiskCache
from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.garbage_collection import PATIENT
from bunraku.base.records import field, names_of, record, replace
from bunraku.base.source import Place, Source
from bunraku.catalog.model import Catalog
from bunraku.catalog.schema import issues as issues_resources
from bunraku.catalog.schema.builtin import (
    builtin_resource_type,
    builtin_resource_type_names,
    vendored_resource_type,
)
from bunraku.catalog.schema.model import ResourceTypeSchema
from bunraku.compiler.code import cache_key, program_fingerprint, to_code, unit_name
from bunraku.facts.legacy import legacy_facts, without_legacy
from bunraku.functions import python_issues
from bunraku.functions.choice import Choice, Chooser
from bunraku.functions.python import given_functions, load_function, python_function
from bunraku.functions.registry import Library, function_names
from bunraku.hiera.binding import engine_of, invocation_of, new_context
from bunraku.limits.limits import TimeLimitReached, reached
from bunraku.modules import issues as issues_modules
from bunraku.modules.autoload import Autoloader, Found
from bunraku.modules.classifier import Classified, classify
from bunraku.modules.environment import (
    Environment,
    environment_directories,
    environment_language,
    load_environment,
    read_environment,
)
from bunraku.modules.known_names import file_hint, known_names, search_report
from bunraku.modules.names import check_node_name, check_trusted_names
from bunraku.modules.node import Node, own_variables
from bunraku.modules.settings import resolve
from bunraku.modules.vendored import vendor_directory, vendored_types
from bunraku.ruby.process.functions import ruby_function
from bunraku.ruby.schema.cache import resource_types
from bunraku.ruby.schema.libraries import Libraries
from bunraku.ruby.schema.reader import mistake_line
from bunraku.ruby.schema.schema import own_library
from bunraku.runtime import issues
from bunraku.runtime.callables import Function
from bunraku.runtime.control import ControlSignal
from bunraku.runtime.definitions import Definition, Template, Unit, read_unit
from bunraku.runtime.error_places import locate, locate_interrupted
from bunraku.runtime.log import LogEntry
from bunraku.runtime.rules import Rules
from bunraku.runtime.run import run
from bunraku.runtime.state import Compilation
from bunraku.runtime.variables import Scope
from bunraku.stored.store import exported_among, read_store
from bunraku.syntax.grammars import check, parse
from bunraku.syntax.rules import DIALECTS, Dialect
from bunraku.values.regexp.regexp import Regexp
from bunraku.world import Disk, Machine, World, failure_reason

__all__ = ["LogEntry", "Request", "compile_catalog", "evaluate_code"]

Value = Any
RECURSION_LIMIT = 12_000
MACHINE = Machine()
DISK = Disk()
"""This machine as all compiles of this process see it."""

RUNTIMES = {
    "8": "bunraku.runtime.helpers",
    "3.8-future": "bunraku.dialects.future_parser",
    "3.8": "bunraku.dialects.puppet_3_8",
    "3.0": "bunraku.dialects.puppet_3_8",
}
"""Dialect → the module with the helpers of its compiled code and its rules."""

KNOWN_SETTINGS = {
    "8": "bunraku.modules.settings",
    "3.8-future": "bunraku.dialects.puppet_3.settings",
    "3.8": "bunraku.dialects.puppet_3.settings",
    "3.0": "bunraku.dialects.puppet_3.settings",
}
"""Dialect → the module with its settings and their defaults."""

LIBRARIES = {
    "8": ("bunraku.functions.registry", "PUPPET_8"),
    "3.8-future": ("bunraku.dialects.puppet_3.functions.libraries", "FUTURE_PARSER"),
    "3.8": ("bunraku.dialects.puppet_3.functions.libraries", "PUPPET_3_8"),
    "3.0": ("bunraku.dialects.puppet_3.functions.libraries", "PUPPET_3_0"),
}
"""Dialect → the module with its functions, and the name of the :class:`Library` there."""


@record(slots=False)
class Request:
    """All that one compile needs to know.

    ``code`` is a manifest's text, or ``path`` a file or folder of manifests; ``as_file`` is the name
    that messages and the catalog give to ``code``. ``settings`` are Puppet's, by name. ``modules``
    maps names of modules to directories outside of the modulepath. ``environment_directory`` is the
    directory of the environment, whatever its name; without it the environment is looked for on the
    ``environmentpath`` of the settings. ``server_directories`` maps directories of a server to those
    that hold their contents here; Hiera reads data there. ``functions`` are Python functions under
    ``@bunraku.function``, or modules that hold such. ``exports`` are the exported resources of other
    nodes (see ``stored.store.stored_resource``), which replace what ``storedconfigs`` has for those
    nodes. ``run_config_version`` says whether the environment's ``config_version`` command is run.
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
    environment_directory: str | None = None
    server_directories: Mapping[str, str] = field(default_factory=dict)
    language: str | None = None
    follow: str = "puppet"
    hiera_config: str | None = None
    cycles: bool = True
    storedconfigs: str | None = None
    exports: Mapping[str, Sequence[dict[str, Any]]] | None = None
    run_config_version: bool = True
    world: World = MACHINE
    functions: Sequence[Any] = ()


def compile_catalog(request: Request, log: Callable[[LogEntry], None]) -> Catalog:
    """Compile a node's catalog; log messages go to ``log`` as they come.

    Raises PuppetError for anything wrong in the code, its data or the request.
    """
    return compile_collecting(request, log, lambda: None)


def compile_collecting(
    request: Request, log: Callable[[LogEntry], None], collects: Callable[[], None]
) -> Catalog:
    """Compile a catalog as :func:`compile_catalog`; call ``collects`` if exports are collected.

    ``collects`` is called for a failing compile, too.
    """
    engine = Engine(request, log)
    try:
        catalog = engine.compile()
    finally:
        if engine.collects:
            collects()
    engine.value = None  # it may know scopes, which must not outlive the compile
    return catalog


def evaluate_code(request: Request, log: Callable[[LogEntry], None]) -> Value:
    """The value of a manifest's last expression, evaluated in top scope."""
    engine = Engine(request, log)
    engine.compile()
    return engine.value


def in_top_scope(
    request: Request, log: Callable[[LogEntry], None], action: Callable[[Scope], Value]
) -> Value:
    """What an action makes of the top scope, once the catalog is compiled."""
    engine = Engine(request, log)
    engine.compile(action)
    return engine.value


def choose_function(request: Request, name: str) -> Choice | None:
    """Return what serves a function in the environment of a request, None where nothing does."""
    return Engine(request, lambda _entry: None).chooser.choose(name)


def dialect_of(request: Request) -> Dialect:
    """The dialect that a request names, else its environment, else that of today."""
    language = request.language
    given = request.settings
    if language is None and request.environment_directory is not None:
        language = environment_language([request.environment_directory], request.world)
    elif language is None and "environmentpath" in given:
        settings = resolved_settings(dict(given), request.node, KNOWN_SETTINGS["8"])
        folders = str(settings["environmentpath"]).split(":")
        directories = environment_directories(folders, str(settings["environment"]))
        language = environment_language(directories, request.world)
    language = language or "8"
    dialect = DIALECTS.get((language, request.follow))
    if dialect is None:
        raise issues.UNKNOWN_LANGUAGE(language=language, follow=request.follow)
    if request.settings.get("allow_variables_with_dashes"):
        dialect = replace(dialect, dashes_in_variables=True)
    return replace(dialect, tasks=True) if request.settings.get("tasks") else dialect


@lru_cache(64)
def stable_text(dialect: Dialect) -> str:
    """All that a dialect holds; sets sorted, for their order differs from process to process."""

    def told(value: Any) -> str:
        names = names_of(value)
        if names:
            return f"({', '.join(f'{name}={told(getattr(value, name))}' for name in names)})"
        if isinstance(value, frozenset | set):
            return f"{{{', '.join(sorted(map(told, value)))}}}"
        return repr(value)

    return told(dialect)


SETTINGS: dict[str, dict[str, Any]] = {}


def resolved_settings(given: dict[str, Any], certname: str, known: str) -> dict[str, Any]:
    """All settings, ``known`` being the module with the defaults; worked out once for the same."""
    key = repr((sorted(given.items(), key=lambda item: item[0]), certname, known))
    found = SETTINGS.get(key)
    if found is None:
        if len(SETTINGS) > 200:
            SETTINGS.clear()
        found = SETTINGS[key] = resolve(given, certname, import_module(known).DEFAULTS)
    return found


@record()
class Loaded:
    """A compiled file: its definitions as tuples, and the findings that are no errors.

    ``known`` holds its classes, defined types and nodes by module, once they were read.
    """

    definitions: tuple[Any, ...]
    findings: list[Diagnostic]
    known: dict[str, list[Definition]] = field(default_factory=dict)


@record()
class KeptUnit:
    """A file whose content is known, and what was made of it."""

    content: bytes
    source: Source
    loaded: Loaded | None = None


@record()
class KeptTypes:
    """The resource types in a Ruby file, and what was read for them."""

    content: bytes
    schemas: Mapping[str, ResourceTypeSchema]
    libraries: Libraries


SECRETS = "bunraku.compiler.secrets"
"""Imported when code is kept on disk."""
LOADED: dict[str, Loaded] = {}
"""Compiled files by content, path and dialect: shared by all compiles of this process."""
MOST_LOADED = 20_000


class Engine:
    """One compile and its surroundings: the Loader that the runtime asks."""

    def __init__(self, request: Request, log: Callable[[LogEntry], None]) -> None:
        check_node_name(request.node)
        check_trusted_names(request.trusted)
        self.request = request
        self.world = DISK if request.world.__class__ is Machine else request.world
        self.log = log
        self.dialect = dialect_of(request)
        self.dialect_text = stable_text(self.dialect)
        self.runtime = import_module(RUNTIMES[self.dialect.name])
        self.rules: Rules = self.runtime.RULES
        if not self.dialect.node_captures:
            self.rules = replace(self.rules, node_captures=False)
        if not self.dialect.words_start_with_digit:
            self.rules = replace(self.rules, plain_numbers=True)
        module, name = LIBRARIES[self.dialect.name]
        self.library: Library = getattr(import_module(module), name)
        given = {**self.runtime.RULES.settings, **request.settings}
        if request.hiera_config is not None:
            given["hiera_config"] = request.hiera_config
        self.settings = dict(
            resolved_settings(given, request.node, KNOWN_SETTINGS[self.dialect.name])
        )
        if request.storedconfigs is not None or request.exports is not None:
            self.settings["storeconfigs"] = True
        self.collects = False
        self.classified = Classified()
        if request.node_classes is None:
            self.classified = classify(self.settings, request.node, self.world)
        if self.classified.environment:
            self.settings["environment"] = self.classified.environment
        try:
            self.environment = self.find_environment()
        except PuppetError as error:
            raise self.with_classifier(error) from None
        self.environment.module_directories = request.modules
        self.environment.server_directories = request.server_directories
        self.environment.vendor_directory = vendor_directory(request.settings, self.world)
        self.settings.update(self.environment.setting_values())
        self.autoloader = Autoloader(self.environment, self.library.kinds)
        self.source_table: dict[str, Source] = {}
        strict, places = self.settings["strict"], self.environment.module_places
        rules = ("units", self.dialect_text, strict, places)
        self.units: dict[tuple[str, bool], KeptUnit]
        self.units = self.environment.files.lasting.setdefault(rules, {})
        self.cache = DiskCache()
        self.use_disk = isinstance(self.world, Machine)
        self.value: Value = None
        self.functions = given_functions(request.functions)
        self.chooser = Chooser(
            self.library,
            self.environment,
            self.autoloader,
            self.functions,
            newest_library=self.rules.newest_library,
        )
        for name in self.functions:
            if self.library.builtin(name) is not None:
                raise python_issues.TAKEN(name=name)

    def with_classifier(self, error: PuppetError) -> PuppetError:
        """Let an error of the environment say that a node classifier chose it."""
        name = self.classified.environment
        if name is None:
            return error
        source = self.settings.get("external_nodes")
        chosen = (
            f"the node classifier {source} assigned environment '{name}' to {self.request.node}"
        )
        meant = error.diagnostic.hint
        return error.hinted(f"{chosen}; {meant}" if meant and meant.startswith("did") else chosen)

    def find_environment(self) -> Environment:
        """The environment of the request: a bare modulepath, or a directory environment."""
        name = str(self.settings.get("environment") or "production")
        base = str(self.settings["basemodulepath"]).split(":")
        modulepath = self.request.modulepath
        directory = self.request.environment_directory
        if directory is not None or "environmentpath" in self.request.settings:
            if directory is not None:
                found = read_environment(
                    name, directory, self.world, base, self.settings, self.report
                )
            else:
                found = load_environment(
                    name,
                    str(self.settings["environmentpath"]).split(":"),
                    self.world,
                    base_modulepath=base,
                    settings=self.settings,
                    warn=self.report,
                )
            if modulepath:
                found.modulepath = tuple(modulepath)
            return found
        if not modulepath and "basemodulepath" in self.request.settings:
            modulepath = base
        return Environment(
            name,
            modulepath,
            self.world,
            settings=self.settings,
            warn=self.report,
        )

    # -- compiling -------------------------------------------------------------------------------

    def compile(self, then: Callable[[Scope], Value] | None = None) -> Catalog:
        """Compile the catalog; ``then`` gets the top scope, and what it returns is the value."""
        if sys.getrecursionlimit() < RECURSION_LIMIT:
            sys.setrecursionlimit(RECURSION_LIMIT)
        if self.use_disk and (warning := cache_warning()):
            self.log(warning)
        node = Node(
            self.request.node,
            facts=self.facts(),
            trusted=self.request.trusted,
            parameters={**self.classified.parameters, **self.request.node_parameters},
            classes=self.request.node_classes or self.classified.classes,
            environment=self.environment.name,
            server_facts=self.request.server_facts or {},
        )
        variables = self.top_variables(node)
        compilation = Compilation(
            self.request.node,
            world=self.world,
            loader=self,
            environment=self.environment,
            settings=self.settings,
            facts=variables.get("facts") or node.clean_facts(as_text=self.facts_are_text()),
            trusted=variables.get("trusted") or {},
            log=self.log,
            rules=self.rules,
        )
        if self.rules.sets_node_variables:
            below = Scope(compilation, None)
            for name, value in own_variables(node.name, self.world).items():
                below.set(name, value)
            compilation.top_scope.outer = below
        self.add_exports(compilation)
        try:
            with PATIENT:
                try:
                    catalog = self.run(compilation, node, variables)
                finally:
                    self.collects = any(one.exported for one in compilation.collectors)
                catalog.version = self.config_version() or catalog.version
                if then is not None:
                    self.value = then(compilation.top_scope)
                compilation.close()
            return catalog
        except PuppetError as error:
            raise locate(error, self.source_table) from error.__cause__
        except ControlSignal as signal:
            failure = issues.ILLEGAL_CONTROL(name=signal.name)
            raise locate(failure.with_traceback(signal.__traceback__), self.source_table) from None
        except (RecursionError, MemoryError, TimeLimitReached) as error:
            failure = issues.RECURSION() if isinstance(error, RecursionError) else reached(error)
            failure = locate_interrupted(
                failure.with_traceback(error.__traceback__), self.source_table
            )
            raise failure from None

    def add_exports(self, compilation: Compilation) -> None:
        """Give a compile what other nodes export, and what queries are answered from."""
        request = self.request
        if request.storedconfigs is not None:
            compilation.stored = read_store(request.storedconfigs, self.world)
            compilation.exported = compilation.stored.exported
        if request.exports is not None:
            compilation.exported = exported_among(compilation.stored, request.exports)

    def facts(self) -> Mapping[str, Value]:
        """The facts as the setting ``include_legacy_facts``, if given, wants them."""
        wanted, facts = self.request.settings.get("include_legacy_facts"), self.request.facts
        if wanted is None:
            return facts
        return {**legacy_facts(facts), **facts} if wanted else without_legacy(facts)

    def config_version(self) -> str | None:
        """What the environment's command for the version of its configuration prints."""
        command = self.environment.config_version
        if not command or not self.request.run_config_version:
            return None
        try:
            return self.world.run(["/bin/sh", "-c", command]).strip()
        except (OSError, CalledProcessError) as error:
            reason = failure_reason(error)
            failure = issues_modules.CONFIG_VERSION_FAILED(command=command, reason=reason)
            if self.environment.path is not None:
                failure = failure.at(Place(f"{self.environment.path}/environment.conf"))
            raise failure from None

    def facts_are_text(self) -> bool:
        """Whether every fact is a string, as is the default in Puppet 3."""
        return bool(self.settings.get("stringify_facts"))

    def top_variables(self, node: Node) -> dict[str, Value]:
        """The variables of top scope."""
        rules = self.runtime.RULES
        if not rules.node_data_when_asked:
            return node.top_scope(warn=self.report)
        trusts = bool(self.settings.get("trusted_node_data"))
        return node.variables_of_3(as_text=self.facts_are_text(), trusts=trusts)

    def run(self, compilation: Compilation, node: Node, variables: Mapping[str, Value]) -> Catalog:
        """Read the manifests, then run them."""
        bodies: list[Callable[[Scope], Value]] = []
        try:
            for source in self.main_sources():
                bodies += self.load_main(compilation, source, "", (source.path,))
        except PuppetError as error:
            error.phase = "parse"
            raise

        def last_value(body: Callable[[Scope], Value]) -> Callable[[Scope], None]:
            def keep(scope: Scope) -> None:
                self.value = body(scope)

            return keep

        return run(
            compilation,
            [last_value(body) for body in bodies],
            variables,
            node.class_parameters(),
            cycles=self.request.cycles,
        )

    def load_main(
        self, compilation: Compilation, source: Source, module_name: str, importing: tuple[str, ...]
    ) -> list[Callable[[Scope], Value]]:
        """Register what a manifest defines; its main code, that of the files it imports before it."""
        return self.enter(
            compilation, self.load_source(compilation, source, module_name), importing
        )

    def enter(
        self, compilation: Compilation, unit: Unit, importing: tuple[str, ...]
    ) -> list[Callable[[Scope], Value]]:
        """Register what a file defines, after the files it imports; return the main code of all."""
        bodies: list[Callable[[Scope], Value]] = []
        for patterns, file, line in unit.imports:
            for pattern in patterns:
                try:
                    bodies += self.load_imports(compilation, pattern, importing)
                except PuppetError as error:
                    raise error.at(Place(file or None, line)) from None
        compilation.register(unit)
        return bodies if unit.main is None else [*bodies, unit.main]

    def load_imports(
        self, compilation: Compilation, pattern: str, importing: tuple[str, ...]
    ) -> list[Callable[[Scope], Value]]:
        """The same of the files that ``import`` names, each read once."""
        bodies: list[Callable[[Scope], Value]] = []
        for path, module_name in self.autoloader.imports(pattern, importing[-1]):
            if path in importing:
                raise issues.IMPORT_LOOP(path=path)
            if path not in compilation.loaded_files:
                compilation.loaded_files.add(path)
                source = self.read_source(path)
                bodies += self.load_main(compilation, source, module_name, (*importing, path))
        return bodies

    def main_sources(self) -> list[Source]:
        """The main manifest, or those of a folder in the order of their names."""
        if self.request.code is not None:
            return [Source(self.request.code, self.request.as_file or "")]
        return [self.read_source(path) for path in self.main_paths()]

    def main_paths(self) -> list[str]:
        """Return the files of the main manifest; those of a directory in the order of their names."""
        path = self.request.path
        if path is None:
            return self.environment.manifests()
        return manifests_below(self.world, path) if self.world.is_directory(path) else [path]

    def read_source(self, path: str, *, is_template: bool = False) -> Source:
        """A file as a source; bytes that are not UTF-8 survive as lone surrogates."""
        try:
            content = self.world.read(path)
        except OSError as error:
            failure = issues.UNREADABLE_FILE(path=path, reason=error.strerror or str(error))
            failure.phase = "parse"
            raise failure from None
        known = self.units.get((path, is_template))
        if known is not None and known.content is content:
            return known.source
        text = content.decode("utf-8", "surrogateescape")
        source = Source(text, path, True, is_template, self.dialect.name)
        self.units[path, is_template] = KeptUnit(content, source)
        return source

    def report(self, finding: Diagnostic) -> None:
        """Log a finding that is no error."""
        file, line, column = finding.place.where
        self.log(LogEntry("warning", finding.message, None, file, line, column, finding.code))

    # -- code ------------------------------------------------------------------------------------

    def load_source(self, compilation: Compilation, source: Source, module_name: str) -> Unit:
        """The definitions in a source: parsed, checked and compiled, or from a cache."""
        source.language = self.dialect.name
        self.source_table[unit_name(source)] = source
        kept = self.units.get((source.path, source.is_template))
        if kept is None or kept.source is not source:
            loaded = self.find_loaded(source, source.text.encode("utf-8", "surrogateescape"))
        elif kept.loaded is None:
            loaded = kept.loaded = self.find_loaded(source, kept.content)
        else:
            loaded = kept.loaded
        for finding in loaded.findings:
            self.report(finding)
        unit = read_unit(loaded.definitions, module_name, loaded.known.get(module_name))
        # Where pieces of a class are joined, or parents found by the place, they belong to one compile.
        if not (self.rules.classes_merge or self.rules.relative_names):
            loaded.known[module_name] = unit.definitions
        return unit

    def find_loaded(self, source: Source, content: bytes) -> Loaded:
        """What some compile of this process made of the same content, else made now."""
        rules = (
            f"{self.dialect_text} {self.settings['strict']} {source.is_template} {source.on_disk}"
        )
        if source.on_disk:
            rules += f" {self.environment.module_places}"
        key = cache_key(content, source.path, rules, program_fingerprint())
        loaded = LOADED.get(key)
        if loaded is None:
            if len(LOADED) >= MOST_LOADED:
                LOADED.clear()
            loaded = LOADED[key] = self.compile_source(source, key)
        return loaded

    def compile_source(self, source: Source, key: str) -> Loaded:
        """Compile a source, or take its code from the disk."""
        findings: list[Diagnostic] = []
        keep = self.use_disk and source.on_disk
        code = self.cache.read(key) if keep else None
        if code is None:
            result = parse(source, self.dialect)
            findings = list(result.diagnostics)
            if not any(finding.severity == "error" for finding in findings):
                findings += check(
                    result.program,
                    self.dialect,
                    self.settings,
                    self.environment.module_places,
                    compile_regexp,
                )
            errors = [finding for finding in findings if finding.severity == "error"]
            if errors:
                raise PuppetError(errors[0], errors[1:], phase="evaluate")
            findings = [finding for finding in findings if finding.severity != "ignore"]
            code = to_code(source, result.program)
            if keep and not findings and not import_module(SECRETS).holds_secret(result.program):
                self.cache.write(key, code)
        namespace: dict[str, Any] = {}
        exec(code, self.runtime.HELPERS, namespace)
        return Loaded(namespace["definitions"], findings)

    def load_file(self, compilation: Compilation, found: Found) -> None:
        """Register what an autoloaded file defines."""
        self.load_files(compilation, [found])

    def load_files(self, compilation: Compilation, files: Sequence[Found]) -> None:
        """Register what autoloaded files define, once all of them are read."""
        units = []
        for found in files:
            if found.path not in compilation.loaded_files:
                compilation.loaded_files.add(found.path)
                module_name = found.module.name if found.module is not None else ""
                source = self.read_source(found.path)
                units.append((found.path, self.load_source(compilation, source, module_name)))
        for path, unit in units:
            self.enter(compilation, unit, (path,))

    # -- what the runtime asks -------------------------------------------------------------------

    def load_definitions(self, compilation: Compilation, name: str) -> None:
        """See :class:`bunraku.runtime.state.Loader`."""
        for step in self.autoloader.manifests(name):
            self.load_files(compilation, step)
            if name in compilation.definitions:
                return

    def load_function(self, compilation: Compilation, name: str) -> Function | None:
        """See :class:`bunraku.runtime.state.Loader`."""
        choice = self.chooser.choose(name)
        if choice is None or choice.function is not None:
            return None if choice is None else choice.function
        found = choice.found
        if found is None:
            return python_function(compilation, name, self.functions[name])
        if found.kind == "python":
            return load_function(compilation, name, found.path)
        if found.kind == "puppet":
            self.load_file(compilation, found)
            return compilation.functions.get(name)
        return ruby_function(name, found.path, found.kind)

    def load_type(self, compilation: Compilation, name: str) -> None:
        """See :class:`bunraku.runtime.state.Loader`."""
        found = self.autoloader.type_alias(name)
        if found is None:
            found = self.autoloader.type_set(name.partition("::")[0])
        if found is not None:
            self.load_file(compilation, found)

    def resource_type(self, compilation: Compilation, name: str) -> ResourceTypeSchema | None:
        """See :class:`bunraku.runtime.state.Loader`."""
        known = builtin_resource_type(name, legacy=self.rules.old_resource_types)
        if known is not None:
            return known
        found = self.autoloader.resource_type(name)
        if found is None:
            return vendored_resource_type(name) if name in self.vendored_types() else None
        content = self.world.read(found.path)
        schemas = self.read_types(content, found.path)
        if name not in schemas:
            line = mistake_line(content.decode("utf-8", "replace"))
            if line is not None:
                raise issues_resources.BROKEN_TYPE(name=name, path=found.path, line=line)
        return schemas.get(name)

    def vendored_types(self) -> frozenset[str]:
        """Return the types of agent packages' modules that are known without such a module."""
        if self.rules.old_resource_types:
            return frozenset()
        request = self.request
        in_environment = "environmentpath" in request.settings
        in_environment = in_environment or request.environment_directory is not None
        is_project = in_environment or bool(request.modules)
        return vendored_types(self.environment, request.settings, is_project=is_project)

    def read_types(self, content: bytes, path: str) -> Mapping[str, ResourceTypeSchema]:
        """The resource types in a Ruby file, read anew when a file that counted has changed."""
        files = self.environment.files
        key = ("resource types", path, self.environment.module_paths)
        known: KeptTypes | None = files.known.get(key)
        if known is None or known.content is not content or not known.libraries.holds():
            folders = [f"{module.path}/lib" for module in self.environment.modules.values()]
            libraries = Libraries(files, folders, own_library(path))
            disk = self.cache if self.use_disk else None
            schemas = resource_types(content, path, libraries, disk)
            by_name = {schema.name: schema for schema in reversed(schemas)}
            known = files.known[key] = KeptTypes(content, by_name, libraries)
        return known.schemas

    def lookup_context(self, scope: Scope, module_name: str | None) -> Value:
        """See :class:`bunraku.runtime.state.Loader`."""
        return new_context(scope, module_name)

    def lookup_parameters(
        self, scope: Scope, class_name: str, names: Sequence[str]
    ) -> dict[str, Value]:
        """See :class:`bunraku.runtime.state.Loader`."""
        engine = engine_of(scope.compilation)
        return engine.lookup_parameters(invocation_of(scope), class_name, names)

    def data_origin(self, scope: Scope, parameters: Sequence[str]) -> str | None:
        """See :class:`bunraku.runtime.state.Loader`."""
        keys = [f"{scope.definition.name}::{name}" for name in parameters]
        return engine_of(scope.compilation).origin_hint(invocation_of(scope), *keys)

    def template(self, compilation: Compilation, name: str) -> Template:
        """See :class:`bunraku.runtime.state.Loader`."""
        path = self.template_path(name)
        if path is None:
            raise issues.TEMPLATE_NOT_FOUND(name=name).hinted(
                file_hint(self.environment, "templates", name)
            )
        source = self.read_source(path, is_template=True)
        return self.read_template(compilation, source)

    def template_path(self, name: str) -> str | None:
        """The file of a template: absolute, or ``module/file`` below the module's templates."""
        if name.startswith("/"):
            return name if self.world.is_file(name) else None
        module_name, _, file = name.partition("/")
        module = self.environment.find_module(module_name)
        return module.file("templates", file) if module is not None and file else None

    def template_of_text(self, compilation: Compilation, text: str) -> Template:
        """See :class:`bunraku.runtime.state.Loader`."""
        return self.read_template(compilation, Source(text, "inline_epp", is_template=True))

    def read_template(self, compilation: Compilation, source: Source) -> Template:
        """The template that a source holds."""
        unit = self.load_source(compilation, source, "")
        assert unit.template is not None  # the emitter makes one for every EPP source
        return unit.template

    def sources(self, compilation: Compilation) -> Mapping[str, Source]:
        """See :class:`bunraku.runtime.state.Loader`."""
        return self.source_table

    def known_names(self, kind: str, name: str) -> Iterator[str]:
        """See :class:`bunraku.runtime.state.Loader`."""
        if kind == "builtin_function":
            yield from self.functions
            yield from function_names()
            return
        if kind == "resource_type":
            yield from builtin_resource_type_names(legacy=self.rules.old_resource_types)
            yield from self.vendored_types()
        yield from known_names(self.autoloader, kind, name)

    def search_report(self, kind: str, name: str) -> str | None:
        """See :class:`bunraku.runtime.state.Loader`."""
        return search_report(self.environment, kind, name)


def compile_regexp(pattern: str) -> None:
    """Refuse a pattern that is no regular expression."""
    Regexp(pattern).compile()


def cache_warning() -> LogEntry | None:
    """Return the warning that the cache on disk cannot be used, once per process.

    The forked workers of a process that called this do not warn.
    """
    reason = DiskCache().warning()
    if reason is None:
        return None
    finding = issues.CACHE_NOT_USED.diagnostic(severity="warning", reason=reason)
    return LogEntry("warning", finding.message, code=finding.code)


def manifests_below(world: World, folder: str) -> list[str]:
    """The manifests in a folder and those below it, sorted by path."""
    found: list[str] = []
    for name in world.list_directory(folder):
        path = f"{folder.rstrip('/')}/{name}"
        if world.is_directory(path):
            found += manifests_below(world, path)
        elif name.endswith(".pp"):
            found.append(path)
    return sorted(found)
