"""Errors of facts."""

from __future__ import annotations

from bunraku.base.errors import Issue

BAD_FACTS_FILE = Issue("BAD_FACTS_FILE", "Cannot read facts: {reason}")
