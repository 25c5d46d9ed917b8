"""What can go wrong in the standard library's functions.

Real Puppet gives every error that such a function raises the one code ``RUNTIME_ERROR``.
"""

from __future__ import annotations

from bunraku.base.errors import Issue

# -- arguments -------------------------------------------------------------------------------------
WRONG_VALUE = Issue.general("ILLEGAL_ARGUMENT", "{name}(): {text}")

# -- deprecations and validations ------------------------------------------------------------------
DEPRECATED = Issue.general(
    "DEPRECATION",
    "deprecation. {key}. {message}",
    hint="'--strict warning' turns this error into a warning",
)
INVALID = Issue.general("VALIDATION_FAILED", "{text}")
UNKNOWN_VALIDATION = Issue.general(
    "UNKNOWN_FUNCTION", "validate_legacy(): unknown function '{function}'"
)
PRIVATE = Issue.general("PRIVATE_CODE", "{text}")

# -- data ------------------------------------------------------------------------------------------
NOT_PARSED = Issue.general("INVALID_TEXT", "{name}(): the text is not valid {format}: {reason}")
NOT_WRITTEN = Issue.general("ILLEGAL_ARGUMENT", "{name}(): cannot write {actual} as {format}")
NOT_READ = Issue.general("UNREADABLE_FILE", "{name}(): cannot read '{path}': {reason}")
NO_NETWORK = Issue.general(
    "NO_NETWORK",
    "{name}(): cannot fetch '{url}': compiles do not use the network",
    hint="put the file in a module, or its content in Hiera",
)

# -- catalog and environment -----------------------------------------------------------------------
UNKNOWN_MODULE = Issue.general(
    "UNKNOWN_MODULE", "Could not find module {module} in environment {environment}"
)
UNKNOWN_RESOURCE = Issue.general(
    "UNKNOWN_RESOURCE",
    "stdlib::str2resource(): could not find {reference}",
    hint="the resource must be evaluated before this call; do not quote titles",
)
NO_METADATA = Issue.general(
    "MISSING_METADATA", "load_module_metadata(): No metadata.json file for module {module}"
)

# -- the machine -----------------------------------------------------------------------------------
COMMAND_FAILED = Issue.general("COMMAND_FAILED", "{text}")
NOT_AVAILABLE = Issue.general("NOT_SUPPORTED", "{name}(): {reason}")
