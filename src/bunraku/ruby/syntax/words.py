"""The words of Ruby that are no names."""

from __future__ import annotations

RESERVED = frozenset(
    [
        "alias",
        "and",
        "begin",
        "BEGIN",
        "break",
        "case",
        "class",
        "def",
        "do",
        "else",
        "elsif",
        "end",
        "END",
        "ensure",
        "false",
        "for",
        "if",
        "in",
        "module",
        "next",
        "nil",
        "not",
        "or",
        "redo",
        "rescue",
        "retry",
        "return",
        "self",
        "super",
        "then",
        "true",
        "undef",
        "unless",
        "until",
        "when",
        "while",
        "yield",
    ]
)
"""The reserved words, without those that begin or end with a sign."""
OPERANDS = frozenset(["self", "nil", "true", "false", "end"])
"""Reserved words that end a value."""
CALLS = frozenset(["super", "yield"])
"""Reserved words that take arguments, as names of methods do."""
