"""Errors of creating values and of arithmetic; codes are Puppet's where it has one."""

from __future__ import annotations

from bunraku.base.errors import Issue

# -- regular expressions ---------------------------------------------------------------------------
INVALID_REGEXP = Issue(
    "REGEXP_INVALID",
    "/{pattern}/ is not a valid regular expression: {reason}",
    words="{reason}: /{pattern}/",
)
RUNAWAY_REGEXP = Issue.own(
    "REGEXP_RUNAWAY",
    "Matching /{pattern}/ was stopped: too much backtracking on a string of {length} characters",
    hint="a repetition inside a repetition, such as (a+)+, is the usual cause",
)
UNKNOWN_GROUP = Issue(
    "REGEXP_UNKNOWN_GROUP", "/{pattern}/ has no group '{name}', which the replacement refers to"
)

# -- binary ----------------------------------------------------------------------------------------
INVALID_BASE64 = Issue(
    "BINARY_INVALID", "The given text is not {kind}: {text}", words="invalid base64"
)

# -- versions --------------------------------------------------------------------------------------
INVALID_VERSION = Issue(
    "SEMVER_INVALID",
    "Cannot convert '{text}' to a semantic version; expected MAJOR.MINOR.PATCH",
    words="Unable to parse '{text}' as a semantic version identifier",
)
INVALID_VERSION_PART = Issue("SEMVER_INVALID", "Invalid {part} of a semantic version: {value}")
INVALID_RANGE = Issue(
    "SEMVER_RANGE_INVALID",
    "Cannot convert '{text}' to a range of semantic versions",
    words='Unparsable version range: "{text}"',
)

# -- times -----------------------------------------------------------------------------------------
TIME_MISMATCH = Issue(
    "TIME_FORMAT_MISMATCH",
    "Unable to parse '{text}' as {kind} with {formats}",
    words="Unable to parse '{text}' using {formats}",
)
BAD_TIME_FORMAT = Issue(
    "TIME_FORMAT_INVALID", "Invalid {kind} format '{format}' at '{part}': {reason}"
)
ENDLESS_TIME = Issue.general(
    "TIME_OUT_OF_RANGE", "{seconds} seconds are outside the range of a Timespan or Timestamp"
)
BAD_TIME_ZONE = Issue("TIME_ZONE_INVALID", "'{zone}' is not a known time zone")
ZONE_TWICE = Issue(
    "TIME_ZONE_INVALID",
    "The format '{format}' contains a time zone; an additional time zone is not allowed",
    words="Using a Timezone designator in format specification is mutually exclusive to providing an explicit timezone argument",
)

# -- URI -------------------------------------------------------------------------------------------
INVALID_URI = Issue("URI_INVALID", "'{text}' is not a URI: {reason}")
