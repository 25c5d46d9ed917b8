"""Data classes that cost little to define: as ``dataclasses``, but without its import time.

``dataclass`` writes the methods of each class as text and compiles them, half a millisecond a
class; the package has a hundred and seventy, and a command as small as ``validate`` waits for
half of them. Here one ``__init__`` serves all classes with as many fields, and copies of it get the
names of a class; comparing and printing read the fields by name. Records with many fields, of which
few objects are made, share an ``__init__`` that sets them in a loop: slower for an object, faster at
import.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from reprlib import recursive_repr
from types import FunctionType

from bunraku.base.initialisers import INITIALISERS
from bunraku.base.lazy_typing import Any, TypeVar, dataclass_transform

C = TypeVar("C")
MISSING: Any = object()


class Field:
    """The properties of a field that :func:`field` declares."""

    __slots__ = ("compared", "default", "factory", "init", "optional", "shown")

    def __init__(
        self,
        default: Any,
        factory: Callable[[], Any] | None,
        init: bool,
        shown: bool,
        compared: bool,
    ) -> None:
        self.default = default
        self.factory = factory
        self.init = init
        self.shown = shown
        self.compared = compared
        self.optional = factory is not None or default is not MISSING


PLAIN = Field(MISSING, None, True, True, True)


def field(
    *,
    default: Any = MISSING,
    default_factory: Callable[[], Any] | None = None,
    init: bool = True,
    shown: bool = True,
    compared: bool = True,
) -> Any:
    """Return a field with a default made for each object, or with other options.

    ``init=False`` leaves it to ``__post_init__``; ``shown`` and ``compared`` say whether it takes
    part in ``repr`` and in ``==`` (and the hash).
    """
    return Field(default, default_factory, init, shown, compared)


@dataclass_transform(field_specifiers=(field,))
def record(
    *, frozen: bool = False, eq: bool = True, slots: bool = True
) -> Callable[[type[C]], type[C]]:
    """Return a class whose annotated names are its fields: with ``__slots__``, ``==`` and ``repr``.

    ``frozen`` gives it a hash, and the type checker refuses assignments; run time pays nothing for
    that. Without ``eq`` an object equals itself alone.

    >>> @record(frozen=True)
    ... class Place:
    ...     line: int
    ...     column: int = 1
    >>> Place(3), Place(3) == Place(line=3), len({Place(3), Place(3)})
    (Place(line=3, column=1), True, 1)
    """

    def make(plain: type[C]) -> type[C]:
        made = with_fields(plain, slots=slots)
        own = vars(made)
        if eq and "__eq__" not in own:
            add_equality(made, frozen, own.get("__hash__"))
        if "__repr__" not in own:
            add_printing(made)
        return made

    return make


def with_fields(cls: type[C], *, slots: bool = True) -> type[C]:
    """Return the class with ``__init__`` and ``__slots__``; its bases have everything else."""
    content = dict(cls.__dict__)
    inherited: dict[str, Field] = {}
    for base in reversed(cls.__bases__):
        inherited |= getattr(base, "__rules__", {})
    own = {
        name: rule_of(content.pop(name)) if name in content else PLAIN
        for name, kind in content.get("__annotations__", {}).items()
        if not kind.startswith("ClassVar")
    }
    rules = {**inherited, **own}
    added: dict[str, Any] = {"__rules__": rules}
    added["__match_args__"] = tuple([name for name in rules if rules[name].init])
    if "__init__" not in content:
        added["__init__"] = initialiser(cls, rules)
    if slots:
        content |= added
        content["__slots__"] = tuple([name for name in own if name not in inherited])
        content.pop("__dict__", None)
        content.pop("__weakref__", None)
        metaclass: Any = type(cls)
        made: type[C] = metaclass(cls.__name__, cls.__bases__, content)
        return made
    for name in own:
        if name in cls.__dict__:
            delattr(cls, name)
    for name, value in added.items():
        setattr(cls, name, value)
    return cls


def rule_of(default: Any) -> Field:
    """Return the options of a field: those of :func:`field`, or a plain default."""
    return default if isinstance(default, Field) else Field(default, None, True, True, True)


def rules_of(cls: type) -> dict[str, Field]:
    """Return the options of each field of a record, by name."""
    made: Any = cls
    found: dict[str, Field] = made.__rules__
    return found


def names_of(value: object) -> Iterable[str]:
    """Return the names of a record's fields, those of its bases first; none for any other value."""
    return getattr(value.__class__, "__rules__", ())


def replace(value: C, **changes: Any) -> C:
    """Return a copy of a record with other values in some fields.

    >>> from bunraku.base.source import Span
    >>> replace(Span(None, 1, 2), end=5)
    Span(start=1, end=5)
    """
    made: Any = value.__class__
    kept = {name: getattr(value, name) for name in made.__match_args__ if name not in changes}
    changed: C = made(**kept, **changes)
    return changed


# -- the methods -------------------------------------------------------------------------------------


def initialiser(cls: type, rules: dict[str, Field]) -> Callable[..., None]:
    """Return an ``__init__`` that takes the fields in order: compiled code with their names."""
    given = {name: rule for name, rule in rules.items() if rule.init}
    if len(given) < len(INITIALISERS):
        made: Callable[..., None] = compiled_initialiser(cls, given)
        factories = {name: rule.factory for name, rule in given.items() if rule.factory}
        if factories:
            made = with_factories(made, tuple(given), factories)
    else:
        made = looping_initialiser(cls.__name__, given)
    return with_post_init(made) if hasattr(cls, "__post_init__") else made


def compiled_initialiser(cls: type, given: dict[str, Field]) -> FunctionType:
    """Return a copy of the ``__init__`` for this number of fields, with the names of a class."""
    model = INITIALISERS[len(given)]
    code = model.replace(
        co_name="__init__",
        co_qualname=f"{cls.__qualname__}.__init__",
        co_varnames=("self", *given),
        co_names=tuple(given),
    )
    defaults = tuple([rule.default for rule in given.values() if rule.optional])
    made = FunctionType(code, {}, "__init__", defaults)
    made.__qualname__ = code.co_qualname
    return made


def with_factories(
    plain: Callable[..., None], order: tuple[str, ...], factories: dict[str, Callable[[], Any]]
) -> Callable[..., None]:
    """Return an ``__init__`` that makes the values which the caller leaves out."""
    made = [(order.index(name), name, factory) for name, factory in factories.items()]

    def initialise(self: object, *values: Any, **named: Any) -> None:
        given = len(values)
        for place, name, factory in made:
            if place >= given and name not in named:
                named[name] = factory()
        plain(self, *values, **named)

    return initialise


def with_post_init(plain: Callable[..., None]) -> Callable[..., None]:
    """Return an ``__init__`` that calls ``__post_init__`` at its end."""

    def initialise(self: Any, *values: Any, **named: Any) -> None:
        plain(self, *values, **named)
        self.__post_init__()

    return initialise


def looping_initialiser(record: str, given: dict[str, Field]) -> Callable[..., None]:
    """Return an ``__init__`` that sets the fields in a loop.

    >>> from bunraku.syntax.rules import SyntaxRules
    >>> SyntaxRules(task=True)
    Traceback (most recent call last):
    TypeError: SyntaxRules has no field 'task'
    """
    names = tuple(given)

    def initialise(self: object, *values: Any, **named: Any) -> None:
        positional = dict(zip(names, values, strict=False))
        wrong = [*(named.keys() - given.keys()), *(named.keys() & positional.keys())]
        if wrong or len(values) > len(names):
            raise TypeError(f"{record} has no field {wrong[0]!r}" if wrong else record)
        named.update(positional)
        for name, rule in given.items():
            if name in named:
                value = named[name]
            elif rule.optional:
                value = rule.factory() if rule.factory is not None else rule.default
            else:
                raise TypeError(f"{record} needs a value for {name!r}")
            setattr(self, name, value)

    return initialise


def add_equality(cls: Any, frozen: bool, own_hash: Any) -> None:
    """Add ``==`` of the fields, and the hash of a frozen record."""
    values = getter(tuple(name for name, rule in rules_of(cls).items() if rule.compared))

    def equals(self: object, other: object) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return values(self) == values(other)

    cls.__eq__ = equals
    if own_hash is None:
        cls.__hash__ = (lambda self: hash(values(self))) if frozen else None


def getter(names: tuple[str, ...]) -> Callable[[Any], Any]:
    """Return a function that reads fields as a tuple so that NaN in a field equals itself."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda _record: ()
    name = names[0]
    return lambda record: (getattr(record, name),)


def add_printing(cls: Any) -> None:
    """Add a ``repr`` that shows the fields."""
    names = tuple(name for name, rule in rules_of(cls).items() if rule.shown)

    @recursive_repr()
    def shown(self: object) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({values})"

    cls.__repr__ = shown
