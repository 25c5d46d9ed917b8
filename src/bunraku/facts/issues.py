"""Errors of facts."""

from __future__ import annotations

from bunraku.base.errors import Issue

BAD_FACTS_FILE = Issue("BAD_FACTS_FILE", "Cannot read facts: {reason}")
CUSTOM_FACT_DROPPED = Issue("CUSTOM_FACT_DROPPED", "{path}: {what} is left out: {reason}")
CUSTOM_FACT_MESSAGE = Issue("CUSTOM_FACT_MESSAGE", "{path}: {what}: {reason}")
EXTERNAL_FACTS_DROPPED = Issue("EXTERNAL_FACTS_DROPPED", "{where}: {what} is left out: {reason}")
EXTERNAL_FACTS_ERRORS = Issue(
    "EXTERNAL_FACTS_ERRORS", "{path}: the program wrote to standard error: {errors}"
)
RUBY_FACTS_MISSING = Issue(
    "RUBY_FACTS_MISSING",
    "Cannot run Ruby ('{program}': {reason}), so catalogs lack these custom facts: {names}; install the"
    " package 'ruby', or name the program in BUNRAKU_RUBY",
)
FACTERDB_MISSING = Issue(
    "FACTERDB_MISSING",
    "Cannot find FacterDB at {where}",
    hint="give the path of its folder 'facts'",
)
UNKNOWN_FACT_SET = Issue("UNKNOWN_FACT_SET", "Unknown operating system '{name}'{near}")
