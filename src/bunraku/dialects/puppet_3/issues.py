"""Errors of Puppet 3 code. Puppet 3.8 itself had no codes."""

from functools import partial

from bunraku.base.errors import Issue

not_applicable = partial(Issue.general, "OPERATOR_NOT_APPLICABLE")

NO_CONCATENATION = not_applicable(
    "Arithmetic operands cannot be arrays or hashes",
    hint="join arrays with '+=' in another scope or with concat() of stdlib",
)
NOT_A_NUMBER = Issue.general("NOT_NUMERIC", "The {side} operand of {operator} is not a number")
MINUS_NOT_A_NUMBER = Issue.general("NOT_NUMERIC", "The operand of minus is not a number: '{value}'")
DIVIDED_BY_ZERO = Issue.general("DIV_BY_ZERO", "Division by zero")
NOT_FOR_FLOATS = not_applicable("The operator {operator} is not applicable to Float values")
NUMBER_TOO_LONG = Issue.general("NUMERIC_OVERFLOW", "The number would have more than {bits} bits")
NOT_COMPARABLE = Issue.general(
    "COMPARISON_NOT_POSSIBLE", "Cannot compare '{left}' {operator} '{right}'"
)
IN_NOT_TEXT = not_applicable("The left operand of 'in' must be a string, got '{left}'")
IN_NOT_A_COLLECTION = not_applicable(
    "The right operand of 'in' must be a string, array or hash, got '{right}'"
)
NO_MATCHING_VALUE = Issue.general(
    "UNMATCHED_SELECTOR", "No matching value for the selector's '{value}'"
)
NOT_A_CONTAINER = not_applicable("Cannot index {value} with '{key}': not a hash or array")
NOT_AN_INDEX = Issue.general("BAD_SLICE_KEY_TYPE", "Array index '{key}' is not an integer")
FROZEN = Issue.general(
    "ILLEGAL_INDEXED_ASSIGNMENT", "'{key}' cannot be modified: trusted data and facts are read-only"
)
MUTATION = Issue.general(
    "DEPRECATION", "Modifying an array or hash in place is deprecated; Puppet 4 and later reject it"
)
NUMERIC_NAME = Issue.general(
    "ILLEGAL_NUMERIC_ASSIGNMENT", "Cannot assign to the match variable '${name}'"
)
KEY_TAKEN = Issue.general("ILLEGAL_INDEXED_ASSIGNMENT", "The hash already has the key '{key}'")
APPENDED_HERE = Issue.general(
    "ILLEGAL_APPEND", "Cannot append: the variable {name} is defined in this scope"
)
CANNOT_APPEND = Issue.general("ILLEGAL_APPEND", "Cannot append {new} to {old}")
UNKNOWN_FUNCTION = Issue.general("UNKNOWN_FUNCTION", "Unknown function {name}")
NO_VALUE = Issue.general("FUNCTION_WITHOUT_VALUE", "Function '{name}' does not return a value")
VALUE_NOT_USED = Issue.general(
    "VALUE_NOT_USED", "Function '{name}' must be the value of a statement"
)
INVALID_RESOURCE_TYPE = Issue.general("UNKNOWN_RESOURCE_TYPE", "Invalid resource type {name}")
NO_TITLE = Issue.general("MISSING_TITLE", "A resource of type {type} has no title")
NO_REFERENCE_TITLE = Issue.general("MISSING_TITLE", "A reference to {type} has no title")
NOT_DECLARED_CLASS = Issue.general("UNKNOWN_CLASS", "Could not find declared class {name}")

# -- the grammar --------------------------------------------------------------------------------------

NO_TEMPLATES = Issue(
    "EPP_NOT_SUPPORTED",
    "The parser of Puppet 3 does not support EPP templates",
    hint="use an ERB template",
)
UNRECOGNISED_ESCAPE = Issue("UNRECOGNIZED_ESCAPE", "Unrecognised escape sequence '\\{character}'")
NESTED_DEFINITION = Issue(
    "NESTED_DEFINITION", "'{name}' cannot be defined inside the definition '{outer}'"
)
DUPLICATE_DEFINITION = Issue(
    "DUPLICATE_DEFINITION", "{what} '{name}' is already defined on line {line}"
)
DIFFERENT_PARENTS = Issue(
    "CLASS_WITH_DIFFERENT_PARENTS",
    "{what} '{name}' inherits from another class on line {line}",
    hint="all parts of a class must have the same parent",
)
DASH_IN_VARIABLE = Issue(
    "DASH_IN_VARIABLE_NAME", "Dashes in variable names, as in '${name}', are deprecated"
)
IMPORT_DEPRECATED = Issue("IMPORT_DEPRECATED", "'import' is deprecated", hint="use modules instead")
NODE_INHERITANCE_DEPRECATED = Issue(
    "NODE_INHERITANCE_DEPRECATED",
    "Node inheritance is deprecated: Puppet 4 removed it",
    hint="put the shared code in a class",
)
LOWER_CASE_REFERENCE = Issue(
    "LOWER_CASE_REFERENCE",
    "References to resources must begin with a capital letter",
    hint="write {name}[…]",
)
PARAMETER_WITHOUT_DOLLAR = Issue(
    "PARAMETER_WITHOUT_DOLLAR", "Parameters must begin with a dollar sign", hint="write ${name}"
)
