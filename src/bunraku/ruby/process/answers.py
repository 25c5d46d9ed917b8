"""Answers to requests of running Ruby code: variables, functions, catalog, settings."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from bunraku.ruby.old_forms import ARITIES, LOGGING, ONLY_NEW, STATEMENTS
from bunraku.ruby.process.catalog import CatalogAnswers
from bunraku.ruby.process.changes import Changes
from bunraku.ruby.process.defaults import compute_defaults, stated_defaults
from bunraku.ruby.process.hiera import BackendAnswers
from bunraku.ruby.process.types import TypeAnswers
from bunraku.ruby.process.wire import Codec
from bunraku.ruby.run.scope import NESTED, PURE, find, journal_of, own_scope
from bunraku.runtime.call import call_method
from bunraku.runtime.callables import Closure
from bunraku.runtime.declare import include_class
from bunraku.runtime.markers import MISSING
from bunraku.runtime.python_frames import puppet_calls
from bunraku.runtime.state import Compilation, Scope, current_scope
from bunraku.values.pcore import PcoreObject
from bunraku.world.recording import cannot_repeat

Value = Any
SHARING = frozenset({"block", "dispatch", "function", "method"})
"""Requests whose answers are values of Puppet code, which Ruby code may change."""
SOURCE_KINDS = {"class": "hostclass", "define": "definition", "node": "node"}


class Answers(BackendAnswers, CatalogAnswers, TypeAnswers):
    """Answers requests of the shim by name; arguments and results are JSON."""

    def __init__(
        self, codec: Codec, compilation: Compilation, make_block: Callable[[Any], Closure]
    ) -> None:
        self.codec = codec
        self.compilation = compilation
        self.world = compilation.world
        self.make_block = make_block
        self.journal = journal_of(compilation)
        self.changes = Changes(codec, compilation)
        self.load_old: Callable[[str, str], None] = lambda *_: None
        self.dispatchers: dict[str, Callable[..., Value]] = {}
        self.note_installed: Callable[[], None] = lambda: None

    def answer(self, name: str, arguments: list[Any]) -> Any:
        """Return the answer as JSON."""
        found = getattr(self, f"on_{name}")(*arguments)
        if name in ("lookup", "fact_value"):
            return self.codec.encode_variable(found)
        if name == "variables":
            encode = self.codec.encode_variable
            return {"h": [item for key, value in found.items() for item in (key, encode(value))]}
        return self.codec.share(found) if name in SHARING else self.codec.encode(found)

    def scope(self, number: int | None) -> Scope:
        """Return the scope of a number; without one, that of the Puppet code that runs now."""
        if number is None:
            return current_scope() or self.compilation.top_scope
        found: Scope = self.codec.held_value(number)
        return found

    # -- variables -------------------------------------------------------------------------------

    def on_lookup(self, number: int, name: str) -> Value:
        """Answer ``scope.lookupvar``, ``scope[]``."""
        scope = self.scope(number)
        self.changes.own_parameters(scope)
        return self.journal.lookup(scope, name)

    def find(self, number: int, name: str) -> Value:
        """Return a variable, or MISSING."""
        return find(self.scope(number), name)

    def on_exists(self, number: int, name: str) -> bool:
        """Answer ``scope.exist?``: undef counts."""
        return self.find(number, name) is not MISSING

    def on_has_value(self, number: int, name: str) -> bool:
        """Answer ``scope.include?``: False for undef."""
        found = self.find(number, name)
        if self.compilation.rules.templates_see_callers:
            return found is not MISSING
        return found is not MISSING and found is not None

    def on_bound(self, number: int, name: str) -> bool:
        """Answer ``scope.bound?``: in this very scope."""
        scope, key = self.scope(number), f"${name}"
        return key in own_scope(scope) or key in scope

    def on_set(self, number: int, name: str, value: Any) -> None:
        """Answer ``scope.setvar``."""
        own_scope(self.scope(number))[f"${name}"] = self.codec.decode(value)

    def on_variables(self, number: int, with_undef: bool, around: bool) -> dict[str, Value]:
        """Answer ``scope.to_hash``, with or without the scopes around."""
        scope = self.scope(number)
        self.changes.own_parameters(scope)
        names = scope.visible_names() if around else names_within(scope)
        return {name: value for name, value in names.items() if with_undef or value is not None}

    # -- functions -------------------------------------------------------------------------------

    def on_function(self, number: int | None, name: str, arguments: list[Any], block: Any) -> Value:
        """Answer ``call_function`` and ``function_x``.

        ``call_function`` of a function of the present kind gives no number: it runs in the top scope.
        """
        values = [self.codec.decode(item) for item in arguments]
        closure = None if block is None else self.make_block(block)
        call = self.compilation.call_function
        scope = self.compilation.top_scope if number is None else self.scope(number)
        if self.compilation.functions[name] is None:
            name = name.lower()
        if closure is not None or name in PURE or name in NESTED:
            return call(scope, name, values, closure)
        return self.journal.effect(
            ("function", name, values), lambda: call(scope, name, values, closure)
        )

    def on_dispatch(self, number: int | None, path: str, arguments: list[Any], block: Any) -> Value:
        """Answer ``dispatcher.dispatch``: run the signature of a function that takes the arguments."""
        values = [self.codec.decode(item) for item in arguments]
        closure = None if block is None else self.make_block(block)
        return self.dispatchers[path](self.scope(number), values, closure)

    def on_is_function(self, number: int, name: str) -> bool:
        """Return whether a function exists."""
        return self.compilation.functions[name] is not None

    def on_old_function(self, _number: int, name: str) -> list[str | int] | None:
        """Answer ``Puppet::Parser::Functions.function``.

        The answer is the type and the arity of a function in Python, or the file that is now loaded.
        """
        found = self.compilation.loader.old_function(name)
        if found is None:
            return None
        path = getattr(found, "path", None)
        if path is None:
            return ["statement" if name in STATEMENTS else "rvalue", ARITIES.get(name, -1)]
        self.load_old(path, f"Function '{name}'")
        return [path]

    def on_is_old_loaded(self, _number: int, name: str) -> bool:
        """Return whether Puppet code has called a function of the old kind."""
        called = name in LOGGING or dict.get(self.compilation.functions, name) is not None
        return called and self.compilation.loader.old_function(name) is not None

    def on_is_only_new(self, _number: int, name: str) -> bool:
        """Return whether ``scope.function_x`` refuses a function, because it has no old form."""
        return name in ONLY_NEW and not self.compilation.rules.only_3x_functions

    def on_block(self, number: int, arguments: list[Any]) -> Value:
        """Return a call of a lambda that a Ruby function was given."""
        closure: Closure = self.codec.held_value(number)
        return closure(*(self.codec.decode(item) for item in arguments))

    # -- surroundings ----------------------------------------------------------------------------

    def on_title(self, number: int) -> str:
        """Answer ``scope.to_s``."""
        return self.scope(number).title_text()

    def on_classes(self, number: int) -> list[str]:
        """Answer ``catalog.classes``."""
        return list(self.compilation.catalog.classes)

    def on_tags(self, number: int) -> list[str]:
        """Answer ``catalog.tags``: those of the classes declared."""
        tags: dict[str, None] = {}
        for name in self.compilation.catalog.classes:
            tags.update(dict.fromkeys((name, "class", *name.split("::"))))
        return list(tags)

    def on_node_name(self, number: int) -> str:
        """Return the node's name."""
        return self.compilation.node_name

    def on_own_resource(self, number: int) -> Value:
        """Answer ``scope.resource``."""
        resource = self.scope(number).resource
        return None if resource is None else self.described(resource)

    def on_source(self, number: int) -> list[Value]:
        """Answer ``scope.source``: the kind, name and module of the code's definition."""
        scope = own_scope(self.scope(number))
        if scope.definition is None:
            return ["hostclass", "", scope.module_name]
        definition = scope.definition
        return [SOURCE_KINDS[definition.kind], definition.name, definition.module_name]

    def on_top_scope(self, number: int) -> Scope:
        """Return the top scope."""
        return self.compilation.top_scope

    def on_parent_scope(self, number: int) -> Scope | None:
        """Return the scope where the lookup of variables continues."""
        return own_scope(self.scope(number)).outer

    def on_defaults(self, number: int, type_: str) -> dict[str, Value]:
        """Answer ``scope.lookupdefaults``."""
        return stated_defaults(self.scope(number), type_)

    def on_compute_defaults(self, number: int, block: Any) -> int:
        """Let a block return the defaults of a type: the scope has a ``lookupdefaults`` of its own.

        A lambda shares it with the code around. Returns the number of the scope, which the block keeps.
        """
        scope = own_scope(self.scope(number))
        compute_defaults(scope, self.make_block(block))
        return self.codec.hold(scope)

    def on_defaults_of_callers(self, number: int, type_: str, name: str) -> list[Value]:
        """Answer ``scope.is_default?``: the defaults of a parameter, in each scope that has one."""
        found = []
        scope: Scope | None = self.scope(number)
        while scope is not None:
            defaults = (scope.defaults or {}).get(type_, {})
            found += [defaults[name]] if name in defaults else []
            scope = scope.caller
        return found

    def on_is_top(self, number: int) -> bool:
        """Answer ``scope.is_topscope?``."""
        return own_scope(self.scope(number)) is self.compilation.top_scope

    def on_class_scope(self, number: int, name: str) -> Scope | None:
        """Return the scope of a class that was evaluated."""
        return self.compilation.class_scopes.get(name.removeprefix("::").lower())

    def on_add_class(self, number: int, name: str) -> None:
        """Include a class."""
        include_class(self.scope(number), name)

    def on_environment(self, number: int) -> dict[str, Value]:
        """Name, module path and modules of the environment."""
        environment = self.compilation.environment
        return {
            "name": environment.name,
            "manifest": getattr(environment, "manifest", None),
            "modulepath": list(environment.modulepath),
            "modules": [[module.name, module.path] for module in environment.modules.values()],
        }

    def on_module_path(self, number: int, name: str) -> str | None:
        """Return the folder of a module."""
        found = self.compilation.environment.find_module(name)
        return None if found is None else found.path

    def on_file(self, folder: str, name: str) -> str | None:
        """Return the path of a file or template of a module."""
        if name.startswith("/"):
            return name if self.compilation.world.is_file(name) else None
        module_name, _, path = name.partition("/")
        module = self.compilation.environment.find_module(module_name)
        found: str | None = module.file(folder, path) if module is not None and path else None
        return found

    def on_library(self, name: str) -> list[str] | None:
        """Path and text of a file that Ruby requires from a module's ``lib``."""
        world = self.compilation.world
        file = name if name.endswith(".rb") else f"{name}.rb"
        modules = self.compilation.environment.modules.values()
        folders = [""] if name.startswith("/") else [f"{item.path}/lib/" for item in modules]
        for folder in folders:
            if world.is_file(folder + file):
                text = world.read(folder + file).decode("utf-8", "surrogateescape")
                return [folder + file, text]
        return None

    def on_reads(self, kind: str, path: str) -> None:
        """Record that Ruby code asks for a file, before it does."""
        world = self.world
        with suppress(OSError):
            if kind == "exists":
                world.is_file(path)
                world.is_directory(path)
            elif kind == "writes":
                cannot_repeat(world, f"Ruby writes to {path}, or lists its files")
            elif kind == "glob":
                self.compilation.environment.files.glob(path)
            else:
                {"file": world.is_file, "directory": world.is_directory, "read": world.read}[kind](
                    path
                )

    def on_setting(self, name: str) -> Value:
        """Answer ``Puppet[:name]``."""
        return self.compilation.settings.get(name)

    def on_fact(self, name: str) -> Value:
        """Answer ``Facter.value``."""
        return self.compilation.facts.get(name)

    def on_fact_value(self, name: str) -> Value:
        """Return a value of the hash of facts, undef without one."""
        return self.facts_hash().get(name)

    def on_has_fact(self, name: str) -> bool:
        """Return whether the hash of facts has a key."""
        return name in self.facts_hash()

    def facts_hash(self) -> dict[str, Value]:
        """Return the variable with all facts."""
        found: dict[str, Value] = self.compilation.top_scope.find("$facts")
        return found

    def on_facts(self) -> Value:
        """Answer ``Facter.to_hash``."""
        return dict(self.compilation.facts)

    def on_log(self, level: str, message: Any, number: int | None = None) -> None:
        """Answer logging methods such as ``Puppet.warning`` and ``scope.warning``."""
        scope = None if number is None else self.scope(number)
        text = self.codec.decode(message)
        self.journal.effect(
            ("log", level, text), lambda: self.compilation.messages.log(level, text, scope)
        )

    def on_resource_type(self, number: int, name: str) -> Value:
        """Answer ``Puppet::Type.type``: the attributes of a resource type, None without one."""
        schema = self.compilation.resource_types[name]
        if schema is None:
            return None
        return {
            "parameters": list(schema.parameters),
            "properties": list(schema.properties),
            "keys": list(schema.namevars),
        }

    def on_installed(self, name: str, version: str | None, folder: str) -> None:
        """Log that a part of Puppet is loaded from an installed one; results may depend on it.

        Puppet itself has no such message, so catalogs have it only with those for debugging.
        """
        puppet = f"Puppet {version}" if version else "the Puppet"
        message = f"{name} is not part of bunraku; it is loaded from {puppet} in {folder}"
        self.compilation.messages.warn("PUPPET_LIBRARY_USED", message, "debug")
        self.note_installed()

    def on_stacktrace(self) -> list[Value]:
        """Answer ``Puppet::Pops::PuppetStack.stacktrace``: files and lines, the innermost first."""
        sources = self.compilation.loader.sources
        calls = list(puppet_calls(sources))
        found: list[Value] = [[span.source.path or "unknown", span.line] for span, _ in calls]
        if calls and calls[-1][1].startswith("main"):  # Puppet's stack begins with the manifest
            found.append([found[-1][0], 0])
        return found

    # -- objects ---------------------------------------------------------------------------------

    def on_members(self, held: Any) -> list[str]:
        """Return the attributes and methods of an object."""
        value = self.codec.decode(held)
        names = list(getattr(value, "METHODS", ()))
        return [*names, *value.type.all_attributes()] if isinstance(value, PcoreObject) else names

    def on_method(self, held: Any, name: str, arguments: list[Any], block: Any) -> Value:
        """Return an attribute or a method of an object."""
        values = [self.codec.decode(item) for item in (held, *arguments)]
        closure = None if block is None else self.make_block(block)
        return call_method(self.scope(None), name, *values, block=closure)


def names_within(scope: Scope) -> dict[str, Value]:
    """Return the variables of a scope itself and of the running code in it."""
    names = names_within(scope.outer) if scope.is_view and scope.outer is not None else {}
    names.update((key[1:], value) for key, value in scope.items())
    return names
