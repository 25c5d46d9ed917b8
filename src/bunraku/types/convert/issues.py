"""Errors of converting and formatting values.

Puppet raises plain errors from its conversions, without codes of their own.
"""

from __future__ import annotations

from functools import partial

from bunraku.base.errors import Issue

invalid_format = partial(Issue, "STRING_FORMAT_INVALID")

# -- conversion ------------------------------------------------------------------------------------
NOT_CONVERTIBLE = Issue(
    "TYPE_CONVERSION",
    "{name}: cannot convert the value {value} to {target}",
    words="'{function}' {kind} cannot be converted to {target}",
)
ODD_COUNT = Issue(
    "TYPE_CONVERSION",
    "Hash.new: cannot convert an array of {count} elements to Hash",
    words="odd number of arguments for Hash",
)
CONVERSION_COUNT = Issue(
    "TYPE_CONVERSION_ARGUMENTS",
    "{name}.new expects {expected}, got {count}",
    words="'{function}' expects {wanted}",
)
TREE_PAIRS = Issue(
    "TYPE_CONVERSION_ARGUMENTS",
    "Hash.new(…, '{mode}') expects an array of pairs, each of a path and a value",
)
ILLEGAL_RADIX = Issue(
    "TYPE_CONVERSION_ARGUMENTS",
    "Illegal radix {radix}: Integer.new accepts 2, 8, 10, 16, or default",
    words="Illegal radix: {radix}, expected 2, 8, 10, 16, or default",
)
CONVERSION_MISMATCH = Issue("TYPE_CONVERSION_ARGUMENTS", "{mismatch}")
CONVERTED_MISMATCH = Issue.general("TYPE_MISMATCH", "{mismatch}", words="{words}")
NO_NEW = Issue("TYPE_HAS_NO_NEW", "Creation of new instance of type '{type}' is not supported")
BAD_TREE = Issue("TYPE_CONVERSION", "Hash(…, '{mode}') cannot place the value at {path}: {reason}")

# -- String formats --------------------------------------------------------------------------------
BAD_FORMAT = invalid_format("Invalid format '{format}'; expected %[flags][width][.precision]letter")
BAD_FORMAT_FLAG = invalid_format("The format '{format}' {reason}")
BAD_FORMAT_LETTER = Issue(
    "STRING_FORMAT_ILLEGAL",
    "Illegal format letter '{letter}' for {type} values; expected one of '{letters}'",
    words="Illegal format '{letter}' specified for value of {type} type"
    " - expected one of the characters '{letters}'",
)
FORMAT_OF_STRING = invalid_format(
    "The second argument of String must be a format, a hash of formats by type, or default"
)
FORMAT_SPECIFICATION = invalid_format(
    "A String format must be a string, or a hash with the keys {keys}"
)
FORMAT_ELEMENTS = invalid_format("'string_formats' of a String format must be a Hash")
FORMAT_KEY = invalid_format("The keys of a hash of String formats must be types, got {key}")
FORMAT_NESTED = invalid_format("'string_formats' maps types to strings, not to hashes")
FORMAT_FIELD = invalid_format("'{key}' of a String format must be a String")
FORMAT_CHARACTER = invalid_format("%c requires the code of a character, got {value}")
NOT_UTF8 = Issue("STRING_FORMAT_ILLEGAL", "The {size} bytes of the Binary are not valid UTF-8")

# -- sprintf ---------------------------------------------------------------------------------------
SPRINTF_TOO_FEW = Issue(
    "SPRINTF_ARGUMENTS",
    "The format '{format}' requires more arguments than the {count} given",
    words="too few arguments",
)
SPRINTF_NO_KEY = Issue(
    "SPRINTF_ARGUMENTS",
    "The format '{format}' requires the key '{name}'",
    words="key{{{name}}} not found",
)
SPRINTF_NO_HASH = Issue(
    "SPRINTF_ARGUMENTS",
    "The format '{format}' has named values: it requires a hash",
    words="one hash required",
)
SPRINTF_MALFORMED = Issue(
    "SPRINTF_FORMAT",
    "Invalid format '{format}' at '{part}': {reason}",
    words="malformed format string - {part}",
)
SPRINTF_VALUE = Issue(
    "SPRINTF_VALUE", "The format '{format}' cannot format {value} as {kind}", words="{problem}"
)
