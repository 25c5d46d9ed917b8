"""What the functions of Puppet 3 refuse. Puppet 3 had no codes for these."""

from __future__ import annotations

from bunraku.errors import Issue

CODE = "RUNTIME_ERROR"

WRONG_COUNT = Issue(CODE, "{name}(): takes {expected}, was given {actual}")
FUTURE_ONLY = Issue(
    CODE, "{name}() is there with the future parser only", hint="the setting 'parser = future'"
)
NOT_TEXT = Issue(CODE, "{name}(): expects a string, got {actual}")
NOT_A_CLASS_NAME = Issue(CODE, "{name}(): {actual} is no name of a class")
NOT_DEFINABLE = Issue(CODE, "defined(): cannot tell whether {actual} is there")
NOT_REALIZABLE = Issue(CODE, "These virtual resources cannot be realized: {text}")
INVALID_TAG = Issue(CODE, "'{tag}' is not a tag")
FAILED = Issue(CODE, "{text}")
NOT_A_HASH = Issue(CODE, "create_resources(): the {position} argument must be a hash")
NOT_ATTRIBUTES = Issue(CODE, "create_resources(): the attributes of '{title}' must be a hash")
BAD_TARGET = Issue(CODE, "regsubst(): nothing can be replaced in {actual}")
BAD_PATTERN = Issue(CODE, "regsubst(): {actual} is no regular expression")
BAD_REPLACEMENT = Issue(CODE, "regsubst(): {actual} cannot replace anything")
BAD_FLAG = Issue(CODE, "regsubst(): there is no flag '{flag}'")
NOT_A_LIMIT = Issue(CODE, "fqdn_rand(): {actual} is not a number above zero")
NO_DATA = Issue(CODE, "extlookup(): no data file has '{key}', and there is no default")
NOT_IN_DATA = Issue(CODE, "{name}(): no data has '{key}', and there is no default")
SEARCH_DEPRECATED = Issue(
    "DEPRECATED", "The function 'search' is deprecated", hint="name classes in full"
)
