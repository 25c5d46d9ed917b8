"""What can be wrong in the files of a project that are not manifests."""

from __future__ import annotations

from bunraku.base.errors import Issue

NOT_UTF_8 = Issue("NOT_UTF_8", "the file is not valid UTF-8")
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
METADATA = Issue("METADATA", "{problem}")
UNKNOWN_SETTING = Issue("UNKNOWN_SETTING", "{problem}")
BROKEN_TEMPLATE = Issue("BROKEN_TEMPLATE", "{problem}")
