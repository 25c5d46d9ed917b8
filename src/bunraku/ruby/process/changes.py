"""Changes that Ruby code makes in place to arrays and hashes of Puppet code.

The same object is changed here, so all variables and values that hold it see the change. A parameter of a
resource is a copy of the value that was given, as in Puppet. Here it is the same object until Ruby code
changes one of the two: then the parameter gets its own copy. A value that a class takes from data was not given, and
is not copied.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from bunraku.hiera.binding import make_engine
from bunraku.modules.fact_reads import FactHash
from bunraku.ruby.process.literals import FROZEN, FrozenStrings
from bunraku.ruby.process.wire import Codec
from bunraku.ruby.run.scope import own_scope
from bunraku.runtime.parameters import data_of_classes
from bunraku.runtime.state import Compilation, DeclaredResource, Scope
from bunraku.values.sensitive import Sensitive

Value = Any


NOTHING: dict[int, Value] = {}
Place = tuple[DeclaredResource, str, Value]


def statement_of(resource: DeclaredResource) -> tuple[Any, ...]:
    """Return what the resources of one statement have in common."""
    return resource.type, resource.file, resource.line


class Changes:
    """The changes of one compile."""

    def __init__(self, codec: Codec, compilation: Compilation) -> None:
        self.codec = codec
        self.compilation = compilation
        self.own: dict[int, Value] = {}
        """Values that belong to a parameter alone, by their ids."""
        self.done: dict[int, Scope] = {}
        """Scopes whose parameters are their own, by their ids."""
        self.strings = FrozenStrings(compilation)
        self.indexed = 0
        """The number of resources whose places are known."""
        self.places: dict[int, list[Place]] = {}
        """The parameters that an array or hash is in, by its id."""
        self.statements: dict[tuple[Any, ...], list[DeclaredResource]] = {}
        """The resources by type and place of their declaration."""
        self._frozen: dict[int, Value] | None = None

    # -- changes by Ruby code ------------------------------------------------------------------------

    def apply(self, changed: Sequence[Any]) -> None:
        """Change the arrays and hashes that Ruby code has changed."""
        numbers = {number for data in changed for number in numbers_in(data)}
        held = [self.codec.held[number] for number in numbers if number in self.codec.held]
        ids = {id(value) for value in held}
        self.keep_parameters(ids)
        engine = self.compilation.known_extension(make_engine)
        if engine is not None:
            engine.files.give_up(lambda value: holds(value, ids))
        for data in changed:
            self.codec.decode(data)
        if self.codec.replaced:
            replaced, self.codec.replaced = self.codec.replaced, {}
            Replacement(replaced).everywhere(self.compilation, self.codec.held)

    def keep_parameters(self, ids: set[int]) -> None:
        """Give parameters their own copies of values that are about to change."""
        self.index()
        for one in ids:
            for resource, name, value in self.places.get(one, ()):
                if id(value) not in self.own and resource.parameters.get(name) is value:
                    self.separate(resource, name, value)

    def index(self) -> None:
        """Note where the values are that resources declared since the last time have as parameters."""
        resources = self.compilation.catalog.resources
        for resource in resources[self.indexed :]:
            self.statements.setdefault(statement_of(resource), []).append(resource)
            from_data = self.from_data(resource)
            for name, value in resource.parameters.items():
                if is_container(value) and name not in from_data:
                    inner: dict[int, Value] = {}
                    copied(value, inner)
                    for one in inner:
                        self.places.setdefault(one, []).append((resource, name, value))
        self.indexed = len(resources)

    def from_data(self, resource: DeclaredResource) -> Mapping[str, Value]:
        """Return the parameters of a class whose values come from data."""
        found = self.compilation.extension(data_of_classes)
        return found.get(resource.title.lower(), {}) if resource.type == "Class" else {}

    def separate(self, resource: DeclaredResource, name: str, value: Value) -> None:
        """Give a parameter its own copy; a class reads it as a variable, too."""
        copy = resource.parameters[name] = copied(value, {})
        self.own[id(copy)] = copy
        self.note_in_class(resource, name, value, copy)

    def note_in_class(
        self, resource: DeclaredResource, name: str, value: Value, copy: Value
    ) -> None:
        """Give a class the copy of a parameter that it reads as a variable."""
        scope = self.compilation.class_scopes.get(str(resource.title).lower())
        if scope is not None and scope.resource is resource and scope.get(f"${name}") is value:
            dict.__setitem__(scope, f"${name}", copy)

    # -- parameters of running code ------------------------------------------------------------------

    def own_parameters(self, scope: Scope) -> dict[int, Value]:
        """Give the body of a class or defined type its own parameters; return the copies by the ids of
        the values that they replace.
        """
        scope = own_scope(scope)
        if id(scope) in self.done:
            return NOTHING
        if has_parameters(scope):
            self.done[id(scope)] = scope
        self.strings.add_names(scope)
        resource, copies = scope.resource, dict[int, Value]()
        if resource is None:
            return NOTHING
        from_data = self.from_data(resource)
        for name, value in list(resource.parameters.items()):
            if name in from_data:
                continue
            if id(value) not in self.own and scope.get(f"${name}") is value:
                copy = copied(value, copies)
                if copy is value:
                    continue
                self.own[id(copy)] = copy
                self.give(resource, name, value, copy)
        for key, value in (
            dict.items(scope) if copies else ()
        ):  # facts that no code has read stay so
            if id(value) in copies:
                dict.__setitem__(scope, key, copies[id(value)])
        return copies

    def give(self, resource: DeclaredResource, name: str, value: Value, copy: Value) -> None:
        """Give a copy to a parameter; resources of the same statement share it."""
        resource.parameters[name] = copy
        self.index()
        for other in self.statements.get(statement_of(resource), ()):
            if other.parameters.get(name) is value:
                other.parameters[name] = copy

    def own_resource(self, resource: DeclaredResource) -> None:
        """Give a resource its own parameters, which Ruby code that finds it in the catalog may change."""
        from_data = self.from_data(resource)
        for name, value in list(resource.parameters.items()):
            copy = value if name in from_data or id(value) in self.own else copied(value, {})
            if copy is not value:
                self.own[id(copy)] = copy
                self.give(resource, name, value, copy)
                self.note_in_class(resource, name, value, copy)

    # -- frozen values -------------------------------------------------------------------------------

    def is_frozen(self, value: Value) -> bool:
        """Return whether Puppet has frozen an array or hash: facts and trusted data."""
        if self._frozen is None:
            top = self.compilation.top_scope
            self._frozen = {}
            for key in FROZEN:
                copied(top.get(key), self._frozen)
        return id(value) in self._frozen or isinstance(value, FactHash)


class Replacement:
    """Puts the new texts of strings that Ruby code has changed where the old ones are."""

    def __init__(self, replaced: dict[int, tuple[str, str]]) -> None:
        self.replaced = replaced
        self.done: set[int] = set()

    def everywhere(self, compilation: Compilation, held: dict[int, Value]) -> None:
        """Replace strings in all variables, parameters of resources and values that Ruby has."""
        scopes: list[Scope | None] = [*compilation.class_scopes.values(), compilation.node_scope]
        scopes += [item for item in held.values() if isinstance(item, Scope)]
        for scope in [compilation.top_scope, *scopes]:
            while scope is not None and id(scope) not in self.done:
                self.inside(scope, scope.items())
                scope = scope.outer
        for resource in compilation.catalog.resources:
            self.inside(resource.parameters, resource.parameters.items())
        for value in list(held.values()):
            self.value(value)

    def value(self, value: Value) -> None:
        """Replace strings in an array or hash."""
        if value.__class__ is list:
            self.inside(value, enumerate(value))
        elif value.__class__ is dict:
            self.inside(value, dict.items(value))
        elif value.__class__ is Sensitive:
            self.value(value.value)

    def inside(self, container: Any, items: Iterable[tuple[Any, Value]]) -> None:
        """Replace the items of a container."""
        if id(container) in self.done:
            return
        self.done.add(id(container))
        setter = list.__setitem__ if isinstance(container, list) else dict.__setitem__
        for key, item in list(items):
            found = self.replaced.get(id(item))
            if found is not None:
                setter(container, key, found[1])
            else:
                self.value(item)


def has_parameters(scope: Scope) -> bool:
    """Return whether all parameters of a class or defined type have values: a default and a backend run earlier."""
    definition = scope.definition
    return definition is None or all(item.variable in scope for item in definition.parameters)


def is_container(value: Value) -> bool:
    """Return whether Ruby code can change something in a value in place."""
    return value.__class__ is list or value.__class__ is dict or value.__class__ is Sensitive


def items_of(value: Value) -> Iterator[Value]:
    """Yield what is in an array, a hash or a Sensitive."""
    if value.__class__ is list:
        yield from value
    elif value.__class__ is dict:
        yield from dict.values(value)
    elif value.__class__ is Sensitive:
        yield value.value


def holds(value: Value, ids: set[int]) -> bool:
    """Return whether a value is, or has in it, one of some objects."""
    return id(value) in ids or any(holds(item, ids) for item in items_of(value))


def copied(value: Value, copies: dict[int, Value]) -> Value:
    """Return a copy of a value with all that is in it; ``copies`` gets each by the original's id.

    A string gets an object of its own, too, unless Python has only one for it.
    """
    if value.__class__ is str:
        return copies.setdefault(id(value), (value + " ")[:-1])
    if not is_container(value):
        return value
    if id(value) not in copies:
        if value.__class__ is list:
            copies[id(value)] = [copied(item, copies) for item in value]
        elif value.__class__ is dict:
            copies[id(value)] = {key: copied(item, copies) for key, item in dict.items(value)}
        else:
            copies[id(value)] = Sensitive(copied(value.value, copies))
    return copies[id(value)]


def numbers_in(data: Any) -> Iterator[int]:
    """Yield the numbers of the arrays and hashes whose content is in a frame."""
    if data.__class__ is list:
        for item in data:
            yield from numbers_in(item)
    elif data.__class__ is dict:
        for tag, content in data.items():
            if tag == "m" and len(content) > 1:
                yield content[0]
            yield from numbers_in(content)
