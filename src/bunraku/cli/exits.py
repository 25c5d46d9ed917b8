"""The exit codes of every command; ``docs/exit-codes.md`` explains them."""

from __future__ import annotations

from collections.abc import Sequence

OK = 0
FINDINGS = 1
TROUBLE = 2
HUNG_UP = 129
INTERRUPTED = 130
BROKEN_PIPE = 141
TERMINATED = 143
TROUBLE_OF_PLAN = 64
"""EX_USAGE of sysexits.h: 2 is the code of a plan with changes."""

HELP = """\
exit codes:
  0    success
  1    findings: a manifest has errors, a catalog did not compile
  2    wrong usage, output that cannot be written, or an error in bunraku itself
"""


def trouble_of(words: Sequence[str]) -> int:
    """Return the exit code of wrong usage and other trouble for a command line.

    It is 2, unless 2 means changes there; Puppet's commands end with 1 then.

    >>> [trouble_of(text.split()) for text in ("diff a b", "plan a.pp", "apply -t", "apply a.pp")]
    [2, 64, 1, 2]
    """
    command = next((word for word in words if not word.startswith("-") and word != "puppet"), "")
    if command == "plan":
        return TROUBLE_OF_PLAN
    detailed = {"-t", "--test", "--detailed-exitcodes"}
    if command in {"apply", "agent"} and not detailed.isdisjoint(words):
        return FINDINGS
    return TROUBLE


def of_comparison(status: str, *, exit_zero: bool) -> int:
    """Return the exit code of a comparison, which is diff's: 0 same, 1 different, 2 trouble.

    >>> [of_comparison(one, exit_zero=False) for one in ("same", "differs", "failed")]
    [0, 1, 2]
    """
    if status == "failed":
        return TROUBLE
    return FINDINGS if status == "differs" and not exit_zero else OK
