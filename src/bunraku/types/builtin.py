"""The aliases and Object types that the language brings along: Data, RichData, Deferred, Error."""

from __future__ import annotations

from typing import Any

from bunraku.types import model as m
from bunraku.values.pcore import PcoreObject

Value = Any


def alias(name: str) -> m.TypeAliasType:
    """Return a built-in alias whose definition is set later."""
    return m.TypeAliasType(name, builtin=True)


DATA = alias("Data")
DATA.definition = m.VariantType(
    (
        m.SCALAR_DATA,
        m.UNDEF,
        m.HashType(m.StringType(), DATA),
        m.ArrayType(DATA),
    )
)

RICH_DATA_KEY = alias("RichDataKey")
RICH_DATA_KEY.definition = m.VariantType((m.StringType(), m.NUMERIC))

RICH_DATA = alias("RichData")
RICH_DATA.definition = m.VariantType(
    (
        m.SCALAR,
        m.SEMVER_RANGE,
        m.BINARY,
        m.SensitiveType(),
        m.TypeType(),
        m.TYPE_SET,
        m.URIType(),
        m.OBJECT,
        m.UNDEF,
        m.DEFAULT_TYPE,
        m.HashType(RICH_DATA_KEY, RICH_DATA),
        m.ArrayType(RICH_DATA),
    )
)

LOOKUP_KEY = alias("Puppet::LookupKey")
LOOKUP_KEY.definition = RICH_DATA_KEY
"""The keys that functions of Hiera are called with."""

LOOKUP_VALUE = alias("Puppet::LookupValue")
LOOKUP_VALUE.definition = RICH_DATA
"""The values that functions of Hiera return."""

NON_EMPTY = m.StringType(1)
OPTIONAL_TEXT = m.OptionalType(NON_EMPTY)

ERROR_PARAMETER = m.VariantType(
    (
        m.StringType(),
        m.RegexpType(),
        m.TypeType(m.EnumType()),
        m.TypeType(m.PatternType()),
        m.TypeType(m.NotUndefType()),
        m.TypeType(m.UNDEF),
    )
)

ERROR = m.ObjectType(
    "Error",
    attributes={
        "msg": m.ObjectAttribute("msg", NON_EMPTY),
        "kind": m.ObjectAttribute("kind", OPTIONAL_TEXT, value=None),
        "details": m.ObjectAttribute(
            "details", m.OptionalType(m.HashType(NON_EMPTY, DATA)), value=None
        ),
        "issue_code": m.ObjectAttribute("issue_code", OPTIONAL_TEXT, value=None),
    },
    functions={
        "message": m.ObjectFunction("message", m.CallableType((), 0, 0, return_type=NON_EMPTY))
    },
    type_parameters={"kind": ERROR_PARAMETER, "issue_code": ERROR_PARAMETER},
)
"""``Error(msg, kind, details, issue_code)``: a possible result of a failed function."""

CACHE_KEY = m.OptionalType(m.SCALAR)
CONTEXT_METHODS: dict[str, m.Type] = {
    "not_found": m.CallableType((), 0, 0, return_type=m.UNDEF),
    "explain": m.CallableType((), 0, 0, m.CallableType((), 0, 0), m.UNDEF),
    "interpolate": m.CallableType((), 1, 1),
    "cache": m.CallableType((CACHE_KEY, m.ANY)),
    "cache_all": m.CallableType((m.HashType(CACHE_KEY, m.ANY),), return_type=m.UNDEF),
    "cache_has_key": m.CallableType((CACHE_KEY,), return_type=m.BooleanType()),
    "cached_value": m.CallableType((CACHE_KEY,)),
    "cached_entries": m.VariantType(
        (
            m.CallableType((), 0, 0, m.CallableType((), 1, 1), m.UNDEF),
            m.CallableType((), 0, 0, m.CallableType((), 2, 2), m.UNDEF),
            m.CallableType((), 0, 0, return_type=m.IterableType(m.TupleType((CACHE_KEY, m.ANY)))),
        )
    ),
    "cached_file_data": m.CallableType(
        (m.StringType(),), block=m.OptionalType(m.CallableType((m.ArrayType(m.IntegerType()),)))
    ),
}
"""The methods of a lookup context, as Puppet 7.23 declares and shows them."""

LOOKUP_CONTEXT = m.ObjectType(
    "Puppet::LookupContext",
    parent=m.ANY,
    attributes={
        "environment_name": m.ObjectAttribute("environment_name", NON_EMPTY, kind="derived"),
        "module_name": m.ObjectAttribute("module_name", m.VariantType((NON_EMPTY, m.UNDEF))),
    },
    functions={name: m.ObjectFunction(name, type_) for name, type_ in CONTEXT_METHODS.items()},
)
"""The context that backend functions of Hiera receive; its methods are written in Python."""

RESOURCE_PARAMETER = m.ObjectType(
    "Puppet::Resource::Param",
    attributes={
        "type": m.ObjectAttribute("type", m.TypeType()),
        "name": m.ObjectAttribute("name", NON_EMPTY),
        "name_var": m.ObjectAttribute("name_var", m.BooleanType(), value=False),
    },
    equality=("name",),
)
"""A parameter in the resource types that ``puppet generate types`` writes."""

RESOURCE_TYPE = m.ObjectType(
    "Puppet::Resource::ResourceType3",
    attributes={
        "name": m.ObjectAttribute("name", NON_EMPTY),
        "properties": m.ObjectAttribute("properties", m.ArrayType(RESOURCE_PARAMETER), value=[]),
        "parameters": m.ObjectAttribute("parameters", m.ArrayType(RESOURCE_PARAMETER), value=[]),
        "title_patterns_hash": m.ObjectAttribute(
            "title_patterns_hash",
            m.OptionalType(m.HashType(m.RegexpType(), m.ArrayType(NON_EMPTY))),
            value=None,
        ),
        "isomorphic": m.ObjectAttribute("isomorphic", m.BooleanType(), value=True),
        "capability": m.ObjectAttribute("capability", m.BooleanType(), value=False),
    },
    equality=("name",),
)
"""A resource type as ``puppet generate types`` writes it."""

DEFERRED = m.ObjectType(
    "Deferred",
    attributes={
        "name": m.ObjectAttribute(
            "name", m.PatternType((r"\A[$]?[a-z][a-z0-9_]*(?:::[a-z][a-z0-9_]*)*\z",))
        ),
        "arguments": m.ObjectAttribute("arguments", m.OptionalType(m.ArrayType()), value=None),
    },
)
"""``Deferred(name, arguments)``: a call left to the agent."""


ANNOTATION = m.ObjectType("Annotation")
"""The parent of types whose values are notes about others: see the function ``annotate``."""

PCORE = m.ObjectType("Pcore")
"""Stands for all types of annotations in ``annotate``."""


def make_deferred(name: str, arguments: list[Value] | None = None) -> PcoreObject:
    """Return a Deferred value."""
    return PcoreObject(DEFERRED, {"name": name, "arguments": arguments})


def is_deferred(value: Value) -> bool:
    """Return whether a value is a call that the agent evaluates."""
    return value.__class__ is PcoreObject and value.type is DEFERRED


def make_error(
    message: str,
    kind: str | None = None,
    details: dict[Any, Value] | None = None,
    issue_code: str | None = None,
) -> PcoreObject:
    """Return an Error value."""
    return PcoreObject(
        ERROR, {"msg": message, "kind": kind, "details": details, "issue_code": issue_code}
    )
