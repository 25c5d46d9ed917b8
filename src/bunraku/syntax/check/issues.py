"""Mistakes that the checker finds in a syntax tree.

Codes are Puppet's, so documentation of Puppet's codes applies here, too.
"""

from __future__ import annotations

from bunraku.base.errors import Issue

# -- names ---------------------------------------------------------------------------------------

ILLEGAL_VAR_NAME = Issue(
    "ILLEGAL_VAR_NAME",
    "'${name}' is not a valid variable name",
    hint="each part of the name begins with a lower case letter; only the last may begin with '_'",
)
ILLEGAL_NUMERIC_VAR_NAME = Issue(
    "ILLEGAL_NUMERIC_VAR_NAME",
    "'${name}' is not a valid match variable: expected 0, or a number without a leading zero",
)
ILLEGAL_PARAMETER_NAME = Issue(
    "ILLEGAL_PARAM_NAME",
    "'${name}' is not a valid parameter name",
    hint="begin with a lower case letter or '_', followed by letters, digits and '_'",
)
ILLEGAL_NUMERIC_PARAMETER = Issue(
    "ILLEGAL_NUMERIC_PARAMETER", "'${name}' is a match variable and cannot be a parameter"
)
RESERVED_PARAMETER = Issue(
    "RESERVED_PARAMETER", "{container} cannot have a parameter '${name}': every resource has it"
)
ILLEGAL_DEFINTION_NAME = Issue.own("ILLEGAL_DEFINTION_NAME", "{kind} cannot be named '{name}'")
ILLEGAL_DEFINITION_NAME = Issue(
    "ILLEGAL_DEFINITION_NAME",
    "{kind} cannot be named '{name}'",
    hint="each part of the name begins with a lower case letter and has no hyphen",
)
RESERVED_TYPE_NAME = Issue(
    "RESERVED_TYPE_NAME", "{kind} cannot be named '{name}': a built-in type has that name"
)
RESERVED_WORD = Issue("RESERVED_WORD", "'{word}' is a reserved word", hint="put it in quotes")
FUTURE_RESERVED_WORD = Issue(
    "FUTURE_RESERVED_WORD", "'{word}' will be a reserved word in a later version of Puppet"
)
ILLEGAL_HOST_NAME = Issue(
    "ILLEGAL_HOSTNAME_CHARS",
    "'{name}' is not a valid host name",
    hint="a host name can contain letters, digits, '.', '-' and '_'",
)
INTERPOLATED_HOST_NAME = Issue(
    "ILLEGAL_HOSTNAME_INTERPOLATION", "Interpolation is not allowed in a host name"
)

# -- assignment ----------------------------------------------------------------------------------

ILLEGAL_ASSIGNMENT = Issue("ILLEGAL_ASSIGNMENT", "Cannot assign to {what}")
ILLEGAL_INDEXED_ASSIGNMENT = Issue(
    "ILLEGAL_INDEXED_ASSIGNMENT",
    "Cannot assign to a part of a value: values are immutable",
    hint="build a new value, for example with '+'",
)
ILLEGAL_ASSIGNMENT_CONTEXT = Issue(
    "ILLEGAL_ASSIGNMENT_CONTEXT", "Assignment is not allowed in the default value of a parameter"
)
ILLEGAL_NUMERIC_ASSIGNMENT = Issue(
    "ILLEGAL_NUMERIC_ASSIGNMENT", "'${name}' can only be set by a regular expression match"
)
CROSS_SCOPE_ASSIGNMENT = Issue(
    "CROSS_SCOPE_ASSIGNMENT", "Cannot assign to '${name}': it belongs to another scope"
)
APPENDS_NO_LONGER_SUPPORTED = Issue(
    "APPENDS_DELETES_NO_LONGER_SUPPORTED",
    "The operator '{operator}' is no longer part of the language",
    hint="write $new = $old {sign} value",
)

# -- values --------------------------------------------------------------------------------------

NOT_RVALUE = Issue("NOT_RVALUE", "{what} has no value and is not allowed here")
NUMERIC_OVERFLOW = Issue("NUMERIC_OVERFLOW", "{value} is {relation} the range of Integer (64 bits)")
DUPLICATE_KEY = Issue("DUPLICATE_KEY", "The hash already has the key {key}")
DUPLICATE_DEFAULT = Issue("DUPLICATE_DEFAULT", "This {container} already has a default")
IDLE_NOT_LAST = Issue(
    "IDEM_EXPRESSION_NOT_LAST",
    "{what} has no effect: the value is never used",
    hint="remove it, or use it as a value",
)
IDLE_LAST = Issue(
    "IDEM_NOT_ALLOWED_LAST",
    "{what} has no effect: {container} does not return a value",
    hint="remove it",
)
ILLEGAL_EXPRESSION = Issue("ILLEGAL_EXPRESSION", "{what} cannot be the {role} of {container}")
ILLEGAL_QUERY = Issue(
    "ILLEGAL_QUERY_EXPRESSION",
    "{what} is not allowed in a collector query",
    hint="a query can contain ==, !=, and, or, names and plain values",
)
UNSUPPORTED_EXPRESSION = Issue("UNSUPPORTED_EXPRESSION", "{what} is not supported")
NOT_IN_SCRIPTS = Issue(
    "EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING", "{what} is not allowed where no catalog is compiled"
)
NOT_WHEN_COMPILING = Issue(
    "EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING", "{what} is not allowed where a catalog is compiled"
)

# -- resources -----------------------------------------------------------------------------------

RESOURCE_WITHOUT_TITLE = Issue(
    "RESOURCE_WITHOUT_TITLE",
    "This resource has no title",
    hint="write {name} {{ 'title': … }}",
)
ILLEGAL_ATTRIBUTE_APPEND = Issue(
    "ILLEGAL_ATTRIBUTE_APPEND",
    "'{name} +>' is only allowed in a resource override or a collector",
    hint="write {name} =>",
)
ATTRIBUTES_TWICE = Issue("MULTIPLE_ATTRIBUTES_UNFOLD", "'* =>' is only allowed once in a resource")
NOT_VIRTUALIZABLE = Issue("NOT_VIRTUALIZEABLE", "{what} cannot be virtual or exported")
CLASS_NOT_VIRTUALIZABLE = Issue("CLASS_NOT_VIRTUALIZABLE", "A class cannot be virtual or exported")

# -- definitions ---------------------------------------------------------------------------------

NOT_TOP_LEVEL = Issue("NOT_TOP_LEVEL", "{what} may only be defined at top level or inside a class")
NOT_ABSOLUTE_TOP_LEVEL = Issue("NOT_ABSOLUTE_TOP_LEVEL", "{what} may only be defined at top level")
ILLEGAL_NODE_INHERITANCE = Issue(
    "ILLEGAL_NODE_INHERITANCE",
    "Node inheritance is no longer part of the language",
    hint="put the shared code in a class",
)
CAPTURES_REST_NOT_LAST = Issue(
    "CAPTURES_REST_NOT_LAST", "The captures-rest parameter '*${name}' must be last"
)
CAPTURES_REST_NOT_SUPPORTED = Issue(
    "CAPTURES_REST_NOT_SUPPORTED", "{container} cannot have a parameter '*${name}'"
)
DUPLICATE_PARAMETER = Issue("DUPLICATE_PARAMETER", "Duplicate parameter '${name}'")
ILLEGAL_DEFINITION_LOCATION = Issue(
    "ILLEGAL_DEFINITION_LOCATION",
    "Unexpected definition '{name}': the autoloader does not look for it in {file}",
)
ILLEGAL_TOP_CONSTRUCT_LOCATION = Issue(
    "ILLEGAL_TOP_CONSTRUCT_LOCATION",
    "{what} is not allowed here: a file of a module can only contain definitions",
)
ILLEGAL_TYPE_MAPPING = Issue(
    "ILLEGAL_TYPE_MAPPING", "The right side of this type mapping must be {wanted}"
)

METAPARAMETER = Issue(
    "METAPARAMETER_AS_PARAMETER",
    "{container} cannot have a parameter '${name}': every resource has that metaparameter",
)
NONLITERAL_TYPE = Issue(
    "ILLEGAL_NONLITERAL_PARAMETER_TYPE",
    "The type of the class parameter '${name}' is not literal, which is deprecated",
    hint="name the type in a type alias",
)
METAPARAMETER_WITH_DEFAULT = Issue(
    "METAPARAMETER_WITH_DEFAULT",
    "'${name}' is also a metaparameter: its value is passed on to all resources in {container}",
)

# -- texts in heredocs ---------------------------------------------------------------------------

ILLEGAL_JSON = Issue("ILLEGAL_JSON", "Invalid JSON text (line {line}, column {column} of the text)")
ILLEGAL_BASE64 = Issue("ILLEGAL_BASE64", "Invalid Base64 text")
ILLEGAL_PP = Issue(
    "ILLEGAL_PP",
    "Invalid Puppet code in the text: {message} (line {line}, column {column} of the text)",
)
ILLEGAL_EPP = Issue(
    "ILLEGAL_EPP",
    "Invalid EPP template in the text: {message} (line {line}, column {column} of the text)",
)
TEXTS_TOO_DEEP = Issue.own(
    "NESTING_TOO_DEEP", "Heredocs with code are nested deeper than {limit} levels"
)
