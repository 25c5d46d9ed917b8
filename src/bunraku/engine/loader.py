"""The loader of one compile: finds names of the code in the files and data of its environment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.source import Place, Source
from bunraku.catalog.schema.model import ResourceTypeSchema
from bunraku.engine.manifests import Manifests
from bunraku.engine.request import ResolvedRequest
from bunraku.engine.resource_types import ResourceTypes
from bunraku.functions.python import load_function, python_function
from bunraku.functions.registry import function_names
from bunraku.modules.autoload import FoundFile
from bunraku.modules.known_names import file_hint, known_names, search_report
from bunraku.runtime import issues
from bunraku.runtime.definitions import Template
from bunraku.runtime.state import Compilation, Function, Scope
from bunraku.runtime.units import Unit, register
from bunraku.syntax.parser.result import ParseResult
from bunraku.world.recording import cannot_repeat

Value = Any
RANDOM_FUNCTIONS = frozenset({"shuffle", "str2saltedsha512"})
"""Functions of the standard library whose results are random."""
Body = Callable[[Scope], Value]


class Loader:
    """Implements :class:`bunraku.runtime.state.Loader` for a resolved request."""

    def __init__(
        self, resolved: ResolvedRequest, manifests: Manifests, compilation: Compilation
    ) -> None:
        self.resolved = resolved
        self.manifests = manifests
        self.compilation = compilation
        self.resource_types = ResourceTypes(resolved)
        self.loaded_files: set[str] = set()
        self.old_functions: dict[str, Function] = {}

    # -- manifests -------------------------------------------------------------------------------

    def parse(self, source: Source) -> ParseResult:
        """See :class:`bunraku.runtime.state.Loader`."""
        return self.resolved.dialect.parse(source)

    @property
    def sources(self) -> Mapping[str, Source]:
        """See :class:`bunraku.runtime.state.Loader`."""
        return self.manifests.sources

    def load_main(self) -> list[Body]:
        """Register the definitions of the main manifests; return their code in the order it runs."""
        bodies: list[Body] = []
        for source in self.manifests.main_sources():
            bodies += self.load(source, "", (source.path,))
        return bodies

    def load(self, source: Source, module_name: str, importing: tuple[str, ...]) -> list[Body]:
        """Register the definitions of a manifest; return its code, after that of imported files."""
        return self.register(self.manifests.load(source, module_name), importing)

    def register(self, unit: Unit, importing: tuple[str, ...]) -> list[Body]:
        """Register the definitions of imported files, then those of a file; return the code of all."""
        bodies: list[Body] = []
        for patterns, file, line in unit.imports:
            for pattern in patterns:
                try:
                    bodies += self.load_imports(pattern, importing)
                except PuppetError as error:
                    raise error.at(Place(file or None, line)) from None
        register(self.compilation, unit)
        return bodies if unit.main is None else [*bodies, unit.main]

    def load_imports(self, pattern: str, importing: tuple[str, ...]) -> list[Body]:
        """Register the definitions in the files of an ``import``, each once; return their code."""
        bodies: list[Body] = []
        loaded_files = self.loaded_files
        for path, module_name in self.resolved.autoloader.imports(pattern, importing[-1]):
            if path in importing:
                raise issues.IMPORT_LOOP(path=path)
            if path not in loaded_files:
                loaded_files.add(path)
                bodies += self.load(self.manifests.read(path), module_name, (*importing, path))
        return bodies

    def load_files(self, files: Sequence[FoundFile]) -> None:
        """Register the definitions of autoloaded files, after all files are read."""
        units = []
        loaded_files = self.loaded_files
        for found in files:
            if found.path not in loaded_files:
                loaded_files.add(found.path)
                module_name = found.module.name if found.module is not None else ""
                source = self.manifests.read(found.path)
                units.append((found.path, self.manifests.load(source, module_name)))
        for path, unit in units:
            self.register(unit, (path,))

    def load_definitions(self, name: str) -> None:
        """See :class:`bunraku.runtime.state.Loader`."""
        for step in self.resolved.autoloader.manifests(name):
            self.load_files(step)
            if name in self.compilation.definitions.by_name:
                return

    def load_type(self, name: str) -> None:
        """See :class:`bunraku.runtime.state.Loader`."""
        autoloader = self.resolved.autoloader
        found = autoloader.type_alias(name)
        if found is None:
            found = autoloader.type_set(name.partition("::")[0])
        if found is not None:
            self.load_files([found])

    @property
    def loaded(self) -> Sequence[tuple[Any, ...]]:
        """See :class:`bunraku.runtime.state.Loader`."""
        return self.manifests.loaded

    # -- functions and resource types ------------------------------------------------------------

    def load_function(self, name: str) -> Function | None:
        """See :class:`bunraku.runtime.state.Loader`."""
        choice = self.resolved.chooser.choose(name)
        if choice is None or choice.function is not None:
            if name in RANDOM_FUNCTIONS:
                cannot_repeat(self.resolved.world, f"it calls the function {name}")
            return None if choice is None else choice.function
        found = choice.found
        if found is None or found.kind == "python":
            cannot_repeat(self.resolved.world, f"it calls the Python function {name}")
        if found is None:
            return python_function(self.compilation, name, self.resolved.functions[name])
        if found.kind == "python":
            return load_function(self.compilation, name, found.path)
        if found.kind == "puppet":
            self.load_files([found])
            return self.compilation.functions.get(name)
        from bunraku.ruby.process.functions import ruby_function

        return ruby_function(name, found.path, found.kind)

    def old_function(self, name: str) -> Function | None:
        """See :class:`bunraku.runtime.state.Loader`."""
        if name in self.old_functions:
            return self.old_functions[name]
        if self.resolved.rules.only_3x_functions:
            return self.compilation.functions[name]
        function, path = self.resolved.chooser.old_form(name)
        if path is None:
            return function
        from bunraku.ruby.process.functions import OldRubyFunction

        return OldRubyFunction(name, path)

    def define_old_function(self, name: str, path: str) -> None:
        """See :class:`bunraku.runtime.state.Loader`."""
        from bunraku.ruby.process.functions import OldRubyFunction

        function = self.old_functions[name] = OldRubyFunction(name, path)
        if dict.get(self.compilation.functions, name) is None:
            self.compilation.functions[name] = self.load_function(name) or function

    def resource_type(self, name: str) -> ResourceTypeSchema | None:
        """See :class:`bunraku.runtime.state.Loader`."""
        return self.resource_types.find(name)

    # -- data ------------------------------------------------------------------------------------

    def lookup_context(self, scope: Scope, module_name: str | None) -> Value:
        """See :class:`bunraku.runtime.state.Loader`."""
        from bunraku.hiera.binding import new_context

        return new_context(scope, module_name)

    def lookup_parameters(
        self, scope: Scope, class_name: str, names: Sequence[str]
    ) -> dict[str, Value]:
        """See :class:`bunraku.runtime.state.Loader`."""
        from bunraku.hiera.binding import engine_of, invocation_of

        engine = engine_of(self.compilation)
        return engine.lookup_parameters(invocation_of(scope), class_name, names)

    def data_origin(self, scope: Scope, class_name: str, names: Sequence[str]) -> str | None:
        """See :class:`bunraku.runtime.state.Loader`."""
        from bunraku.hiera.binding import engine_of, invocation_of

        keys = [f"{class_name}::{name}" for name in names]
        engine = engine_of(self.compilation)
        return engine.origin_hint(invocation_of(scope), *keys)

    # -- templates -------------------------------------------------------------------------------

    def template(self, name: str) -> Template:
        """See :class:`bunraku.runtime.state.Loader`."""
        path = self.template_path(name)
        if path is None:
            hint = file_hint(self.resolved.environment, "templates", name)
            raise issues.TEMPLATE_NOT_FOUND(name=name).hinted(hint)
        return self.load_template(self.manifests.read(path, is_template=True))

    def template_path(self, name: str) -> str | None:
        """Return the file of a template: absolute, or ``module/file`` below the module's templates."""
        if name.startswith("/"):
            return name if self.resolved.world.is_file(name) else None
        module_name, _, file = name.partition("/")
        module = self.resolved.environment.find_module(module_name)
        return module.file("templates", file) if module is not None and file else None

    def template_of_text(self, text: str) -> Template:
        """See :class:`bunraku.runtime.state.Loader`."""
        return self.load_template(Source(text, "inlined-epp-text", is_template=True))

    def load_template(self, source: Source) -> Template:
        """Return the template that a source holds."""
        unit = self.manifests.load(source, "")
        assert unit.template is not None  # the emitter makes one for every EPP source
        return unit.template

    # -- hints -----------------------------------------------------------------------------------

    def known_names(self, kind: str, name: str) -> Iterator[str]:
        """See :class:`bunraku.runtime.state.Loader`."""
        if kind == "builtin_function":
            yield from self.resolved.functions
            yield from function_names()
            return
        if kind == "resource_type":
            yield from self.resource_types.names()
        yield from known_names(self.resolved.autoloader, kind, name)

    def module_hint(self, name: str) -> str | None:
        """See :class:`bunraku.runtime.state.Loader`."""
        from bunraku.providers.type_modules import module_hint

        return module_hint(name.lower())

    def search_report(self, kind: str, name: str) -> str | None:
        """See :class:`bunraku.runtime.state.Loader`."""
        return search_report(self.resolved.environment, kind, name)

    def fact_hint(self, name: str, *, has_facts: bool) -> str | None:
        """See :class:`bunraku.runtime.state.Loader`."""
        from bunraku.facts.hints import fact_hint

        return fact_hint(name, has_facts=has_facts)
