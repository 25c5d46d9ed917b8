"""Why a value is not of a type, in the words of Puppet 7.23, which differ from those of ``mismatch``.

Puppet describes the mismatch with each type of a Variant, and joins these descriptions if they are
of one kind and about the same part of the value. Types stand in their normal form, aliases with
their definitions; types that have nothing in common with the value lose their parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from typing import Any, Literal

from bunraku.base.records import names_of, record, replace
from bunraku.types import model as m
from bunraku.types.model import CallableType, Type
from bunraku.types.normalize import normalize
from bunraku.types.relations.assignable import is_assignable, range_within
from bunraku.types.relations.common import generalize
from bunraku.types.relations.infer import infer_detailed
from bunraku.types.relations.instance import block_fits
from bunraku.types.text.display import capitalize, display, inner, replace_aliases, spelled

Value = Any
Path = tuple[str, ...]
Kind = Literal[
    "type", "match", "size", "count", "key", "unknown", "block", "no block", "unresolved"
]
Bounds = tuple[int, int | None]
OBJECTS = m.ObjectType | m.TypeSetType
VARIANT = "variant "
"""Begins the part of a path that names one of several types or signatures."""
JOINED_KINDS: tuple[tuple[Kind, ...], ...] = (("block",), ("no block",), ("type", "match"))
WORDS: dict[Kind, str] = {
    "key": "expects a value for key '{}'",
    "unknown": "unrecognized key '{}'",
    "block": "expects a block",
    "no block": "does not expect a block",
    "unresolved": "references an unresolved type '{}'",
}


@record(frozen=True)
class Difference:
    """One difference: the path to it, and what is expected and found there; for keys the key."""

    kind: Kind
    path: Path
    expected: Any
    actual: Any = None

    @property
    def place(self) -> Path:
        """The path without the parts that name one of several types."""
        return tuple(part for part in self.path if not part.startswith(VARIANT))

    def without(self, position: int) -> Difference:
        """Return the difference without one part of its path."""
        return replace(self, path=self.path[:position] + self.path[position + 1 :])

    def __str__(self) -> str:
        return " ".join((*self.path, self.text))

    @property
    def text(self) -> str:
        """The description without the path."""
        match self.kind:
            case "type":
                return type_text(self.expected, self.actual)
            case "match":
                return match_text(self.expected, self.actual)
            case "size":
                return (
                    f"expects size to be {span(self.expected, '0')}, got {span(self.actual, '0')}"
                )
            case "count":
                return count_text(self.expected, self.actual)
        return WORDS[self.kind].format(self.expected)


# -- whole texts ---------------------------------------------------------------------------------


def mismatch(subject: str, expected: Type, actual: Type) -> str:
    """Return Puppet's text for a value of a wrong type.

    >>> mismatch("parameter 'a'", m.OptionalType(m.EnumType(("on",))), m.StructType())
    "parameter 'a' expects an undef value or a match for Enum['on'], got Struct"
    """
    return "\n ".join(listed(differences(expected, actual, (subject,))))


def mismatch_lines(subject: str, expected: Type, actual: Type) -> str:
    """Return Puppet's texts for a parameter of a class, defined type or template, on lines.

    A class as a value is a reference to a resource there.
    """
    match actual:
        case m.TypeType(type=m.ClassType(name=name)) if name is not None:
            actual = m.TypeType(m.ResourceType("Class", capitalize(name)))
    return "\n".join(map(str, differences(expected, actual, (subject,))))


def listed(found: Sequence[Difference]) -> Iterator[str]:
    """Yield the lines of differences: Puppet begins each with a space if there are several."""
    for item in found:
        yield f" {item}" if len(found) > 1 else str(item)


def call(
    name: str,
    signatures: Sequence[CallableType],
    arguments: Sequence[Value],
    block: CallableType | None,
) -> str:
    """Return Puppet's text for a call that no signature matches."""
    label = "block" if name == "lambda" else f"'{name}'"
    rejected = list(rejections(signatures, arguments, block))
    found = join(0, rejected, "count")
    if len(found) == 1:
        return f"{label} {found[0]}"
    one = len(signatures) == 1
    text = f"The function {label} was called with arguments it does not accept. It expects one of:"
    head = [f"{label} expects ({signature_text(signatures[0])})" if one else text]
    indent = "  " if one else "    "
    for signature, problems in zip(signatures, rejected, strict=True):
        if not one:
            head.append(f"  ({signature_text(signature)})")
        head.extend(f"{indent}rejected: {item.without(0)}" for item in problems)
    return "\n".join(head)


def rejections(
    signatures: Sequence[CallableType], arguments: Sequence[Value], block: CallableType | None
) -> Iterator[list[Difference]]:
    """Yield what is wrong with a call for each signature: with its arguments, else with its block."""
    paths: list[Path] = [(f"{VARIANT}{index}",) for index in range(len(signatures))]
    wrong = [
        argument_differences(signature, arguments, path)
        for signature, path in zip(signatures, paths, strict=True)
    ]
    if all(wrong):
        yield from wrong
        return
    blocks = [
        block_differences(signature.block, block, path)
        for signature, path in zip(signatures, paths, strict=True)
    ]
    yield from (
        blocks if all(blocks) else (one or two for one, two in zip(wrong, blocks, strict=True))
    )


def argument_differences(
    signature: CallableType, arguments: Sequence[Value], path: Path
) -> list[Difference]:
    """Return the difference of the number of arguments, else of the first wrong argument."""
    count = len(arguments)
    if signature.parameters is None:
        return []
    if not range_within(signature.low or 0, signature.high, count, count):
        return [Difference("count", path, (signature.low or 0, signature.high), (count, count))]
    for position, argument in enumerate(arguments):
        expected = signature.parameter(position)
        actual = infer_detailed(argument)
        if not is_assignable(expected, actual):
            names = signature.names
            name = names[min(position, len(names) - 1)] if names else ""
            found = differences(expected, actual, (*path, f"parameter '{name}'"))
            if found:
                return found
    return []


def block_differences(
    expected: Type | None, block: CallableType | None, path: Path
) -> list[Difference]:
    """Return the differences of the block of a call."""
    if block is None:
        return [] if block_fits(expected, None) else [Difference("block", path, None)]
    if expected is None:
        return [Difference("no block", path, None)]
    return differences(expected, block, (*path, "block"))


def signature_text(signature: CallableType) -> str:
    """Return the parameters of a signature, as Puppet lists them."""
    types = signature.parameters or ()
    names = signature.names or ("",) * len(types)
    if signature.parameters is None:
        types, names = (m.ANY,), ("args",)
    low, high = signature.low or 0, signature.high
    parts = []
    for position, (type_, name) in enumerate(zip(types, names, strict=False)):
        mark = ""
        if high is None and position == len(names) - 1:
            mark = "+" if low == len(names) else "*"
        elif position >= low:
            mark = "?"
            type_ = type_.inner if isinstance(type_, m.OptionalType) and type_.type else type_
        parts.append(f"{display(type_)} {name}{mark}")
    block = signature.block
    if isinstance(block, m.OptionalType):
        parts.append(f"{display(block.inner)} block?")
    elif block is not None:
        parts.append(f"{display(block)} block")
    return ", ".join(parts)


# -- differences ---------------------------------------------------------------------------------


def differences(expected: Type, actual: Type, path: Path) -> list[Difference]:
    """Return how a type differs from the expected one."""
    unknown = next(unresolved(expected, frozenset()), None)
    if unknown is not None:
        return [Difference("unresolved", path, unknown)]
    return examine(normalize(expected), expected, actual, path)


def unresolved(part: Any, seen: frozenset[str]) -> Iterator[str]:
    """Yield the types that a type names and that do not exist."""
    if isinstance(part, m.TypeReferenceType):
        yield part.text
    elif isinstance(part, tuple):
        for item in part:
            yield from unresolved(item, seen)
    elif isinstance(part, m.TypeAliasType):
        if part.definition is not None and part.name not in seen:
            yield from unresolved(part.definition, seen | {part.name})
    elif isinstance(part, m.StructElement | Type) and not isinstance(part, OBJECTS):
        for name in names_of(part):
            yield from unresolved(getattr(part, name), seen)


def examine(expected: Type, whole: Type, actual: Type, path: Path) -> list[Difference]:
    """Return the differences from a type; ``whole`` is the type that a text names."""
    match expected:
        case m.TypeAliasType(definition=definition) if definition is not None:
            shown = whole if expected.builtin else expected
            return examine(normalize(definition), shown, actual, path)
        case m.OptionalType(type=None):
            return []
        case m.OptionalType():
            if isinstance(actual, m.UndefType):
                return []
            shown = whole if isinstance(whole, m.TypeAliasType) else expected
            return examine(expected.inner, shown, actual, path)
        case m.EnumType() | m.PatternType():
            return [Difference("match", path, whole, actual)]
    rule = RULES.get(expected.__class__)
    if rule is not None:
        return rule(expected, whole, actual, path)
    return [] if is_assignable(expected, actual) else [Difference("type", path, whole, actual)]


def variant_differences(expected: Any, whole: Type, actual: Type, path: Path) -> list[Difference]:
    """Return the differences from all types of a Variant, joined if that is possible."""
    types = expected.types
    if isinstance(whole, m.OptionalType):
        types = (m.UNDEF, *types)
    found = []
    for index, type_ in enumerate(types):
        of_one = differences(type_, actual, (*path, f"{VARIANT}{index}"))
        if not of_one:
            return []
        found.append(of_one)
    joined = join(len(path), found, "size")
    if isinstance(whole, m.TypeAliasType) and len(joined) == 1:
        return [Difference("type", path, whole, actual)]
    return joined


def join(position: int, found: Sequence[list[Difference]], number: Kind) -> list[Difference]:
    """Return the differences from several types as one, if all are of one kind and at one place."""
    every = [item for of_one in found for item in of_one]
    for kinds in ((number,), *JOINED_KINDS):
        same = [item for item in every if item.kind in kinds]
        if len(same) == len(found) and len({item.place for item in same}) == 1:
            every = [reduce(united, same)]
            break
    unique = list(
        {(item.kind, item.place, item.expected, item.actual): item for item in every}.values()
    )
    return [unique[0].without(position)] if len(unique) == 1 else unique


def united(first: Difference, second: Difference) -> Difference:
    """Return two differences of one kind and place as one: from the wider bounds, or from any type."""
    if first.kind in ("size", "count"):
        (low, high), (least, most) = first.expected, second.expected
        wider = None if high is None or most is None else max(high, most)
        return replace(first, expected=(min(low, least), wider))
    if first.kind in ("block", "no block"):
        return first
    types = dict.fromkeys((*members(first.expected), *members(second.expected)))
    expected = normalize(m.VariantType(tuple(types))) if len(types) > 1 else next(iter(types))
    return replace(first, expected=expected)


def members(type_: Type) -> tuple[Type, ...]:
    """Return the types of a Variant in its normal form; another type alone."""
    normal = normalize(type_)
    return normal.types if isinstance(normal, m.VariantType) else (normal,)


def struct_differences(expected: Any, whole: Type, actual: Type, path: Path) -> list[Difference]:
    """Return missing keys, wrong entries and unknown keys."""
    required = sum(not item.optional for item in expected.elements)
    bounds = required, len(expected.elements)
    if isinstance(actual, m.HashType):
        return sized(bounds, size_of(actual), path) or [
            Difference("type", path, whole, m.HashType(actual.key, actual.value))
        ]
    if not isinstance(actual, m.StructType):
        return [Difference("type", path, whole, actual)]
    found = []
    for item in expected.elements:
        entry = actual.element(item.name)
        if entry is not None:
            if not is_assignable(item.type, entry.type):
                found += differences(item.type, entry.type, (*path, f"entry '{item.name}'"))
        elif not item.optional:
            found.append(Difference("key", path, item.name))
    known = {item.name for item in expected.elements}
    extra = [item.name for item in actual.elements if item.name not in known]
    return [*found, *(Difference("unknown", path, name) for name in extra)]


def hash_differences(expected: Any, whole: Type, actual: Type, path: Path) -> list[Difference]:
    """Return the difference of the size, else those of keys and values."""
    if isinstance(actual, m.HashType):
        return sized(size_of(expected), size_of(actual), path) or [
            Difference("type", path, whole, m.HashType(actual.key, actual.value))
        ]
    if not isinstance(actual, m.StructType):
        return [Difference("type", path, whole, actual)]
    wrong_size = sized(size_of(expected), (actual.required, len(actual.elements)), path)
    if wrong_size:
        return wrong_size
    found = []
    for item in actual.elements:
        key = m.StringType(value=item.name)
        if not is_assignable(expected.key, key):
            found += differences(expected.key, key, (*path, f"key of entry '{item.name}'"))
        if not is_assignable(expected.value, item.type):
            found += differences(expected.value, item.type, (*path, f"entry '{item.name}'"))
    return found


def array_differences(expected: Any, whole: Type, actual: Type, path: Path) -> list[Difference]:
    """Return the difference of the size, else those of the elements."""
    if isinstance(actual, m.ArrayType):
        return sized(size_of(expected), size_of(actual), path) or [
            Difference("type", path, whole, m.ArrayType(actual.element))
        ]
    if not isinstance(actual, m.TupleType):
        return [Difference("type", path, whole, actual)]
    return sized(size_of(expected), actual.bounds, path) or [
        item
        for index, type_ in enumerate(actual.types)
        if not is_assignable(expected.element, type_)
        for item in differences(expected.element, type_, (*path, f"index {index}"))
    ]


def tuple_differences(
    expected: Any, whole: Type, actual: Type, path: Path, number: Kind = "size"
) -> list[Difference]:
    """Return the difference of the size, else those of the elements."""
    if expected == actual or (not expected.types and isinstance(actual, m.ArrayType)):
        return []
    if isinstance(actual, m.TupleType):
        slots, bounds = expected.types and actual.types, actual.bounds
    elif isinstance(actual, m.ArrayType):
        slots, bounds = (actual.element,) * len(expected.types), size_of(actual)
    else:
        return [Difference("type", path, whole, actual)]
    last = len(expected.types) - 1
    return sized(expected.bounds, bounds, path, number) or [
        item
        for index, type_ in enumerate(slots)
        for item in differences(
            expected.types[min(index, last)], type_, (*path, f"index {min(index, last)}")
        )
    ]


def callable_differences(expected: Any, whole: Type, actual: Type, path: Path) -> list[Difference]:
    """Return the differences of parameters, else of the returned type, else of the block."""
    if not isinstance(actual, CallableType):
        return [Difference("type", path, whole, actual)]
    if expected.parameters is None:
        return []
    wanted, offered = parameters_of(expected), parameters_of(actual)
    found = tuple_differences(wanted, wanted, offered, path, "count")
    if found:
        return found
    returned = expected.return_type or m.ANY, actual.return_type or m.ANY
    if not is_assignable(*returned):
        return [Difference("type", (*path, "return"), *returned)]
    blocks = expected.block or m.UNDEF, actual.block or m.UNDEF
    return (
        []
        if is_assignable(blocks[1], blocks[0])
        else [Difference("type", (*path, "block"), *blocks)]
    )


def parameters_of(type_: CallableType) -> m.TupleType:
    """Return the types of the parameters of a Callable as a Tuple."""
    return m.TupleType(type_.parameters or (), type_.low or 0, type_.high)


def size_of(type_: Any) -> Bounds:
    """Return the bounds of the size of an Array or Hash."""
    return type_.low or 0, type_.high


def sized(expected: Bounds, actual: Bounds, path: Path, kind: Kind = "size") -> list[Difference]:
    """Return the difference of two sizes, if the second is not within the first."""
    return [] if range_within(*expected, *actual) else [Difference(kind, path, expected, actual)]


RULES: dict[type[Type], Callable[[Any, Type, Type, Path], list[Difference]]] = {
    m.VariantType: variant_differences,
    m.StructType: struct_differences,
    m.HashType: hash_differences,
    m.TupleType: tuple_differences,
    m.ArrayType: array_differences,
    CallableType: callable_differences,
}


# -- texts of one difference ----------------------------------------------------------------------


def type_text(expected: Type, actual: Type) -> str:
    """Return the text ``expects an Integer value, got String``."""
    expected, actual = normalize(expected), normalize(actual)
    optional = isinstance(expected, m.OptionalType) and expected.type is not None
    if isinstance(expected, m.OptionalType) and optional:
        expected = expected.inner
    types = expected.types if isinstance(expected, m.VariantType) else (expected,)
    if any(in_detail(type_, actual) for type_ in types):
        names, got = list(map(expanded, types)), detailed(types, actual)
    else:
        names, got = list(dict.fromkeys(map(short_name, types))), short_name(actual)
    if optional:
        names.insert(0, "Undef")
    if len(names) == 1:
        return f"expects {article(names[0])} {names[0]} value, got {got}"
    return f"expects a value of type {any_of(names)}, got {got}"


def match_text(expected: Type, actual: Type) -> str:
    """Return the text ``expects a match for Enum['a'], got 'b'``."""
    expected = normalize(expected)
    offered = ""
    if isinstance(expected, m.OptionalType) and expected.type is not None:
        expected, offered = expected.inner, "an undef value or "
    text = isinstance(actual, m.StringType) and actual.value is not None
    got = f"'{actual.value}'" if isinstance(actual, m.StringType) and text else short_name(actual)
    return f"expects {offered}a match for {expanded(expected)}, got {got}"


def count_text(expected: Bounds, actual: Bounds) -> str:
    """Return the text ``expects 2 arguments, got 1``."""
    noun = "argument" if expected in ((1, 1), (1, None), (0, 1)) else "arguments"
    return f"expects {span(expected, 'no')} {noun}, got {span(actual, 'none')}"


def span(bounds: Bounds, none: str) -> str:
    """Return the text ``2``, ``at least 2``, ``at most 3``, ``between 2 and 3``."""
    low, high = bounds
    if low == high:
        return str(low or none)
    if low == 0:
        return "unlimited" if high is None else f"at most {high}"
    return f"at least {low}" if high is None else f"between {low} and {high}"


def any_of(names: Sequence[str]) -> str:
    """Return the text ``A, B, or C``."""
    if len(names) < 3:
        return " or ".join(names)
    return ", ".join(names[:-1]) + f", or {names[-1]}"


def article(name: str) -> str:
    """Return the article of a name, as Puppet chooses it."""
    return "an" if name[:1] in "AEIOUYaeiouy" else "a"


def in_detail(expected: Type, actual: Type) -> bool:
    """Return whether a text shows the parameters of types: their kinds are alike."""
    return alike(expected, actual) or is_assignable(bare(resolved(expected)), actual)


def alike(expected: Type, actual: Type) -> bool:
    """Return whether two types are of one kind, or one is an alias."""
    return (
        expected.__class__ is actual.__class__
        or isinstance(expected, m.TypeAliasType)
        or isinstance(actual, m.TypeAliasType)
        or (isinstance(expected, m.StructType) and isinstance(actual, m.HashType))
        or (isinstance(expected, m.TupleType) and isinstance(actual, m.ArrayType))
    )


def detailed(types: Iterable[Type], actual: Type) -> str:
    """Return the found type: with its parameters, unless its kind alone is wrong already."""
    known = list(map(resolved, types))
    general = generalize(actual)
    if any(alike(type_, actual) or is_assignable(type_, general) for type_ in known):
        return expanded(actual)
    return own_name(actual)


def resolved(type_: Type) -> Type:
    """Return the definition of an alias; another type as it is."""
    while isinstance(type_, m.TypeAliasType) and type_.definition is not None:
        type_ = type_.definition
    return type_


def bare(type_: Type) -> Type:
    """Return a type without its parameters; an object or a reference as it is."""
    if isinstance(type_, m.ObjectType | m.TypeReferenceType | m.TypeAliasType):
        return type_
    return type_.__class__()


def short_name(type_: Type) -> str:
    """Return a type without its parameters; a wrapped type with the name of the type inside."""
    inside = getattr(type_, "type", None) if isinstance(type_, m.Wrapper | m.InitType) else None
    name = own_name(type_)
    return name if inside is None or inside == m.ANY else f"{name}[{own_name(inside)}]"


def own_name(type_: Type) -> str:
    """Return the name of an alias or object, else that of the kind of a type."""
    if isinstance(type_, m.TypeAliasType | m.ObjectType) and type_.name:
        return type_.name
    return type_.__class__.__name__.removesuffix("Type")


def expanded(type_: Type) -> str:
    """Return a type as text; each alias in it stands with its definition.

    >>> port = m.TypeAliasType("Port", m.IntegerType(1, 9))
    >>> expanded(m.ArrayType(port))
    'Array[Port = Integer[1, 9]]'
    """

    def with_definition(found: Any) -> Type:
        if not isinstance(found, m.TypeAliasType) or found.builtin or found.definition is None:
            whole: Type = found
            return whole
        return spelled(found, frozenset())

    return inner(replace_aliases(type_, with_definition))
