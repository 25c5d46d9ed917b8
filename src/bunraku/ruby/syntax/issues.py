"""Errors of the reader of Ruby."""

from __future__ import annotations

from bunraku.base.errors import Issue

NO_RUBY_READER = Issue.own(
    "NO_RUBY_READER",
    "Ruby code cannot be read without the Python package '{package}'",
    hint='install it with "pip install tree-sitter tree-sitter-ruby"',
)
