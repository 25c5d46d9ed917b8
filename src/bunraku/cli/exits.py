"""The exit codes of every command; ``docs/exit-codes.md`` tells the same to the reader."""

from __future__ import annotations

OK = 0
FINDINGS = 1
TROUBLE = 2
INTERRUPTED = 130
BROKEN_PIPE = 141

HELP = """\
exit codes:
  0    all is well
  1    findings: a manifest is wrong, a catalog did not compile
  2    the command was called wrongly, or bunraku itself failed
"""


class UsageError(Exception):
    """The command was called wrongly: one line, exit code 2."""
