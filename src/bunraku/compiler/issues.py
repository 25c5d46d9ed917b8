"""Errors of the compiler itself; the validator finds nearly all mistakes before it runs."""

from __future__ import annotations

from bunraku.base.errors import Issue

ILLEGAL_ASSIGNMENT = Issue("ILLEGAL_ASSIGNMENT", "Only a variable can be assigned to")
UNSUPPORTED_EXPRESSION = Issue(
    "UNSUPPORTED_EXPRESSION", "{what} can be parsed, but not compiled to a catalog"
)
