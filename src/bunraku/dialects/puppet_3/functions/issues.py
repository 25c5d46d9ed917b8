"""Errors of the functions of Puppet 3, which had no codes for them."""

from __future__ import annotations

from functools import partial

from bunraku.base.errors import Issue

illegal = partial(Issue.general, "ILLEGAL_ARGUMENT")

WRONG_COUNT = Issue.general("ILLEGAL_ARGUMENT_COUNT", "{name}() expects {expected}, got {actual}")
FUTURE_ONLY = Issue.general(
    "UNKNOWN_FUNCTION",
    "{name}() is only available with the future parser",
    hint="set 'parser = future'",
)
NOT_TEXT = illegal("{name}() expects a string, got {actual}")
NOT_A_CLASS_NAME = illegal("{name}(): {actual} is not the name of a class")
NOT_DEFINABLE = illegal("defined() expects names and references, got {actual}")
NOT_REALIZABLE = Issue.general("NOT_REALIZED", "Failed to realize virtual resources {references}")
INVALID_TAG = Issue.general("INVALID_TAG", "Invalid tag '{tag}'")
FAILED = Issue.general("FAIL", "{message}")
NOT_A_HASH = illegal("create_resources(): the {position} argument must be a hash")
NOT_ATTRIBUTES = illegal("create_resources(): the attributes of '{title}' must be a hash")
BAD_TARGET = illegal("regsubst(): the target must be a string or an array of strings, got {actual}")
BAD_PATTERN = illegal("regsubst(): {actual} is not a regular expression")
BAD_REPLACEMENT = illegal("regsubst(): the replacement must be a string, got {actual}")
BAD_FLAG = illegal("regsubst(): unknown flag '{flag}'")
NOT_A_LIMIT = illegal("fqdn_rand(): the limit must be a number above zero, got {actual}")
NO_DATA = Issue.general(
    "LOOKUP_NOT_FOUND", "extlookup(): no data file contains '{key}', and no default is given"
)
NOT_IN_DATA = Issue.general(
    "LOOKUP_NOT_FOUND", "{name}(): no data contains '{key}', and no default is given"
)
SEARCH_DEPRECATED = Issue(
    "DEPRECATED", "The function 'search' is deprecated", hint="use full class names"
)
