"""Errors of facts."""

from __future__ import annotations

from bunraku.base.errors import Issue

BAD_FACTS_FILE = Issue("BAD_FACTS_FILE", "Cannot read facts: {reason}")
CUSTOM_FACT_DROPPED = Issue("CUSTOM_FACT_DROPPED", "{path}: {what} is left out: {reason}")
RUBY_FACTS_MISSING = Issue(
    "RUBY_FACTS_MISSING",
    "Ruby with Facter is not installed; these custom facts are missing: {names}",
)
