"""Manifests and templates of one compile: source, parsed, checked, compiled; each step is kept.

The code of a file is found in memory by the file's path and content, then by the digest of all that it
depends on, then on disk.
"""

from __future__ import annotations

import os
from types import CodeType
from typing import TYPE_CHECKING, Any

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.errors import Diagnostic
from bunraku.base.records import field, record
from bunraku.base.source import Source
from bunraku.compiler.code_names import cache_key, program_fingerprint, unit_name
from bunraku.engine.dialects import stable_text
from bunraku.engine.hooks import NO_HOOKS, Hooks, Instrumentation
from bunraku.engine.request import ResolvedRequest, log_finding
from bunraku.modules.files import manifests_below
from bunraku.runtime import issues
from bunraku.runtime.units import Unit, read_unit
from bunraku.world.protocol import World

if TYPE_CHECKING:
    from bunraku.syntax.nodes import Program

COVERAGE = "BUNRAKU_COVERAGE"
"""Environment variable with the folder for records of coverage; set by ``bunraku cover``."""


@record()
class Loaded:
    """A compiled file: its definitions as tuples, and the findings other than errors.

    ``known`` holds the unit that was read from it by module.
    """

    definitions: tuple[Any, ...]
    findings: list[Diagnostic]
    known: dict[str, Unit] = field(default_factory=dict)


@record()
class KeptUnit:
    """A file by its content, and the result made from it."""

    content: bytes
    source: Source
    loaded: Loaded | None = None


LOADED: BoundedCache[str, Loaded] = BoundedCache("compiled files", 20_000)
"""Compiled files by content, path and dialect: shared by all compiles of this process."""


class Manifests:
    """Reads and compiles the manifests and templates of one compile.

    ``sources`` holds the source of each unit by the file name that its code objects have; ``loaded`` has
    the definitions of all files, as tuples. ``recorder`` records which code runs, where coverage is
    measured.
    """

    def __init__(self, resolved: ResolvedRequest, hooks: Hooks = NO_HOOKS) -> None:
        self.resolved = resolved
        self.hooks = hooks
        self.sources: dict[str, Source] = {}
        self.loaded: list[tuple[Any, ...]] = []
        folder = os.environ.get(COVERAGE)
        if folder:
            from bunraku.engine.coverage import Recorder, recorder_in

            self.recorder: Recorder | None = recorder_in(folder)
        else:
            self.recorder = None
        self.dialect_text = stable_text(resolved.dialect)
        environment = resolved.environment
        strict = resolved.settings["strict"]
        rules = ("units", self.dialect_text, strict, environment.module_places, folder)
        self.units: dict[tuple[str, bool], KeptUnit]
        self.units = environment.files.lasting.setdefault(rules, {})

    def main_sources(self) -> list[Source]:
        """Return the main manifest, or those of a directory in the order of their names; then later ones."""
        request = self.resolved.request
        later = [Source(text, name) for name, text in request.later_manifests]
        if request.code is not None:
            return [Source(request.code, request.as_file or ""), *later]
        return [*map(self.read, main_paths(self.resolved)), *later]

    def read(self, path: str, *, is_template: bool = False) -> Source:
        """Return a file as a source, the same object while its content is the same."""
        content = read_content(self.resolved.world, path)
        kept = self.units.get((path, is_template))
        if kept is not None and kept.content is content:
            return kept.source
        text = decode(content)
        source = Source(text, path, True, is_template)
        self.units[path, is_template] = KeptUnit(content, source)
        return source

    def load(self, source: Source, module_name: str) -> Unit:
        """Return the definitions in a source of a module; warnings about the source are logged."""
        self.sources[unit_name(source)] = source
        if self.hooks.source_loaded is not None:
            self.hooks.source_loaded(source)
        if self.hooks.instrumentation is not None:
            return read_unit(self.instrumented(source, self.hooks.instrumentation), module_name)
        if self.hooks.hits is not None:
            return read_unit(self.probed(source, self.hooks.hits(source)), module_name)
        loaded = self.find_loaded(source)
        self.loaded.append(loaded.definitions)
        for finding in loaded.findings:
            log_finding(self.resolved.log, finding)
        known = loaded.known.get(module_name)
        if known is not None and not known.functions:
            return known
        unit = read_unit(loaded.definitions, module_name, known)
        # Joined pieces of a class, or parents that depend on the place, belong to one compile.
        rules = self.resolved.rules
        if not (rules.classes_merge or rules.relative_names):
            loaded.known[module_name] = unit
        return unit

    def find_loaded(self, source: Source) -> Loaded:
        """Return the compiled file of a source, kept with the file's content."""
        kept = self.units.get((source.path, source.is_template))
        if kept is None or kept.source is not source:
            content = source.text.encode("utf-8", "surrogateescape")
            return self.find_by_content(source, content)
        if kept.loaded is None:
            kept.loaded = self.find_by_content(source, kept.content)
        return kept.loaded

    def find_by_content(self, source: Source, content: bytes) -> Loaded:
        """Return the code that this process made earlier from the content, or compile it."""
        rules = self.rules_of(source)
        if self.recorder is not None and source.on_disk:
            name = self.recorder.session.name_of(source.path)
            if name is not None:
                return self.find_covered(source, content, name, rules)
        key = cache_key(content, source.path, rules, program_fingerprint())
        loaded = LOADED.get(key)
        if loaded is None:
            loaded = LOADED.keep(key, self.compile(source, key, self.resolved.helpers))
        return loaded

    def rules_of(self, source: Source) -> str:
        """Return what the code of a source depends on besides its content and path."""
        strict = self.resolved.settings["strict"]
        rules = f"{self.dialect_text} {strict} {source.is_template} {source.on_disk}"
        return f"{rules} {self.resolved.environment.module_places}" if source.on_disk else rules

    def probed(self, source: Source, hits: dict[int, bool]) -> tuple[Any, ...]:
        """Return the definitions in a source, whose code has probes for one compile."""
        content = source.text.encode("utf-8", "surrogateescape")
        rules = f"{self.rules_of(source)} with probes"
        key = cache_key(content, source.path, rules, program_fingerprint())
        loaded = self.compile(source, key, {**self.resolved.helpers, "hits": hits}, covered=True)
        for finding in loaded.findings:
            log_finding(self.resolved.log, finding)
        self.loaded.append(loaded.definitions)
        return loaded.definitions

    def find_covered(self, source: Source, content: bytes, name: str, rules: str) -> Loaded:
        """Return code with probes, which is kept apart from code without, as :meth:`find_by_content`."""
        assert self.recorder is not None  # the caller checked
        key = cache_key(content, source.path, f"{rules} with probes", program_fingerprint())
        known = f"{key} {self.recorder.folder}"
        loaded = LOADED.get(known)
        if loaded is None:
            hits = self.recorder.hits_of(name, content, self.resolved.dialect.name)
            helpers = {**self.resolved.helpers, "hits": hits}
            loaded = LOADED.keep(known, self.compile(source, key, helpers, covered=True))
        return loaded

    def compile(
        self, source: Source, key: str, helpers: dict[str, Any], *, covered: bool = False
    ) -> Loaded:
        """Compile a source, or take its code from the disk; covered code gets probes."""
        resolved = self.resolved
        findings: list[Diagnostic] = []
        disk_cache = resolved.disk_cache if source.on_disk else None
        code = disk_cache.read(key) if disk_cache is not None else None
        if code is None:
            program, findings = self.checked(source)
            if covered:
                from bunraku.compiler.probes import add_probes

                add_probes(program)
            from bunraku.compiler.code import to_code

            code = to_code(source, program, resolved.dialect.compiler)
            if disk_cache is not None and not findings:
                from bunraku.compiler.secrets import holds_secret

                if not holds_secret(program):
                    disk_cache.write(key, code)
        return Loaded(definitions_of(code, helpers), findings)

    def instrumented(self, source: Source, instrumentation: Instrumentation) -> tuple[Any, ...]:
        """Return the definitions in a source as the instrumentation changes them."""
        from bunraku.compiler.code import to_code

        program, _findings = self.checked(source)
        changed = instrumentation.change(source, program)
        code = to_code(source, changed, self.resolved.dialect.compiler)
        return definitions_of(code, instrumentation.helpers)

    def checked(self, source: Source) -> tuple[Program, list[Diagnostic]]:
        """Return the program in a source and the findings other than errors.

        Raises PuppetError with all errors.
        """
        from bunraku.engine.programs import check_program

        resolved = self.resolved
        places = resolved.environment.module_places
        checked = check_program(source, resolved.dialect, resolved.settings, places)
        error = checked.error("evaluate")
        if error is not None:
            raise error
        return checked.program, [one for one in checked.findings if one.severity != "ignore"]


def definitions_of(code: CodeType, helpers: dict[str, Any]) -> tuple[Any, ...]:
    """Return the definitions that compiled code makes."""
    namespace: dict[str, Any] = {}
    exec(code, helpers, namespace)
    definitions: tuple[Any, ...] = namespace["definitions"]
    return definitions


def read_content(world: World, path: str) -> bytes:
    """Return the content of a manifest or template; PuppetError if it cannot be read."""
    try:
        return world.read(path)
    except OSError as error:
        failure = issues.UNREADABLE_FILE(path=path, reason=error.strerror or str(error))
        failure.phase = "parse"
        raise failure from None


def read_text(world: World, path: str) -> str:
    """Return the text of a manifest or template."""
    return decode(read_content(world, path))


def decode(content: bytes) -> str:
    """Return content as text; bytes that are not UTF-8 survive as lone surrogates."""
    return content.decode("utf-8", "surrogateescape")


def main_paths(resolved: ResolvedRequest) -> list[str]:
    """Return the files of the main manifest; those of a directory in the order of their names."""
    path = resolved.request.path
    if path is None:
        return resolved.environment.manifests()
    world = resolved.world
    if not world.is_directory(path):
        return [path]
    try:
        return manifests_below(world, path, world.list_directory)
    except OSError as error:
        reason = error.strerror or str(error)
        raise issues.UNREADABLE_FILE(path=error.filename or path, reason=reason) from None
