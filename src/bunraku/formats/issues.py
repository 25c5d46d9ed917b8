"""Errors of reading and writing file formats."""

from __future__ import annotations

from bunraku.base.errors import Issue

NUMBER_NOT_JSON = Issue("NUMBER_NOT_JSON", "NaN and Infinity cannot be written as JSON")
