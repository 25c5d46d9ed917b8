"""Types as text: the form that Puppet prints, and that parses back to the type."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from bunraku.base.bounded_cache import remembered
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import names_of
from bunraku.types import model as m
from bunraku.types.base import Named
from bunraku.types.model import Type
from bunraku.values.binary import Binary
from bunraku.values.default import Default
from bunraku.values.keys import pairs
from bunraku.values.numbers import float_text
from bunraku.values.pcore import PcoreObject
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.uri import URI
from bunraku.values.version import SemVer, SemVerRange

Value = Any

PCORE_URI = "http://puppet.com/2016.1/pcore"
RUNTIME_AUTHORITY = "http://puppet.com/2016.1/runtime"


def display(type_: Type) -> str:
    """Return a type as Puppet prints it; an alias or object at the top with its definition.

    >>> display(m.ArrayType(m.IntegerType(1, 5), 1))
    'Array[Integer[1, 5], 1]'
    """
    if isinstance(type_, m.TypeAliasType) and not type_.builtin:
        if type_.definition is None:
            return f"{type_.name} = TypeReference['UnresolvedReference']"
        return spelled(type_, frozenset()).name
    if isinstance(type_, m.ObjectType):
        return object_text(type_)
    if isinstance(type_, m.TypeSetType):
        return type_set_text(type_)
    return inner(type_)


def inner(type_: Type) -> str:
    """Return a type inside another: aliases and objects by their name."""
    rule = RULES.get(type_.__class__)
    if rule is None:
        return type_.__class__.__name__.removesuffix("Type")
    return rule(type_)


def spelled(alias: m.TypeAliasType, seen: frozenset[str]) -> m.TypeAliasType:
    """Return an alias under the name ``Name = definition``, aliases in the definition likewise."""
    seen |= {alias.name}

    def replace(found: Named) -> Named:
        if isinstance(found, m.ObjectType):
            return m.TypeAliasType(object_text(found))
        if not isinstance(found, m.TypeAliasType) or found.builtin or found.name in seen:
            return found
        if found.definition is None:
            return found
        return spelled(found, seen)

    definition = replace_aliases(alias.definition, replace)
    return m.TypeAliasType(f"{alias.name} = {inner(definition)}")


def display_expanded(type_: Type) -> str:
    """Return a type with every alias in it replaced by its definition; a recursive one by its name.

    >>> port = m.TypeAliasType("Port", m.IntegerType(1, 9))
    >>> display_expanded(m.ArrayType(port))
    'Array[Integer[1, 9]]'
    """
    return inner(without_aliases(type_, frozenset()))


def without_aliases(value: Any, seen: frozenset[str]) -> Any:
    """Return a type without aliases, except those already being expanded."""

    def replace(alias: Named) -> Type:
        if not isinstance(alias, m.TypeAliasType) or alias.definition is None:
            return alias
        if alias.name in seen:
            return alias
        found: Type = without_aliases(alias.definition, seen | {alias.name})
        return found

    return replace_aliases(value, replace)


def replace_aliases(value: Any, replace: Callable[[Any], Type]) -> Any:
    """Return a type with each alias and object in it replaced by another type."""
    if isinstance(value, m.TypeAliasType | m.ObjectType):
        return replace(value)
    if isinstance(value, m.StructElement):
        return m.StructElement(value.name, replace_aliases(value.type, replace), value.optional)
    if isinstance(value, tuple):
        return tuple(replace_aliases(item, replace) for item in value)
    if isinstance(value, Type) and not isinstance(value, m.TypeSetType):
        names = names_of(value)
        given = {name: replace_aliases(getattr(value, name), replace) for name in names}
        return value.__class__(**given)
    return value


# -- literals ------------------------------------------------------------------------------------

ESCAPES = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\", "$": "\\$"}


BACKSLASH_OR_QUOTE = lazy_pattern(r"(\\.)|'")


def quote(text: str) -> str:
    r"""Return a string as types quote it; as in Puppet a backslash hides the next character.

    >>> print(quote("it's"), quote("a\nb"), quote("it\\'s"))
    'it\'s' "a\nb" 'it\'s'
    """
    if text.isprintable() or not any(letter < " " for letter in text):
        if "\\" in text:
            return "'" + BACKSLASH_OR_QUOTE.sub(lambda m: m[1] or "\\'", text) + "'"
        return "'" + text.replace("'", "\\'") + "'"
    return double_quoted(text)


def double_quoted(text: str) -> str:
    r"""Return a string in double quotes.

    >>> print(double_quoted("a$\n"))
    "a\$\n"
    """
    pieces = (
        ESCAPES.get(letter) or (letter if letter >= " " else f"\\u{{{ord(letter):X}}}")
        for letter in text
    )
    return '"' + "".join(pieces) + '"'


def literal(value: Value) -> str:
    """Return a value as it would be written in a manifest.

    >>> literal(["a", None, 1.5])
    "['a', undef, 1.5]"
    """
    if value is None:
        return "undef"
    kind = value.__class__
    if kind is str:
        return quote(value)
    if kind is bool:
        return "true" if value else "false"
    if kind is float:
        return float_text(value)
    if kind is list:
        return "[" + ", ".join(map(literal, value)) + "]"
    if kind is dict:
        return hash_text((literal(key), literal(item)) for key, item in pairs(value))
    if isinstance(value, Type):
        return display(value)
    if kind is Default:
        return "default"
    if kind is PcoreObject:
        return object_value_text(value)
    if kind is URI:
        return f"URI({quote(str(value))})"
    if kind is Binary:
        return "Instance of Binary"
    return quote(str(value)) if kind in QUOTED else str(value)


QUOTED = frozenset({SemVer, SemVerRange, Timespan, Timestamp})


def hash_text(entries: Iterable[tuple[str, str]]) -> str:
    """Return the text ``{k => v}`` of texts."""
    return "{" + ", ".join(f"{key} => {item}" for key, item in entries) + "}"


def object_value_text(value: PcoreObject) -> str:
    """Return the text ``Car({'wheels' => 4})`` without attributes that have their defaults."""
    entries = ((quote(name), literal(item)) for name, item in shown_attributes(value))
    return f"{own_name(value.type)}({hash_text(entries)})"


def shown_attributes(value: PcoreObject) -> list[tuple[str, Value]]:
    """Return the attributes of an object that do not have their default value."""
    given = value.attributes
    return [
        (item.name, given[item.name])
        for item in value.type.all_attributes().values()
        if item.name in given and not has_default(item, given[item.name])
    ]


def has_default(attribute: m.ObjectAttribute, value: Value) -> bool:
    """Return whether an attribute's value is the one it has when none is given."""
    default = attribute.value
    if attribute.required:
        return False
    return value.__class__ is default.__class__ and bool(value == default)


# -- parameters ----------------------------------------------------------------------------------


def listed(name: str, parameters: list[str]) -> str:
    """Return the text ``Name[a, b]``, or the name alone."""
    return f"{name}[{', '.join(parameters)}]" if parameters else name


def range_parameters(low: Any, high: Any, text: Callable[[Any], str]) -> list[str]:
    """Return the limits as parameters: none, the lower, or both."""
    if high is None:
        return [] if low is None else [text(low)]
    return ["default" if low is None else text(low), text(high)]


def size_parameters(low: int | None, high: int | None) -> list[str]:
    """Return a size as parameters; a lower limit of 0 is shown before an upper one."""
    if high is None:
        return [] if low is None else [str(low)]
    return [str(low or 0), str(high)]


def ranged(name: str, text: Callable[[Any], str]) -> Callable[[Any], str]:
    """Return the rule of a type with two limits."""
    return lambda type_: listed(name, range_parameters(type_.low, type_.high, text))


def float_limits(type_: m.FloatType) -> list[str]:
    """Return the limits of a Float; -infinity below and infinity above count as no limit."""
    low = None if type_.low == -math.inf else type_.low
    high = None if type_.high == math.inf else type_.high
    return range_parameters(low, high, float_text)


def wrapped(name: str, any_shown: bool = True) -> Callable[[Any], str]:
    """Return the rule of a type around one type."""

    def rule(type_: Any) -> str:
        if type_.type is None or (not any_shown and isinstance(type_.type, m.AnyType)):
            return name
        return f"{name}[{inner(type_.type)}]"

    return rule


def maybe_undef(name: str, any_shown: bool = True) -> Callable[[Any], str]:
    """Return the rule of ``Optional`` and ``NotUndef``; ``Optional['x']`` shows a string."""
    shown = wrapped(name, any_shown)

    def rule(type_: Any) -> str:
        text = type_.type
        if isinstance(text, m.StringType) and text.value is not None:
            return f"{name}[{quote(text.value)}]"
        return shown(type_)

    return rule


def string_text(type_: m.StringType) -> str:
    """Return the text of a String type; a type of a single text shows as String."""
    if type_.value is not None:
        return "String"
    return listed("String", size_parameters(type_.low, type_.high))


def enum_text(type_: m.EnumType) -> str:
    """Return the text ``Enum['a', 'b', true]``."""
    parameters = [quote(value) for value in type_.values]
    if type_.case_insensitive:
        parameters.append("true")
    return listed("Enum", parameters)


def regexp_literal(pattern: str) -> str:
    r"""Return a pattern between slashes.

    >>> print(regexp_literal("a/b"))
    /a\/b/
    """
    pieces, escaped = [], False
    for letter in pattern:
        if letter == "/" and not escaped:
            pieces.append("\\/")
        elif letter == "\n":
            pieces.append("\\n" if not escaped else "n")
        else:
            pieces.append(letter)
        escaped = letter == "\\" and not escaped
    return "/" + "".join(pieces) + "/"


def array_text(type_: m.ArrayType) -> str:
    """Return the text ``Array[T, 1, 2]``; the empty array's type is ``Array[0, 0]``."""
    if type_.high == 0 and not type_.low:
        return "Array[0, 0]"
    sizes = size_parameters(type_.low, type_.high)
    if type_.element == m.ANY and not sizes:
        return "Array"
    return listed("Array", [inner(type_.element), *sizes])


def hash_type_text(type_: m.HashType) -> str:
    """Return the text ``Hash[K, V, 1, 2]``; the empty hash's type is ``Hash[0, 0]``."""
    if type_.high == 0 and not type_.low:
        return "Hash[0, 0]"
    sizes = size_parameters(type_.low, type_.high)
    if type_.key == m.ANY and type_.value == m.ANY and not sizes:
        return "Hash"
    return listed("Hash", [inner(type_.key), inner(type_.value), *sizes])


def tuple_text(type_: m.TupleType) -> str:
    """Return the text ``Tuple[A, B, 1, 2]``."""
    sizes = size_parameters(type_.low, type_.high)
    return listed("Tuple", [*map(inner, type_.types), *sizes])


def struct_text(type_: m.StructType) -> str:
    """Return the text ``Struct[{'a' => T}]``."""
    if not type_.elements:
        return "Struct"
    entries = ((struct_key(item), inner(item.type)) for item in type_.elements)
    return f"Struct[{hash_text(entries)}]"


def struct_key(element: m.StructElement) -> str:
    """Return a key as Optional or NotUndef if the value's type alone does not imply it."""
    takes_undef = accepts_undef(element.type)
    if element.optional and not takes_undef:
        return f"Optional[{quote(element.name)}]"
    if takes_undef and not element.optional:
        return f"NotUndef[{quote(element.name)}]"
    return quote(element.name)


def callable_text(type_: m.CallableType) -> str:
    """Return the text ``Callable[A, B]``, ``Callable[[A], R]``."""
    returned = type_.return_type
    if type_.parameters is None:
        return "Callable" if returned is None else f"Callable[[], {inner(returned)}]"
    count = len(type_.parameters)
    parameters = [inner(item) for item in type_.parameters]
    if type_.size_shown or (type_.low, type_.high) != (count, count) or not count:
        parameters.extend(size_parameters(type_.low or 0, type_.high))
    if type_.block is not None:
        parameters.append(inner(type_.block))
    text = ", ".join(parameters)
    return f"Callable[{text}]" if returned is None else f"Callable[[{text}], {inner(returned)}]"


@remembered(10_000)
def capitalize(name: str) -> str:
    """Return a name with each of its segments capitalised.

    >>> capitalize("foo::bar")
    'Foo::Bar'
    """
    return "::".join(part[:1].upper() + part[1:] for part in name.split("::"))


def resource_text(type_: m.ResourceType) -> str:
    """Return the text ``File['/a']``."""
    if type_.type_name is None:
        return "Resource"
    name = capitalize(type_.type_name)
    return name if type_.title is None else f"{name}[{quote(type_.title)}]"


def runtime_text(type_: m.RuntimeType) -> str:
    """Return the text ``Runtime[ruby, 'Symbol']``."""
    if type_.runtime is None:
        return "Runtime"
    if type_.pattern is not None:
        replacement = quote(type_.replacement or "")
        pair = f"[{regexp_literal(type_.pattern)}, {replacement}]"
        return f"Runtime[{type_.runtime}, {pair}]"
    name = [] if type_.name is None else [quote(type_.name)]
    return listed("Runtime", [type_.runtime, *name])


def uri_text(type_: m.URIType) -> str:
    """Return the text ``URI[{'scheme' => 'http'}]``."""
    if not type_.parts:
        return "URI"
    entries = ((quote(name), literal(part)) for name, part in type_.parts)
    return f"URI[{hash_text(entries)}]"


def init_text(type_: m.InitType) -> str:
    """Return the text ``Init[T, argument]``."""
    if type_.type is None:
        return "Init"
    return listed("Init", [inner(type_.type), *map(literal, type_.arguments)])


# -- objects -------------------------------------------------------------------------------------


def object_text(type_: m.ObjectType) -> str:
    """Return the text ``Object[{name => 'Car', attributes => {…}}]``."""
    return f"Object[{object_definition(type_, with_name=type_ is not m.OBJECT)}]"


def object_definition(type_: m.ObjectType, with_name: bool) -> str:
    """Return the hash that defines an Object type; its own part, not that of its parents."""
    entries: list[tuple[str, str]] = []
    if type_.annotations is not None:
        entries.append(("annotations", annotations_text(type_.annotations)))
    if with_name and type_.name:
        entries.append(("name", quote(type_.name) if type_.name else "undef"))
    if type_.parent is not None:
        entries.append(("parent", inner(type_.parent)))
    if type_.type_parameters:
        given = ((quote(name), inner(item)) for name, item in type_.type_parameters.items())
        entries.append(("type_parameters", hash_text(given)))
    constants = {name: item for name, item in type_.attributes.items() if is_constant(item)}
    attributes = {name: item for name, item in type_.attributes.items() if name not in constants}
    if attributes:
        texts = ((quote(name), attribute_text(item)) for name, item in attributes.items())
        entries.append(("attributes", hash_text(texts)))
    if constants:
        texts = ((quote(name), literal(item.value)) for name, item in constants.items())
        entries.append(("constants", hash_text(texts)))
    if type_.functions:
        texts = ((quote(name), member_text(item, [])) for name, item in type_.functions.items())
        entries.append(("functions", hash_text(texts)))
    entries.extend(object_options(type_))
    return hash_text(entries)


def object_options(type_: m.ObjectType) -> Iterable[tuple[str, str]]:
    """Yield the rarer entries of a definition."""
    if type_.equality is not None:
        yield "equality", literal(list(type_.equality))
    if type_.checks is not None:
        yield "checks", literal(type_.checks)


def annotations_text(annotations: Mapping[Any, Value]) -> str:
    """Return the text of annotations: the annotation types by name."""
    return hash_text((inner(type_), literal(note)) for type_, note in annotations.items())


def is_constant(attribute: m.ObjectAttribute) -> bool:
    """Return whether an attribute is shown among the constants: its type follows from its value."""
    return attribute.type_follows and not attribute.override and not attribute.final


def attribute_text(attribute: m.ObjectAttribute) -> str:
    """Return the type alone, or a hash with its other features."""
    extra: list[tuple[str, str]] = []
    if attribute.final:
        extra.append(("final", "true"))
    if attribute.override:
        extra.append(("override", "true"))
    if attribute.kind != "normal":
        extra.append(("kind", attribute.kind))
    if attribute.value is not m.MISSING:
        extra.append(("value", literal(attribute.value)))
    if attribute.annotations is not None:
        extra.append(("annotations", annotations_text(attribute.annotations)))
    if not extra:
        return inner(attribute.type)
    return hash_text([("type", inner(attribute.type)), *extra])


def member_text(function: m.ObjectFunction, extra: list[tuple[str, str]]) -> str:
    """Return a method: its type, or a hash."""
    if function.final:
        extra.append(("final", "true"))
    if function.override:
        extra.append(("override", "true"))
    if function.annotations is not None:
        extra.append(("annotations", annotations_text(function.annotations)))
    if not extra:
        return inner(function.type)
    return hash_text([("type", inner(function.type)), *extra])


def extension_text(type_: m.ObjectExtensionType) -> str:
    """Return ``Error['kind', 'code']``: up to two parameters by position, more as a hash."""
    names = list(type_.base.all_type_parameters())
    given = dict(type_.parameters)
    if len(names) > 2:
        entries = ((quote(name), literal(given[name])) for name in names if name in given)
        return listed(own_name(type_.base), [hash_text(entries)])
    if any(name not in given for name in names):
        last = max(names.index(name) for name in given)
        names = names[: last + 1]
    texts = [literal(given[name]) if name in given else "default" for name in names]
    return listed(own_name(type_.base), texts)


def own_name(type_: m.ObjectType) -> str:
    """Return a type's name; where it has type parameters Puppet shows the last segment alone."""
    return type_.name.rpartition("::")[2] if type_.all_type_parameters() else type_.name


def type_set_text(type_: m.TypeSetType) -> str:
    """Return the text ``TypeSet[{pcore_version => …, types => {…}}]``."""
    if type_ is m.TYPE_SET:
        head = [
            ("pcore_uri", quote(PCORE_URI)),
            ("pcore_version", quote("1.0.0")),
            ("name_authority", quote(RUNTIME_AUTHORITY)),
            ("name", quote("DefaultTypeSet")),
            ("version", quote("0.0.0")),
        ]
        return f"TypeSet[{hash_text(head)}]"
    entries = [("pcore_version", quote(str(type_.pcore_version)))]
    if type_.pcore_uri is not None:
        entries.insert(0, ("pcore_uri", quote(type_.pcore_uri)))
    if type_.annotations is not None:
        entries.insert(0, ("annotations", literal(type_.annotations)))
    if type_.name_authority is not None:
        entries.append(("name_authority", quote(type_.name_authority)))
    entries.append(("name", quote(type_.name) if type_.name else "undef"))
    if type_.version is not None:
        entries.append(("version", quote(str(type_.version))))
    if type_.types:
        texts = ((name, set_member_text(item, type_.name)) for name, item in type_.types.items())
        entries.append(("types", hash_text(texts)))
    if type_.references:
        texts = (
            (
                name,
                hash_text(
                    [
                        ("'name'", quote(item.name)),
                        ("'version_range'", quote(str(item.version_range))),
                    ]
                ),
            )
            for name, item in type_.references.items()
        )
        entries.append(("references", hash_text(texts)))
    return f"TypeSet[{hash_text(entries)}]"


def set_member_text(type_: Type, set_name: str) -> str:
    """Return the text of a type in its set: definitions in full, members by short names."""
    prefix = f"{set_name}::"

    def replace(found: Named) -> Named:
        """Return the types of the set by definition; an alias within itself by its name."""
        if isinstance(found, m.ObjectType):
            of_set = found.name.startswith(prefix)
            text = object_definition(found, with_name=not of_set)
            return m.TypeAliasType(f"Object[{text}]")
        if not found.name.startswith(prefix) or not isinstance(found, m.TypeAliasType):
            return found
        if found.name in seen or found.definition is None:
            return m.TypeAliasType(found.name.removeprefix(prefix))
        seen.add(found.name)
        text = inner(replace_aliases(found.definition, replace))
        seen.discard(found.name)
        return m.TypeAliasType(text)

    seen: set[str] = set()
    whole = m.resolved(type_)
    if isinstance(whole, m.TypeSetType):
        return type_set_text(whole)
    return inner(replace_aliases(type_, replace))


def accepts_undef(type_: Type) -> bool:
    """Return whether the form of a type shows that it accepts undef."""
    type_ = m.resolved(type_)
    match type_:
        case m.AnyType() | m.UndefType() | m.OptionalType() | m.UnitType():
            return True
        case m.VariantType(types=types):
            return any(accepts_undef(item) for item in types)
        case m.InitType(type=target):
            # The values that String and Sensitive create can be of any kind.
            if target is None or isinstance(m.resolved(target), m.StringType | m.SensitiveType):
                return True
            return accepts_undef(target)
    return False


RULES: dict[type[Type], Callable[[Any], str]] = {
    m.OptionalType: maybe_undef("Optional"),
    m.NotUndefType: maybe_undef("NotUndef", any_shown=False),
    m.IterableType: wrapped("Iterable"),
    m.IteratorType: wrapped("Iterator"),
    m.TypeType: wrapped("Type"),
    m.SensitiveType: wrapped("Sensitive", any_shown=False),
    m.InitType: init_text,
    m.VariantType: lambda type_: listed("Variant", [*map(inner, type_.types)]),
    m.IntegerType: ranged("Integer", str),
    m.FloatType: lambda type_: listed("Float", float_limits(type_)),
    m.BooleanType: lambda type_: (
        "Boolean" if type_.value is None else f"Boolean[{literal(type_.value)}]"
    ),
    m.StringType: string_text,
    m.EnumType: enum_text,
    m.PatternType: lambda type_: listed("Pattern", [*map(regexp_literal, type_.patterns)]),
    m.RegexpType: lambda type_: (
        "Regexp" if type_.pattern is None else f"Regexp[{regexp_literal(type_.pattern)}]"
    ),
    m.CollectionType: lambda type_: listed("Collection", size_parameters(type_.low, type_.high)),
    m.ArrayType: array_text,
    m.HashType: hash_type_text,
    m.TupleType: tuple_text,
    m.StructType: struct_text,
    m.CallableType: callable_text,
    m.ResourceType: resource_text,
    m.ClassType: lambda type_: "Class" if type_.name is None else f"Class[{type_.name}]",
    m.RuntimeType: runtime_text,
    m.SemVerType: lambda type_: listed("SemVer", [quote(str(item)) for item in type_.ranges]),
    m.TimespanType: lambda type_: listed("Timespan", time_parameters(type_)),
    m.TimestampType: lambda type_: listed("Timestamp", time_parameters(type_)),
    m.URIType: uri_text,
    m.ObjectType: lambda type_: type_.name or "Object",
    m.ObjectExtensionType: extension_text,
    m.TypeSetType: lambda type_: type_.name if type_.version is not None else type_set_text(type_),
    m.TypeAliasType: lambda type_: type_.name,
    m.TypeReferenceType: lambda type_: f"TypeReference[{quote(type_.text)}]",
}


def time_parameters(type_: Any) -> list[str]:
    """Return the limits as texts; a range of one point shows that alone."""
    if type_.low is not None and type_.low == type_.high:
        return [quote(str(type_.low))]
    return range_parameters(type_.low, type_.high, lambda value: quote(str(value)))
