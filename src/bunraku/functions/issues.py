"""Errors of calls of functions of the 3.x API, and of functions that users write in Python."""

from __future__ import annotations

from bunraku.base.errors import Issue

# -- the 3.x function API --------------------------------------------------------------------------
WRONG_COUNT = Issue.general(
    "ILLEGAL_ARGUMENT_COUNT",
    "{name}(): Wrong number of arguments given ({actual}); it takes {expected}",
    words="{name}(): Wrong number of arguments given ({actual} for {wanted})",
)
WRONG_ARGUMENT = Issue.general(
    "ILLEGAL_ARGUMENT", "{name}(): {position} argument must be {expected}, got {actual}"
)
ITERATOR_ARGUMENT = Issue.general(
    "ILLEGAL_ARGUMENT",
    "{name}(): cannot pass an Iterator to a function written for Puppet 3",
    hint="convert it to an array first: Array($iterator)",
)

# -- functions in Python of users and modules ------------------------------------------------------
BROKEN_FILE = Issue("PYTHON_FUNCTION_FILE", "Cannot load {path}: {reason}{place}")
NOT_DEFINED = Issue(
    "PYTHON_FUNCTION_FILE",
    "{path} must define the function {name}, but it defines {defined}",
    hint="decorate a Python function with @bunraku.function('{name}(…)')",
)
BAD_HEADER = Issue("PYTHON_FUNCTION_FILE", "{path}: invalid signature `{header}`: {reason}")
FAILED = Issue("PYTHON_FUNCTION_FAILED", "Function '{name}' failed: {reason} (in {path}{place})")
BAD_RESULT = Issue("TYPE_MISMATCH", "{mismatch}")
TOO_LARGE = Issue(
    "NUMERIC_OVERFLOW", "'{name}' returned an Integer that does not fit in 64 bits: {value}"
)
NO_VALUE = Issue(
    "PYTHON_FUNCTION_FAILED",
    "'{name}' returned a Python object of class {kind}, which is not a Puppet value",
)
TAKEN = Issue("PYTHON_FUNCTION_TAKEN", "The function '{name}' is built in; use another name")
