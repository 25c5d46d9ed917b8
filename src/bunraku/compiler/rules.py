"""Rules of a dialect for the code that is made from a syntax tree."""

from __future__ import annotations

from bunraku.base.records import record


@record(frozen=True)
class CompilerRules:
    """The switches of the compiler; the defaults are those of Puppet 8."""

    late_lines: bool = False
    """Resources and selectors are reported at the line where they end."""
    works_in_place: bool = True
    """Compiled code computes common values of operators and types without calling a helper.

    In older languages values behave otherwise, and a migration watches the helpers."""


DEFAULTS = CompilerRules()
"""The rules of Puppet 8."""
