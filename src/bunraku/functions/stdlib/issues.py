"""Errors of the standard library's functions.

Puppet gives all errors in these functions the code ``RUNTIME_ERROR``.
"""

from __future__ import annotations

from bunraku.base.errors import Issue

# -- arguments -------------------------------------------------------------------------------------
NEGATIVE_INDEX = Issue.general("ILLEGAL_ARGUMENT", "{name}(): the index must not be negative")
INDEX_TOO_LARGE = Issue.general("ILLEGAL_ARGUMENT", "{name}(): the index {at} is outside the array")
EMPTY_ITEM = Issue.general("ILLEGAL_ARGUMENT", "{name}(): the item to search for is empty")
NOTHING_TO_PICK = Issue.general(
    "ILLEGAL_ARGUMENT", "{name}(): must receive at least one non empty value"
)
NO_ARGUMENTS = Issue.general("ILLEGAL_ARGUMENT", "{name}(): must receive at least one argument")
NOT_AN_INDEX = Issue.general("ILLEGAL_ARGUMENT", "{name}(): '{text}' is not an index")
INDEXES_REVERSED = Issue.general("ILLEGAL_ARGUMENT", "{name}(): '{text}' ends before it starts")
INDEXES_TOO_LARGE = Issue.general("ILLEGAL_ARGUMENT", "{name}(): '{text}' is outside the array")
NO_INDEX = Issue.general("ILLEGAL_ARGUMENT", "{name}(): no index is given")
TWO_ARRAYS = Issue.general("ILLEGAL_ARGUMENT", "{name}(): needs two arrays, got {actual}")
INVALID_REFERENCE = Issue.general(
    "ILLEGAL_ARGUMENT",
    "{name}(): No title provided and {reference} is not a valid resource reference",
)
NOT_A_REFERENCE = Issue.general(
    "ILLEGAL_ARGUMENT", "{name}(): expected a resource reference, got {actual}"
)
REFERENCE_MISSING = Issue.general("ILLEGAL_ARGUMENT", "{name}(): must specify a reference")
TYPE_MISSING = Issue.general("ILLEGAL_ARGUMENT", "{name}(): must specify a type")
TITLE_MISSING = Issue.general("ILLEGAL_ARGUMENT", "{name}(): must specify a title")
EMPTY_PACKAGE_NAME = Issue.general("ILLEGAL_ARGUMENT", "{name}(): a package's name is empty")
UNTITLED_REFERENCE = Issue.general("ILLEGAL_ARGUMENT", "{name}(): the reference has no title")
NOT_A_BOOLEAN = Issue.general(
    "ILLEGAL_ARGUMENT",
    "{name}(): unknown type of boolean given: '{text}'",
    words="{name}(): Unknown type of boolean given",
)
NOT_A_NUMBER = Issue.general("ILLEGAL_ARGUMENT", "{name}(): '{value}' does not look like a number")
NO_WHOLE_PART = Issue.general("ILLEGAL_ARGUMENT", "{name}(): {number} has no whole part")
UNKNOWN_PREFIX = Issue.general(
    "ILLEGAL_ARGUMENT", "{name}(): unknown prefix {unit}", words="{name}(): Unknown prefix {unit}"
)
BASE_LIMITS = Issue.general("ILLEGAL_ARGUMENT", "{name}(): the base must be from 2 to 36")
INVALID_BASE64 = Issue.general("ILLEGAL_ARGUMENT", "{name}(): invalid base64")
BASE64_ACTION = Issue.general(
    "ILLEGAL_ARGUMENT", "{name}(): the action must be 'encode' or 'decode'"
)
BASE64_METHOD = Issue.general(
    "ILLEGAL_ARGUMENT", "{name}(): the method must be 'default', 'strict' or 'urlsafe'"
)
INTERFACES_MISSING = Issue.general(
    "ILLEGAL_ARGUMENT", "{name}(): the fact networking.interfaces is missing"
)
FACT_MISSING = Issue.general("ILLEGAL_ARGUMENT", "{name}(): the fact {path} is missing")
RELEASE_TYPE = Issue.general(
    "ILLEGAL_ARGUMENT", "{name}(): the release must be a String, got {actual}"
)
NOT_AN_IPV4_ADDRESS = Issue.general("ILLEGAL_ARGUMENT", "{name}(): '{text}' is not an IPv4 address")
NOT_AN_IP_ADDRESS = Issue.general("ILLEGAL_ARGUMENT", "{name}(): {value} is not an IP address")
RESULTS_NOT_COMPARABLE = Issue.general(
    "ILLEGAL_ARGUMENT", "{name}(): the block's results cannot be compared: {kinds}"
)
KEY_WITHOUT_VALUE = Issue.general(
    "ILLEGAL_ARGUMENT", "{name}(): the array has a key without a value"
)
NOT_COMPARABLE = Issue.general("ILLEGAL_ARGUMENT", "{name}(): cannot compare {kinds}")
UNKNOWN_HASH_TYPE = Issue.general("ILLEGAL_ARGUMENT", "{name}(): {scheme} is not a valid hash type")
EMPTY_SALT = Issue.general("ILLEGAL_ARGUMENT", "{name}(): the salt must not be empty")
SALT_CHARACTERS = Issue.general(
    "ILLEGAL_ARGUMENT", "{name}(): characters in the salt must match {pattern}"
)
NULL_BYTE = Issue.general("ILLEGAL_ARGUMENT", "{name}(): the password contains a null byte")
SHORT_SALT = Issue.general("ILLEGAL_ARGUMENT", "{name}(): the salt must be at least 8 bytes long")
ITERATION_LIMITS = Issue.general(
    "ILLEGAL_ARGUMENT", "{name}(): the number of iterations must be between 40,000 and 70,000"
)
EMPTY_PATH = Issue.general("ILLEGAL_ARGUMENT", "{name}(): the path is empty")
NOT_A_RANGE = Issue.general(
    "ILLEGAL_ARGUMENT",
    "{name}(): '{text}' is not a range",
    words="{name}(): Unable to compute range from the value: {text}",
)
ZERO_STEP = Issue.general("ILLEGAL_ARGUMENT", "{name}(): the step must not be 0")
UNMATCHED_QUOTE = Issue.general("ILLEGAL_ARGUMENT", "{name}(): unmatched quote in: {line}")
NOT_A_CERTIFICATE = Issue.general("ILLEGAL_ARGUMENT", "{name}(): not a valid X.509 certificate")
NOT_AN_RSA_KEY = Issue.general("ILLEGAL_ARGUMENT", "{name}(): not a valid RSA key")
OTHER_KEY = Issue.general(
    "ILLEGAL_ARGUMENT", "{name}(): the certificate's signature does not match the key"
)
NO_TYPE_MATCHES = Issue.general("ILLEGAL_ARGUMENT", "{name}(): {value} does not match {types}")
BOUNDS_REVERSED = Issue.general(
    "ILLEGAL_ARGUMENT", "{name}(): the bounds are empty: {high} < {low}"
)
EMPTY_BOUNDS = Issue.general("ILLEGAL_ARGUMENT", "{name}(): the bounds are empty")
NOT_SUCH_A_NUMBER = Issue.general(
    "ILLEGAL_ARGUMENT", "{name}(): {value} is not a number in the given range"
)
TOO_LARGE = Issue.general(
    "ILLEGAL_ARGUMENT", "{name}(): Expected {value} to be smaller or equal to {high}"
)
TOO_SMALL = Issue.general(
    "ILLEGAL_ARGUMENT", "{name}(): Expected {value} to be greater or equal to {low}"
)
LENGTH_OUT_OF_BOUNDS = Issue.general(
    "ILLEGAL_ARGUMENT",
    "{name}(): Expected length of {text} to be between {low} and {high}, was {length}",
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
VALIDATION_COMMAND_FAILED = Issue.general("COMMAND_FAILED", "{given}\n{reason}")
NOT_AVAILABLE = Issue.general("NOT_SUPPORTED", "{name}(): {reason}")
