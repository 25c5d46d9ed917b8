"""The ``$context`` of a backend function (``Puppet::LookupContext``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from bunraku.base.source import Place
from bunraku.hiera import issues
from bunraku.hiera.file_data import FileData
from bunraku.hiera.interpolate import Engine, has_interpolation, interpolate, steady_text
from bunraku.hiera.invocation import Invocation
from bunraku.runtime.callables import block_type
from bunraku.types.builtin import CONTEXT_METHODS, LOOKUP_CONTEXT
from bunraku.types.mismatch import describe_call
from bunraku.types.model import CallableType, Type, VariantType
from bunraku.types.relations.infer import type_of_pairs
from bunraku.types.relations.instance import block_fits, is_instance
from bunraku.values.iterator import Iterator
from bunraku.values.keys import as_key, from_key
from bunraku.values.missing import KeyNotFound
from bunraku.values.pcore import PcoreObject

Value = Any


class Cache(Protocol):
    """The values that a backend has kept: here, or in the Ruby process that runs it."""

    def has(self, key: Value) -> bool:
        """Return whether a value was kept for a key."""

    def get(self, key: Value) -> Value:
        """Return the value that was kept for a key, else undef."""

    def set(self, key: Value, value: Value) -> None:
        """Keep a value."""

    def entries(self) -> list[list[Value]]:
        """Return all keys with their values."""


class LocalCache:
    """Values that functions in Puppet's language and translated ones have kept."""

    __slots__ = ("values",)

    def __init__(self) -> None:
        self.values: dict[Any, Value] = {}

    def has(self, key: Value) -> bool:
        """See :class:`Cache`."""
        return (key if key.__class__ is str else as_key(key)) in self.values

    def get(self, key: Value) -> Value:
        """See :class:`Cache`."""
        return self.values.get(key if key.__class__ is str else as_key(key))

    def set(self, key: Value, value: Value) -> None:
        """See :class:`Cache`."""
        self.values[as_key(key)] = value

    def entries(self) -> list[list[Value]]:
        """See :class:`Cache`."""
        return [[from_key(key), value] for key, value in self.values.items()]


def signatures_of(type_: Type) -> tuple[CallableType, ...]:
    """Return the signatures of a method: one, or those of a Variant."""
    types = type_.types if isinstance(type_, VariantType) else (type_,)
    return tuple(item for item in types if isinstance(item, CallableType))


SIGNATURES = {name: signatures_of(type_) for name, type_ in CONTEXT_METHODS.items()}


def accepts(signature: CallableType, arguments: list[Value], block: CallableType | None) -> bool:
    """Return whether a method with a signature takes the arguments and the block."""
    return (
        len(arguments) == signature.low
        and all(
            is_instance(value, signature.parameter(position))
            for position, value in enumerate(arguments)
        )
        and block_fits(signature.block, block)
    )


def check_arguments(name: str, arguments: list[Value], block: CallableType | None) -> None:
    """Refuse arguments, or a block, that a method or an attribute does not take."""
    signatures = SIGNATURES.get(name, (NO_ARGUMENTS,))
    if not any(accepts(signature, arguments, block) for signature in signatures):
        kind = "function" if name in SIGNATURES else "attribute"
        label = f"{kind} {LOOKUP_CONTEXT.name}[{name}]"
        mismatch = describe_call(label, signatures, arguments, block)
        raise issues.CONTEXT_ARGUMENTS(mismatch=mismatch)


NO_ARGUMENTS = CallableType((), 0, 0)


class LookupContext(PcoreObject):
    """The backend's window to Hiera: one for each file of a level, as long as the compile.

    ``function`` is the name of the level's function, ``invocation`` that of the lookup that runs
    now; ``options`` are those of the level, and ``fits`` has the values that passed each check. A
    backend in Ruby that does nothing but answer is called for several keys at once
    (``calls_at_once``): for those in ``further`` too, for which ``answers`` then has Ruby's
    answers. Puppet code calls the methods by name (``$context.cached_value('k')``): see
    :attr:`METHODS`.
    """

    METHODS = (
        "cache",
        "cache_all",
        "cache_has_key",
        "cached_entries",
        "cached_file_data",
        "cached_value",
        "environment_name",
        "explain",
        "interpolate",
        "module_name",
        "not_found",
    )
    __slots__ = (
        "answers",
        "calls_at_once",
        "engine",
        "environment_name",
        "files",
        "fits",
        "function",
        "further",
        "has_location",
        "invocation",
        "kept",
        "module_name",
        "options",
        "quiet_calls",
    )

    def __init__(
        self,
        environment_name: str,
        module_name: str | None,
        engine: Engine,
        files: FileData,
        options: dict[str, Value],
        *,
        function: str = "",
        has_location: bool = False,
    ) -> None:
        super().__init__(LOOKUP_CONTEXT, {"module_name": module_name})
        self.environment_name = environment_name
        self.module_name = module_name
        self.engine = engine
        self.files = files
        self.options = options
        self.fits: dict[Any, Value] = {}
        self.function = function
        self.has_location = has_location
        self.kept: Cache = LocalCache()
        self.calls_at_once = False
        self.quiet_calls = 0
        self.further: list[str] = []
        self.answers: dict[str, dict[str, Any]] = {}
        self.invocation: Invocation | None = None

    def equals(self, other: PcoreObject) -> bool:
        """Return whether two contexts are one: their values do not count."""
        return self is other

    def __repr__(self) -> str:
        """Return the text that Puppet shows for a context: its attributes are not listed."""
        return "Puppet::LookupContext({})"

    def call(self, name: str, arguments: list[Value], block: Any = None) -> Value:
        """Return a method called from Puppet code; AttributeError when there is none of that name."""
        if name not in self.METHODS:
            raise AttributeError(name)
        member = getattr(self, name)
        check_arguments(name, arguments, block_type(block))
        if not callable(member):
            return member
        return member(*arguments) if block is None else member(*arguments, block=block)

    @property
    def explaining(self) -> bool:
        """Whether the lookup that runs now is explained."""
        return self.invocation is not None and self.invocation.explain.active

    def not_found(self) -> None:
        """Report that the backend has no value for the key."""
        raise KeyNotFound

    def interpolate(self, value: Value) -> Value:
        """Return the value with its ``%{…}`` replaced."""
        if value.__class__ is str and "%{" not in value:
            return value
        assert self.invocation is not None  # a backend is running
        return interpolate(value, self.engine, self.invocation, methods=True)

    def steady_text(self, expression: str) -> str | None:
        """Return the text of an expression if it is the same in the whole compile, else None."""
        assert self.invocation is not None  # a backend is running
        return steady_text(expression, self.invocation)

    def explain(self, block: Callable[[], Value]) -> None:
        """Add to the explanation, if one is requested."""
        if self.explaining:
            self.note(str(block()))

    def note(self, text: str) -> None:
        """Add a text to the explanation."""
        assert self.invocation is not None  # a backend is running
        self.invocation.explain.note(text)

    def cache(self, key: Value, value: Value) -> Value:
        """Keep a value for later calls."""
        self.kept.set(key, value)
        return value

    def cache_all(self, values: dict[Any, Value]) -> None:
        """Keep all values of a hash."""
        for key, value in values.items():
            self.kept.set(from_key(key), value)

    def cache_has_key(self, key: Value) -> bool:
        """Return whether a value was kept."""
        return self.kept.has(key)

    def cached_value(self, key: Value) -> Value:
        """Return a value that was kept, else undef."""
        return self.kept.get(key)

    def cached_entries(self, block: Any = None) -> Iterator | None:
        """Return an iterator of the keys and values that were kept, or call the block with each."""
        entries = self.kept.entries()
        if block is None:
            return Iterator(lambda: entries, lambda _: type_of_pairs(entries), True, once=True)
        for entry in entries:
            if getattr(block, "low", 1) == 2:
                block(*entry)
            else:
                block(entry)
        return None

    def cached_file_data(self, path: str, block: Any = None) -> Value:
        """Return the text of a file, or the block's result for it; it is kept until the file changes."""
        try:
            return self.files.get(path, block)
        except OSError as error:
            reason = error.strerror or "it does not exist"
            raise issues.UNREADABLE_DATA(path=path, reason=reason).at(Place(path)) from None


class MadeContext(LookupContext):
    """A context that code creates outside of a lookup, to call a backend function in a test."""

    __slots__ = ()

    def not_found(self) -> None:
        """Raise an error, for no lookup can go on without the value."""
        raise issues.NO_LOOKUP(method="not_found")

    def explain(self, block: Callable[[], Value]) -> None:
        """Raise an error: outside of a lookup, nothing can be explained."""
        raise issues.NO_LOOKUP(method="explain")

    def interpolate(self, value: Value) -> Value:
        """Return a value without variables; raise an error for others."""
        if has_interpolation(value):
            raise issues.NO_LOOKUP(method="interpolate")
        return value
