"""Scopes: where variables live, and what surrounds the code that runs."""

from __future__ import annotations

from typing import Any, NoReturn

from bunraku.catalog.model import Resource
from bunraku.runtime import issues

Value = Any


class Marker:
    """A value that no Puppet value is."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


RESERVED = frozenset({"$facts", "$trusted"})
NEVER_UNKNOWN = frozenset({"module_name", "caller_module_name"})
UNSET = Marker("UNSET")
MISSING = Marker("MISSING")


class Scope(dict[str, Value]):
    """Variables by ``$name``; what is not here is looked for outside.

    ``outer`` is where an unknown variable is looked up: the inherited class, else the node or top
    scope. ``caller`` is the scope that declared what runs here; resource defaults follow it.
    ``compilation`` is the :class:`bunraku.runtime.state.Compilation` it belongs to, which knows
    scopes and so cannot be named here.
    A *view* only adds fast locals to its caller's scope.
    """

    __slots__ = (
        "awaited",
        "caller",
        "captures",
        "compilation",
        "defaults",
        "definition",
        "filling",
        "is_view",
        "module_name",
        "outer",
        "resource",
        "statics",
    )

    def __init__(
        self,
        compilation: Any,
        outer: Scope | None,
        caller: Scope | None = None,
        resource: Resource | None = None,
        definition: Any = None,
    ) -> None:
        self.compilation = compilation
        self.statics = compilation.statics
        self.outer = outer
        self.caller = caller
        self.resource: Any = resource if resource is not None or caller is None else caller.resource
        self.definition = definition
        self.module_name: str = definition.module_name if definition is not None else ""
        # A node's captures are seen by the classes and defines it declares.
        self.captures: Any = outer.captures if outer is not None else None
        self.is_view = False
        self.awaited: frozenset[str] | None = None
        self.filling: str  # the parameter whose default is being worked out
        self.defaults: dict[str, dict[str, Any]] | None = None

    def __bool__(self) -> bool:
        return True

    def __missing__(self, key: str) -> Value:
        if self.awaited and key in self.awaited:
            raise issues.PARAMETER_NOT_EVALUATED(name=key[1:])
        scope = self.outer
        while scope is not None:
            if dict.__contains__(scope, key):
                return dict.__getitem__(scope, key)
            scope = scope.outer
        return self.compilation.unknown_variable(key[1:])

    def __setitem__(self, key: str, value: Value) -> None:
        if key in RESERVED and key in self.compilation.reserved:
            raise issues.ILLEGAL_RESERVED_ASSIGNMENT(name=key[1:])
        if key in self:
            raise issues.ILLEGAL_REASSIGNMENT(name=key[1:])
        dict.__setitem__(self, key, value)

    def set(self, name: str, value: Value) -> None:
        """Give a variable its value, whether it has one or not: for the compiler's own use."""
        dict.__setitem__(self, f"${name}", value)

    def find(self, key: str) -> Value:
        """A variable by ``$name`` from here outward, or MISSING."""
        scope: Scope | None = self
        while scope is not None:
            if dict.__contains__(scope, key):
                return dict.__getitem__(scope, key)
            scope = scope.outer
        return MISSING

    def lookup(self, name: str, default: Value = MISSING) -> Value:
        """A variable by its name without ``$``; ``a::b`` and ``::b`` too; else the default."""
        if "::" in name:
            found = self.compilation.find_qualified(name, self)
        else:
            found = self.find(f"${name}")
        return default if found is MISSING else found

    def visible_names(self) -> dict[str, Value]:
        """All variables that code here can read by a simple name, the nearest first."""
        names: dict[str, Value] = {}
        scope: Scope | None = self
        while scope is not None:
            for key, value in scope.items():
                names.setdefault(key[1:], value)
            scope = scope.outer
        return names

    def without_captures(self) -> Scope:
        """Return a view of this scope for a function, which does not see the match variables here."""
        view = Scope(self.compilation, self, self, self.resource, self.definition)
        view.is_view = True
        view.captures = None
        return view

    def title_text(self) -> str:
        """What log messages call the place: ``Class[main]``, ``Foo::Bar[title]``."""
        resource = self.resource
        return "" if resource is None else resource.log_reference()

    def find_defaults(self, type_name: str) -> dict[str, Any]:
        """The resource defaults in force here: the outermost declarer's first, own ones last."""
        chain = []
        scope: Scope | None = self
        while scope is not None:
            if scope.defaults and type_name in scope.defaults:
                chain.append(scope.defaults[type_name])
            scope = scope.caller
        found: dict[str, Any] = {}
        for values in reversed(chain):
            found.update(values)
        return found


# -- helpers of compiled code ----------------------------------------------------------------------


def assign(scope: Scope, key: str, value: Value) -> Value:
    """``$x = value`` inside an expression."""
    scope[key] = value
    return value


def refused(_scope: Scope, *operands: Value) -> NoReturn:
    """What the checker of a dialect has refused before anything runs: appending, changing a hash."""
    raise issues.ILLEGAL_REASSIGNMENT(name=str(operands[0]).removeprefix("$"))


def early_access(parameter: tuple[str, str], name: str) -> NoReturn:
    """A default that reads a parameter which has no value yet: its own, or one behind it."""
    reference, of = parameter
    raise issues.EARLY_ACCESS(reference=reference, name=of, other=f"${name}").in_part("caller")


def first_value(current: Value, value: Value, name: str) -> Value:
    """The value for a fast local that must not have one yet."""
    if current is not UNSET:
        raise issues.ILLEGAL_REASSIGNMENT(name=name)
    return value


def read_qualified(scope: Scope, name: str) -> Value:
    """``$a::b`` or ``$::b``."""
    compilation = scope.compilation
    found = compilation.find_qualified(name, scope)
    return compilation.unknown_variable(name, scope) if found is MISSING else found


def visible(scope: Scope, variables: dict[str, Value], captures: list[Any] | None = None) -> Scope:
    """A scope that also holds fast locals and captures, for a function that looks at variables."""
    inner = Scope(scope.compilation, scope, scope, scope.resource, scope.definition)
    inner.is_view = True
    inner.captures = captures[0] if captures else scope.captures
    for key, value in variables.items():
        if value is not UNSET:
            dict.__setitem__(inner, key, value)
    return inner


def capture(cell: list[Any] | None, number: int) -> Value:
    """``$0``, ``$1``, …: a group of the last match; undef without one."""
    if cell is None or cell[0] is None:
        return None
    groups: tuple[str | None, ...] = cell[0]
    return groups[number] if number < len(groups) else None


def keep(scope: Scope, key: str, value: Value) -> Value:
    """Remember a value that is the same all through the compile."""
    scope.statics[key] = value
    return value
