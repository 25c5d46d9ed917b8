"""What can go wrong in the core functions.

Where real Puppet gives such an error no code of its own, it reports ``RUNTIME_ERROR``.
"""

from __future__ import annotations

from bunraku.errors import Issue

CODE = "RUNTIME_ERROR"

# -- arguments -------------------------------------------------------------------------------------
NOT_ITERABLE = Issue(CODE, "{actual} cannot be iterated")
BLOCK_PARAMETERS = Issue(
    CODE, "{name}(): the lambda must take 1 to {most} arguments here, but it takes {actual}"
)
MISSING_REQUIRED_PARAMETER = Issue(
    "MISSING_REQUIRED_PARAMETER", "the lambda's parameter '{name}' is given no value"
)
NO_ARGUMENTS = Issue(CODE, "{name}(): wrong number of arguments, at least one value is needed")
WRONG_ELEMENT = Issue(
    "TYPE_MISMATCH", "'{name}' parameter '{parameter}' expects {expected}, got {actual} inside"
)
UNSUITABLE = Issue(
    "TYPE_MISMATCH", "'{name}' parameter '{parameter}' expects {expected}, got {actual}"
)

# -- tree_each -------------------------------------------------------------------------------------
NOTHING_INCLUDED = Issue(
    CODE, "tree_each(): options 'include_containers' and 'include_values' are both false"
)
CONTAINER_TYPE = Issue(
    CODE, "tree_each(): option 'container_type' expects Array, Hash or Object types, got {actual}"
)

# -- data access -----------------------------------------------------------------------------------
EXPECTED_COLLECTION = Issue(
    "EXPECTED_COLLECTION", "{name}(): there is no Collection at {path}, but {actual}"
)
EXPECTED_INTEGER_INDEX = Issue(
    "EXPECTED_INTEGER_INDEX", "{name}(): an array needs an Integer index at {path}, got {actual}"
)
NAVIGATION_SYNTAX = Issue(
    CODE,
    "{name}(): syntax error in the dotted string '{text}'",
    hint="segments are separated by '.', one with dots or quotes in it stands in quotes",
)
VARIABLE_NAME = Issue(
    CODE, "'{name}' parameter 'get_string': '{text}' does not start with a valid variable name"
)

# -- order -----------------------------------------------------------------------------------------
NOT_COMPARABLE = Issue(CODE, "{name}(): cannot compare {left} with {right}")
IGNORE_CASE = Issue(CODE, "compare(): parameter 'ignore_case' is only for strings")
NO_ORDER = Issue(
    CODE,
    "compare(): {left} and {right} have no order; "
    "Numeric, String, SemVer, Timespan and Timestamp values have",
)
DIFFERENT_ORDER = Issue(
    CODE,
    "compare(): {left} and {right} cannot be compared with each other",
    hint="only Timespan and Timestamp also compare with numbers",
)
BLOCK_RESULT = Issue(CODE, "{name}(): the lambda must return a number, it returned {actual}")

# -- strings ---------------------------------------------------------------------------------------
NO_PATTERN = Issue(CODE, "match(): the type Regexp without a pattern matches nothing in particular")
NOT_A_PATTERN = Issue(
    CODE,
    "match() parameter 'pattern' expects a String, Regexp, Regexp[…], Pattern[…] or an Array of "
    "them, got {actual}",
)
SHELL_ARGUMENT = Issue(CODE, "shellquote(): expects strings and arrays of strings, got {actual}")

# -- numbers ---------------------------------------------------------------------------------------
NOT_A_NUMBER = Issue(CODE, "{name}(): '{text}' is not {expected}")
NOT_FINITE = Issue(CODE, "{name}(): {text} has no integer near it")
RANDOM_LIMIT = Issue(CODE, "fqdn_rand(): the limit must be 1 or more, got {limit}")
RANDOM_ARGUMENT = Issue(CODE, "fqdn_rand(): {actual} is no limit")
NO_HOST_NAME = Issue(CODE, "fqdn_rand(): the fact networking.fqdn is needed, but there is none")

# -- types -----------------------------------------------------------------------------------------
ASSERTION = Issue(CODE, "{text}")
ANNOTATION = Issue(CODE, "annotate(): {text}")
NOT_A_STRING = Issue(CODE, "{name}(): expects a String, got {actual}")

# -- functions and files ---------------------------------------------------------------------------
UNKNOWN_FUNCTION = Issue("UNKNOWN_FUNCTION", "call(): there is no function named '{name}'")
NO_FILE = Issue(CODE, "{name}(): none of these files exists: {paths}")
NOT_READ = Issue(CODE, "{name}(): cannot read '{path}': {reason}")
NOT_A_PATH = Issue(CODE, "{name}(): {actual} is no path")
GENERATOR = Issue(CODE, "generate(): {text}")
DISCONTINUED_IMPORT = Issue(
    "DISCONTINUED_IMPORT",
    "import is not part of the language any more",
    hint="a folder of manifests, given as the manifest, takes its place",
)
