"""Compile many manifests: one JSON object a line in, one a line out, in the same order.

The protocol is described in docs/protocol.md. A case that fails, hangs or crashes does not
affect the others.
"""

from __future__ import annotations

import argparse
import gc

from bunraku.cli import exits
from bunraku.cli.options.declarations import Rules
from bunraku.cli.options.shared import positive
from bunraku.cli.output.output import Paint
from bunraku.cli.report.log import Printer, warn_about_cache
from bunraku.jobs.answer_pool import Pool
from bunraku.jobs.batch import DEFAULT_TIMEOUT, answer, case_timeout, failed_answer
from bunraku.limits.limits import Limits


def seconds(text: str) -> float:
    """Return a number above 0."""
    number = float(text)
    if not number > 0:
        raise ValueError(text)
    return number


OPTIONS = f"""
--jobs N: number of cases to run at the same time (default: 1)
--timeout SECONDS: time limit for a case that sets none (default: {DEFAULT_TIMEOUT:g})
@debug: show tracebacks of internal errors
"""
RULES: Rules = {
    "jobs": {"dest": "cases", "type": positive, "default": 1},
    "timeout": {"dest": "case_timeout", "type": seconds, "default": DEFAULT_TIMEOUT},
}


def run(options: argparse.Namespace) -> int:
    """Answer requests until the end of input; an invalid case does not fail the run."""

    def timeout_of(line: bytes) -> float:
        return case_timeout(line, options.case_timeout)

    def answer_in_time(line: bytes) -> bytes:
        return answer(line, limits=Limits(timeout_of(line)), debug=options.debug)

    warn_about_cache(Printer("warning", Paint(enabled=False)))
    gc.freeze()  # share the imported modules with the workers
    pool = Pool(answer_in_time, options.cases, timeout_of, failed_answer)
    pool.run(0, 1)
    return exits.OK
