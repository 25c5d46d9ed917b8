"""What can go wrong with types: unknown names, wrong parameters, values that do not fit."""

from __future__ import annotations

from bunraku.base.errors import Issue

BAD_TYPE_SLICE_ARITY = Issue(
    "BAD_TYPE_SLICE_ARITY", "{type}[] takes {expected} parameters, but got {actual}"
)
BAD_TYPE_SLICE_TYPE = Issue(
    "BAD_TYPE_SLICE_TYPE", "{type}[] cannot take {actual}; its parameters must be {expected}"
)
BAD_INTEGER_SLICE_ARITY = Issue(
    "BAD_INTEGER_SLICE_ARITY",
    "{type}[] takes a lower and an upper limit, but got {actual} parameters",
)
BAD_INTEGER_SLICE_TYPE = Issue(
    "BAD_INTEGER_SLICE_TYPE", "{type}[] takes numbers or default as its limits, but got {actual}"
)
BAD_COLLECTION_SLICE_TYPE = Issue(
    "BAD_COLLECTION_SLICE_TYPE",
    "{type}[] takes integers, default, or one Integer type as its size, but got {actual}",
)
BAD_STRING_SLICE_ARITY = Issue(
    "BAD_STRING_SLICE_ARITY", "String[] takes one or two lengths, but got {actual} parameters"
)
BAD_TYPE_SPECIALIZATION = Issue(
    "BAD_TYPE_SPECIALIZATION", "{type}[] cannot take {actual} where it expects {expected}"
)
BAD_NOT_UNDEF_SLICE_TYPE = Issue(
    "BAD_NOT_UNDEF_SLICE_TYPE", "{type}[] takes a type or a string, but got {actual}"
)
ILLEGAL_RESOURCE_SPECIALIZATION = Issue(
    "ILLEGAL_RESOURCE_SPECIALIZATION",
    "Resource[] takes a resource type or its name first, but got {actual}",
)
EMPTY_RANGE = Issue.general(
    "EMPTY_RANGE", "the lower limit must not be above the upper one, got {low} and {high}"
)
ILLEGAL_CLASSREF = Issue("ILLEGAL_CLASSREF", "'{name}' is not a legal resource type name")
ILLEGAL_NAME = Issue("ILLEGAL_NAME", "'{name}' is not a legal class name")
ILLEGAL_HOSTCLASS_NAME = Issue("ILLEGAL_HOSTCLASS_NAME", "{name} is not a legal class name")
OPERATOR_NOT_APPLICABLE = Issue(
    "OPERATOR_NOT_APPLICABLE", "Operator '[]' is not applicable to {type}"
)
NOT_A_TYPE = Issue("NOT_A_TYPE", "Type text '{text}' is not a type: {reason}")
SELF_RECURSIVE_ALIAS = Issue.general(
    "RECURSIVE_TYPE_ALIAS",
    "Type alias '{name}' cannot be resolved to a real type: it only refers to itself",
)
BAD_OBJECT = Issue.general("INVALID_OBJECT_TYPE", "{text}")
NO_NEW = Issue.general(
    "TYPE_HAS_NO_NEW", "Creation of new instance of type '{type}' is not supported"
)
ATTRIBUTE_ARGUMENTS = Issue.general(
    "ILLEGAL_ARGUMENT_COUNT", "The attribute {type}[{name}] expects no arguments, got {count}"
)
NO_METHOD = Issue.general(
    "UNKNOWN_METHOD",
    "The {kind} {type}[{name}] has no method",
    hint="methods of Object types are implemented in Ruby; Puppet code can only declare them",
)
