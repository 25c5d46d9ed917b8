"""Types with parameters in ``[…]``: ``Integer[1, 5]``, ``Struct[{…}]``, ``File['a', 'b']``."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from bunraku.base.errors import PuppetError, Words
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.types import issues
from bunraku.types import model as m
from bunraku.types.model import Type
from bunraku.types.parameters.objects import object_from, parameterize, type_set_from
from bunraku.types.parameters.times import time_from, uri_parts, version_range
from bunraku.types.relations.common import generalize
from bunraku.types.relations.infer import infer_generalized
from bunraku.types.relations.instance import is_instance
from bunraku.types.text.display import accepts_undef, display, literal
from bunraku.values.default import DEFAULT
from bunraku.values.keys import pairs
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.version import SemVerRange

Value = Any
Keys = list[Value]


WITHOUT_ARTICLE = frozenset(
    {"Array", "Hash", "Optional", "NotUndef", "Sensitive", "Iterable", "Iterator", "Type", "Init"}
)
"""Types that Puppet names without an article in one of its errors."""
EXPECTED_IN_PUPPET = {
    "a type": "Any-Type",
    "a title (String)": "a resource title String",
    "true or false": "TrueClass or FalseClass",
    "String, Regexp, or their types": "String or Regexp or Pattern-Type or Regexp-Type",
}
"""Puppet's words for the parameters that a type expects."""


class TypeLoader(Protocol):
    """A source of the types that modules define, and of resource types."""

    def load_type(self, name: str) -> Type | None:
        """Return the type of a name in any letter case, or None."""


def access_type(
    type_: Type,
    keys: Keys,
    loader: TypeLoader | None = None,  # noqa: ARG001 - names are types by now; part of the interface
) -> Value:
    """Return the parameterized type; several titles give an array of types.

    >>> access_type(m.IntegerType(), [1, 5])
    IntegerType(low=1, high=5)
    >>> access_type(m.ResourceType("file"), ["a", "b"])
    [ResourceType(type_name='file', title='a'), ResourceType(type_name='file', title='b')]
    """
    rule = RULES.get(type_.__class__)
    if rule is not None:
        return rule(keys)
    found = FURTHER.get(type_.__class__)
    if found is not None:
        return found(type_, keys)
    raise issues.OPERATOR_NOT_APPLICABLE(type=article(type_))


def display_name(type_: Type) -> str:
    """Return the name of a type without parameters."""
    if isinstance(type_, m.ResourceType) and type_.type_name is not None:
        return display(m.ResourceType(type_.type_name))
    if isinstance(type_, m.TypeAliasType):
        return type_.name
    return type_.__class__.__name__.removesuffix("Type")


def article(type_: Type) -> Words:
    """Return the name of a type with its indefinite article."""
    name, whole = display_name(type_), display(type_)
    words = f"{indefinite(whole)} {whole}-Type"
    return Words(f"{indefinite(name)} {name} type", lambda: words)


def indefinite(name: str) -> str:
    """Return the indefinite article of a name."""
    return "an" if name[:1] in "AEIOU" else "a"


def kind_of(value: Value) -> str:
    """Return a value's type in words, for messages."""
    return display(infer_generalized(value))


# -- checks --------------------------------------------------------------------------------------


def flat(keys: Keys) -> Keys:
    """Return the parameters with nested arrays flattened."""
    if not any(key.__class__ is list for key in keys):
        return keys
    found: Keys = []
    for key in keys:
        found.extend(flat(key) if key.__class__ is list else [key])
    return found


def check_parameter_count(name: str, keys: Keys, low: int, high: int | None) -> None:
    """Raise an error if there are too few or too many parameters."""
    if low <= len(keys) and (high is None or len(keys) <= high):
        return
    if high is None:
        expected = f"{low} or more"
    else:
        expected = str(low) if low == high else f"{low} to {high}"
    raise wrong_parameter_count(name, expected, len(keys))


def wrong_parameter_count(name: str, expected: str, count: int) -> PuppetError:
    """Return the error for too few or too many parameters."""
    label = f"{name}-Type" if name in WITHOUT_ARTICLE else f"{indefinite(name)} {name}-Type"
    wanted = f"{expected} argument{'' if expected == '1' else 's'}"
    return issues.BAD_TYPE_SLICE_ARITY(
        type=name,
        expected=expected,
        actual=count,
        label=label[0].upper() + label[1:],
        wanted=wanted,
    )


def type_key(name: str, key: Value) -> Type:
    """Return the parameter if it is a type; otherwise raise an error."""
    if isinstance(key, Type):
        return key
    raise issues.BAD_TYPE_SLICE_TYPE(type=name, actual=kind_of(key), expected="types").in_key(key)


def wrong_kind(name: str, key: Value, expected: str) -> PuppetError:
    """Return the error for a parameter of the wrong kind."""
    error = issues.BAD_TYPE_SPECIALIZATION(
        type=name,
        actual=kind_of(key),
        expected=Words(expected, lambda: EXPECTED_IN_PUPPET.get(expected, expected)),
        a_type=f"{indefinite(name)} {name}",
    )
    return error.in_key(key)


def is_size_key(key: Value) -> bool:
    """Return whether a parameter can be a size."""
    return key.__class__ is int or key is DEFAULT


def size_from(name: str, keys: Keys) -> tuple[int | None, int | None]:
    """Return a size from one Integer type, or one or two integers or default."""
    if not keys:
        return None, None
    if len(keys) == 1 and isinstance(keys[0], m.IntegerType):
        low, high = keys[0].low, keys[0].high
    else:
        for key in keys:
            if not is_size_key(key):
                kind = kind_of(key)
                error = issues.BAD_COLLECTION_SLICE_TYPE(
                    type=name, actual=kind, a_kind=f"{indefinite(kind)} {kind}"
                )
                raise error.in_key(key)
        low = None if keys[0] is DEFAULT else keys[0]
        high = None if len(keys) == 1 or keys[1] is DEFAULT else keys[1]
    low = max(low or 0, 0)
    check_range(low, high)
    return low, high


def check_range(low: Value, high: Value) -> None:
    """Raise an error if a range is empty."""
    if low is not None and high is not None and low > high:
        raise issues.EMPTY_RANGE(low=low, high=high)


# -- scalars -------------------------------------------------------------------------------------


def access_integer(keys: Keys) -> Type:
    """Return the type ``Integer[low, high]``."""
    low, high = limits("Integer", keys, frozenset({int}))
    return m.IntegerType(low, high)


def access_float(keys: Keys) -> Type:
    """Return the type ``Float[low, high]``; integers are taken as floats."""
    low, high = limits("Float", keys, frozenset({int, float}))
    return m.FloatType(None if low is None else float(low), None if high is None else float(high))


def limits(name: str, keys: Keys, allowed: frozenset[type]) -> tuple[Any, Any]:
    """Return the limits that one or two numbers or default give."""
    keys = flat(keys)
    if not 1 <= len(keys) <= 2:
        raise issues.BAD_INTEGER_SLICE_ARITY(type=name, actual=len(keys))
    for key in keys:
        if key is not DEFAULT and key.__class__ not in allowed:
            limits = "integers" if name == "Integer" else "floats, or integers"
            error = issues.BAD_INTEGER_SLICE_TYPE(type=name, actual=kind_of(key), limits=limits)
            raise error.in_key(key)
    low, high = (None if key is DEFAULT else key for key in [*keys, DEFAULT][:2])
    check_range(low, high)
    return low, high


def access_boolean(keys: Keys) -> Type:
    """Return the type ``Boolean[true]``."""
    keys = flat(keys)
    check_parameter_count("Boolean", keys, 1, 1)
    if keys[0].__class__ is not bool:
        raise wrong_kind("Boolean", keys[0], "true or false")
    return m.BooleanType(keys[0])


def access_string(keys: Keys) -> Type:
    """Return the type ``String[low, high]``, ``String[Integer[low, high]]``."""
    keys = flat(keys)
    if not 1 <= len(keys) <= 2:
        raise issues.BAD_STRING_SLICE_ARITY(actual=len(keys))
    return m.StringType(*size_from("String", keys))


def access_enum(keys: Keys) -> Type:
    """Return the type ``Enum['a', 'b', true]``."""
    keys = flat(keys)
    ignoring_case = bool(keys) and keys[-1].__class__ is bool and keys[-1]
    if keys and keys[-1].__class__ is bool:
        keys = keys[:-1]
    check_parameter_count("Enum", keys, 1, None)
    for key in keys:
        if key.__class__ is not str:
            raise wrong_kind("Enum", key, "String")
    return m.EnumType(tuple(sorted(set(keys))), ignoring_case)


def access_pattern(keys: Keys) -> Type:
    """Return the type ``Pattern[/a/, 'b', Pattern[/c/]]``."""
    keys = flat(keys)
    check_parameter_count("Pattern", keys, 1, None)
    found: list[str] = []
    for key in keys:
        if isinstance(key, m.PatternType):
            found.extend(key.patterns)
        elif isinstance(key, m.RegexpType):
            found.append(key.pattern or "")
        else:
            found.append(pattern_text("Pattern", key, "String, Regexp, or their types"))
    return m.PatternType(tuple(dict.fromkeys(found)))


def pattern_text(name: str, key: Value, expected: str) -> str:
    """Return the pattern of a string or regular expression; raise an error if it is invalid."""
    if key.__class__ is str:
        Regexp(key).compile()
        text: str = key
        return text
    if key.__class__ is Regexp:
        source: str = key.source_text()
        return source
    raise wrong_kind(name, key, expected)


def access_regexp(keys: Keys) -> Type:
    """Return the type ``Regexp[/a/]``."""
    keys = flat(keys)
    if len(keys) > 1:
        raise wrong_parameter_count("Regexp", "1", len(keys)).in_part("key", 1)
    check_parameter_count("Regexp", keys, 1, 1)
    return m.RegexpType(pattern_text("Regexp", keys[0], "String or Regexp"))


def access_semver(keys: Keys) -> Type:
    """Return the type ``SemVer['1.x', '3.x']``."""
    keys = flat(keys)
    check_parameter_count("SemVer", keys, 1, None)
    ranges = [version_range(key) for key in keys]
    for key, found in zip(keys, ranges, strict=True):
        if found is None:
            raise wrong_kind("SemVer", key, "String or SemVerRange")
    return m.SemVerType(SemVerRange.joined(ranges))


def access_times(name: str, cls: type, make: Callable[[Any, Any], Type]) -> Any:
    """Return the rule of Timespan or Timestamp: limits as times, numbers, texts or hashes."""

    def rule(keys: Keys) -> Type:
        keys = flat(keys)
        check_parameter_count(name, keys, 0, 2)
        low, high = (time_from(cls, key) for key in [*keys, DEFAULT, DEFAULT][:2])
        check_range(low, high)
        return make(low, high)

    return rule


def access_uri(keys: Keys) -> Type:
    """Return the type ``URI['http://host']``, ``URI[{ scheme => T }]``."""
    keys = flat(keys)
    check_parameter_count("URI", keys, 1, 1)
    parts = uri_parts(keys[0])
    if parts is None:
        raise issues.BAD_TYPE_SLICE_TYPE(
            type="URI", actual=kind_of(keys[0]), expected="a URI or a hash of its parts"
        ).in_key(keys[0])
    return m.URIType(parts)


# -- around types --------------------------------------------------------------------------------


def access_one(name: str, make: Callable[[Type], Type]) -> Any:
    """Return the rule of a type around one type."""

    def rule(keys: Keys) -> Type:
        keys = flat(keys)
        check_parameter_count(name, keys, 1, 1)
        return make(type_key(name, keys[0]))

    return rule


def access_optional(keys: Keys) -> Type:
    """Return the type ``Optional[T]``, ``Optional['text']``."""
    keys = flat(keys)
    check_parameter_count("Optional", keys, 1, 1)
    if keys[0].__class__ is str:
        return m.OptionalType(m.StringType(value=keys[0]))
    return m.OptionalType(type_key("Optional", keys[0]))


def access_not_undef(keys: Keys) -> Type:
    """Return the type ``NotUndef[T]``, ``NotUndef['text']``."""
    keys = flat(keys)
    check_parameter_count("NotUndef", keys, 0, 1)
    if not keys:
        return m.NotUndefType()
    if keys[0].__class__ is str:
        return m.NotUndefType(m.StringType(value=keys[0]))
    if not isinstance(keys[0], Type):
        raise issues.BAD_NOT_UNDEF_SLICE_TYPE(type="NotUndef", actual=kind_of(keys[0])).in_key(
            keys[0]
        )
    return m.NotUndefType(None if isinstance(keys[0], m.AnyType) else keys[0])


def access_variant(keys: Keys) -> Type:
    """Return ``Variant[A, B]`` with nested Variants flattened; return a single type itself."""
    keys = flat(keys)
    check_parameter_count("Variant", keys, 1, None)
    found: dict[Type, None] = {}
    for key in keys:
        if not isinstance(key, Type):
            raise wrong_kind("Variant", key, "a type")
        if isinstance(key, m.VariantType):
            found.update(dict.fromkeys(key.types))
        else:
            found[key] = None
    return next(iter(found)) if len(found) == 1 else m.VariantType(tuple(found))


def access_init(keys: Keys) -> Type:
    """Return the type ``Init[T, argument…]``."""
    return m.InitType(type_key("Init", keys[0]), tuple(keys[1:])) if keys else m.InitType()


# -- containers ----------------------------------------------------------------------------------


def access_array(keys: Keys) -> Type:
    """Return the type ``Array[T, low, high]``, ``Array[low, high]``."""
    keys = flat(keys)
    check_parameter_count("Array", keys, 1, 3)
    if len(keys) == 2 and all(map(is_size_key, keys)):
        low, high = size_from("Array", keys)
        return m.ArrayType(m.UNIT if high == 0 else m.ANY, low, high)
    if is_size_key(keys[0]) and len(keys) == 2:
        size_from("Array", keys)  # raises an error: the other key is not a size
    element = type_key("Array", keys[0])
    low, high = size_from("Array", keys[1:])
    return m.ArrayType(m.UNIT if high == 0 else element, low, high)


def access_hash(keys: Keys) -> Type:
    """Return the type ``Hash[K, V, low, high]``, ``Hash[low, high]``."""
    keys = flat(keys)
    if len(keys) == 2 and all(key.__class__ is int for key in keys):
        low, high = size_from("Hash", keys)
        inside = m.UNIT if high == 0 else m.ANY
        return m.HashType(inside, inside, low, high)
    for key in keys[:2]:
        type_key("Hash", key)
    check_parameter_count("Hash", keys, 2, 4)
    low, high = size_from("Hash", keys[2:])
    key, value = (m.UNIT, m.UNIT) if high == 0 else keys[:2]
    return m.HashType(key, value, low, high)


def access_collection(keys: Keys) -> Type:
    """Return the type ``Collection[low, high]``."""
    keys = flat(keys)
    check_parameter_count("Collection", keys, 1, 2)
    return m.CollectionType(*size_from("Collection", keys))


def split_size(keys: Keys) -> tuple[Keys, Keys]:
    """Return the types and the one or two sizes after them."""
    count = len(keys)
    while count and len(keys) - count < 2 and is_size_key(keys[count - 1]):
        count -= 1
    return keys[:count], keys[count:]


def access_tuple(keys: Keys) -> Type:
    """Return the type ``Tuple[A, B, low, high]``."""
    types, sizes = split_size(flat(keys))
    check_parameter_count("Tuple", types, 1, None)
    for key in types:
        if not isinstance(key, Type):
            raise wrong_kind("Tuple", key, "a type")
    return m.TupleType(tuple(types), *size_from("Tuple", sizes))


def access_struct(keys: Keys) -> Type:
    """Return the type ``Struct[{ a => T, Optional[b] => T, NotUndef[c] => T }]``."""
    check_parameter_count("Struct", keys, 1, 1)
    if keys[0].__class__ is not dict:
        raise wrong_kind("Struct", keys[0], "Hash")
    return m.StructType(tuple(struct_element(key, item) for key, item in pairs(keys[0])))


def struct_element(key: Value, value: Value) -> m.StructElement:
    """Return an element; ``Optional[…]`` or a type that accepts undef makes its key optional."""
    type_ = value if isinstance(value, Type) else infer_generalized(value)
    name, optional = struct_key(key)
    if optional is None:
        optional = accepts_undef(type_)
    return m.StructElement(name, type_, optional)


def struct_key(key: Value) -> tuple[str, bool | None]:
    """Return the name of a key, and whether it may be absent (None: as its type decides)."""
    if key.__class__ is str:
        if not key:
            raise issues.STRUCT_KEY_EMPTY()
        return key, None
    inner: Any = key
    optional: bool | None = None
    if isinstance(key, m.OptionalType | m.NotUndefType):
        inner, optional = key.type, isinstance(key, m.OptionalType)
    if isinstance(inner, m.StringType) and inner.value is not None:
        return inner.value, optional
    if isinstance(inner, m.EnumType) and len(inner.values) == 1:
        return inner.values[0], optional
    raise issues.STRUCT_KEY_TYPE(actual=kind_of(key))


# -- callables -----------------------------------------------------------------------------------


def access_callable(keys: Keys) -> Type:
    """Return the type ``Callable[A, low, high, Block]``, ``Callable[[A], R]``."""
    check_parameter_count("Callable", keys, 1, None)
    returned: Type | None = None
    if keys[0].__class__ is list:
        check_parameter_count("Callable", keys, 2, 2)
        returned = type_key("Callable", keys[1])
        returned = None if isinstance(returned, m.AnyType) else returned
        keys = keys[0]
    block: Type | None = None
    if keys and is_block_type(keys[-1]):
        block, keys = keys[-1], keys[:-1]
    types, sizes = split_size(keys)
    parameters = tuple(map(parameter_type, types))
    if not sizes:
        return m.CallableType(parameters, block=block, return_type=returned)
    low, high = size_from(
        "Callable", [max(key, 0) if key.__class__ is int else key for key in sizes]
    )
    return m.CallableType(parameters, low, high, block, returned, size_shown=True)


def parameter_type(key: Value) -> Type:
    """Return the type of a parameter: a value means its own type, a string a class of Ruby."""
    if isinstance(key, Type):
        return key
    if key.__class__ is str:
        return access_runtime(["ruby", key])
    return m.RegexpType(key.source_text()) if key.__class__ is Regexp else infer_generalized(key)


def is_block_type(key: Value) -> bool:
    """Return whether a parameter is a block type: Callable, an Optional or a Variant of it."""
    match m.resolved(key):
        case m.CallableType():
            return True
        case m.OptionalType(type=inner):
            return is_block_type(inner)
        case m.VariantType(types=options):
            return all(map(is_block_type, options))
    return False


# -- catalog -------------------------------------------------------------------------------------

TYPE_NAME = lazy_pattern(r"(?:::)?[a-z]\w*(?:::[a-z]\w*)*\Z", re.ASCII)
CLASS_NAME = lazy_pattern(r"(?:::)?[a-z_]\w*(?:::[a-z]\w*)*\Z", re.ASCII)


def access_resource(type_: Type, keys: Keys) -> Value:
    """Return the type ``Resource['file', 'a']``, ``File['a', 'b']``."""
    if (
        type_.__class__ is m.ResourceType
        and type_.type_name is not None
        and type_.title is None
        and len(keys) == 1
        and keys[0].__class__ is str
    ):
        return m.ResourceType(type_.type_name, keys[0])
    if not isinstance(type_, m.ResourceType) or type_.title is not None:
        raise issues.OPERATOR_NOT_APPLICABLE(type=display(type_))
    check_parameter_count("Resource", keys, 1, None)
    if type_.type_name is None:
        found = resource_type(keys[0])
        keys = keys[1:]
        if not keys:
            return found
        if isinstance(found, m.ClassType):
            return access_class(found, keys)
        name = found.type_name
    else:
        name = type_.type_name
    titles = flat(keys)
    for position, title in enumerate(titles):
        if title is not None and title.__class__ is not str:
            expected = "a title (String)"
            error = wrong_kind(display(m.ResourceType(name)), title, expected)
            # After ``Resource[name,`` Puppet counts from the first title.
            raise error.in_part("key", position) if type_.type_name is None else error
    references = [m.ResourceType(name, title) for title in titles if title is not None]
    return one_or_array(keys, references)


def one_or_array(keys: Keys, found: list[Any]) -> Value:
    """Return one reference for one title, undef for none, and an array for several."""
    if len(keys) == 1 and keys[0].__class__ is not list:
        return found[0] if found else None
    return found


def resource_type(key: Value) -> Any:
    """Return the resource type that the first parameter of ``Resource[]`` names."""
    if isinstance(key, m.ResourceType) and key.type_name is not None:
        return key
    if isinstance(key, m.ClassType):
        return key
    if isinstance(key, m.TypeReferenceType):  # of an alias, which may name an unknown type
        return m.ResourceType(key.text.lower())
    if key.__class__ is not str:
        raise issues.ILLEGAL_RESOURCE_SPECIALIZATION(actual=kind_of(key)).in_key(key)
    name = key.lower()
    if not TYPE_NAME.match(name):
        name = Words(key, key.capitalize)
        raise issues.ILLEGAL_CLASSREF(name=name).in_key(key)
    if name == "class":
        return m.ClassType()
    return m.ResourceType(name.removeprefix("::"))


def access_class(type_: Type, keys: Keys) -> Value:
    """Return the type ``Class['a', 'b']``."""
    if not isinstance(type_, m.ClassType) or type_.name is not None:
        raise issues.OPERATOR_NOT_APPLICABLE(type=display(type_))
    check_parameter_count("Class", keys, 1, None)
    found = []
    for key in flat(keys):
        if key is None:
            continue
        if key.__class__ is not str:
            raise wrong_class_name(key)
        name = key.lower()
        if not CLASS_NAME.match(name):
            raise issues.ILLEGAL_NAME(name=key).in_key(key)
        found.append(m.ClassType(name.removeprefix("::")))
    return one_or_array(keys, found)


def wrong_class_name(key: Value) -> PuppetError:
    """Return the error for ``Class[key]`` with a key that is not a text, such as ``Class[Foo]``."""
    kind = f"{display(key)}-Type" if isinstance(key, Type) else kind_of(key)
    words = f"{indefinite(kind).capitalize()} {kind}"
    shown = display(key) if isinstance(key, Type) else kind
    hint = None
    if isinstance(key, m.TypeReferenceType):
        shown, hint = key.text, f"write Class['{key.text.lower()}']"
    error = issues.ILLEGAL_HOSTCLASS_NAME(name=Words(shown, partial(str, words)))
    return error.hinted(hint).in_key(key)


def access_runtime(keys: Keys) -> Type:
    """Return the type ``Runtime['ruby', 'Symbol']``, ``Runtime['ruby', [/a/, 'b']]``."""
    if len(keys) == 1 and keys[0].__class__ is list:
        keys = keys[0]
    check_parameter_count("Runtime", keys, 2, 2)
    runtime, name = keys
    if runtime.__class__ is not str:
        raise wrong_kind("Runtime", runtime, "String")
    if name.__class__ is str and name:
        return m.RuntimeType(runtime, name)
    if is_instance(name, RENAMING):
        return m.RuntimeType(runtime, None, name[0].pattern, name[1])
    raise wrong_kind("Runtime", name, "String[1] or Tuple[Regexp, String[1]]")


RENAMING = m.TupleType((m.RegexpType(), m.StringType(1)))


# -- objects -------------------------------------------------------------------------------------


def access_object(type_: Type, keys: Keys) -> Type:
    """Return the type ``Object[{…}]``; an Object type with type parameters takes those."""
    if type_ is not m.OBJECT:
        return parameterize(type_, keys)
    check_parameter_count("Object", keys, 1, 1)
    return object_from(keys[0], "")


def access_type_set(keys: Keys) -> Type:
    """Return the type ``TypeSet[{…}]``."""
    check_parameter_count("TypeSet", keys, 1, 1)
    return type_set_from(keys[0], "")


def access_reference(type_: Type, keys: Keys) -> Type:
    """Return the reference to an unknown type with parameters; ``TypeReference`` itself has none."""
    if isinstance(type_, m.TypeReferenceType) and type_.text == "UnresolvedReference":
        raise issues.REFERENCE_PARAMETERS()
    inner = ", ".join(
        getattr(key, "name", "") if isinstance(key, m.TypeAliasType) else literal(key)
        for key in keys
    )
    return m.TypeReferenceType(f"{getattr(type_, 'text', '')}[{inner}]")


RULES: dict[type[Type], Callable[[Keys], Value]] = {
    m.IntegerType: access_integer,
    m.FloatType: access_float,
    m.BooleanType: access_boolean,
    m.StringType: access_string,
    m.EnumType: access_enum,
    m.PatternType: access_pattern,
    m.RegexpType: access_regexp,
    m.SemVerType: access_semver,
    m.TimespanType: access_times("Timespan", Timespan, m.TimespanType),
    m.TimestampType: access_times("Timestamp", Timestamp, m.TimestampType),
    m.URIType: access_uri,
    m.OptionalType: access_optional,
    m.NotUndefType: access_not_undef,
    m.VariantType: access_variant,
    m.IterableType: access_one("Iterable", m.IterableType),
    m.IteratorType: access_one("Iterator", m.IteratorType),
    m.TypeType: access_one("Type", m.TypeType),
    # Puppet drops the limits of secret values: Sensitive[String[1]] is Sensitive[String].
    m.SensitiveType: access_one("Sensitive", lambda key: m.SensitiveType(generalize(key))),
    m.InitType: access_init,
    m.CollectionType: access_collection,
    m.ArrayType: access_array,
    m.HashType: access_hash,
    m.TupleType: access_tuple,
    m.StructType: access_struct,
    m.CallableType: access_callable,
    m.RuntimeType: access_runtime,
    m.TypeSetType: access_type_set,
}
"""Types that a further ``[…]`` replaces."""

FURTHER: dict[type[Type], Callable[[Any, Keys], Value]] = {
    m.ResourceType: access_resource,
    m.ClassType: access_class,
    m.ObjectType: access_object,
    m.ObjectExtensionType: access_object,
    m.TypeReferenceType: access_reference,
}
"""Types that are taken further by ``[…]``."""
