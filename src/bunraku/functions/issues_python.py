"""What can go wrong with functions that others write in Python."""

from __future__ import annotations

from bunraku.errors import Issue

BROKEN_FILE = Issue("PYTHON_FUNCTION_FILE", "{path} cannot be loaded: {text}{place}")
NOT_DEFINED = Issue(
    "PYTHON_FUNCTION_FILE",
    "{path} should define the function {name}, it defines {defined}",
    hint="decorate a Python function with @bunraku.function('{name}(…)')",
)
BAD_HEADER = Issue("PYTHON_FUNCTION_FILE", "{path}: the header `{header}` is wrong: {text}")
FAILED = Issue("PYTHON_FUNCTION_FAILED", "Function '{name}' failed: {text} (in {path}{place})")
BAD_RESULT = Issue("TYPE_MISMATCH", "{text}")
TOO_LARGE = Issue("NUMERIC_OVERFLOW", "'{name}' made an Integer outside of 64 bits: {value}")
NO_VALUE = Issue(
    "PYTHON_FUNCTION_FAILED",
    "'{name}' made a Python object of class {kind}, which is no value of the Puppet language",
)
TAKEN = Issue("PYTHON_FUNCTION_TAKEN", "The function '{name}' is built in; give yours another name")
