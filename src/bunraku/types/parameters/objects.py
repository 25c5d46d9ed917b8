"""Object types and TypeSets from the hashes that define them."""

from __future__ import annotations

import re
from re import Pattern
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.types import issues
from bunraku.types import model as m
from bunraku.types.builtin import ANNOTATION
from bunraku.types.mismatch import describe_mismatch
from bunraku.types.model import Type
from bunraku.types.relations.assignable import is_assignable
from bunraku.types.relations.infer import infer_generalized
from bunraku.types.relations.instance import is_instance
from bunraku.types.text.display import RUNTIME_AUTHORITY, display, inner
from bunraku.values.default import DEFAULT
from bunraku.values.keys import from_key
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.version import SemVer, SemVerRange

Value = Any

TYPE_NAME = lazy_pattern(r"[A-Z]\w*(?:::[A-Z]\w*)*\Z", re.ASCII)
SIMPLE_NAME = lazy_pattern(r"[A-Z]\w*\Z", re.ASCII)
MEMBER_NAME = lazy_pattern(r"[a-z_]\w*\Z", re.ASCII)
FUNCTION_NAME = lazy_pattern(r"(?:[a-z_]\w*|\[\])\Z", re.ASCII)
RESERVED_ATTRIBUTES = ("__ptype", "__pvalue")
"""The keys of rich data, which an object is written with."""
URI_TEXT = m.PatternType((r"[a-zA-Z][-+.a-zA-Z\d]*:[-_.!~*'()a-zA-Z\d;/?:@&=+$,%\[]",))
KINDS = ("constant", "derived", "given_or_derived", "reference", "normal")
OBJECT_KEYS = frozenset(
    {
        "name",
        "parent",
        "type_parameters",
        "attributes",
        "constants",
        "functions",
        "equality",
        "equality_include_type",
        "checks",
        "annotations",
    }
)
ATTRIBUTE_KEYS = frozenset({"type", "kind", "value", "override", "final", "annotations"})
FUNCTION_KEYS = frozenset({"type", "override", "final", "annotations"})
SET_KEYS = frozenset(
    {
        "pcore_uri",
        "pcore_version",
        "name_authority",
        "name",
        "version",
        "types",
        "references",
        "annotations",
    }
)


def kind_of(value: Value) -> str:
    """Return a value's type in words, for messages."""
    return display(infer_generalized(value))


def expect(label: str, value: Value, type_: Type) -> Value:
    """Return the value if it is of the type; otherwise raise an error."""
    if not is_instance(value, type_):
        mismatch = describe_mismatch(f"{label} has wrong type,", type_, value)
        raise issues.MEMBER_TYPE(
            label=label, expected=inner(type_), actual=kind_of(value), mismatch=mismatch
        )
    return value


def entries_of(label: str, given: Value, known: frozenset[str]) -> dict[str, Value]:
    """Return the hash if it has only known keys; otherwise raise an error."""
    expect(label, given, m.HashType())
    found = dict(given)
    for key in found:
        if key not in known:
            raise issues.UNKNOWN_MEMBER_KEY(label=label, key=from_key(key))
    return found


# -- Object --------------------------------------------------------------------------------------


def object_from(given: Value, name: str, target: m.ObjectType | None = None) -> m.ObjectType:
    """Return the Object type that a hash defines.

    Fill in ``target`` if it was created earlier, because the hash refers to the type.
    """
    if given.__class__ is str:
        given = {"name": given}
    entries = entries_of("object initializer", given, OBJECT_KEYS)
    type_ = m.ObjectType() if target is None else target
    type_.name = object_name(entries, name)
    label = type_.name or "Object"
    if "parent" in entries:
        type_.parent = expect(f"{label} parent", entries["parent"], m.TypeType())
    parameters = members_of(f"{label} type_parameters", entries.get("type_parameters"))
    type_.type_parameters = {
        key: expect(f"type_parameter {label}[{key}]", type_of_parameter(item), m.TypeType())
        for key, item in parameters.items()
    }
    attributes = members_of(f"{label} attributes", entries.get("attributes"))
    for key in attributes:
        if key in RESERVED_ATTRIBUTES:
            raise issues.RESERVED_ATTRIBUTE(key=key)
    type_.attributes = {
        key: attribute_from(f"attribute {label}[{key}]", key, item)
        for key, item in attributes.items()
    }
    add_constants(type_, label, entries.get("constants"))
    functions = members_of(f"{label} functions", entries.get("functions"), FUNCTION_NAME)
    type_.functions = {
        key: function_from(f"function {label}[{key}]", key, item) for key, item in functions.items()
    }
    type_.equality = equality_from(entries)
    type_.equality_include_type = expect(
        f"{label} equality_include_type",
        entries.get("equality_include_type", True),
        m.BooleanType(),
    )
    if type_.equality and not type_.equality_include_type:
        raise issues.EQUALITY_NOT_EMPTY(label=label)
    type_.checks = entries.get("checks")
    type_.annotations = annotations_from(label, entries)
    check_members(type_, label)
    return type_


def object_name(entries: dict[str, Value], name: str) -> str:
    """Return the name in the hash, or that of the alias around it."""
    found: str = entries.get("name", name)
    expect("object name", found, m.StringType())
    if found and not TYPE_NAME.match(found):
        raise issues.OBJECT_NAME(found=found)
    return found


def members_of(label: str, given: Value, names: Pattern[str] = MEMBER_NAME) -> dict[str, Value]:
    """Return attributes or functions by their names, which must match a pattern."""
    if given is None:
        return {}
    expect(label, given, m.HashType())
    found = dict(given)
    for key in found:
        if key.__class__ is not str or not names.match(key):
            raise issues.ILLEGAL_MEMBER_NAME(label=label, key=from_key(key))
    return found


def attribute_from(label: str, name: str, given: Value) -> m.ObjectAttribute:
    """Return an attribute from its type, or from a hash of its features."""
    if given.__class__ is not dict:
        type_ = expect(label, given, m.TypeType())
        return m.ObjectAttribute(name, type_, value=implied_value(type_))
    entries = entries_of(label, given, ATTRIBUTE_KEYS)
    type_ = expect(f"{label} type", entries.get("type"), m.TypeType())
    kind = entries.get("kind", "normal")
    if kind not in KINDS:
        raise issues.ATTRIBUTE_KIND(label=label, kinds=", ".join(KINDS), kind=kind)
    value = entries.get("value", m.MISSING)
    if value is DEFAULT:
        value = m.MISSING
    if kind == "constant" and value is m.MISSING:
        raise issues.CONSTANT_WITHOUT_VALUE(label=label)
    if kind in ("derived", "given_or_derived") and value is not m.MISSING:
        raise issues.DERIVED_WITH_VALUE(label=label, kind=kind)
    if value is not m.MISSING:
        expect(f"{label} value", value, type_)
    flags = {
        key: expect(f"{label} {key}", entries.get(key, False), m.BooleanType())
        for key in ("override", "final")
    }
    annotations = annotations_from(label, entries)
    follows = kind == "constant" and type_ == infer_generalized(value)
    return m.ObjectAttribute(
        name, type_, kind, value, annotations=annotations, type_follows=follows, **flags
    )


def type_of_parameter(given: Value) -> Value:
    """Return a type parameter from its type, or from a hash with that."""
    if given.__class__ is dict and "type" in given:
        return given["type"]
    return given


def implied_value(type_: Type) -> Value:
    """Return the default value of an attribute that only has a type: undef for an Optional type."""
    return None if isinstance(type_, m.OptionalType) else m.MISSING


def add_constants(type_: m.ObjectType, label: str, given: Value) -> None:
    """Constants are attributes whose type is that of their value."""
    for name, value in members_of(f"{label} constants", given).items():
        if name in type_.attributes:
            raise issues.CONSTANT_AND_ATTRIBUTE(label=label, name=name)
        type_.attributes[name] = m.ObjectAttribute(
            name, infer_generalized(value), "constant", value, type_follows=True
        )


def function_from(label: str, name: str, given: Value) -> m.ObjectFunction:
    """Return a method from its Callable type, or from a hash of its features."""
    callable_type = m.TypeType(m.CallableType())
    if given.__class__ is not dict:
        return m.ObjectFunction(name, expect(label, given, callable_type))
    entries = entries_of(label, given, FUNCTION_KEYS)
    flags = {
        key: expect(f"{label} {key}", entries.get(key, False), m.BooleanType())
        for key in ("override", "final")
    }
    type_ = expect(f"{label} type", entries.get("type"), callable_type)
    return m.ObjectFunction(name, type_, annotations=annotations_from(label, entries), **flags)


NAME = m.PatternType((r"\A[a-z_]\w*\z",))
NAMES = m.VariantType((NAME, m.ArrayType(NAME)))
ANNOTATIONS = m.OptionalType(m.HashType(m.TypeType(ANNOTATION), m.HashType(NAME, m.ANY)))


def annotations_from(label: str, entries: dict[str, Value]) -> Any:
    """Return the annotations of a definition: attribute values by annotation type."""
    return expect(f"{label} annotations", entries.get("annotations"), ANNOTATIONS)


def equality_from(entries: dict[str, Value]) -> tuple[str, ...] | None:
    """Return the names of the attributes that equality compares, from one name or an array."""
    if "equality" not in entries:
        return None
    given = expect("object equality", entries["equality"], NAMES)
    return (given,) if given.__class__ is str else tuple(given)


def check_parent(type_: Type, name: str = "") -> None:
    """Refuse an Object type whose parent, or an ancestor, is a name that no loader can find."""
    if not isinstance(type_, m.ObjectType):
        return
    if isinstance(type_.parent, m.TypeReferenceType):
        label = name or type_.name or "Object"
        raise issues.UNKNOWN_PARENT(label=label, parent=type_.parent.text)


def check_members(type_: m.ObjectType, label: str) -> None:
    """Check the rules between members: overriding, duplicate names, equality."""
    parent = type_.parent_object()
    inherited: dict[str, Any] = {}
    if parent is not None:
        inherited = {**parent.all_attributes(), **parent.all_functions()}
    for name, item in type_.functions.items():
        if name in type_.attributes:
            raise issues.FUNCTION_AND_ATTRIBUTE(label=label, name=name)
        check_override(f"function {label}[{name}]", item, inherited.get(name))
    for name, attribute in type_.attributes.items():
        check_override(f"attribute {label}[{name}]", attribute, inherited.get(name))
    known = type_.all_attributes()
    for name in type_.equality or ():
        if name not in known:
            raise issues.EQUALITY_UNKNOWN(label=label, name=name)
        if known[name].kind == "constant":
            raise issues.EQUALITY_OF_CONSTANT(label=label, name=name)
        if parent is not None and name in parent.equality_attributes():
            raise issues.EQUALITY_OF_PARENT(label=label, name=name)


def check_override(label: str, item: Any, inherited: Any) -> None:
    """Check that a member overrides an inherited one explicitly and within its type."""
    if inherited is None:
        if item.override:
            raise issues.OVERRIDES_NOTHING(label=label)
        return
    if item.__class__ is not inherited.__class__:
        raise issues.OVERRIDES_OTHER_KIND(label=label)
    if inherited.final and not is_constant_pair(item, inherited):
        raise issues.OVERRIDES_FINAL(label=label)
    if not item.override and not is_constant_pair(item, inherited):
        raise issues.OVERRIDES_UNDECLARED(label=label)
    if not is_assignable(inherited.type, item.type):
        raise issues.OVERRIDES_OTHER_TYPE(label=label)


def is_constant_pair(item: Any, inherited: Any) -> bool:
    """Constants replace constants without saying so."""
    return (
        isinstance(item, m.ObjectAttribute)
        and item.kind == "constant"
        and getattr(inherited, "kind", "") == "constant"
    )


def parameterize(type_: Type, keys: list[Value]) -> Type:
    """Return the type ``Error['kind']``: an Object type with values for its type parameters."""
    base = type_.base if isinstance(type_, m.ObjectExtensionType) else type_
    if not isinstance(base, m.ObjectType):
        raise issues.OPERATOR_NOT_APPLICABLE(type=display(type_))
    names = base.all_type_parameters()
    label = base.name or "Object"
    if not names:
        raise issues.NO_TYPE_PARAMETERS(label=label)
    given = dict(zip(names, keys, strict=False))
    if len(keys) == 1 and keys[0].__class__ is dict:
        given = dict(keys[0])
        for name in given:
            if name not in names:
                raise issues.UNKNOWN_TYPE_PARAMETER(name=from_key(name), label=label)
    found = tuple((name, item) for name, item in given.items() if item is not DEFAULT)
    for name, item in found:
        if not parameter_fits(item, names[name]):
            raise issues.TYPE_PARAMETER_TYPE(
                label=label,
                name=name,
                expected=inner(names[name]),
                actual=kind_of(item),
                mismatch=describe_mismatch(
                    f"type_parameter {label}[{name}] has wrong type,",
                    m.OptionalType(names[name]),
                    item,
                ),
            )
    if not found:
        raise issues.EMPTY_TYPE_PARAMETERS(label=label)
    return m.ObjectExtensionType(base, found)


def parameter_fits(value: Value, type_: Type) -> bool:
    """Return whether a value can be a type parameter: undef, of the type, a type or pattern within."""
    if value is None or is_instance(value, type_):
        return True
    if isinstance(value, Type):
        return is_assignable(type_, value)
    return value.__class__ is Regexp and is_assignable(type_, m.StringType())


# -- TypeSet -------------------------------------------------------------------------------------


def type_set_from(given: Value, name: str, target: m.TypeSetType | None = None) -> m.TypeSetType:
    """Return the TypeSet that a hash defines; ``target``, if made earlier, is filled in.

    The types in the hash must be types already: who reads the definition from source resolves
    their names within the set first.
    """
    entries = entries_of("TypeSet initializer", given, SET_KEYS)
    if not entries:
        return m.TYPE_SET
    type_ = m.TypeSetType() if target is None else target
    type_.name = expect("TypeSet name", entries.get("name", name), m.StringType())
    type_.pcore_version = version_from("pcore_version", entries.get("pcore_version"))
    if not SemVerRange.parse("1.x").includes(type_.pcore_version):
        raise issues.PCORE_VERSION(name=type_.name, version=type_.pcore_version)
    if "version" in entries:
        type_.version = version_from("version", entries["version"])
    for key in ("pcore_uri", "name_authority"):
        if key in entries:
            setattr(type_, key, expect(f"TypeSet {key}", entries[key], URI_TEXT))
    type_.annotations = annotations_from("TypeSet", entries)
    types, references = (
        expect(f"TypeSet {key}", entries[key], m.HashType(low=1)) if key in entries else {}
        for key in ("types", "references")
    )
    for key, item in types.items():
        if key.__class__ is not str or not SIMPLE_NAME.match(key):
            raise issues.TYPE_SET_MEMBER_NAME(key=from_key(key))
        full = f"{type_.name}::{key}" if type_.name else key
        type_.types[key] = member_of_set(full, item, type_.types.get(key))
    for key, item in references.items():
        type_.references[key] = reference_from(key, item)
    check_distinct(type_)
    return type_


def check_distinct(type_: m.TypeSetType) -> None:
    """Raise PuppetError if a type and a reference, or two references, have one name."""
    seen = set()
    for alias, reference in type_.references.items():
        if alias in type_.types:
            raise issues.TYPE_SET_ALIAS_TAKEN(name=type_.name, alias=alias)
        full = f"{reference.name_authority or RUNTIME_AUTHORITY}/{reference.name}"
        if full in seen:
            raise issues.TYPE_SET_TWICE(name=type_.name, full=full)
        seen.add(full)


def member_of_set(name: str, given: Value, target: Type | None) -> Type:
    """Return a member type of a set: a hash defines an Object, any other type an alias."""
    if given.__class__ is dict:
        return object_from(given, name, target if isinstance(target, m.ObjectType) else None)
    type_: Type = expect(f"type {name}", given, m.TypeType())
    if isinstance(type_, m.TypeAliasType) and f"::{type_.name}".endswith(f"::{name}"):
        return type_
    if isinstance(type_, m.ObjectType):
        if not type_.name:
            type_.name = name
        return type_
    if isinstance(type_, m.TypeAliasType) and type_ is target:
        return type_
    alias = target if isinstance(target, m.TypeAliasType) else m.TypeAliasType(name)
    alias.definition = type_
    return alias


def version_from(label: str, given: Value) -> Any:
    """Return a version from itself or its text."""
    if given.__class__ is SemVer:
        return given
    expect(f"TypeSet {label}", given, m.StringType(1))
    return SemVer.parse(given)


def reference_from(alias: str, given: Value) -> m.TypeSetReference:
    """Return a reference: name, version range and perhaps authority."""
    label = f"TypeSet reference {alias}"
    entries = entries_of(label, given, frozenset({"name", "version_range", "name_authority"}))
    name = expect(f"{label} name", entries.get("name"), m.StringType(1))
    versions = entries.get("version_range")
    if versions.__class__ is str:
        versions = SemVerRange.parse(versions)
    expect(f"{label} version_range", versions, m.SEMVER_RANGE)
    authority = entries.get("name_authority")
    if authority is not None:
        expect(f"{label} name_authority", authority, URI_TEXT)
    return m.TypeSetReference(name, versions, authority)
