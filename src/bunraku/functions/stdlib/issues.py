"""Errors of the standard library's functions.

Puppet gives all errors in these functions the code ``RUNTIME_ERROR``.
"""

from __future__ import annotations

from functools import partial

from bunraku.base.errors import Issue

illegal = partial(Issue.general, "ILLEGAL_ARGUMENT")

# -- arguments -------------------------------------------------------------------------------------
NEGATIVE_INDEX = illegal("{name}(): the index must not be negative")
INDEX_TOO_LARGE = illegal("{name}(): the index {at} is outside the array")
EMPTY_ITEM = illegal("{name}(): the item to search for is empty")
NOTHING_TO_PICK = illegal("{name}(): must receive at least one non empty value")
NO_ARGUMENTS = illegal("{name}(): must receive at least one argument")
NOT_AN_INDEX = illegal("{name}(): '{text}' is not an index")
INDEXES_REVERSED = illegal("{name}(): '{text}' ends before it starts")
INDEXES_TOO_LARGE = illegal("{name}(): '{text}' is outside the array")
NO_INDEX = illegal("{name}(): no index is given")
TWO_ARRAYS = illegal("{name}(): needs two arrays, got {actual}")
INVALID_REFERENCE = illegal(
    "{name}(): No title provided and {reference} is not a valid resource reference"
)
NOT_A_REFERENCE = illegal("{name}(): expected a resource reference, got {actual}")
REFERENCE_MISSING = illegal("{name}(): must specify a reference")
TYPE_MISSING = illegal("{name}(): must specify a type")
TITLE_MISSING = illegal("{name}(): must specify a title")
EMPTY_PACKAGE_NAME = illegal("{name}(): a package's name is empty")
UNTITLED_REFERENCE = illegal("{name}(): the reference has no title")
NOT_A_BOOLEAN = illegal(
    "{name}(): unknown type of boolean given: '{text}'",
    words="{name}(): Unknown type of boolean given",
)
NOT_A_NUMBER = illegal("{name}(): '{value}' does not look like a number")
NO_WHOLE_PART = illegal("{name}(): {number} has no whole part")
UNKNOWN_PREFIX = illegal("{name}(): unknown prefix {unit}", words="{name}(): Unknown prefix {unit}")
BASE_LIMITS = illegal("{name}(): the base must be from 2 to 36")
INVALID_BASE64 = illegal("{name}(): invalid base64")
BASE64_ACTION = illegal("{name}(): the action must be 'encode' or 'decode'")
BASE64_METHOD = illegal("{name}(): the method must be 'default', 'strict' or 'urlsafe'")
INTERFACES_MISSING = illegal("{name}(): the fact networking.interfaces is missing")
FACT_MISSING = illegal("{name}(): the fact {path} is missing")
RELEASE_TYPE = illegal("{name}(): the release must be a String, got {actual}")
NOT_AN_IPV4_ADDRESS = illegal("{name}(): '{text}' is not an IPv4 address")
NOT_AN_IP_ADDRESS = illegal("{name}(): {value} is not an IP address")
RESULTS_NOT_COMPARABLE = illegal("{name}(): the block's results cannot be compared: {kinds}")
KEY_WITHOUT_VALUE = illegal("{name}(): the array has a key without a value")
NOT_COMPARABLE = illegal("{name}(): cannot compare {kinds}")
UNKNOWN_HASH_TYPE = illegal("{name}(): {scheme} is not a valid hash type")
EMPTY_SALT = illegal("{name}(): the salt must not be empty")
SALT_CHARACTERS = illegal("{name}(): characters in the salt must match {pattern}")
NULL_BYTE = illegal("{name}(): the password contains a null byte")
SHORT_SALT = illegal("{name}(): the salt must be at least 8 bytes long")
ITERATION_LIMITS = illegal("{name}(): the number of iterations must be between 40,000 and 70,000")
EMPTY_PATH = illegal("{name}(): the path is empty")
NOT_A_RANGE = illegal(
    "{name}(): '{text}' is not a range",
    words="{name}(): Unable to compute range from the value: {text}",
)
ZERO_STEP = illegal("{name}(): the step must not be 0")
UNMATCHED_QUOTE = illegal("{name}(): unmatched quote in: {line}")
NOT_A_CERTIFICATE = illegal("{name}(): not a valid X.509 certificate")
NOT_AN_RSA_KEY = illegal("{name}(): not a valid RSA key")
OTHER_KEY = illegal("{name}(): the certificate's signature does not match the key")
NO_TYPE_MATCHES = illegal("{name}(): {value} does not match {types}")
BOUNDS_REVERSED = illegal("{name}(): the bounds are empty: {high} < {low}")
EMPTY_BOUNDS = illegal("{name}(): the bounds are empty")
NOT_SUCH_A_NUMBER = illegal("{name}(): {value} is not a number in the given range")
TOO_LARGE = illegal("{name}(): Expected {value} to be smaller or equal to {high}")
TOO_SMALL = illegal("{name}(): Expected {value} to be greater or equal to {low}")
LENGTH_OUT_OF_BOUNDS = illegal(
    "{name}(): Expected length of {text} to be between {low} and {high}, was {length}"
)

# -- deprecations and validations ------------------------------------------------------------------
DEPRECATED = Issue.general(
    "DEPRECATION",
    "deprecation. {key}. {message}",
    hint="'--strict warning' turns this error into a warning",
)
VALIDATION_MISMATCH = Issue.general("VALIDATION_FAILED", "{mismatch}")
PATTERN_MISMATCH = Issue.general(
    "VALIDATION_FAILED", "validate_re(): {value} does not match {patterns}"
)
VALIDATION_MESSAGE = Issue.general("VALIDATION_FAILED", "{message}")
EMPTY_RANGE = Issue.general("VALIDATION_FAILED", "'{letter}-{last}' is an empty range of letters")
LOOKS_LIKE = Issue.general("VALIDATION_FAILED", "{value} is not {what}, it looks to be a {actual}")
NOT_AN_ABSOLUTE_PATH = Issue.general("VALIDATION_FAILED", "{path} is not an absolute path.")
NOT_A_STRING = Issue.general("VALIDATION_FAILED", "{value} is not a string.")
NOT_VALID = Issue.general("VALIDATION_FAILED", "{value} is not {what}")
UNKNOWN_VALIDATION = Issue.general(
    "UNKNOWN_FUNCTION", "validate_legacy(): unknown function '{function}'"
)
PRIVATE = Issue.general("PRIVATE_CODE", "{message}")
IS_PRIVATE = Issue.general("PRIVATE_CODE", "{kind} {name} is private")

# -- data ------------------------------------------------------------------------------------------
NOT_PARSED = Issue.general("INVALID_TEXT", "{name}(): the text is not valid {format}: {reason}")
NOT_WRITTEN = illegal("{name}(): cannot write {actual} as {format}")
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
VALIDATION_COMMAND_FAILED = Issue.general("COMMAND_FAILED", "{given}\n{reason}")
NOT_AVAILABLE = Issue.general("NOT_SUPPORTED", "{name}(): {reason}")
