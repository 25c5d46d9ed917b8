"""What can go wrong in the standard library's functions.

Real Puppet gives every error that such a function raises the one code ``RUNTIME_ERROR``.
"""

from __future__ import annotations

from bunraku.errors import Issue

CODE = "RUNTIME_ERROR"

# -- arguments -------------------------------------------------------------------------------------
WRONG_COUNT = Issue(
    CODE, "{name}(): Wrong number of arguments given ({actual}); it takes {expected}"
)
WRONG_ARGUMENT = Issue(CODE, "{name}(): {position} argument must be {expected}, got {actual}")
WRONG_VALUE = Issue(CODE, "{name}(): {text}")
ITERATOR_ARGUMENT = Issue(
    CODE,
    "{name}(): an Iterator cannot be passed to a function of the old kind",
    hint="make an array of it first: Array($iterator)",
)
NOT_CONVERTIBLE = Issue(CODE, "{name}(): {actual} cannot be used as {expected}")

# -- deprecations and validations ------------------------------------------------------------------
DEPRECATED = Issue(CODE, "deprecation. {key}. {message}", hint="strict is set to error")
INVALID = Issue(CODE, "{text}")
UNKNOWN_VALIDATION = Issue(CODE, "validate_legacy(): there is no function '{function}'")
PRIVATE = Issue(CODE, "{text}")

# -- data ------------------------------------------------------------------------------------------
NOT_PARSED = Issue(CODE, "{name}(): the text is not {format}: {reason}")
NOT_WRITTEN = Issue(CODE, "{name}(): {actual} has no form in {format}")
NOT_READ = Issue(CODE, "{name}(): cannot read '{path}': {reason}")
NO_NETWORK = Issue(
    CODE,
    "{name}(): '{url}' is not fetched: compiling does not use the network",
    hint="put the file on the module path or into Hiera",
)

# -- catalog and environment -----------------------------------------------------------------------
UNKNOWN_MODULE = Issue(CODE, "Could not find module {module} in environment {environment}")
UNKNOWN_RESOURCE = Issue(
    CODE,
    "stdlib::str2resource(): could not find {reference}",
    hint="the resource must have been evaluated before; titles are not quoted",
)
NO_METADATA = Issue(CODE, "load_module_metadata(): No metadata.json file for module {module}")

# -- the machine -----------------------------------------------------------------------------------
COMMAND_FAILED = Issue(CODE, "{text}")
NOT_AVAILABLE = Issue(CODE, "{name}(): {reason}")
