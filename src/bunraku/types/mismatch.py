"""Why a value is not of a type, in words that lead to the culprit.

A description has the path (argument, entry, index), the expected type and the actual value;
if several types are possible, the nearest to the value is examined.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from bunraku.base.errors import Words, puppet_words
from bunraku.base.records import record, replace
from bunraku.base.suggestions import closest
from bunraku.types import model as m
from bunraku.types.model import CallableType, Type
from bunraku.types.relations.assignable import is_assignable, range_within
from bunraku.types.relations.common import generalize
from bunraku.types.relations.infer import infer_detailed
from bunraku.types.relations.instance import block_fits, is_instance
from bunraku.types.relations.overlap import can_overlap
from bunraku.types.text.display import inner, literal, quote

Value = Any
Path = tuple[str, ...]


@record(frozen=True)
class Mismatch:
    """One mismatch: its path, and its description."""

    path: Path
    text: str

    def __str__(self) -> str:
        return " ".join((*self.path, self.text))


def describe_mismatch(subject: str, expected: Type, actual: Value) -> Words:
    """Return the text that explains why a value, or a type as ``ActualType``, does not match.

    >>> from bunraku.types.parse import parse_type
    >>> describe_mismatch("parameter 'a'", parse_type("Struct[{x => Integer}]"), {"x": "1"})
    "parameter 'a' entry 'x' expects an Integer value, got String"
    """
    given = actual.type if isinstance(actual, ActualType) else infer_detailed(actual)
    path = (subject,) if subject else ()
    text = joined(mismatches(expected, given, path)) or str(plain(expected, given, path))

    def in_puppet() -> str:
        from bunraku.types import mismatch_words

        return mismatch_words.mismatch(subject, expected, given)

    return Words(text, in_puppet)


def parameter_mismatch(subject: str, expected: Type, actual: Value) -> Words | None:
    """Describe why a parameter cannot have a value, or return None: see :func:`mismatches`.

    >>> from bunraku.types.parse import parse_type
    >>> parameter_mismatch("parameter 'a'", parse_type("Integer"), "1")
    "parameter 'a' expects an Integer value, got String"
    >>> parameter_mismatch("parameter 'a'", parse_type("Array[Optional]"), ["1"])
    """
    given = infer_detailed(actual)
    text = joined(mismatches(expected, given, (subject,)))

    def in_puppet() -> str:
        from bunraku.types import mismatch_words

        return mismatch_words.mismatch_lines(subject, expected, given)

    return Words(text, in_puppet) if text else None


def joined(found: Iterable[Mismatch]) -> str:
    """Return mismatches as lines, each once."""
    return "\n".join(dict.fromkeys(map(str, found)))


@record(frozen=True)
class ActualType:
    """Stands for some value of a type, where only the type is known."""

    type: Type


# -- one type against another --------------------------------------------------------------------


def mismatches(expected: Type, actual: Type, path: Path) -> Iterator[Mismatch]:
    """Yield the mismatches between the expected and the actual type.

    A bare Optional or Variant has nothing to describe. Classes, defined types and templates accept
    values without a description, so their parameters of such types take any value, as in Puppet.
    """
    if is_assignable(expected, actual) and not claims_too_much(expected):
        return
    match expected:
        case m.TypeAliasType(definition=definition) if definition is not None:
            yield from alias_mismatches(expected, definition, actual, path)
        case m.OptionalType() if expected.type is not None:
            yield from optional_mismatches(expected, actual, path)
        case m.NotUndefType(type=inside) if inside is not None and not is_undef(actual):
            yield from mismatches(inside, actual, path)
        case m.OptionalType() | m.VariantType(types=()):
            return
        case m.VariantType(types=types):
            yield from variant_mismatches(expected, types, actual, path)
        case m.StructType():
            yield from struct_mismatches(expected, actual, path)
        case m.HashType():
            yield from hash_mismatches(expected, actual, path)
        case m.ArrayType() | m.TupleType():
            yield from array_mismatches(expected, actual, path)
        case m.SensitiveType() if isinstance(actual, m.SensitiveType):
            yield from mismatches(expected.inner, actual.inner, (*path, "unwrapped"))
        case _:
            yield plain(expected, actual, path)


def is_undef(type_: Type) -> bool:
    """Return whether a type is that of undef."""
    return isinstance(type_, m.UndefType)


def plain(expected: Type, actual: Type, path: Path) -> Mismatch:
    """Return the mismatch ``expects a T value, got U``."""
    match expected:
        case m.EnumType() | m.PatternType():
            text = f"expects a match for {inner(expected)}, got {shown(expected, actual)}"
            return Mismatch(path, text + suggestion(expected, actual))
        case m.TypeType():
            return Mismatch(path, f"expects a {inner(expected)} value, got {inner(actual)}")
    return Mismatch(path, f"expects {a_value(expected)}, got {shown(expected, actual)}")


def a_value(type_: Type) -> str:
    """Return the text ``an Integer value``, ``a value of type A or B``."""
    if isinstance(type_, m.VariantType | m.OptionalType):
        return "a value of type " + any_of(members(type_))
    name = inner(type_)
    return f"an {name} value" if name[:1] in "AEIOU" else f"a {name} value"


def members(type_: Type) -> list[Type]:
    """Return the types that a Variant or Optional is made of, in order."""
    match type_:
        case m.OptionalType():
            return [m.UNDEF, *members(type_.inner)]
        case m.VariantType(types=types) if types:
            return [item for option in types for item in members(option)]
    return [type_]


def any_of(types: Sequence[Type]) -> str:
    """Return the text ``A, B, or C``."""
    names = list(dict.fromkeys(map(inner, types)))
    if len(names) < 3:
        return " or ".join(names)
    return ", ".join(names[:-1]) + f", or {names[-1]}"


def shown(expected: Type, actual: Type) -> str:
    """Return the actual type for a message: the value itself if its kind is right."""
    if isinstance(actual, m.StringType) and actual.value is not None:
        if isinstance(expected, m.EnumType | m.PatternType | m.StringType):
            return quote(actual.value)
        return "String"
    if isinstance(actual, m.RuntimeType):
        return "Runtime"
    if isinstance(actual, m.IntegerType | m.FloatType) and expected.__class__ is actual.__class__:
        return literal(actual.low) if actual.low == actual.high else inner(actual)
    if isinstance(actual, m.BooleanType) and isinstance(expected, m.BooleanType):
        return literal(actual.value)
    if (
        isinstance(actual, m.TupleType | m.StructType)
        and expected.__class__ is not actual.__class__
    ):
        return "Array" if isinstance(actual, m.TupleType) else "Hash"
    if isinstance(actual, m.ArrayType) and actual.high == 0:
        return "an empty Array" if isinstance(expected, m.ArrayType) else "Array"
    if isinstance(actual, m.HashType) and actual.high == 0:
        return "Hash"
    if expected.__class__ is actual.__class__:
        return inner(actual)
    return inner(generalize(actual))


def suggestion(expected: Type, actual: Type) -> str:
    """Return a string of the Enum that is similar to the wrong one."""
    if not isinstance(expected, m.EnumType) or not isinstance(actual, m.StringType):
        return ""
    return meant(actual.value or "", expected.values)


def meant(name: str, known: Iterable[str]) -> str:
    """Return the question, in parentheses, that names the closest known name; or nothing."""
    close = closest(name, known)
    return f" (did you mean {quote(close[0])}?)" if close else ""


def alias_mismatches(
    alias: m.TypeAliasType, definition: Type, actual: Type, path: Path
) -> Iterator[Mismatch]:
    """Yield the mismatches of the definition; those at its top also name the alias."""
    for item in mismatches(definition, actual, path):
        if item.path == path and item.text.startswith("expects ") and not alias.builtin:
            yield Mismatch(path, f"{item.text} ({alias.name} = {inner(definition)})")
        else:
            yield item


def optional_mismatches(expected: m.OptionalType, actual: Type, path: Path) -> Iterator[Mismatch]:
    """Yield the mismatches of the inner type; those at its top also offer undef."""
    found = list(mismatches(expected.inner, actual, path))
    if any(item.path != path for item in found):
        yield from found
    elif isinstance(expected.inner, m.EnumType | m.PatternType):
        offered = f"Undef or a match for {inner(expected.inner)}"
        got = shown(expected.inner, actual) + suggestion(expected.inner, actual)
        yield Mismatch(path, f"expects {offered}, got {got}")
    else:
        alias = expected.inner if isinstance(expected.inner, m.TypeAliasType) else None
        known = None if alias is None or alias.builtin else alias.definition
        text = f"expects {a_value(expected)}, got {shown(known or expected.inner, actual)}"
        named = f" ({inner(expected.inner)} = {inner(known)})" if known is not None else ""
        yield Mismatch(path, text + named)


def variant_mismatches(
    expected: Type, types: tuple[Type, ...], actual: Type, path: Path
) -> Iterator[Mismatch]:
    """Yield the mismatches of the clearly nearest type, otherwise one mismatch with all types."""
    options = [item for item in types if not is_bare_optional(item)]
    described = [list(mismatches(item, actual, path)) for item in options]
    if not all(described):
        return
    near = [
        found
        for found in described
        if any(len(item.path) > len(path) or is_partial(item) for item in found)
    ]
    if near:
        yield from min(near, key=len)
        return
    strings = [item for item in members(expected) if isinstance(item, m.EnumType)]
    hint = suggestion(strings[0], actual) if strings else ""
    kind = strings[0] if strings else expected
    yield Mismatch(path, f"expects {a_value(expected)}, got {shown(kind, actual)}{hint}")


def claims_too_much(type_: Type) -> bool:
    """Return whether a type is assignable from types of values that are not instances of it.

    A bare Enum is, and a Variant with a bare Optional, also within other types of single values.
    """
    match type_:
        case m.TypeAliasType(definition=definition) if definition is not None:
            return claims_too_much(definition)
        case m.EnumType(values=values):
            return not values
        case m.OptionalType(type=inside) | m.NotUndefType(type=inside) if inside is not None:
            return claims_too_much(inside)
        case m.TupleType(types=types):
            return any(map(claims_too_much, types))
        case m.VariantType(types=types):
            return any(is_bare_optional(item) or claims_too_much(item) for item in types)
    return False


def is_bare_optional(type_: Type) -> bool:
    """Return whether a type is the bare Optional, which accepts only undef in a Variant."""
    return isinstance(type_, m.OptionalType) and type_.type is None


def is_partial(found: Mismatch) -> bool:
    """Return whether a mismatch is inside a value whose kind is right."""
    return found.text.startswith(("expects a value for key", "unrecognized key", "expects size"))


# -- containers ----------------------------------------------------------------------------------


def struct_mismatches(expected: m.StructType, actual: Type, path: Path) -> Iterator[Mismatch]:
    """Yield the mismatches of missing keys, unknown keys and wrong entries."""
    if not isinstance(actual, m.StructType):
        if isinstance(actual, m.HashType) and actual.high == 0:
            actual = m.StructType()
        else:
            yield plain(expected, actual, path)
            return
    known = {item.name for item in expected.elements}
    for item in expected.elements:
        given = actual.element(item.name)
        if given is not None:
            yield from mismatches(item.type, given.type, (*path, f"entry {quote(item.name)}"))
        elif not item.optional:
            yield Mismatch(path, f"expects a value for key {quote(item.name)}")
    for item in actual.elements:
        if item.name not in known:
            hint = meant(item.name, known)
            yield Mismatch(path, f"unrecognized key {quote(item.name)}{hint}")


def hash_mismatches(expected: m.HashType, actual: Type, path: Path) -> Iterator[Mismatch]:
    """Yield the mismatches of size, keys and values."""
    if isinstance(actual, m.StructType):
        size = size_mismatch(expected, actual.required, len(actual.elements), path)
        if size is not None:
            yield size
        for item in actual.elements:
            place = f"entry {quote(item.name)}"
            key = m.StringType(value=item.name)
            yield from mismatches(expected.key, key, (*path, f"key of {place}"))
            yield from mismatches(expected.value, item.type, (*path, place))
        return
    if not isinstance(actual, m.HashType):
        yield plain(expected, actual, path)
        return
    size = size_mismatch(expected, actual.minimum, actual.high, path)
    if size is not None:
        yield size
        return
    yield from mismatches(expected.key, actual.key, (*path, "hash key"))
    yield from mismatches(expected.value, actual.value, (*path, "hash value"))


def array_mismatches(expected: Any, actual: Type, path: Path) -> Iterator[Mismatch]:
    """Yield the mismatches of size and elements."""
    if not isinstance(actual, m.ArrayType | m.TupleType):
        yield plain(expected, actual, path)
        return
    low, high = actual.bounds if isinstance(actual, m.TupleType) else (actual.minimum, actual.high)
    size = size_mismatch(expected, low, high, path)
    if size is not None:
        yield size
        return
    if isinstance(actual, m.ArrayType):
        slots = expected.types if isinstance(expected, m.TupleType) else (expected.element,)
        for slot in slots:
            yield from mismatches(slot, actual.element, (*path, "element"))
        return
    for index, item in enumerate(actual.types):
        if isinstance(expected, m.TupleType):
            if not expected.types:
                return
            slot = expected.types[min(index, len(expected.types) - 1)]
        else:
            slot = expected.element
        yield from mismatches(slot, item, (*path, f"index {index}"))


def size_mismatch(expected: Any, low: int, high: int | None, path: Path) -> Mismatch | None:
    """Return the mismatch ``expects size to be at least 1, got 0``, if any."""
    least, most = (
        expected.bounds if isinstance(expected, m.TupleType) else (expected.minimum, expected.high)
    )
    if range_within(least, most, low, high):
        return None
    given = str(low) if low == high else f"{low} to {'any' if high is None else high}"
    return Mismatch(path, f"expects size to be {counted(least, most)}, got {given}")


def counted(low: int, high: int | None) -> str:
    """Return the text ``2``, ``at least 2``, ``at most 3``, ``between 2 and 3``."""
    if high is None:
        return f"at least {low}"
    if low == high:
        return str(low)
    return f"at most {high}" if low == 0 else f"between {low} and {high}"


# -- calls ---------------------------------------------------------------------------------------


def describe_call(
    name: str,
    signatures: Sequence[CallableType],
    arguments: Sequence[Value],
    block: CallableType | None = None,
) -> Words:
    """Return the text that explains why no signature matches the arguments.

    Arguments are values, or :class:`ActualType` where only their types are known.
    """
    text = call_text(name, signatures, arguments, block)

    def in_puppet() -> str:
        from bunraku.types import mismatch_words

        return mismatch_words.call(name, signatures, arguments, block)

    return Words(text, in_puppet)


def call_text(
    name: str,
    signatures: Sequence[CallableType],
    arguments: Sequence[Value],
    block: CallableType | None,
) -> str:
    """Return bunraku's text for a call that no signature matches."""
    if len(signatures) == 1:
        found = call_mismatches(signatures[0], arguments, block)
        return "\n".join(f"'{name}' {item}" for item in found)
    wanted = [block_parameters(item, arguments) for item in signatures]
    if block is not None and all(wanted) and not any(takes(block, count) for count in wanted):
        counts = " or ".join(map(str, sorted({low for low, _ in filter(None, wanted)})))
        expected = counted_arguments(block.low or 0, block.high)
        return f"'{name}' block expects {expected} arguments, but is called with {counts}"
    common = common_problem(signatures, arguments, block)
    if common is not None:
        return f"'{name}' {common}"
    lines = [
        f"The function '{name}' was called with arguments it does not accept. It expects one of:"
    ]
    for signature in nearest_first(signatures, arguments):
        lines.append(f"  ({signature_text(signature)})")
        rejected = call_mismatches(signature, arguments, block)
        lines.extend(f"    rejected: {item}" for item in rejected)
    return "\n".join(lines)


Count = tuple[int, int | None]


def fits(argument: Value, expected: Type) -> bool:
    """Return whether an argument is of a type; one whose type alone is known, whether it may be."""
    if isinstance(argument, ActualType):
        return can_overlap(expected, argument.type)
    return is_instance(argument, expected)


def common_problem(
    signatures: Sequence[CallableType], arguments: Sequence[Value], block: CallableType | None
) -> str | None:
    """Return the problem that all signatures have, as one; None where they differ.

    Such a part is the number of arguments, a missing block, or the type of the same parameter.
    """
    count = len(arguments)
    counts = [(item.low or 0, item.high) for item in signatures if item.parameters is not None]
    wrong = [bounds for bounds in counts if not range_within(*bounds, count, count)]
    if len(wrong) == len(signatures):
        low = min(low for low, _ in wrong)
        bounded = [high for _, high in wrong if high is not None]
        return wrong_count(low, max(bounded) if len(bounded) == len(wrong) else None, count)
    if block is None and not any(block_fits(item.block, None) for item in signatures):
        return "expects a block"
    if wrong:
        return None
    misfits = [
        (argument_name(item, position), position, item.parameter(position))
        for item in signatures
        for position, argument in enumerate(arguments)
        if not fits(argument, item.parameter(position))
    ]
    if len(misfits) != len(signatures) or len({misfit[:2] for misfit in misfits}) != 1:
        return None
    name, position, _ = misfits[0]
    types = tuple(dict.fromkeys(type_ for *_, type_ in misfits))
    expected = types[0] if len(types) == 1 else m.VariantType(types)
    return describe_mismatch(name, expected, arguments[position])


def wrong_count(low: int, high: int | None, count: int) -> str:
    """Return the problem of a number of arguments: ``expects 2 arguments, got none``."""
    noun = "argument" if (low, high) in ((1, 1), (1, None), (0, 1)) else "arguments"
    return f"expects {counted_arguments(low, high)} {noun}, got {count or 'none'}"


def block_parameters(signature: CallableType, arguments: Sequence[Value]) -> Count | None:
    """Return the number of block arguments of a function that accepts the other arguments."""
    block = (
        signature.block.inner if isinstance(signature.block, m.OptionalType) else signature.block
    )
    if not isinstance(block, CallableType) or block.parameters is None:
        return None
    fitting = callable_with(replace(signature, block=None), arguments)
    return (block.low or 0, block.high) if fitting else None


def takes(block: CallableType, count: Count | None) -> bool:
    """Return whether a block can be called with this number of arguments."""
    return count is not None and range_within(block.low or 0, block.high, *count)


def nearest_first(
    signatures: Sequence[CallableType], arguments: Sequence[Value]
) -> list[CallableType]:
    """Return the signatures; those that accept the number of arguments come first."""
    count = len(arguments)
    return sorted(
        signatures, key=lambda item: not range_within(item.low or 0, item.high, count, count)
    )


def call_mismatches(
    signature: CallableType, arguments: Sequence[Value], block: CallableType | None
) -> list[str]:
    """Return descriptions of the mismatches in the arguments of a call."""
    count = len(arguments)
    low, high = signature.low or 0, signature.high
    if signature.parameters is not None and not range_within(low, high, count, count):
        return [wrong_count(low, high, count)]
    found: list[str] = []
    for position, argument in enumerate(arguments):
        expected = signature.parameter(position)
        if not fits(argument, expected):
            found.append(describe_mismatch(argument_name(signature, position), expected, argument))
    return found or block_mismatches(signature.block, block)


def counted_arguments(low: int, high: int | None) -> str:
    """Return the text ``2``, ``at least 1``, ``between 1 and 3``, ``no``."""
    if (low, high) == (0, 0):
        return "no"
    return counted(low, high)


def argument_name(signature: CallableType, position: int) -> str:
    """Return ``parameter 'x'``, or its position if its name is unknown."""
    names = signature.names
    if not names:
        return f"argument {position + 1}"
    return f"parameter '{names[min(position, len(names) - 1)]}'"


def block_mismatches(expected: Type | None, block: CallableType | None) -> list[str]:
    """Return descriptions of the mismatches in the block of a call."""
    if block_fits(expected, block):
        return []
    if expected is None:
        return ["does not take a block"]
    if block is None:
        return ["expects a block"]
    wanted = expected.inner if isinstance(expected, m.OptionalType) else expected
    if isinstance(wanted, CallableType) and wanted.parameters is not None:
        low, high = wanted.low or 0, wanted.high
        if not range_within(block.low or 0, block.high, low, high):
            takes = counted_arguments(block.low or 0, block.high)
            return [f"block expects {takes} arguments, but is called with {counted(low, high)}"]
        return [
            f"block parameter {index + 1} expects {a_value(block.parameter(index))}, "
            f"but is given {inner(item)}"
            for index, item in enumerate(wanted.parameters)
            if not is_assignable(block.parameter(index), item)
        ] or [f"expects a block of type {inner(expected)}, got {inner(block)}"]
    return [f"expects a block of type {inner(expected)}, got {inner(block)}"]


def signature_text(signature: CallableType) -> str:
    """Return a parameter list: ``Integer $a, String $b = ?, Callable &$block``."""
    if signature.parameters is None:
        return "Any *$arguments"
    names = signature.names or tuple(f"p{n + 1}" for n in range(len(signature.parameters)))
    low = signature.low or 0
    parts = []
    for position, type_ in enumerate(signature.parameters):
        last = position == len(signature.parameters) - 1
        repeats = last and (signature.high is None or signature.high > position + 1)
        mark = "*" if repeats else ""
        optional = " = …" if position >= low and not repeats else ""
        parts.append(f"{inner(type_)} {mark}${names[position]}{optional}")
    if signature.block is not None:
        parts.append(f"{inner(signature.block)} &$block")
    return ", ".join(parts)


def callable_with(
    signature: CallableType, arguments: Sequence[Value], block: CallableType | None = None
) -> bool:
    """Return whether a callable can be called with these arguments and block."""
    count = len(arguments)
    if signature.parameters is not None:
        if not range_within(signature.low or 0, signature.high, count, count):
            return False
        for position, argument in enumerate(arguments):
            if not fits(argument, signature.parameter(position)):
                return False
    return block_fits(signature.block, block)


# -- parameters by name --------------------------------------------------------------------------


def unknown_parameter(name: str, known: Iterable[str]) -> Words:
    """Return the problem of a parameter that does not exist.

    >>> unknown_parameter("server", ["servers", "iburst"])
    "has no parameter named 'server' (did you mean 'servers'?)"
    """
    text = f"has no parameter named '{name}'"
    return Words(f"{text}{meant(name, known)}", lambda: text)


def with_problems(subject: str, problems: Sequence[str]) -> Words:
    """Return a subject and its problems, on the same line or one per line."""

    def in_puppet() -> str:
        return with_lines(subject, [str(puppet_words(item)) for item in problems])

    return Words(with_lines(subject, problems), in_puppet)


def with_lines(subject: str, problems: Iterable[str]) -> str:
    """Return a subject and the lines of its problems."""
    lines = [line for item in problems for line in item.split("\n")]
    if len(lines) == 1:
        return f"{subject}: {lines[0]}"
    return "\n  ".join([f"{subject}:", *lines])
