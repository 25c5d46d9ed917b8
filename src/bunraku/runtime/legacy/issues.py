"""What goes wrong in Puppet 3 code when it runs. Puppet 3.8 itself had no codes."""

from bunraku.errors import Issue

NO_CONCATENATION = Issue(
    "RUNTIME_ERROR",
    "Arrays and hashes are not operands here",
    hint="arrays are joined with '+=' in another scope, or with concat() of stdlib",
)
NOT_A_NUMBER = Issue("RUNTIME_ERROR", "The {side} operand of {operator} is not a number")
MINUS_NOT_A_NUMBER = Issue("RUNTIME_ERROR", "The operand of minus is not a number: '{value}'")
DIVIDED_BY_ZERO = Issue("RUNTIME_ERROR", "Division by zero")
NOT_FOR_FLOATS = Issue("RUNTIME_ERROR", "Floats have no {operator}")
NUMBER_TOO_LONG = Issue("RUNTIME_ERROR", "The number would have more than {bits} bits")
NOT_COMPARABLE = Issue("RUNTIME_ERROR", "'{left}' {operator} '{right}' cannot be compared")
IN_NOT_TEXT = Issue("RUNTIME_ERROR", "'{left}' on the left of 'in' is not a string")
IN_NOT_A_COLLECTION = Issue(
    "RUNTIME_ERROR", "'{right}' on the right of 'in' is no string, array or hash"
)
NO_MATCHING_VALUE = Issue("RUNTIME_ERROR", "No matching value for the selector's '{value}'")
NOT_A_CONTAINER = Issue(
    "RUNTIME_ERROR", "What is indexed with '{key}' is no hash or array but {value}"
)
NOT_AN_INDEX = Issue("RUNTIME_ERROR", "'{key}' is not an integer, but is used to index an array")
FROZEN = Issue("RUNTIME_ERROR", "'{key}' cannot be set: trusted data and facts stand fast")
MUTATION = Issue(
    "RUNTIME_ERROR",
    "Changing an array or hash in place is deprecated: Puppet 4 and later refuse it",
)
NUMERIC_NAME = Issue("RUNTIME_ERROR", "Cannot assign to the match variable '${name}'")
KEY_TAKEN = Issue("RUNTIME_ERROR", "The hash has the key '{key}' already")
APPENDED_HERE = Issue(
    "RUNTIME_ERROR", "Cannot append: the variable {name} is defined in this scope"
)
CANNOT_APPEND = Issue("RUNTIME_ERROR", "A value of kind {new} cannot be appended to one of {old}")
UNKNOWN_FUNCTION = Issue("RUNTIME_ERROR", "Unknown function {name}")
NO_VALUE = Issue("RUNTIME_ERROR", "Function '{name}' does not return a value")
VALUE_NOT_USED = Issue("RUNTIME_ERROR", "Function '{name}' must be the value of a statement")
INVALID_RESOURCE_TYPE = Issue("RUNTIME_ERROR", "Invalid resource type {name}")
NO_TITLE = Issue("RUNTIME_ERROR", "A resource of type {type} has no title")
NO_REFERENCE_TITLE = Issue("RUNTIME_ERROR", "A reference to {type} has no title")
NOT_DECLARED_CLASS = Issue("RUNTIME_ERROR", "Could not find declared class {name}")
