"""Fuzz lexer, parser, checker and emitter with atheris: any exception but PuppetError is a find.

    python tests/fuzz/fuzz_syntax.py [FOLDER] -dict=tests/fuzz/puppet.dict -max_total_time=3600

FOLDER collects the inputs that reach new code. What crashed goes, made small, into
``tests/syntax/crashers.json``, which ``tests/syntax/test_crashers.py`` runs for ever.
"""

from __future__ import annotations

import sys
import time

import atheris

with atheris.instrument_imports(include=["bunraku"]):
    from bunraku.compiler.code import to_code
    from bunraku.errors import PuppetError
    from bunraku.source import Source
    from bunraku.syntax.check import check
    from bunraku.syntax.dialect import MODERN, MODERN_AS_DOCUMENTED, MODERN_WITH_TASKS
    from bunraku.syntax.parser import parse, parse_epp
    from bunraku.syntax.pn import to_pn

DIALECTS = (MODERN, MODERN_AS_DOCUMENTED, MODERN_WITH_TASKS)
SLOWEST = 2.0  # processor seconds for an input of a few kilobytes; others may keep the machine busy


def one_input(data: bytes) -> None:
    """Take an input through everything that reads syntax."""
    if not data:
        return
    started = time.process_time()
    dialect = DIALECTS[data[0] % len(DIALECTS)]
    epp = bool(data[0] & 64)
    text = data[1:].decode("utf-8", "surrogateescape")
    source = Source(text, "", is_template=epp)
    result = (parse_epp if epp else parse)(source, dialect)
    for finding in result.diagnostics:
        finding.place()
    if not any(finding.severity == "error" for finding in result.diagnostics):
        to_pn(result.program)
        findings = check(result.program, dialect, {"strict": "error"})
        if not any(finding.severity == "error" for finding in findings):
            try:
                to_code(source, result.program)
            except PuppetError as error:
                if error.span is None:
                    raise
    assert time.process_time() - started < SLOWEST, "too slow"


def main() -> None:
    """Run the fuzzer with libFuzzer's own options."""
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
