"""What can go wrong with Hiera's configuration and data; codes are Puppet's where it has one."""

from __future__ import annotations

from bunraku.errors import Issue, PuppetError

UNSUPPORTED_VERSION = Issue(
    "HIERA_UNSUPPORTED_VERSION", "There is no hiera.yaml of version {version}; 3, 4 and 5 exist"
)
VERSION_3_NOT_GLOBAL = Issue(
    "HIERA_VERSION_3_NOT_GLOBAL",
    "A hiera.yaml of version 3 counts only globally, not in {where}",
    hint="write it in version 5",
)
VERSION_4_GLOBAL = Issue(
    "HIERA_UNSUPPORTED_VERSION_IN_GLOBAL", "The global hiera.yaml cannot be of version 4"
)
UNDEFINED_VARIABLE = Issue("HIERA_UNDEFINED_VARIABLE", "Undefined variable '{name}'")
UNDEFINED_IN_PATH = Issue(
    "HIERA_UNDEFINED_VARIABLE", "Undefined variable '{name}' in a path of hiera.yaml is left empty"
)
BACKEND_TWICE = Issue("HIERA_BACKEND_MULTIPLY_DEFINED", "The backend '{name}' is listed twice")
NO_BACKEND = Issue("HIERA_NO_PROVIDER_FOR_BACKEND", "There is no backend '{name}'")
LEVEL_TWICE = Issue(
    "HIERA_HIERARCHY_NAME_MULTIPLY_DEFINED",
    "Two levels of the hierarchy are named '{name}'{first}",
)
BACKEND_3_NOT_GLOBAL = Issue(
    "HIERA_V3_BACKEND_NOT_GLOBAL", "'hiera3_backend' is for the global hiera.yaml only"
)
BACKEND_3_REPLACED = Issue(
    "HIERA_V3_BACKEND_REPLACED_BY_DATA_HASH",
    "'hiera3_backend: {name}' does not exist; 'data_hash: {name}_data' does that work",
)
DEFAULTS_NOT_IN_MODULE = Issue(
    "HIERA_DEFAULT_HIERARCHY_NOT_IN_MODULE", "'default_hierarchy' is for hiera.yaml of modules only"
)
NO_FUNCTION = Issue(
    "HIERA_MISSING_DATA_PROVIDER_FUNCTION",
    "The level '{name}' has no data_hash, lookup_key or data_dig, and no default names one",
)
SEVERAL_FUNCTIONS = Issue(
    "HIERA_MULTIPLE_DATA_PROVIDER_FUNCTIONS",
    "The level '{name}' names several functions: {keys}; one is allowed",
)
SEVERAL_DEFAULT_FUNCTIONS = Issue(
    "HIERA_MULTIPLE_DATA_PROVIDER_FUNCTIONS_IN_DEFAULT",
    "'defaults' names several functions: {keys}; one is allowed",
)
SEVERAL_LOCATIONS = Issue(
    "HIERA_MULTIPLE_LOCATION_SPECS",
    "The level '{name}' says in several ways where its data is: {keys}; one is allowed",
)
RESERVED_OPTION = Issue(
    "HIERA_OPTION_RESERVED_BY_PUPPET",
    "The option '{key}' of level '{name}' is set by Puppet itself",
)
RESERVED_DEFAULT_OPTION = Issue(
    "HIERA_DEFAULT_OPTION_RESERVED_BY_PUPPET",
    "The option '{key}' among the defaults is set by Puppet itself",
)
FUNCTION_NOT_FOUND = Issue(
    "HIERA_DATA_PROVIDER_FUNCTION_NOT_FOUND",
    "The level '{level}' of {path} wants the {kind} function '{name}', which does not exist",
)
ALIAS_NOT_WHOLE = Issue(
    "HIERA_INTERPOLATION_ALIAS_NOT_ENTIRE_STRING",
    "%{{alias(…)}} must be the whole text, for its value need not be text: {text!r}",
)
UNKNOWN_METHOD = Issue(
    "HIERA_INTERPOLATION_UNKNOWN_INTERPOLATION_METHOD",
    "No interpolation function is called '{name}'",
    hint="lookup, hiera, alias, scope and literal are",
)
METHOD_NOT_ALLOWED = Issue(
    "HIERA_INTERPOLATION_METHOD_SYNTAX_NOT_ALLOWED",
    "Only variables can be interpolated in hiera.yaml, no functions: {text!r}",
)
INVALID_CONFIG = Issue("HIERA_INVALID_CONFIG", "{config}: {problem}")
CONFIG_IS_NO_HASH = Issue(
    "HIERA_CONFIG_IS_NO_HASH", "{path} holds no hash; it is taken for an empty hiera.yaml version 3"
)
OLD_CONFIG = Issue(
    "DEPRECATION", "{path} is of version {version}, which is deprecated: write it in version 5"
)
OLD_DATA_PROVIDER = Issue("DEPRECATION", "{setting} is deprecated: write a hiera.yaml of version 5")
DATA_PROVIDER_IGNORED = Issue(
    "DEPRECATION",
    "{setting} is ignored, for there is a hiera.yaml of version 5: remove the setting",
)
NO_DATA_PROVIDER = Issue(
    "HIERA_UNKNOWN_DATA_PROVIDER",
    "Cannot find the data provider '{name}'; 'hiera', 'function' and 'none' exist",
    hint="write a hiera.yaml of version 5",
)
OLD_DATA_FUNCTION = Issue(
    "DEPRECATION",
    "The data function '{name}' is called the old way, which is deprecated: name it as a data_hash function in hiera.yaml",
)
INVALID_KEY = Issue("HIERA_INVALID_KEY", "The key {key!r} cannot be understood{where}")
DIG_MISMATCH = Issue(
    "HIERA_DIG_MISMATCH",
    "The key '{key}' looks for '{segment}' in {kind}, which has no entries of that name",
)
RECURSIVE_LOOKUP = Issue("RECURSIVE_LOOKUP", "The lookup goes round in a circle: {names}")
OPTIONS_NO_HASH = Issue(
    "HIERA_LOOKUP_OPTIONS_NO_HASH", "The lookup_options of '{key}' must be a hash"
)
OPTIONS_KEY = Issue(
    "HIERA_LOOKUP_OPTIONS_KEY", "A key in lookup_options must be a string, not {key!r}"
)
LOOKUP_OPTIONS_NO_HASH = Issue(
    "HIERA_LOOKUP_OPTIONS_NO_HASH", "The value of lookup_options must be a hash"
)
FOREIGN_LOOKUP_OPTIONS = Issue(
    "HIERA_FOREIGN_LOOKUP_OPTIONS",
    "The module '{module}' may set lookup_options of its own keys only, not of '{key}'",
)
BAD_PATTERN = Issue("HIERA_BAD_PATTERN", "The pattern {pattern!r} in lookup_options: {reason}")
BAD_CONVERT_TYPE = Issue(
    "HIERA_CONVERT_TYPE", "convert_to of key '{key}' names no type: {source!r} ({reason})"
)
CONVERT_FAILED = Issue("HIERA_CONVERT_FAILED", "convert_to of key '{key}' failed: {reason}")
NOT_FOUND = Issue(
    "LOOKUP_NOT_FOUND",
    "{function}() did not find a value for {names}",
    hint="'bunraku lookup KEY --explain' shows where it was looked for",
)
TYPE_MISMATCH = Issue("TYPE_MISMATCH", "{text}")
UNKNOWN_STRATEGY = Issue(
    "HIERA_UNKNOWN_STRATEGY", "There is no merge strategy '{name}'; first, unique, hash, deep are"
)
STRATEGY_MISSING = Issue("HIERA_STRATEGY_MISSING", "A hash given as merge must name the 'strategy'")
BAD_MERGE_OPTION = Issue("HIERA_BAD_MERGE_OPTION", "Merge option '{name}': {problem}")
MERGE_MISMATCH = Issue("HIERA_MERGE_MISMATCH", "The merge strategy '{strategy}' cannot take {kind}")
UNSORTABLE = Issue("HIERA_UNSORTABLE", "sort_merged_arrays cannot compare {kinds} with one another")
UNREADABLE_DATA = Issue("HIERA_UNREADABLE_DATA", "{path} cannot be read: {reason}")
UNPARSABLE_DATA = Issue("HIERA_UNPARSABLE_DATA", "{path} is no {format}: {reason}")
DATA_IS_NO_HASH = Issue("HIERA_DATA_IS_NO_HASH", "{path} holds no hash at its top")
NO_HASH_RETURNED = Issue(
    "HIERA_NO_HASH_RETURNED", "The data_hash function '{name}' returned {kind}, not a hash{where}"
)
WRONG_VALUE = Issue(
    "HIERA_WRONG_VALUE", "The value of '{key}'{where} holds {kind}, which Puppet has no value for"
)
FOREIGN_KEYS = Issue(
    "HIERA_FOREIGN_KEYS",
    "Module '{module}': keys that do not begin with its name are passed over{where}: {keys}",
)
PATH_MISSING = Issue(
    "HIERA_PATH_MISSING",
    "{function} needs a file: the level must have path, paths, glob, globs or mapped_paths",
)
NO_OPTIONS_TAKEN = Issue(
    "HIERA_NO_OPTIONS_TAKEN", "{function} takes no options, but the level '{level}' gives {keys}"
)
BACKEND_IS_RUBY = Issue(
    "HIERA_BACKEND_IS_RUBY",
    "The backend '{name}' is a Hiera 3 backend written in Ruby, which bunraku does not run",
    hint="move its data to a data_hash or lookup_key function",
)
NO_CRYPTOGRAPHY = Issue(
    "HIERA_NO_CRYPTOGRAPHY",
    "Opening the encrypted value of '{key}' needs the Python package 'cryptography'",
    hint="pip install 'bunraku[eyaml]'",
)
DECRYPTION_FAILED = Issue(
    "HIERA_DECRYPTION_FAILED", "The encrypted value of '{key}' in {path} cannot be opened: {reason}"
)
HIERA_DEPRECATED = Issue("DEPRECATION", "{name}() is deprecated: use lookup()")


def placed(error: PuppetError, path: str | None, line: int | None = None) -> PuppetError:
    """The error with the place in a data file that it is about."""
    error.diagnostic.file, error.diagnostic.line = path, line
    return error
