"""The classes, defined types, functions and types that code can name, read without compiling."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cached_property

from bunraku.base.errors import PuppetError
from bunraku.base.source import Source
from bunraku.catalog.schema.model import ResourceTypeSchema
from bunraku.dialects.languages import dialect_named
from bunraku.engine.programs import parse_program
from bunraku.engine.request import ResolvedRequest
from bunraku.engine.resource_types import ResourceTypes
from bunraku.functions.index import STDLIB
from bunraku.functions.registry import function_names
from bunraku.modules.known_names import known_names, search_report
from bunraku.modules.names import is_qualified_name
from bunraku.project.puppetfile import read_puppetfile
from bunraku.project.reading import names_in
from bunraku.runtime.name_resolution import candidates
from bunraku.syntax.nodes import (
    ClassDefinition,
    DefineDefinition,
    FunctionDefinition,
    Program,
    TypeAlias,
)
from bunraku.types.names import TYPES, builtin_type

OLDEST = "3.8"
"""The language whose functions were removed, if a newer one does not have them."""
Definition = ClassDefinition | DefineDefinition


class Definitions:
    """What the names in some programs mean, in the environment of a resolved request.

    A definition anywhere in the programs counts as known, because other code can load its file.
    ``broken`` has the modules with a file that cannot be parsed: their names are not checked.
    """

    def __init__(self, resolved: ResolvedRequest, programs: Iterable[Program]) -> None:
        self.resolved = resolved
        self.environment = resolved.environment
        self.resource_types = ResourceTypes(resolved)
        self.programs = {os.path.abspath(one.source.path): one for one in programs}
        self.loaded: dict[str, Definition] = {}
        self.given: dict[str, Definition] = {}
        self.other_names: set[str] = set()
        self.puppet_functions: dict[str, FunctionDefinition] = {}
        self.aliases: dict[str, TypeAlias] = {}
        self.templates: dict[str, Program | None] = {}
        self.broken: set[str] = set()
        self.read_files: set[str] = set()
        self.schemas: dict[str, ResourceTypeSchema | None] = {}
        self.functions: dict[str, bool] = {}
        self.references: dict[str, bool] = {}
        for program in self.programs.values():
            self.register(program, self.given)

    def register(self, program: Program, known: dict[str, Definition]) -> None:
        """Note the definitions of a program."""
        for one in program.definitions:
            if isinstance(one, ClassDefinition | DefineDefinition):
                known.setdefault(one.name.lower().removeprefix("::"), one)
            elif isinstance(one, FunctionDefinition | TypeAlias):
                key = one.name.lower().removeprefix("::")
                self.other_names.add(key)
                if isinstance(one, TypeAlias):
                    self.aliases.setdefault(key, one)
                else:
                    self.puppet_functions.setdefault(key, one)

    def read(self, path: str) -> None:
        """Note the definitions in a file of a module."""
        if path in self.read_files:
            return
        self.read_files.add(path)
        program = self.programs.get(os.path.abspath(path))
        if program is None:
            text = self.environment.world.read(path).decode("utf-8", "replace")
            checked = parse_program(Source(text, path), self.resolved.dialect)
            program = checked.program
            module = self.environment.module_of_path(path)
            if checked.errors and module is not None:
                self.broken.add(module.name)
        self.register(program, self.loaded)

    def definition(self, name: str) -> Definition | None:
        """Return the class or defined type of a name; None if there is none."""
        name = name.lower().removeprefix("::")
        try:
            for step in self.resolved.autoloader.manifests(name):
                for found in step:
                    self.read(found.path)
        except (PuppetError, OSError):
            return self.given.get(name)
        return self.loaded.get(name) or self.given.get(name)

    def class_near(self, name: str, around: str) -> ClassDefinition | None:
        """Return the class that a name means in a namespace."""
        names = candidates(name.lower(), around if self.resolved.rules.relative_names else "")
        found = (self.definition(one) for one in names)
        return next((one for one in found if isinstance(one, ClassDefinition)), None)

    def define_near(self, name: str, around: str) -> DefineDefinition | None:
        """Return the defined type that a name means in a namespace, where no type in Ruby has it."""
        try:
            if self.schema(name.lower().removeprefix("::")) is not None:
                return None
        except PuppetError:
            return None
        rules = self.resolved.rules
        is_relative = rules.relative_names or rules.relative_defines
        names = candidates(name.lower(), around if is_relative else "")
        found = (self.definition(one) for one in names)
        return next((one for one in found if isinstance(one, DefineDefinition)), None)

    def can_be_checked(self, name: str) -> bool:
        """Return whether the module of a qualified name can be read: then an unknown name is wrong."""
        name = name.lower().removeprefix("::")
        namespace = name.partition("::")[0]
        return (
            is_qualified_name(name) and not self.is_absent(namespace) and not self.is_broken(name)
        )

    def is_absent(self, namespace: str) -> bool:
        """Return whether no module has a name; a submodule that is not checked out is an empty directory."""
        module = self.environment.find_module(namespace)
        return module is None or not names_in(self.environment.world, module.path)

    def is_broken(self, name: str) -> bool:
        """Return whether files of the module of a name cannot be parsed."""
        return name.partition("::")[0] in self.broken

    def missing_dependencies(self) -> set[str]:
        """Return the modules that the metadata of others requires and that are not there."""
        modules = self.environment.modules
        return {
            name for one in modules.values() for name in one.dependencies if name not in modules
        }

    @cached_property
    def modules_to_install(self) -> frozenset[str]:
        """The names of the modules that the environment's Puppetfile lists."""
        environment = self.environment
        if environment.path is None:
            return frozenset()
        puppetfile = read_puppetfile(environment.path, environment.world)
        return frozenset(one.name.rpartition("/")[2] for one in puppetfile.names)

    @cached_property
    def lacks_modules(self) -> bool:
        """Whether a module that the Puppetfile lists is not there."""
        return any(map(self.is_absent, self.modules_to_install))

    def schema(self, name: str) -> ResourceTypeSchema | None:
        """Return the resource type of a name that is not written in Puppet.

        Raises PuppetError if its file cannot be read as Ruby.
        """
        if name not in self.schemas:
            self.schemas[name] = self.resource_types.find(name)
        return self.schemas[name]

    def is_resource_type(self, name: str) -> bool:
        """Return whether resources of a type can be declared; also if its Ruby file is unreadable."""
        try:
            if self.schema(name) is not None:
                return True
        except PuppetError:
            return True
        if self.resolved.autoloader.resource_type(name) is not None:
            return True
        return isinstance(self.definition(name), DefineDefinition)

    def is_function(self, name: str) -> bool:
        """Return whether code can call a function."""
        name = name.removeprefix("::")
        if name not in self.functions:
            self.functions[name] = self.find_function(name)
        return self.functions[name]

    def removed_function(self, name: str) -> str | None:
        """Return since when an unknown function is not there any more; None if it never was."""
        if name in STDLIB and "::" not in name:
            return "from newer versions of the module stdlib"
        old = dialect_named(OLDEST).functions.get()
        return "after Puppet 3" if old.builtin(name) is not None else None

    def find_function(self, name: str) -> bool:
        """Return whether a program, Puppet or a module defines a function."""
        if name.lower() in self.other_names:
            return True
        try:
            return self.resolved.chooser.choose(name) is not None
        except (PuppetError, OSError):
            return True  # the file is there

    def function_definition(self, name: str) -> FunctionDefinition | None:
        """Return the definition of a function that is written in Puppet; None for other functions."""
        try:
            found = self.resolved.autoloader.function(name)
            if found is not None and found.kind == "puppet":
                self.read(found.path)
        except (PuppetError, OSError):
            return None
        if found is not None and found.kind != "puppet":
            return None
        return self.puppet_functions.get(name.lower())

    def template(self, path: str) -> Program | None:
        """Return an EPP template; None if it has errors of syntax or cannot be read."""
        if path not in self.templates:
            self.templates[path] = self.programs.get(os.path.abspath(path)) or self.read_epp(path)
        return self.templates[path]

    def read_epp(self, path: str) -> Program | None:
        """Parse an EPP template that is not checked."""
        try:
            text = self.environment.world.read(path).decode("utf-8", "replace")
        except OSError:
            return None
        checked = parse_program(Source(text, path, is_template=True), self.resolved.dialect)
        return None if checked.errors else checked.program

    def alias(self, key: str) -> TypeAlias | None:
        """Return the definition of a type alias, whose name is in lower case; None without one."""
        if key not in self.aliases:
            try:
                found = self.resolved.autoloader.type_alias(key)
                if found is not None:
                    self.read(found.path)
            except (PuppetError, OSError):
                return None
        return self.aliases.get(key)

    def is_reference(self, name: str) -> bool:
        """Return whether a capitalised name is a data type, a resource type or a class."""
        key = name.lower().removeprefix("::")
        if key not in self.references:
            self.references[key] = self.find_reference(key)
        return self.references[key]

    def find_reference(self, key: str) -> bool:
        """Return whether a type has a name, which is in lower case."""
        if builtin_type(key) is not None or key in self.other_names:
            return True
        autoloader = self.resolved.autoloader
        if autoloader.type_alias(key) or autoloader.data_type(key):
            return True
        if "::" in key and autoloader.type_set(key.partition("::")[0]):
            return True
        return self.is_resource_type(key) or self.definition(key) is not None

    def candidates(self, kind: str, name: str) -> Iterator[str]:
        """Yield names of a kind (see :func:`known_names`) that a mistyped name may mean."""
        name = name.lower().removeprefix("::")
        wanted = {"class": ClassDefinition, "define": DefineDefinition}.get(kind)
        for known, one in [*self.loaded.items(), *self.given.items()]:
            if wanted is not None and isinstance(one, wanted):
                yield known
        if kind == "resource_type":
            yield from self.resource_types.names()
        elif kind == "function":
            yield from self.resolved.library.core
            yield from function_names()
        elif kind == "type":
            yield from TYPES
        yield from known_names(self.resolved.autoloader, kind, name)

    def searched(self, kind: str, name: str) -> str | None:
        """Return where a qualified name was searched; other names have too many places."""
        if kind != "class" and "::" not in name.removeprefix("::"):
            return None
        return search_report(self.environment, kind, name.lower().removeprefix("::"))
