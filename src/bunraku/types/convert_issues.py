"""What can go wrong when values are converted or formatted.

Puppet raises plain errors from its conversions, without codes of their own.
"""

from __future__ import annotations

from bunraku.errors import Issue

# -- conversion ------------------------------------------------------------------------------------
NOT_CONVERTIBLE = Issue(
    "TYPE_CONVERSION", "{name}: the value {value} cannot be converted to {target}"
)
CONVERSION_ARGUMENTS = Issue("TYPE_CONVERSION_ARGUMENTS", "{text}")
CONVERTED_MISMATCH = Issue("TYPE_MISMATCH", "{text}")
NO_NEW = Issue("TYPE_HAS_NO_NEW", "No value can be made of the type {type}: it has no 'new'")
BAD_TREE = Issue("TYPE_CONVERSION", "Hash(…, '{mode}') cannot place the value at {path}: {reason}")

# -- String formats --------------------------------------------------------------------------------
BAD_FORMAT = Issue(
    "STRING_FORMAT_INVALID",
    "'{format}' is no format of the form %[flags][width][.precision]letter",
)
BAD_FORMAT_FLAG = Issue("STRING_FORMAT_INVALID", "The format '{format}' {reason}")
BAD_FORMAT_LETTER = Issue(
    "STRING_FORMAT_ILLEGAL",
    "The format letter '{letter}' is not for {type} values; those take one of '{letters}'",
)
FORMAT_TYPE = Issue("STRING_FORMAT_INVALID", "{text}")
NOT_UTF8 = Issue("STRING_FORMAT_ILLEGAL", "The {size} bytes of the Binary are not UTF-8 text")

# -- sprintf ---------------------------------------------------------------------------------------
SPRINTF_TOO_FEW = Issue(
    "SPRINTF_ARGUMENTS", "The format '{format}' needs more arguments than the {count} given"
)
SPRINTF_NO_KEY = Issue("SPRINTF_ARGUMENTS", "The format '{format}' needs the key '{name}'")
SPRINTF_NO_HASH = Issue(
    "SPRINTF_ARGUMENTS", "The format '{format}' names its values, so it takes one hash"
)
SPRINTF_MALFORMED = Issue("SPRINTF_FORMAT", "The format '{format}' is wrong at '{part}': {reason}")
SPRINTF_VALUE = Issue("SPRINTF_VALUE", "The format '{format}' cannot show {value} as {kind}")
