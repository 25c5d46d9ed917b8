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
    words="Illegal variable name, The given name '{name}' does not conform to the naming rule /^((::)?[a-z]\\w*)*((::)?[a-z_]\\w*)$/",
)
ILLEGAL_NUMERIC_VAR_NAME = Issue(
    "ILLEGAL_NUMERIC_VAR_NAME",
    "'${name}' is not a valid match variable: expected 0, or a number without a leading zero",
    words="Illegal numeric variable name, The given name '{name}' must be a decimal value if it starts with a digit 0-9",
)
ILLEGAL_PARAMETER_NAME = Issue(
    "ILLEGAL_PARAM_NAME",
    "'${name}' is not a valid parameter name",
    hint="begin with a lower case letter or '_', followed by letters, digits and '_'",
    words="Illegal parameter name. The given name '{name}' does not conform to the naming rule /^[a-z_]\\w*$/",
)
ILLEGAL_NUMERIC_PARAMETER = Issue(
    "ILLEGAL_NUMERIC_PARAMETER",
    "'${name}' is a match variable and cannot be a parameter",
    words="The numeric parameter name '${name}' cannot be used (clashes with numeric match result variables)",
)
RESERVED_PARAMETER = Issue(
    "RESERVED_PARAMETER",
    "{container} cannot have a parameter '${name}': every resource has it",
    words="The parameter ${name} redefines a built in parameter in {container}",
)
ILLEGAL_DEFINTION_NAME = Issue.own("ILLEGAL_DEFINTION_NAME", "{kind} cannot be named '{name}'")
ILLEGAL_DEFINITION_NAME = Issue(
    "ILLEGAL_DEFINITION_NAME",
    "{kind} cannot be named '{name}'",
    hint="each part of the name begins with a lower case letter and has no hyphen",
    words="Unacceptable name. The name '{name}' is unacceptable as the name of {kind}",
)
RESERVED_TYPE_NAME = Issue(
    "RESERVED_TYPE_NAME",
    "{kind} cannot be named '{name}': a built-in type has that name",
    words="The name: '{name}' is already defined by Puppet and can not be used as the name of {kind}.",
)
RESERVED_WORD = Issue(
    "RESERVED_WORD",
    "'{word}' is a reserved word",
    hint="put it in quotes",
    words="Use of reserved word: {word}, must be quoted if intended to be a String value",
)
FUTURE_RESERVED_WORD = Issue(
    "FUTURE_RESERVED_WORD",
    "'{word}' will be a reserved word in a later version of Puppet",
    words="Use of future reserved word: '{word}'",
)
ILLEGAL_HOST_NAME = Issue(
    "ILLEGAL_HOSTNAME_CHARS",
    "'{name}' is not a valid host name",
    hint="a host name can contain letters, digits, '.', '-' and '_'",
    words="The hostname '{name}' contains illegal characters (only letters, digits, '_', '-', and '.' are allowed)",
)
INTERPOLATED_HOST_NAME = Issue(
    "ILLEGAL_HOSTNAME_INTERPOLATION",
    "Interpolation is not allowed in a host name",
    words="An interpolated expression is not allowed in a hostname of a node",
)

# -- assignment ----------------------------------------------------------------------------------

ILLEGAL_ASSIGNMENT = Issue(
    "ILLEGAL_ASSIGNMENT",
    "Cannot assign to {what}",
    words="Illegal attempt to assign to '{what}'. Not an assignable reference",
)
ILLEGAL_INDEXED_ASSIGNMENT = Issue(
    "ILLEGAL_INDEXED_ASSIGNMENT",
    "Cannot assign to a part of a value: values are immutable",
    hint="build a new value, for example with '+'",
    words="Illegal attempt to assign via [index/key]. Not an assignable reference",
)
ILLEGAL_ASSIGNMENT_CONTEXT = Issue(
    "ILLEGAL_ASSIGNMENT_CONTEXT",
    "Assignment is not allowed in the default value of a parameter",
    words="Assignment not allowed here",
)
ILLEGAL_NUMERIC_ASSIGNMENT = Issue(
    "ILLEGAL_NUMERIC_ASSIGNMENT",
    "'${name}' can only be set by a regular expression match",
    words="Illegal attempt to assign to the numeric match result variable '${name}'. Numeric variables are not assignable",
)
CROSS_SCOPE_ASSIGNMENT = Issue(
    "CROSS_SCOPE_ASSIGNMENT",
    "Cannot assign to '${name}': it belongs to another scope",
    words="Illegal attempt to assign to '{name}'. Cannot assign to variables in other namespaces",
)
APPENDS_NO_LONGER_SUPPORTED = Issue(
    "APPENDS_DELETES_NO_LONGER_SUPPORTED",
    "The operator '{operator}' is no longer part of the language",
    hint="write $new = $old {sign} value",
    words="The operator '{operator}' is no longer supported. See http://links.puppet.com/remove-plus-equals",
)

# -- values --------------------------------------------------------------------------------------

NOT_RVALUE = Issue(
    "NOT_RVALUE",
    "{what} has no value and is not allowed here",
    words="Invalid use of expression. {what} does not produce a value",
)
NUMERIC_OVERFLOW = Issue(
    "NUMERIC_OVERFLOW",
    "{value} is {relation} the range of Integer (64 bits)",
    words="A Literal Integer resulted in a value outside of Puppet Integer max range, got '{hexadecimal}'",
)
DUPLICATE_KEY = Issue(
    "DUPLICATE_KEY",
    "The hash already has the key {key}",
    words="The key '{key}' is declared more than once",
)
DUPLICATE_DEFAULT = Issue(
    "DUPLICATE_DEFAULT",
    "This {container} already has a default",
    words="This {container} already has a 'default' entry - this is a duplicate",
)
IDLE_NOT_LAST = Issue(
    "IDEM_EXPRESSION_NOT_LAST",
    "{what} has no effect: the value is never used",
    hint="remove it, or use it as a value",
    words="This {what} has no effect. A value was produced and then forgotten (one or more preceding expressions may have the wrong form)",
)
IDLE_LAST = Issue(
    "IDEM_NOT_ALLOWED_LAST",
    "{what} has no effect: {container} does not return a value",
    hint="remove it",
    words="This {what} has no effect. {container} can not end with a value-producing expression without other effect",
)
ILLEGAL_EXPRESSION = Issue(
    "ILLEGAL_EXPRESSION",
    "{what} cannot be the {role} of {container}",
    words="Illegal expression. {what} is unacceptable as {role} in {container}",
)
ILLEGAL_QUERY = Issue(
    "ILLEGAL_QUERY_EXPRESSION",
    "{what} is not allowed in a collector query",
    hint="a query can contain ==, !=, and, or, names and plain values",
    words="Illegal query expression. {what} cannot be used in a query",
)
UNSUPPORTED_EXPRESSION = Issue(
    "UNSUPPORTED_EXPRESSION",
    "{what} is not supported",
    words="Expressions of type {what} are not supported in this version of Puppet",
)
NOT_IN_SCRIPTS = Issue(
    "EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING",
    "{what} is not allowed where no catalog is compiled",
    words="{what} is only available when compiling a catalog",
)
NOT_WHEN_COMPILING = Issue(
    "EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING",
    "{what} is not allowed where a catalog is compiled",
    words="{what} is not available when compiling a catalog",
)

# -- resources -----------------------------------------------------------------------------------

RESOURCE_WITHOUT_TITLE = Issue(
    "RESOURCE_WITHOUT_TITLE",
    "This resource has no title",
    hint="write {name} {{ 'title': … }}",
    words="This expression is invalid. Did you try declaring a '{name}' resource without a title?",
)
ILLEGAL_ATTRIBUTE_APPEND = Issue(
    "ILLEGAL_ATTRIBUTE_APPEND",
    "'{name} +>' is only allowed in a resource override or a collector",
    hint="write {name} =>",
    words="Illegal +> operation on attribute {name}. This operator can not be used in {container}",
)
ATTRIBUTES_TWICE = Issue(
    "MULTIPLE_ATTRIBUTES_UNFOLD",
    "'* =>' is only allowed once in a resource",
    words="Unfolding of attributes from Hash can only be used once per resource body",
)
NOT_VIRTUALIZABLE = Issue(
    "NOT_VIRTUALIZEABLE",
    "{what} cannot be virtual or exported",
    words="Resource Defaults are not virtualizable",
)
CLASS_NOT_VIRTUALIZABLE = Issue(
    "CLASS_NOT_VIRTUALIZABLE",
    "A class cannot be virtual or exported",
    words="Classes are not virtualizable",
)

# -- definitions ---------------------------------------------------------------------------------

NOT_TOP_LEVEL = Issue(
    "NOT_TOP_LEVEL",
    "{what} may only be defined at top level or inside a class",
    words="Classes, definitions, and nodes may only appear at toplevel or inside other classes",
)
NOT_ABSOLUTE_TOP_LEVEL = Issue(
    "NOT_ABSOLUTE_TOP_LEVEL",
    "{what} may only be defined at top level",
    words="{what} may only appear at toplevel",
)
ILLEGAL_NODE_INHERITANCE = Issue(
    "ILLEGAL_NODE_INHERITANCE",
    "Node inheritance is no longer part of the language",
    hint="put the shared code in a class",
    words="Node inheritance is not supported in Puppet >= 4.0.0. See http://links.puppet.com/puppet-node-inheritance-deprecation",
)
CAPTURES_REST_NOT_LAST = Issue(
    "CAPTURES_REST_NOT_LAST",
    "The captures-rest parameter '*${name}' must be last",
    words="Parameter ${name} is not last, and has 'captures rest'",
)
CAPTURES_REST_NOT_SUPPORTED = Issue(
    "CAPTURES_REST_NOT_SUPPORTED",
    "{container} cannot have a parameter '*${name}'",
    words="Parameter ${name} has 'captures rest' - not supported in {container}",
)
DUPLICATE_PARAMETER = Issue(
    "DUPLICATE_PARAMETER",
    "Duplicate parameter '${name}'",
    words="The parameter '{name}' is declared more than once in the parameter list",
)
ILLEGAL_DEFINITION_LOCATION = Issue(
    "ILLEGAL_DEFINITION_LOCATION",
    "Unexpected definition '{name}': the autoloader does not look for it in {file}",
    words="Unacceptable location. The name '{name}' is unacceptable in file '{file}'",
)
ILLEGAL_TOP_CONSTRUCT_LOCATION = Issue(
    "ILLEGAL_TOP_CONSTRUCT_LOCATION",
    "{what} is not allowed here: a file of a module can only contain definitions",
    words="This {what} is unacceptable as a top level construct in this location",
)
ILLEGAL_TYPE_MAPPING = Issue(
    "ILLEGAL_TYPE_MAPPING", "The right side of this type mapping must be {wanted}"
)

METAPARAMETER = Issue(
    "METAPARAMETER_AS_PARAMETER",
    "{container} cannot have a parameter '${name}': every resource has that metaparameter",
    words="{name} is a metaparameter; please choose another parameter name in the {definition} definition",
    form="unplaced",
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
