"""Errors in files of a project that are not manifests."""

from __future__ import annotations

from bunraku.base.errors import Issue

NOT_UTF_8 = Issue("NOT_UTF_8", "the file is not valid UTF-8")
UNREADABLE_FILE = Issue("UNREADABLE_FILE", "cannot read the file: {reason}")
NOT_DATA = Issue("NOT_DATA", "not valid {format}: {reason}")
NO_HASH = Issue("NO_HASH", "Hiera data must be a hash at the top level, not {kind}")
DUPLICATE_KEY = Issue(
    "DUPLICATE_KEY", "the key '{key}' occurs twice; the value in line {first} is ignored"
)
UNKNOWN_FUNCTION_IN_DATA = Issue(
    "UNKNOWN_INTERPOLATION",
    "unknown interpolation function '{name}'",
    hint="valid are lookup, hiera, alias, scope and literal",
)
BROKEN_SECRET = Issue(
    "BROKEN_SECRET", "'ENC[' does not begin a complete encrypted value of hiera-eyaml: {reason}"
)
METADATA_TYPE = Issue("METADATA", "module metadata must be an object, not {kind}")
METADATA_MISSING = Issue("METADATA", "the key '{key}' is missing")
METADATA_SHAPE = Issue("METADATA", "{mismatch}")
METADATA_UNKNOWN = Issue("METADATA", "unknown key '{key}'{near}")
NOT_A_MODULE_NAME = Issue("METADATA", "'{name}' is not a module name such as 'puppetlabs-ntp'")
NOT_A_VERSION = Issue("METADATA", "'{version}' is not a version such as '1.2.3'")
NOT_A_RANGE = Issue("METADATA", "{range!r} is not a range of versions such as '>= 1.2.3 < 2.0.0'")
LISTED_TWICE = Issue("METADATA", "'{name}' is listed twice in '{key}'")
UNKNOWN_SETTING = Issue("UNKNOWN_SETTING", "unknown setting '{name}'{near}")
NOT_OF_ENVIRONMENTS = Issue(
    "UNKNOWN_SETTING", "'{name}' is not a setting of environments and is ignored{near}"
)
MISSING_FOLDER = Issue(
    "MISSING_FOLDER", "cannot find the directory '{path}', so '{name}' does not use it"
)
OPEN_TAG = Issue("BROKEN_TEMPLATE", "the tag '<%' is never closed with '%>'")
NOT_RUBY = Issue("BROKEN_TEMPLATE", "the code in the template's tags is not valid Ruby")
RUBY_SYNTAX = Issue("BROKEN_TEMPLATE", "{message}")
FILE_NOT_RUBY = Issue("RUBY_ERROR", "the file is not valid Ruby, so Puppet cannot load it")
FILE_SYNTAX = Issue("RUBY_ERROR", "{message}")
