"""The mistakes that the checker finds in a whole syntax tree.

Codes are Puppet's, so that what is known about a code elsewhere stays true here.
"""

from __future__ import annotations

from bunraku.errors import Issue

# -- names ---------------------------------------------------------------------------------------

ILLEGAL_NAME = Issue("ILLEGAL_NAME", "'{name}' cannot be a name")
ILLEGAL_VAR_NAME = Issue(
    "ILLEGAL_VAR_NAME",
    "No variable can be called '${name}'",
    hint="each part of the name begins with a lower case letter; only the last may begin with '_'",
)
ILLEGAL_NUMERIC_VAR_NAME = Issue(
    "ILLEGAL_NUMERIC_VAR_NAME", "'${name}' is no match variable: it is 0 or begins with 1 to 9"
)
ILLEGAL_PARAMETER_NAME = Issue(
    "ILLEGAL_PARAM_NAME",
    "No parameter can be called '${name}'",
    hint="a lower case letter or '_' comes first, then letters, digits and '_'",
)
ILLEGAL_NUMERIC_PARAMETER = Issue(
    "ILLEGAL_NUMERIC_PARAMETER", "'${name}' belongs to regular expressions and is no parameter"
)
RESERVED_PARAMETER = Issue(
    "RESERVED_PARAMETER", "{container} cannot have a parameter '${name}': every resource has it"
)
ILLEGAL_DEFINTION_NAME = Issue("ILLEGAL_DEFINTION_NAME", "{kind} cannot be called '{name}'")
ILLEGAL_DEFINITION_NAME = Issue(
    "ILLEGAL_DEFINITION_NAME",
    "{kind} cannot be called '{name}'",
    hint="each part of the name begins with a lower case letter and has no hyphen",
)
ILLEGAL_CLASS_REFERENCE = Issue(
    "ILLEGAL_CLASSREF",
    "'{name}' is no type name: each part between '::' begins with a capital letter",
)
RESERVED_TYPE_NAME = Issue(
    "RESERVED_TYPE_NAME", "{kind} cannot be called '{name}': a built-in type has that name"
)
RESERVED_WORD = Issue("RESERVED_WORD", "'{word}' is a reserved word", hint="put quotes around it")
FUTURE_RESERVED_WORD = Issue(
    "FUTURE_RESERVED_WORD", "'{word}' will be a reserved word in a later Puppet"
)
ILLEGAL_HOST_NAME = Issue(
    "ILLEGAL_HOSTNAME_CHARS",
    "'{name}' is no host name",
    hint="a host name has letters, digits, '.', '-' and '_'",
)
INTERPOLATED_HOST_NAME = Issue(
    "ILLEGAL_HOSTNAME_INTERPOLATION", "A host name cannot be put together with '${{…}}'"
)

# -- assignment ----------------------------------------------------------------------------------

ILLEGAL_ASSIGNMENT = Issue("ILLEGAL_ASSIGNMENT", "Nothing can be assigned to {what}")
ILLEGAL_INDEXED_ASSIGNMENT = Issue(
    "ILLEGAL_INDEXED_ASSIGNMENT",
    "A part of a value cannot be assigned: values do not change",
    hint="build a new value, for example with '+'",
)
ILLEGAL_ASSIGNMENT_CONTEXT = Issue(
    "ILLEGAL_ASSIGNMENT_CONTEXT", "No variable can be assigned in the default of a parameter"
)
ILLEGAL_NUMERIC_ASSIGNMENT = Issue(
    "ILLEGAL_NUMERIC_ASSIGNMENT", "'${name}' is set by regular expressions only"
)
CROSS_SCOPE_ASSIGNMENT = Issue(
    "CROSS_SCOPE_ASSIGNMENT",
    "'${name}' belongs to another scope and cannot be assigned here",
)
APPENDS_NO_LONGER_SUPPORTED = Issue(
    "APPENDS_DELETES_NO_LONGER_SUPPORTED",
    "The operator '{operator}' is no longer part of the language",
    hint="write $new = $old {sign} value",
)

# -- values --------------------------------------------------------------------------------------

NOT_RVALUE = Issue("NOT_RVALUE", "{what} has no value and cannot stand here")
NUMERIC_OVERFLOW = Issue(
    "NUMERIC_OVERFLOW", "{value} is {relation} what an Integer can hold: it has 64 bits"
)
DUPLICATE_KEY = Issue("DUPLICATE_KEY", "This hash has the key {key} already")
DUPLICATE_DEFAULT = Issue("DUPLICATE_DEFAULT", "This {container} has a default already")
IDLE_NOT_LAST = Issue(
    "IDEM_EXPRESSION_NOT_LAST",
    "{what} does nothing here, as its value is not used",
    hint="remove it, or use it as a value",
)
IDLE_LAST = Issue(
    "IDEM_NOT_ALLOWED_LAST",
    "{what} does nothing here, as {container} has no value",
    hint="remove it",
)
ILLEGAL_EXPRESSION = Issue("ILLEGAL_EXPRESSION", "{what} cannot be the {role} of {container}")
ILLEGAL_QUERY = Issue(
    "ILLEGAL_QUERY_EXPRESSION",
    "{what} cannot stand in the query of a collector",
    hint="a query has ==, !=, and, or, names and plain values",
)
UNSUPPORTED_EXPRESSION = Issue("UNSUPPORTED_EXPRESSION", "{what} is not supported")
NOT_IN_SCRIPTS = Issue(
    "EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING", "{what} cannot be used where there is no catalog"
)
NOT_WHEN_COMPILING = Issue(
    "EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING", "{what} cannot be used where a catalog is made"
)

# -- resources -----------------------------------------------------------------------------------

RESOURCE_WITHOUT_TITLE = Issue(
    "RESOURCE_WITHOUT_TITLE",
    "This resource has no title",
    hint="write {name} {{ 'title': … }}",
)
ILLEGAL_ATTRIBUTE_APPEND = Issue(
    "ILLEGAL_ATTRIBUTE_APPEND",
    "'{name} +>' can stand in a resource override or a collector only",
    hint="write {name} =>",
)
ATTRIBUTES_TWICE = Issue("MULTIPLE_ATTRIBUTES_UNFOLD", "'* =>' can stand once in a resource only")
NOT_VIRTUALIZABLE = Issue("NOT_VIRTUALIZEABLE", "{what} cannot be virtual or exported")
CLASS_NOT_VIRTUALIZABLE = Issue("CLASS_NOT_VIRTUALIZABLE", "A class cannot be virtual or exported")

# -- definitions ---------------------------------------------------------------------------------

NOT_TOP_LEVEL = Issue(
    "NOT_TOP_LEVEL", "{what} can be defined outside of everything or in a class only"
)
NOT_ABSOLUTE_TOP_LEVEL = Issue(
    "NOT_ABSOLUTE_TOP_LEVEL", "{what} can be defined outside of everything only"
)
ILLEGAL_NODE_INHERITANCE = Issue(
    "ILLEGAL_NODE_INHERITANCE", "Nodes no longer inherit", hint="put what they share in a class"
)
CAPTURES_REST_NOT_LAST = Issue(
    "CAPTURES_REST_NOT_LAST", "'*${name}' takes all that is left, so it has to come last"
)
CAPTURES_REST_NOT_SUPPORTED = Issue(
    "CAPTURES_REST_NOT_SUPPORTED", "{container} cannot have a parameter '*${name}'"
)
DUPLICATE_PARAMETER = Issue("DUPLICATE_PARAMETER", "There is a parameter '${name}' already")
ILLEGAL_DEFINITION_LOCATION = Issue(
    "ILLEGAL_DEFINITION_LOCATION",
    "'{name}' is not what Puppet looks for in {file}",
)
ILLEGAL_TOP_CONSTRUCT_LOCATION = Issue(
    "ILLEGAL_TOP_CONSTRUCT_LOCATION",
    "{what} cannot stand here: a file of a module has definitions only",
)
ILLEGAL_TYPE_MAPPING = Issue(
    "ILLEGAL_TYPE_MAPPING", "The right side of this type mapping has to be {wanted}"
)

METAPARAMETER = Issue(
    "METAPARAMETER_AS_PARAMETER",
    "{container} cannot have a parameter '${name}': every resource has that metaparameter",
)
METAPARAMETER_WITH_DEFAULT = Issue(
    "METAPARAMETER_WITH_DEFAULT",
    "'${name}' is also a metaparameter, so its value goes to all resources in {container} too",
)

# -- texts in heredocs ---------------------------------------------------------------------------

ILLEGAL_JSON = Issue("ILLEGAL_JSON", "This text is no JSON: line {line} of it, column {column}")
ILLEGAL_BASE64 = Issue("ILLEGAL_BASE64", "This text is no Base64")
ILLEGAL_PP = Issue(
    "ILLEGAL_PP", "This text is no Puppet code: {message} (line {line} of it, column {column})"
)
ILLEGAL_EPP = Issue(
    "ILLEGAL_EPP", "This text is no EPP template: {message} (line {line} of it, column {column})"
)
TEXTS_TOO_DEEP = Issue(
    "NESTING_TOO_DEEP", "Heredocs with code are nested deeper than {limit} levels"
)
