"""The exit codes of every command; ``docs/exit-codes.md`` explains them."""

from __future__ import annotations

OK = 0
FINDINGS = 1
TROUBLE = 2
HUNG_UP = 129
INTERRUPTED = 130
BROKEN_PIPE = 141
TERMINATED = 143

HELP = """\
exit codes:
  0    success
  1    findings: a manifest has errors, a catalog did not compile
  2    wrong usage, output that cannot be written, or an error in bunraku itself
"""
