"""Evaluates Ruby code just far enough to find the attributes of a resource type.

Nothing is run: the syntax tree is walked with the values that literals, constants, loops over
literals and small helper methods give. Where the way is not clear, both branches count; where
attributes may be made that cannot be seen, the type is marked open with the reason.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record
from bunraku.ruby.schema.libraries import Libraries
from bunraku.ruby.schema.static_values import (
    UNKNOWN,
    Attribute,
    Code,
    ModuleName,
    RubyScope,
    TypeBuilder,
    named,
    static_truth,
    text,
)
from bunraku.ruby.syntax.tree import mistake_in, parse_ruby

DEEPEST = 40
"""Most nested calls of helper methods."""

MOST_STEPS = 300_000
"""Most syntax nodes that are evaluated before the reader gives up; Puppet's ``file`` needs half."""

DEFINERS = lazy_pattern(r"\b(?:newparam|newproperty|ensurable|newmetaparam)\b")

BROKEN = "contains Ruby code that cannot be parsed"
"""What the reason says why a type with a broken file is open."""

PUPPETS_OWN = tuple(
    f"Puppet::{name}"
    for name in ("Type", "ResourceApi", "Property", "Parameter", "Provider", "Util")
)
"""Modules of Puppet that code inside ``module Puppet`` calls by their last name."""


class GivenUp(Exception):
    """The code runs longer than hand-written code would."""


class Returned(Exception):
    """A ``return``, ``next`` or ``break`` on its way to the method or block that it ends."""

    def __init__(self, kind: str, value: Any) -> None:
        super().__init__(kind)
        self.kind = kind
        self.value = value


class Stopped(Exception):
    """A ``raise`` or ``exit`` that surely runs when the file is loaded, on its way to a ``rescue``."""

    def __init__(self, reason: str, path: str, line: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.path = path
        self.line = line


@record(eq=False)
class Method:
    """A method definition and the modules written around it."""

    node: Any
    path: str
    nesting: tuple[str, ...]


Handler = Callable[["SchemaReader", Any, RubyScope], Any]
"""Evaluates one kind of syntax node."""


class SchemaReader:
    """Reads one file with the files that it requires, and collects the types that it defines."""

    def __init__(
        self,
        handlers: Mapping[str, Handler],
        libraries: Libraries | None = None,
    ) -> None:
        self.handlers = handlers
        self.libraries = libraries
        self.types: dict[str, TypeBuilder] = {}
        self.apis: list[tuple[Any, int]] = []
        self.transports: list[tuple[Any, int]] = []
        self.constants: dict[str, Any] = {name: ModuleName(name) for name in PUPPETS_OWN}
        self.singletons: dict[tuple[str, str], Method | Code] = {}
        self.instances: dict[tuple[str, str], Method] = {}
        self.variables: dict[tuple[str, str], Any] = {}
        """The own variables of modules and classes by owner and name, and those of all code."""
        self.superclasses: dict[str, str] = {}
        self.accessors: set[tuple[str, str]] = set()
        """The variables of modules and classes that have methods to read or assign them."""
        self.loaded: set[str] = set()
        self.depth = 0
        self.steps = 0
        self.troubles: list[str] = []
        self.doubtful: list[list[tuple[dict[Any, Any], Any]]] = []

    # -- files -------------------------------------------------------------------------------------
    def read_source(self, source: str, path: str) -> None:
        """Follow the text of a file."""
        root = parse_ruby(source)
        self.loaded.add(path)
        if mistake_in(root) is not None:
            self.troubles.append(f"{path} {BROKEN}")
        try:
            self.run(root, RubyScope(ModuleName("Object"), path))
        except Returned:
            return
        except (GivenUp, RecursionError):
            self.troubles.append(f"the code of {path} was not evaluated to its end")

    def require(self, name: Any, scope: RubyScope, relative: bool) -> None:
        """Read a file that the code requires, when it is one of the modules' own."""
        if self.libraries is None or name.__class__ is not str:
            return
        name = name if name.endswith(".rb") else name + ".rb"
        if relative:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(scope.path), name))
            found = path if self.libraries.is_file(path) else None
        else:
            found = self.libraries.find(name)
        if found is not None and found not in self.loaded:
            self.read_source(self.libraries.read(found), found)

    # -- statements --------------------------------------------------------------------------------
    def run(self, node: Any, scope: RubyScope) -> Any:
        """Follow the statements of a body; the value of the last."""
        value: Any = None
        children = named(node)
        try:
            for child in children:
                value = self.evaluate(child, scope)
        except Stopped:
            if not any(child.type == "rescue" for child in children):
                raise
            value = UNKNOWN
        return value

    def evaluate(self, node: Any, scope: RubyScope) -> Any:
        """Return the value of an expression, as far as known; statements take effect."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise GivenUp
        handler = self.handlers.get(node.type)
        if handler is not None:
            return handler(self, node, scope)
        if isinstance(scope.me, TypeBuilder) and DEFINERS.search(text(node)):
            scope.me.open(f"attributes are made inside a '{node.type}' on line {line(node)}")
        return UNKNOWN

    def maybe(self, bodies: Iterable[Any], scope: RubyScope) -> Any:
        """Follow branches when the condition is unknown."""
        self.doubtful.append([])
        for body in bodies:
            if body is not None:
                try:
                    self.evaluate(body, scope)
                except Returned as end:
                    scope.variables["return?"] = end.kind
        touched = self.doubtful.pop()
        for variables, name in touched:
            variables[name] = UNKNOWN
        if self.doubtful:
            self.doubtful[-1].extend(touched)
        return UNKNOWN

    def assign(self, name: str, value: Any, scope: RubyScope) -> None:
        """Give a local variable its value."""
        variables = scope.find(name)
        self.put(scope.variables if variables is None else variables, name, value)

    def put(self, variables: dict[Any, Any], name: Any, value: Any) -> None:
        """Give a variable its value; one that may have another value afterwards becomes unknown."""
        changed = name not in variables or variables[name] is UNKNOWN or variables[name] != value
        variables[name] = value
        if self.doubtful and changed:
            self.doubtful[-1].append((variables, name))

    # -- constants and modules ---------------------------------------------------------------------
    def constant(self, name: str, scope: RubyScope) -> Any:
        """Return the meaning of a constant: a value, or a module's name."""
        for around in (*reversed(scope.nesting), ""):
            full = f"{around}::{name}" if around else name
            if full in self.constants:
                return self.constants[full]
        return ModuleName(name)

    def open_module(self, name: str, scope: RubyScope, body: Any, superclass: Any = None) -> None:
        """Follow the body of ``module`` or ``class``."""
        full = name if not scope.nesting else f"{scope.nesting[-1]}::{name}"
        self.constants.setdefault(full, ModuleName(full))
        if isinstance(superclass, ModuleName):
            self.superclasses[full] = superclass.name
        if body is None:
            return
        me = self.type_of(ModuleName(full)) or ModuleName(full)
        self.run(body, RubyScope(me, scope.path, (*scope.nesting, full)))

    def type_of(self, value: Any) -> TypeBuilder | None:
        """Return the type that a value names, also by its class's name."""
        if isinstance(value, TypeBuilder):
            return value
        if isinstance(value, ModuleName) and value.name.startswith("Puppet::Type::"):
            return self.types.get(value.name.removeprefix("Puppet::Type::").lower())
        return None

    def add_singleton(self, owner: Any, name: Any, method: Method | Code | None) -> None:
        """Define a method of a type or a module itself, if it is known."""
        if name.__class__ is not str or not isinstance(method, (Method, Code)):
            return
        type_ = self.type_of(owner)
        if type_ is not None:
            type_.methods[name] = method
        elif isinstance(owner, ModuleName):
            self.singletons[owner.name, name] = method

    def method_of(self, me: Any, name: str) -> Method | Code | None:
        """Return a method that the code already read defines for ``self`` being a type or a module."""
        if isinstance(me, TypeBuilder):
            found: Method | Code | None = me.methods.get(name)
            return found
        owners = list(self.lineage(me))
        own = next(
            (self.singletons[each, name] for each in owners if (each, name) in self.singletons),
            None,
        )
        if own is not None or self.has_accessor(me, name.removesuffix("=")):
            return own
        return next(
            (self.instances[each, name] for each in owners if (each, name) in self.instances), None
        )

    def lineage(self, me: Any) -> Iterator[str]:
        """Yield the names of a class and of its superclasses, the nearest first; nothing for others."""
        owner = me.name if isinstance(me, ModuleName) else None
        seen: set[str] = set()
        while owner is not None and owner not in seen:
            seen.add(owner)
            yield owner
            owner = self.superclasses.get(owner)

    def has_accessor(self, me: Any, name: str) -> bool:
        """Return whether a class has methods to read and assign a variable of its own."""
        return any((owner, name) in self.accessors for owner in self.lineage(me))

    def new_class(self, superclass: Any) -> ModuleName:
        """Return a class without a name, ``Class.new(superclass)``."""
        made = ModuleName(f"#<Class:{len(self.constants)}>")
        self.constants[made.name] = made
        if isinstance(superclass, ModuleName):
            self.superclasses[made.name] = superclass.name
        return made

    def own_variable(self, me: Any, name: str) -> Any:
        """Return an own variable of a class whose code was read; nil if it has no value yet."""
        if not isinstance(me, ModuleName) or me.name not in self.constants:
            return UNKNOWN
        return self.variables.get((me.name, name))

    # -- calling -----------------------------------------------------------------------------------
    def bind(
        self, parameters: Any, arguments: list[Any], scope: RubyScope, block: Any = None
    ) -> None:
        """Give the parameters of a method or block their values."""
        rest = list(arguments)
        nodes = named(parameters)
        plain = [node for node in nodes if node.type in {"identifier", "destructured_parameter"}]
        if parameters is not None and parameters.type == "block_parameters" and len(plain) > 1:
            if len(rest) == 1 and isinstance(rest[0], list):
                rest = list(rest[0])
        keywords = {}
        if rest and isinstance(rest[-1], dict) and any("keyword" in each.type for each in nodes):
            keywords = rest.pop()
        for node in nodes:
            self.bind_one(node, rest, keywords, scope, block)

    def bind_one(
        self, node: Any, rest: list[Any], keywords: dict[Any, Any], scope: RubyScope, block: Any
    ) -> None:
        """Give one parameter its value."""
        field_name = node.child_by_field_name("name")
        name = text(field_name) if field_name is not None else text(node)
        match node.type:
            case "identifier":
                scope.variables[name] = rest.pop(0) if rest else None
            case "optional_parameter":
                default = node.child_by_field_name("value")
                scope.variables[name] = rest.pop(0) if rest else self.evaluate(default, scope)
            case "splat_parameter":
                scope.variables[name] = list(rest)
                rest.clear()
            case "hash_splat_parameter":
                scope.variables[name] = keywords
            case "keyword_parameter":
                default = node.child_by_field_name("value")
                given = keywords.get(name, UNKNOWN)
                if name not in keywords and default is not None:
                    given = self.evaluate(default, scope)
                scope.variables[name] = given
            case "block_parameter":
                scope.variables[name] = block
            case "destructured_parameter":
                item = rest.pop(0) if rest else None
                self.bind(node, item if isinstance(item, list) else [], scope)

    def invoke(
        self, method: Method | Code, me: Any, arguments: list[Any], block: Code | None
    ) -> Any:
        """Return the value of a call of a method that the code defines, also with ``define_method``."""
        if isinstance(method, Code):
            try:
                return self.call_block(method, arguments, me)
            except Returned as end:
                return end.value
        if self.depth > DEEPEST:
            return UNKNOWN
        name = text(method.node.child_by_field_name("name"))
        scope = RubyScope(
            me, method.path, method.nesting, block=block, frame=(name, block, arguments)
        )
        self.depth += 1
        try:
            self.bind(method.node.child_by_field_name("parameters"), arguments, scope, block)
            body = method.node.child_by_field_name("body")
            value = self.run(body, scope) if body is not None else None
        except Returned as end:
            value = end.value
        finally:
            self.depth -= 1
        return UNKNOWN if "return?" in scope.variables else value

    def call_block(self, code: Any, arguments: list[Any], me: Any = None) -> Any:
        """Return the value of a block for these arguments."""
        if not isinstance(code, Code) or self.depth > DEEPEST:
            return UNKNOWN
        scope = code.scope.inner(me)
        self.depth += 1
        try:
            self.bind(code.parameters, arguments, scope)
            value = self.run(code.body, scope)
        except Returned as end:
            if end.kind == "return":
                raise
            value = end.value
        finally:
            self.depth -= 1
        return UNKNOWN if "return?" in scope.variables else value

    # -- events of a type -------------------------------------------------------------------------
    def define(
        self, type_: TypeBuilder, kind: str, arguments: list[Any], block: Any
    ) -> Attribute | Any:
        """Evaluate ``newparam``, ``newproperty`` and ``ensurable``."""
        name = "ensure" if kind == "ensurable" else (arguments[0] if arguments else UNKNOWN)
        if name.__class__ is not str:
            type_.open(f"the name in a call of {kind} is computed")
            return UNKNOWN
        name = name.removeprefix(":")
        attribute = Attribute(name, kind == "newparam")
        if kind == "newparam":
            type_.parameters.setdefault(name, attribute)
            attribute = type_.parameters[name]
        elif name == "ensure":
            type_.properties = {name: attribute, **type_.properties}
        else:
            type_.properties.setdefault(name, attribute)
        options = arguments[-1] if arguments and isinstance(arguments[-1], dict) else {}
        if static_truth(options.get("namevar")):
            attribute.is_namevar = True
        if isinstance(block, Code):
            self.call_block(block, [attribute], attribute)
        return attribute

    def blame(self, me: Any, reason: str) -> None:
        """Mark the type that is being read as open."""
        if isinstance(me, TypeBuilder):
            me.open(reason)


def line(node: Any) -> int:
    """Return the line, from 1, on which a syntax node begins."""
    row: int = node.start_point[0]
    return row + 1
