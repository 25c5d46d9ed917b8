"""From a source to a checked program: the one place that parses, checks and collects the errors.

It imports no more than the syntax, so ``bunraku validate`` starts fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.lazy_typing import Any
from bunraku.base.records import record, replace
from bunraku.base.source import Source
from bunraku.dialects.dialect import Dialect
from bunraku.syntax.nodes import Program


@record(frozen=True)
class CheckedProgram:
    """The program in a source and all that is wrong with it; with errors, the program has holes."""

    program: Program
    findings: list[Diagnostic]

    @property
    def errors(self) -> list[Diagnostic]:
        """The findings that are errors."""
        return [finding for finding in self.findings if finding.severity == "error"]

    def error(self, phase: str) -> PuppetError | None:
        """Return all errors as one exception for a phase of the compile; None if there are none."""
        errors = list(map(parsed, self.errors))
        return PuppetError(errors[0], errors[1:], phase) if errors else None


def parsed(finding: Diagnostic) -> Diagnostic:
    """Return an error of the parser or the checker, around which Puppet puts no words."""
    if finding.in_puppet.form != "evaluated":
        return finding
    return replace(finding, in_puppet=replace(finding.in_puppet, form="parsed"))


def parse_program(source: Source, dialect: Dialect) -> CheckedProgram:
    """Parse a manifest or, if the source is one, a template, without checking it."""
    result = dialect.parse(source)
    return CheckedProgram(result.program, list(result.diagnostics))


def check_program(
    source: Source,
    dialect: Dialect,
    settings: Mapping[str, Any],
    modulepath: Iterable[str | tuple[str, str]] = (),
) -> CheckedProgram:
    """Parse and check a manifest or template; a program with errors is not checked further.

    Names of definitions must fit the files of ``modulepath``, which has directories of modules, and
    the names and directories of modules elsewhere.
    """
    parsed = parse_program(source, dialect)
    if parsed.errors:
        return parsed
    found = dialect.check(parsed.program, settings, modulepath, compile_regexp)
    return CheckedProgram(parsed.program, [*parsed.findings, *found])


def compile_regexp(pattern: str) -> None:
    """Raise PuppetError for a pattern that is not a regular expression.

    The module is imported for the first pattern, as most manifests have none.
    """
    from bunraku.values.regexp.regexp import Regexp

    Regexp(pattern).compile()
