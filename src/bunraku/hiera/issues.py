"""Errors of Hiera's configuration and data; the codes are Puppet's if it has one."""

from __future__ import annotations

from collections.abc import Sequence

from bunraku.base.errors import Issue

UNSUPPORTED_VERSION = Issue(
    "HIERA_UNSUPPORTED_VERSION", "Unknown hiera.yaml version {version} (valid: 3, 4, 5)"
)
VERSION_3_NOT_GLOBAL = Issue(
    "HIERA_VERSION_3_NOT_GLOBAL",
    "hiera.yaml version 3 is only allowed globally, not in {where}",
    hint="convert it to version 5",
)
VERSION_4_GLOBAL = Issue(
    "HIERA_UNSUPPORTED_VERSION_IN_GLOBAL", "The global hiera.yaml cannot use version 4"
)
UNDEFINED_VARIABLE = Issue.general(
    "HIERA_UNDEFINED_VARIABLE",
    "Undefined variable '{name}'",
    words="Undefined variable '{name}'; ",
)
UNDEFINED_IN_PATH = Issue(
    "HIERA_UNDEFINED_VARIABLE", "Undefined variable '{name}' in a path of hiera.yaml is left empty"
)
BACKEND_TWICE = Issue(
    "HIERA_BACKEND_MULTIPLY_DEFINED", "The backend '{name}' is listed twice{first}"
)
NO_BACKEND = Issue("HIERA_NO_PROVIDER_FOR_BACKEND", "Unknown backend '{name}'")
LEVEL_TWICE = Issue(
    "HIERA_HIERARCHY_NAME_MULTIPLY_DEFINED",
    "Two levels of the hierarchy are named '{name}'{first}",
)
BACKEND_3_NOT_GLOBAL = Issue(
    "HIERA_V3_BACKEND_NOT_GLOBAL", "'hiera3_backend' is only allowed in the global hiera.yaml"
)
BACKEND_3_REPLACED = Issue(
    "HIERA_V3_BACKEND_REPLACED_BY_DATA_HASH",
    "'hiera3_backend: {name}' is not supported; use 'data_hash: {name}_data'",
)
DEFAULTS_NOT_IN_MODULE = Issue(
    "HIERA_DEFAULT_HIERARCHY_NOT_IN_MODULE",
    "'default_hierarchy' is only allowed in the hiera.yaml of a module",
)
NO_FUNCTION = Issue(
    "HIERA_MISSING_DATA_PROVIDER_FUNCTION",
    "The level '{name}' has no data_hash, lookup_key or data_dig, and 'defaults' has none",
)
SEVERAL_FUNCTIONS = Issue(
    "HIERA_MULTIPLE_DATA_PROVIDER_FUNCTIONS",
    "The level '{name}' has several data functions: {keys}; only one is allowed",
)
SEVERAL_DEFAULT_FUNCTIONS = Issue(
    "HIERA_MULTIPLE_DATA_PROVIDER_FUNCTIONS_IN_DEFAULT",
    "'defaults' has several data functions: {keys}; only one is allowed",
)
SEVERAL_LOCATIONS = Issue(
    "HIERA_MULTIPLE_LOCATION_SPECS",
    "The level '{name}' has several locations: {keys}; only one is allowed",
)
RESERVED_OPTION = Issue(
    "HIERA_OPTION_RESERVED_BY_PUPPET", "The option '{key}' of level '{name}' is reserved by Puppet"
)
RESERVED_DEFAULT_OPTION = Issue(
    "HIERA_DEFAULT_OPTION_RESERVED_BY_PUPPET",
    "The option '{key}' in 'defaults' is reserved by Puppet",
)
FUNCTION_NOT_FOUND = Issue(
    "HIERA_DATA_PROVIDER_FUNCTION_NOT_FOUND",
    "Unknown {kind} function '{name}' in level '{level}' of {path}",
)
ALIAS_NOT_WHOLE = Issue(
    "HIERA_INTERPOLATION_ALIAS_NOT_ENTIRE_STRING",
    "%{{alias(…)}} must be the entire string, as its value may be of any type: {text!r}{where}",
    words="'alias' interpolation is only permitted if the expression is equal to the entire string",
)
UNKNOWN_METHOD = Issue(
    "HIERA_INTERPOLATION_UNKNOWN_INTERPOLATION_METHOD",
    "Unknown interpolation function '{name}'{where}",
    hint="valid functions: lookup, hiera, alias, scope, literal",
    words="Unknown interpolation method '{name}'",
)
METHOD_NOT_ALLOWED = Issue(
    "HIERA_INTERPOLATION_METHOD_SYNTAX_NOT_ALLOWED",
    "Interpolation functions are not allowed in hiera.yaml, only variables: {text!r}",
)
INVALID_CONFIG = Issue("HIERA_INVALID_CONFIG", "Invalid hiera.yaml: {problem}")
CONFIG_IS_NO_HASH = Issue(
    "HIERA_CONFIG_IS_NO_HASH",
    "{path} does not contain a hash; using an empty hiera.yaml of version 3",
)
OLD_CONFIG = Issue(
    "DEPRECATION", "{path} uses version {version}, which is deprecated: convert it to version 5"
)
OLD_DATA_PROVIDER = Issue("DEPRECATION", "{setting} is deprecated: use a hiera.yaml of version 5")
DATA_PROVIDER_IGNORED = Issue(
    "DEPRECATION",
    "Ignoring {setting}, because there is a hiera.yaml of version 5: remove the setting",
)
NO_DATA_PROVIDER = Issue(
    "HIERA_UNKNOWN_DATA_PROVIDER",
    "Unknown data provider '{name}' (valid: hiera, function, none)",
    hint="use a hiera.yaml of version 5",
)
OLD_DATA_FUNCTION = Issue(
    "DEPRECATION",
    "The data function '{name}' is deprecated: use it as a data_hash function in hiera.yaml",
)
INVALID_KEY = Issue("HIERA_INVALID_KEY", "Invalid key {key!r}{where}")
DIG_MISMATCH = Issue(
    "HIERA_DIG_MISMATCH",
    "The key '{key}' looks up '{segment}' in {kind}, which has no such entries",
    words="Data Provider type mismatch: Got {found} when a hash-like object was expected to access value using '{segment}' from key '{key}'",
)
RECURSIVE_LOOKUP = Issue(
    "RECURSIVE_LOOKUP",
    "Recursive lookup: {names}",
    words="Lookup of key '{first}' failed: Recursive lookup detected in [{stack}]",
)
OPTIONS_NO_HASH = Issue(
    "HIERA_LOOKUP_OPTIONS_NO_HASH", "The lookup_options of '{key}' must be a hash"
)
OPTIONS_KEY = Issue(
    "HIERA_LOOKUP_OPTIONS_KEY", "A key in lookup_options must be a string, not {key!r}"
)
LOOKUP_OPTIONS_NO_HASH = Issue(
    "HIERA_LOOKUP_OPTIONS_NO_HASH",
    "The value of lookup_options must be a hash",
    words="value of lookup_options must be a hash",
)
FOREIGN_LOOKUP_OPTIONS = Issue(
    "HIERA_FOREIGN_LOOKUP_OPTIONS",
    "The module '{module}' can only set lookup_options for its own keys, not for '{key}'",
)
CONTEXT_ARGUMENTS = Issue.general("ILLEGAL_ARGUMENT_COUNT", "{mismatch}")
NO_LOOKUP = Issue(
    "RUNTIME_ERROR", "The method '{method}' of a context is only available during a lookup"
)
BAD_PATTERN = Issue("HIERA_BAD_PATTERN", "Invalid pattern {pattern!r} in lookup_options: {reason}")
BAD_CONVERT_TYPE = Issue(
    "HIERA_CONVERT_TYPE", "convert_to of key '{key}' is not a type: {source!r} ({reason})"
)
CONVERT_FAILED = Issue(
    "HIERA_CONVERT_FAILED",
    "convert_to of key '{key}' failed: {reason}",
    words="The convert_to lookup_option for key '{key}' raised error: {reason}",
)
NOT_FOUND = Issue(
    "LOOKUP_NOT_FOUND",
    "{function}() did not find a value for {names}",
    hint="'bunraku lookup KEY --explain' shows the files that were searched",
    words="Function lookup() did not find a value for {what}",
    form="unplaced",
)
DATA_ITEM_NOT_FOUND = Issue.general("LOOKUP_NOT_FOUND", "Could not find data item {key}")
TYPE_MISMATCH = Issue.general("TYPE_MISMATCH", "{mismatch}", words="{mismatch_words}")
UNKNOWN_STRATEGY = Issue(
    "HIERA_UNKNOWN_STRATEGY",
    "Unknown merge strategy '{name}' (valid: first, unique, hash, deep)",
    words="Unknown merge strategy: '{name}'",
)
STRATEGY_MISSING = Issue("HIERA_STRATEGY_MISSING", "A merge hash requires a 'strategy'")
BAD_MERGE_OPTION = Issue("HIERA_BAD_MERGE_OPTION", "Merge option '{name}': {problem}")
MERGE_MISMATCH = Issue(
    "HIERA_MERGE_MISMATCH", "The merge strategy '{strategy}' cannot merge {kind}"
)
UNSORTABLE = Issue("HIERA_UNSORTABLE", "sort_merged_arrays cannot compare {kinds} with one another")
UNREADABLE_DATA = Issue("HIERA_UNREADABLE_DATA", "Cannot read {path}: {reason}")
UNPARSABLE_DATA = Issue(
    "HIERA_UNPARSABLE_DATA",
    "The file is not valid {format}: {reason}",
    words="Unable to parse ({path}): {problem}",
)
DATA_IS_NO_HASH = Issue("HIERA_DATA_IS_NO_HASH", "{path} does not contain a hash at the top level")
NO_HASH_RETURNED = Issue(
    "HIERA_NO_HASH_RETURNED", "The data_hash function '{name}' returned {kind}, not a hash{where}"
)
WRONG_VALUE = Issue(
    "HIERA_WRONG_VALUE", "The value of '{key}'{where} contains {kind}, which is not a Puppet value"
)
FOREIGN_KEYS = Issue(
    "HIERA_FOREIGN_KEYS",
    "Module '{module}': ignoring keys that do not begin with its name{where}: {keys}",
)
PATH_MISSING = Issue(
    "HIERA_PATH_MISSING",
    "{function} requires a file: set path, paths, glob, globs or mapped_paths in the level",
)
NO_OPTIONS_TAKEN = Issue(
    "HIERA_NO_OPTIONS_TAKEN", "{function} takes no options, but the level '{level}' sets {keys}"
)
BACKEND_IS_RUBY = Issue(
    "HIERA_BACKEND_IS_RUBY",
    "The backend '{name}' is a Hiera 3 backend written in Ruby, which bunraku does not run",
    hint="move its data to a data_hash or lookup_key function",
)
NO_CRYPTOGRAPHY = Issue(
    "HIERA_NO_CRYPTOGRAPHY",
    "Decrypting the value of '{key}' requires the Python package 'cryptography'",
    hint="pip install cryptography",
)
NO_KEY = Issue(
    "HIERA_KEY_MISSING",
    "Cannot decrypt the value of '{key}' in {path}: {reason}",
    hint="this machine needs the keys of eyaml that the level names",
)
DECRYPTION_FAILED = Issue(
    "HIERA_DECRYPTION_FAILED", "Cannot decrypt the value of '{key}' in {path}: {reason}"
)
HIERA_DEPRECATED = Issue("DEPRECATION", "{name}() is deprecated: use lookup()")


def absent_keys(function: str, keys: Sequence[str]) -> dict[str, str]:
    """Return the arguments of ``NOT_FOUND`` for a function and the keys without a value."""
    quoted = [f"'{key}'" for key in keys]
    return {
        "function": function,
        "names": " or ".join(quoted) or "no name",
        "what": f"the name {quoted[0]}"
        if len(keys) == 1
        else f"any of the names [{', '.join(quoted)}]",
    }
