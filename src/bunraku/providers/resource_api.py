"""Resource types that modules write in Python, in the style of Puppet's Resource API.

The file ``lib/bunraku/providers/TYPE.py`` of a module contains ``TYPE``, the description of the type, and
class ``Provider`` with ``get`` and ``set``. ``docs/providers.md`` has an example that runs as a test.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any, Protocol

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.tracebacks import exception_text
from bunraku.providers.attributes import ABSENT, Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue, ResourceFailure
from bunraku.providers.issues import INVALID_PROVIDER_FILE
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, State
from bunraku.providers.resource_type import ResourceType
from bunraku.providers.run import Run
from bunraku.types.mismatch import describe_mismatch
from bunraku.types.model import Type
from bunraku.types.parse import parse_type
from bunraku.types.relations.instance import is_instance
from bunraku.world.host import CommandTimeout
from bunraku.world.unknown_host import MachineUnknown

Value = Any
IN_LIBRARY = "bunraku/providers"
"""The directory of types in the ``lib`` of a module."""
NAME = lazy_pattern(r"[a-z][a-z0-9_]*")
DELIBERATE = (ResourceFailure, PuppetError, OSError, CommandTimeout, MachineUnknown)
"""The exceptions of a module's code that say themselves what is wrong."""
BEHAVIOURS = frozenset({"namevar", "parameter", "read_only", "init_only", "property"})


class ModuleProvider(Protocol):
    """The class ``Provider`` in a module's file. ``canonicalize(context, resources)`` is optional."""

    def get(self, context: Context, names: Sequence[str] | None) -> Sequence[State]:
        """Return the resources of the machine; ``names`` are the wanted ones, None means all."""

    def set(self, context: Context, changes: Mapping[str, Mapping[str, State | None]]) -> None:
        """Make changes: name → ``is`` and ``should``, each a state or None for an absent resource."""


@contextmanager
def code_of_module(path: str, method: str) -> Iterator[None]:
    """Raise ResourceFailure, with the line, for an exception of a module's method and for its exit."""
    try:
        yield
    except DELIBERATE:
        raise
    except (Exception, SystemExit) as error:
        reason, place = exception_text(error, path)
        raise ResourceFailure(f"{method} in {path}{place} failed: {reason}") from error


class Context:
    """The context that a provider of a module gets in each call: the machine and the log."""

    def __init__(self, run: Run, name: str) -> None:
        self.host = run.host
        self.run = run
        self.name = name

    def log(self, level: str, message: str) -> None:
        """Log a message at a level, such as ``info`` or ``warning``."""
        self.run.log(level, f"{self.name}: {message}")

    def fail(self, message: str) -> None:
        """Fail the resource with a message."""
        raise ResourceFailure(message)


# -- finding ---------------------------------------------------------------------------------------


def module_type(name: str, run: Run) -> type[ResourceType] | None:
    """Return the type that a module of the run contains, None if no module does.

    Raise PuppetError if the file fails or does not describe a type.
    """
    path = file_of(name, run)
    if path is None:
        return None
    module = ModuleType(f"bunraku provider {path}")
    module.__file__ = path
    try:
        exec(compile(run.code.read(path), path, "exec", dont_inherit=True), module.__dict__)
        return adapted(name, module)
    except (Exception, SystemExit) as error:
        raise invalid_file(path, error) from error


def invalid_file(path: str, error: BaseException) -> PuppetError:
    """Return the error for a file whose code does not make a type or its provider."""
    reason, place = exception_text(error, path)
    return INVALID_PROVIDER_FILE(path=path, reason=reason + place)


def module_type_names(run: Run) -> list[str]:
    """Return the names of the types that the modules of a run bring."""
    found: set[str] = set()
    for folder in folders_of(run):
        if run.code.is_directory(folder):
            stems = (one.removesuffix(".py") for one in run.code.list_directory(folder))
            found.update(stem for stem in stems if NAME.fullmatch(stem))
    return sorted(found)


def folders_of(run: Run) -> Iterator[str]:
    """Yield the directories, maybe missing, in which the modules of a run have types."""
    return (posixpath.join(library, IN_LIBRARY) for library in libraries_of(run))


def libraries_of(run: Run) -> Iterator[str]:
    """Yield the ``lib`` directories, maybe missing, of the modules of a run, the first module first."""
    for directory in run.modules:
        names = run.code.list_directory(directory) if run.code.is_directory(directory) else []
        for module in sorted(names):
            yield posixpath.join(directory, module, "lib")
    yield from run.libraries


def file_of(name: str, run: Run) -> str | None:
    """Find the file of a type in the modules of a run; the first module wins."""
    if not NAME.fullmatch(name):
        return None
    paths = (posixpath.join(folder, f"{name}.py") for folder in folders_of(run))
    return next((path for path in paths if run.code.is_file(path)), None)


def has_ruby_type(name: str, run: Run) -> bool:
    """Return whether a module of a run has a type in Ruby."""
    if not NAME.fullmatch(name):
        return False
    below = f"puppet/type/{name}.rb"
    return any(run.code.is_file(posixpath.join(one, below)) for one in libraries_of(run))


# -- adapting --------------------------------------------------------------------------------------


def adapted(name: str, module: ModuleType) -> type[ResourceType]:
    """Return the resource type for a Python description in a module."""
    declared: Mapping[str, Any] = module.TYPE
    attributes = [attribute_of(key, one) for key, one in declared["attributes"].items()]
    names = [key for key, one in declared["attributes"].items() if behaviour(one) == "namevar"]
    if len(names) != 1:
        raise ValueError("exactly one attribute must have the behaviour namevar")
    fields = {
        "__doc__": declared.get("docs", ""),
        "name": name,
        "namevar": names[0],
        "attributes": tuple(attributes),
        "providers": ("module",),
        "implementation": module.Provider,
        "path": module.__file__,
    }
    return type(name.capitalize(), (ModuleResourceType,), fields)


def behaviour(declared: Mapping[str, Any]) -> str:
    """Return the behaviour of an attribute."""
    found = str(declared.get("behaviour", declared.get("behavior", "property")))
    if found not in BEHAVIOURS:
        raise ValueError(f"unknown behaviour '{found}'; expected {', '.join(sorted(BEHAVIOURS))}")
    return found


def attribute_of(name: str, declared: Mapping[str, Any]) -> Parameter:
    """Return the attribute for its description."""
    type_ = parse_type(str(declared["type"]))
    about = str(declared.get("desc", ""))
    default = declared.get("default")
    kind = behaviour(declared)
    if name == "ensure":
        return Ensure(default=default, about=about)
    if kind in ("namevar", "parameter"):
        return Parameter(name, read=reader(name, type_), default=default, about=about)
    return ModuleProperty(name, type_, kind, default, about)


def reader(name: str, type_: Type) -> Any:
    """Return a function that accepts only values of a Puppet type."""

    def read(value: Value) -> Value:
        if not is_instance(value, type_):
            raise InvalidValue(describe_mismatch(f"'{name}'", type_, value))
        return value

    return read


class ModuleProperty(Property):
    """A property of a type in a module; its value is compared as a whole."""

    def __init__(self, name: str, type_: Type, kind: str, default: Value, about: str) -> None:
        super().__init__(name, read=reader(name, type_), default=default, about=about)
        self.kind = kind

    def accept(self, value: Value, resource: ManagedResource) -> Value:
        """Return the value; raise InvalidValue if the property is read-only."""
        if self.kind == "read_only":
            raise InvalidValue(f"{self.name} is read-only")
        return super().accept(value, resource)

    def change(self, resource: ManagedResource, wanted: Value) -> None:
        """Let the provider set the value; ResourceFailure for a property set only at creation."""
        if self.kind == "init_only":
            raise ResourceFailure(f"{self.name} can only be set when the resource is created")
        super().change(resource, wanted)


class AdaptedProvider(Provider):
    """Calls the provider of a module: ``get`` once for all resources, ``set`` once per resource."""

    name = "module"

    def __init__(self, kind: ModuleResourceType) -> None:
        super().__init__(kind.run)
        self.implementation = kind.made_implementation()
        self.context = Context(kind.run, kind.name)
        self.key = kind.namevar
        self.path = kind.path

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the result of ``get``, by name."""
        names = None if wanted is None else [resource.name for resource in wanted]
        with code_of_module(self.path, "get"):
            found = self.implementation.get(self.context, names)
            return {str(one[self.key]): {"ensure": "present", **one} for one in found}

    def create(self, resource: ManagedResource) -> None:
        """Call ``set`` to create a resource."""
        self.apply(resource, self.wanted(resource))

    def destroy(self, resource: ManagedResource) -> None:
        """Call ``set`` to remove a resource."""
        self.apply(resource, None)

    def set(self, resource: ManagedResource, name: str, value: Value) -> None:
        """Call ``set`` for a resource with one changed property."""
        self.apply(resource, {**self.state(resource), **self.wanted(resource), name: value})

    def wanted(self, resource: ManagedResource) -> State:
        """Return the values of a resource."""
        return {self.key: resource.name, **{name: resource[name] for name in resource.values}}

    def apply(self, resource: ManagedResource, should: State | None) -> None:
        """Call ``set`` with the current and the wanted state, which then becomes the current one."""
        current = self.state(resource) or None
        changes = {resource.name: {"is": current, "should": should}}
        with code_of_module(self.path, "set"):
            self.implementation.set(self.context, changes)
        if self.states is not None:
            self.states[resource.name] = {"ensure": ABSENT} if should is None else should


class ModuleResourceType(ResourceType):
    """A resource type that a module describes."""

    implementation: type[ModuleProvider]
    path: str

    def made_implementation(self) -> ModuleProvider:
        """Return a new provider of the module; raise PuppetError if its code fails."""
        try:
            return self.implementation()
        except DELIBERATE:
            raise
        except (Exception, SystemExit) as error:
            raise invalid_file(self.path, error) from error

    def provider_named(self, name: str) -> Provider:
        """Return the adapter of the module's provider."""
        if name not in self.made:
            self.made[name] = AdaptedProvider(self)
        return self.made[name]

    def check(self, resource: ManagedResource) -> None:
        """Convert the values to the form that ``get`` returns with ``canonicalize``."""
        canonicalize = getattr(self.made_implementation(), "canonicalize", None)
        if canonicalize is None:
            return
        values = {name: resource[name] for name in resource.values}
        context = Context(self.run, self.name)
        try:
            with code_of_module(self.path, "canonicalize"):
                for name, value in canonicalize(context, [values])[0].items():
                    attribute = self.by_name[name]
                    resource.values[name] = [value] if attribute.is_property else value
        except (ResourceFailure, OSError, CommandTimeout) as error:
            raise InvalidValue(str(error)) from error
