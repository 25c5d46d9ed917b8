"""Errors of types: unknown names, wrong parameters, values that do not match."""

from __future__ import annotations

from functools import partial

from bunraku.base.errors import Issue

invalid_object = partial(Issue.general, "INVALID_OBJECT_TYPE")

BAD_TYPE_SLICE_ARITY = Issue(
    "BAD_TYPE_SLICE_ARITY",
    "{type}[] takes {expected} parameters, but got {actual}",
    words="{label}[] accepts {wanted}. Got {actual}",
)
BAD_TYPE_SLICE_TYPE = Issue(
    "BAD_TYPE_SLICE_TYPE",
    "{type}[] cannot take {actual}; its parameters must be {expected}",
    words="{type}-Type[] arguments must be types. Got {actual}",
)
BAD_INTEGER_SLICE_ARITY = Issue(
    "BAD_INTEGER_SLICE_ARITY",
    "{type}[] takes a lower and an upper limit, but got {actual} parameters",
    words="{type}-Type supports [] with one or two arguments (from, to). Got {actual}",
)
BAD_INTEGER_SLICE_TYPE = Issue(
    "BAD_INTEGER_SLICE_TYPE",
    "{type}[] takes numbers or default as its limits, but got {actual}",
    words="{type}-Type [] requires all arguments to be {limits} (or default). Got {actual}",
)
BAD_COLLECTION_SLICE_TYPE = Issue(
    "BAD_COLLECTION_SLICE_TYPE",
    "{type}[] takes integers, default, or one Integer type as its size, but got {actual}",
    words="A Type's size constraint arguments must be a single Integer type, or 1-2 integers (or default). Got {a_kind}",
)
BAD_STRING_SLICE_ARITY = Issue(
    "BAD_STRING_SLICE_ARITY", "String[] takes one or two lengths, but got {actual} parameters"
)
BAD_TYPE_SPECIALIZATION = Issue(
    "BAD_TYPE_SPECIALIZATION",
    "{type}[] cannot take {actual} where it expects {expected}",
    words="Error creating type specialization of {a_type}-Type, Cannot use {actual} where {expected} is expected",
)
BAD_NOT_UNDEF_SLICE_TYPE = Issue(
    "BAD_NOT_UNDEF_SLICE_TYPE",
    "{type}[] takes a type or a string, but got {actual}",
    words="{type}-Type[] argument must be a Type or a String. Got {actual}",
)
ILLEGAL_RESOURCE_SPECIALIZATION = Issue(
    "ILLEGAL_RESOURCE_SPECIALIZATION",
    "Resource[] takes a resource type or its name first, but got {actual}",
    words="First argument to Resource[] must be a resource type or a String. Got {actual}.",
)
EMPTY_RANGE = Issue.general(
    "EMPTY_RANGE",
    "the lower limit must not be above the upper one, got {low} and {high}",
    words="'from' must be less or equal to 'to'. Got ({low}, {high}",
)
ILLEGAL_CLASSREF = Issue(
    "ILLEGAL_CLASSREF",
    "'{name}' is not a legal resource type name",
    words="Illegal type reference. The given name '{name}' does not conform to the naming rule",
)
ILLEGAL_NAME = Issue(
    "ILLEGAL_NAME",
    "'{name}' is not a legal class name",
    words="Illegal name. The given name '{name}' does not conform to the naming rule /^((::)?[a-z_]\\w*)(::[a-z]\\w*)*$/",
)
ILLEGAL_HOSTCLASS_NAME = Issue(
    "ILLEGAL_HOSTCLASS_NAME",
    "{name} is not a legal class name",
    words="Illegal Class name in class reference. {name} cannot be used where a String is expected",
)
OPERATOR_NOT_APPLICABLE = Issue(
    "OPERATOR_NOT_APPLICABLE",
    "Operator '[]' is not applicable to {type}",
    words="Operator '[]' is not applicable to {type}.",
)
NOT_A_TYPE = Issue(
    "NOT_A_TYPE",
    "Type text '{text}' is not a type: {reason}",
    words="The expression <{text}> is not a valid type specification.",
)
SELF_RECURSIVE_ALIAS = Issue.general(
    "RECURSIVE_TYPE_ALIAS",
    "Type alias '{name}' cannot be resolved to a real type: it only refers to itself",
    words="Type alias '{name}' cannot be resolved to a real type",
)
MEMBER_TYPE = invalid_object(
    "{label} expects a value of type {expected}, got {actual}", words="{mismatch}"
)
EQUALITY_NOT_EMPTY = invalid_object(
    "{label} equality_include_type = false cannot be combined with non empty equality"
)
OBJECT_NAME = invalid_object("object name expects capitalised segments, got '{found}'")
ATTRIBUTE_KIND = invalid_object("{label} kind expects one of {kinds}, got {kind}")
CONSTANT_WITHOUT_VALUE = invalid_object("{label} of kind 'constant' requires a value")
DERIVED_WITH_VALUE = invalid_object("{label} of kind '{kind}' cannot have a value")
RESERVED_ATTRIBUTE = invalid_object("The attribute '{key}' is reserved and cannot be used")
UNKNOWN_MEMBER_KEY = invalid_object(
    "{label} has an unrecognized key '{key}'",
    words="{label} has wrong type, unrecognized key '{key}'",
)
ILLEGAL_MEMBER_NAME = invalid_object("{label} has '{key}', which is not a legal name")
CONSTANT_AND_ATTRIBUTE = invalid_object(
    "attribute {label}[{name}] is defined as both a constant and an attribute"
)
FUNCTION_AND_ATTRIBUTE = invalid_object(
    "function {label}[{name}] conflicts with attribute with the same name"
)
EQUALITY_UNKNOWN = invalid_object("{label} equality is referencing non existent attribute '{name}'")
EQUALITY_OF_CONSTANT = invalid_object("{label} equality is referencing constant attribute '{name}'")
EQUALITY_OF_PARENT = invalid_object(
    "{label} equality is referencing attribute '{name}', which the equality of its parent already includes"
)
OVERRIDES_NOTHING = invalid_object(
    "{label} expects to override an inherited member, but no such member was found"
)
OVERRIDES_OTHER_KIND = invalid_object("{label} attempts to override a member of another kind")
OVERRIDES_FINAL = invalid_object("{label} attempts to override a final member")
OVERRIDES_UNDECLARED = invalid_object(
    "{label} attempts to override an inherited member without override => true"
)
OVERRIDES_OTHER_TYPE = invalid_object(
    "{label} attempts to override an inherited member with a type that does not match"
)
UNKNOWN_PARENT = invalid_object(
    "Unknown parent '{parent}' of the Object type {label}",
    words="reference to unresolved type '{parent}'",
)
REFERENCE_PARAMETERS = Issue.general(
    "BAD_TYPE_SLICE_ARITY",
    "The type TypeReference cannot have parameters",
    words="Not a parameterized type <TypeReference>",
)
NO_TYPE_PARAMETERS = invalid_object("The {label}-Type cannot be parameterized using []")
EMPTY_TYPE_PARAMETERS = invalid_object(
    "The {label}-Type cannot be parameterized using an empty list"
)
UNKNOWN_TYPE_PARAMETER = invalid_object("'{name}' is not a type parameter of {label}")
TYPE_PARAMETER_TYPE = invalid_object(
    "type_parameter {label}[{name}] expects a value of type {expected}, got {actual}",
    words="{mismatch}",
)
PCORE_VERSION = invalid_object(
    "The pcore version for TypeSet '{name}' is not understood by this runtime. "
    "Expected range 1.x, got {version}"
)
TYPE_SET_MEMBER_NAME = invalid_object("TypeSet type name '{key}' is not a capitalised name")
TYPE_SET_ALIAS_TAKEN = invalid_object(
    "TypeSet '{name}' references a TypeSet as '{alias}', which is the name of one of its own types"
)
TYPE_SET_TWICE = invalid_object(
    "TypeSet '{name}' references TypeSet '{full}' more than once using overlapping version ranges"
)
STRUCT_KEY_EMPTY = invalid_object("A Struct key cannot be an empty string")
STRUCT_KEY_TYPE = invalid_object(
    "A Struct key must be a string, Optional['…'] or NotUndef['…'], got {actual}",
    words="Illegal Struct member key type. Expected NotUndef, Optional, String, or Enum. Got: {actual}",
)
TIME_FROM = invalid_object("Cannot create a {type} from a value of type {actual}")
TIMESPAN_FIELD = invalid_object("A Timespan cannot have {name} => {value}")
TIME_FIELD = invalid_object("A {what} cannot have {name} => {value}")
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
    words="no method is implemented for {kind} {type}[{name}]",
)
