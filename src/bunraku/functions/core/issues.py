"""Errors of the core functions.

If Puppet has no special code for an error, it reports ``RUNTIME_ERROR``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from bunraku.base.errors import Issue
from bunraku.types.mismatch import with_problems

command_failed = partial(Issue.general, "COMMAND_FAILED")

illegal = partial(Issue.general, "ILLEGAL_ARGUMENT")

# -- arguments -------------------------------------------------------------------------------------
NOT_ITERABLE = illegal("Cannot iterate over {actual}")
BLOCK_PARAMETERS = illegal(
    "{name}(): the lambda must take 1 to {most} arguments, but it takes {actual}"
)
MISSING_REQUIRED_PARAMETER = Issue(
    "MISSING_REQUIRED_PARAMETER",
    "the lambda's parameter '{name}' expects a value",
    words="Parameter ${name} is required but no value was given",
)
NO_ARGUMENTS = Issue.general(
    "ILLEGAL_ARGUMENT_COUNT",
    "{name}(): wrong number of arguments: expected at least 1, got none",
    words="{name}(): Wrong number of arguments need at least one",
)
WRONG_ELEMENT = Issue(
    "TYPE_MISMATCH", "'{name}' parameter '{parameter}' expects {expected}, got {actual} inside"
)
UNSUITABLE = Issue(
    "TYPE_MISMATCH", "'{name}' parameter '{parameter}' expects {expected}, got {actual}"
)

# -- tree_each -------------------------------------------------------------------------------------
NOTHING_INCLUDED = illegal(
    "tree_each(): options 'include_containers' and 'include_values' are both false"
)
CONTAINER_TYPE = illegal(
    "tree_each(): option 'container_type' expects Array, Hash or Object types, got {actual}"
)

# -- data access -----------------------------------------------------------------------------------
EXPECTED_COLLECTION = Issue(
    "EXPECTED_COLLECTION",
    "{name}(): expected a Collection at {path}, got {actual}",
    words="The given data does not contain a Collection at {path}, got '{actual}'",
)
EXPECTED_INTEGER_INDEX = Issue(
    "EXPECTED_INTEGER_INDEX",
    "{name}(): expected an Integer index of an array at {path}, got {actual}",
    words="The given data requires an Integer index at {path}, got '{actual}'",
)
NAVIGATION_SYNTAX = illegal(
    "{name}(): syntax error in the dotted string '{text}'",
    hint="separate segments with '.'; put a segment that contains dots or quotes in quotes",
)
VARIABLE_NAME = illegal(
    "'{name}' parameter 'get_string': '{text}' does not start with a valid variable name",
    words="'getvar' The given string does not start with a valid variable name",
)

# -- order -----------------------------------------------------------------------------------------
NOT_COMPARABLE = Issue.general(
    "COMPARISON_NOT_POSSIBLE",
    "{name}(): cannot compare {left} with {right}",
    words="comparison of {right} with {shown} failed",
)
IGNORE_CASE = illegal(
    "compare(): parameter 'ignore_case' only applies to strings",
    words="'compare' compare(): The third argument (ignore case) can only be used when comparing strings",
)
NO_ORDER = Issue.general(
    "COMPARISON_NOT_POSSIBLE",
    "compare(): cannot order {left} and {right}; expected Numeric, String, SemVer, "
    "Timespan or Timestamp values",
)
DIFFERENT_ORDER = Issue.general(
    "COMPARISON_NOT_POSSIBLE",
    "compare(): cannot compare {left} with {right}",
    hint="only Timespan and Timestamp can also be compared with numbers",
    words="'compare' compare(): Can only compare values of the same type (or for Timestamp/Timespan also against Numeric). Got {left} and {right}",
)
BLOCK_RESULT = illegal("{name}(): the lambda must return a number, got {actual}")

# -- strings ---------------------------------------------------------------------------------------
NO_PATTERN = illegal("match(): the type Regexp needs a pattern")
NOT_A_PATTERN = illegal(
    "match() parameter 'pattern' expects a String, Regexp, Regexp[…], Pattern[…] "
    "or an Array of them, got {actual}"
)
SHELL_ARGUMENT = illegal(
    "shellquote() expects strings and arrays of strings, got {actual}", words="{problem}"
)

# -- numbers ---------------------------------------------------------------------------------------
NOT_A_NUMBER = illegal("{name}(): '{text}' is not {expected}")
NOT_FINITE = illegal("{name}(): {text} cannot be converted to an Integer")
RANDOM_LIMIT = illegal(
    "fqdn_rand(): the limit must be 1 or more, got {limit}", words="invalid argument - {limit}"
)
RANDOM_ARGUMENT = illegal("fqdn_rand(): {actual} is not a valid limit")
NO_HOST_NAME = Issue.general(
    "MISSING_FACT", "fqdn_rand() requires the fact networking.fqdn, which is not set"
)

# -- types -----------------------------------------------------------------------------------------
ASSERTION = Issue.general("TYPE_MISMATCH", "{mismatch}")
NOT_AN_ANNOTATION = illegal("annotate(): {type} is not a type of annotations")
DECLARED_ANNOTATION = illegal(
    "annotate(): attempt to {action} {type} annotation declared on {value}"
)
NOT_ANNOTATABLE = illegal("annotate(): {type} values cannot be annotated")
ANNOTATIONS_EXPECTED = illegal("annotate(): Pcore requires a hash from type to annotation")
NOT_A_STRING = illegal("{name}() expects a String, got {actual}", words="{problem}")

# -- functions and files ---------------------------------------------------------------------------
UNKNOWN_FUNCTION = Issue.general(
    "UNKNOWN_FUNCTION", "call(): unknown function '{name}'", words="Unknown function '{name}'"
)
NO_FILE = Issue(
    "FILE_NOT_FOUND",
    "{name}(): could not find any of the files {paths}",
    words="Could not find any files from {paths}",
)
NOT_READ = Issue.general("UNREADABLE_FILE", "{name}(): cannot read '{path}': {reason}")
NOT_A_PATH = illegal("{name}(): {actual} is not a path")
PROGRAM_NOT_ABSOLUTE = command_failed(
    "generate(): the path of the program must be absolute",
    words="Generators must be fully qualified",
)
PROGRAM_CHARACTERS = command_failed(
    "generate(): the program's path can only contain letters, digits, '-', '_', '.', '+' and '/'",
    words="Generators can only contain alphanumerics, file separators, and dashes",
)
PROGRAM_CLIMBS = command_failed(
    "generate(): the program's path must not contain '..'",
    words="Can not use generators with '..' in them.",
)
PROGRAM_FAILED = command_failed(
    "generate(): {program} failed with status {status}",
    words="Failed to execute generator {program}: Execution of '{program}' returned {status}: ",
)
PROGRAM_NOT_RUN = command_failed("generate(): {program} cannot be run: {reason}")
DISCONTINUED_IMPORT = Issue(
    "DISCONTINUED_IMPORT",
    "import is no longer part of the language",
    hint="use a directory of manifests as the main manifest",
    words="Use of 'import' has been discontinued in favor of a manifest directory. See http://links.puppet.com/puppet-import-deprecation",
)

# -- the catalog -----------------------------------------------------------------------------------
MISSING_ARGUMENT = Issue(
    "ILLEGAL_ARGUMENT_COUNT",
    "'{function}' expects at least 1 argument, got none",
    words="{problem}",
)
INCLUDED_TOO_EARLY = Issue(
    "INCLUDED_TOO_EARLY",
    "{function}() cannot be called in the type of a parameter: no class can be declared yet",
    words="No source for scope passed to evaluate_classes",
)
EMPTY_CLASS_NAME = Issue(
    "EMPTY_CLASS_NAME",
    "'{function}': a class name cannot be empty",
    words="Cannot use empty string as a class name",
)
CLASS_NAME_UNDEF = Issue("CLASS_NAME_UNDEF", "'{function}': cannot use undef as a class name")
NOT_A_CLASS_NAME = Issue(
    "ILLEGAL_CLASS_NAME",
    "'{function}' expects the name of a class or a reference to one, got {kind}",
    words="{problem}",
)
NOT_A_REFERENCE = Issue("ILLEGAL_REFERENCE", "'{function}' expects resource references, got {kind}")
NO_TITLE = illegal("'defined' expects a reference with a type or title, got {kind}")
FAILED = Issue.general("FAIL", "{message}")
NOT_ATTRIBUTES = illegal(
    "The attributes of '{title}' must be a Hash, got {kind}",
    words="no implicit conversion of {bare_kind} into Hash",
)
NOT_WHEN_SCRIPTING = Issue(
    "CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING",
    "The function '{name}' requires a catalog; with the setting 'tasks' no catalog is compiled",
)

# -- templates -------------------------------------------------------------------------------------
EPP_PARAMETERS = Issue("INVALID_TEMPLATE_PARAMETERS", "{name} {problems}", words="{mismatch}")
INVALID_EPP = Issue(
    "INVALID_TEMPLATE",
    "{name}(): invalid EPP template: {reason}",
    words="{name}(): Invalid EPP: {words}",
)
TEMPLATE_NOT_FOUND = Issue.general("TEMPLATE_NOT_FOUND", "Could not find template '{name}'")
NOT_A_TEMPLATE = illegal("{name}() expects strings, got a value of type {actual}")
NO_TEMPLATE_WHEN_SCRIPTING = Issue(
    "NOT_SUPPORTED_WHEN_SCRIPTING",
    "The function '{name}' requires a catalog; with the setting 'tasks' no catalog is compiled",
    hint="use an EPP template",
)


def epp_problems(name: str, problems: Sequence[str]) -> dict[str, str]:
    """Return the arguments of ``EPP_PARAMETERS`` for a template and the problems of its parameters."""
    mismatch = with_problems("lambda", problems)
    return {"name": name, "problems": "; ".join(problems), "mismatch": mismatch}
