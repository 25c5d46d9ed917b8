"""Errors of definitions in Ruby files of modules."""

from __future__ import annotations

from bunraku.base.errors import Issue

INVALID_TRANSPORT = Issue("INVALID_TRANSPORT", "Cannot read the transport: {reason}")
