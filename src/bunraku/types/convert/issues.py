"""What can go wrong when values are converted or formatted.

Puppet raises plain errors from its conversions, without codes of their own.
"""

from __future__ import annotations

from bunraku.base.errors import Issue

# -- conversion ------------------------------------------------------------------------------------
NOT_CONVERTIBLE = Issue("TYPE_CONVERSION", "{name}: cannot convert the value {value} to {target}")
CONVERSION_ARGUMENTS = Issue("TYPE_CONVERSION_ARGUMENTS", "{text}")
CONVERTED_MISMATCH = Issue("TYPE_MISMATCH", "{text}")
NO_NEW = Issue("TYPE_HAS_NO_NEW", "Creation of new instance of type '{type}' is not supported")
BAD_TREE = Issue("TYPE_CONVERSION", "Hash(…, '{mode}') cannot place the value at {path}: {reason}")

# -- String formats --------------------------------------------------------------------------------
BAD_FORMAT = Issue(
    "STRING_FORMAT_INVALID", "Invalid format '{format}'; expected %[flags][width][.precision]letter"
)
BAD_FORMAT_FLAG = Issue("STRING_FORMAT_INVALID", "The format '{format}' {reason}")
BAD_FORMAT_LETTER = Issue(
    "STRING_FORMAT_ILLEGAL",
    "Illegal format letter '{letter}' for {type} values; expected one of '{letters}'",
)
FORMAT_TYPE = Issue("STRING_FORMAT_INVALID", "{text}")
NOT_UTF8 = Issue("STRING_FORMAT_ILLEGAL", "The {size} bytes of the Binary are not valid UTF-8")

# -- sprintf ---------------------------------------------------------------------------------------
SPRINTF_TOO_FEW = Issue(
    "SPRINTF_ARGUMENTS", "The format '{format}' requires more arguments than the {count} given"
)
SPRINTF_NO_KEY = Issue("SPRINTF_ARGUMENTS", "The format '{format}' requires the key '{name}'")
SPRINTF_NO_HASH = Issue(
    "SPRINTF_ARGUMENTS", "The format '{format}' has named values: it requires a hash"
)
SPRINTF_MALFORMED = Issue("SPRINTF_FORMAT", "Invalid format '{format}' at '{part}': {reason}")
SPRINTF_VALUE = Issue("SPRINTF_VALUE", "The format '{format}' cannot format {value} as {kind}")
