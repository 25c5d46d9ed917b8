"""Show how a manifest becomes code: its tokens, syntax tree, Python code or bytecode."""

from __future__ import annotations

import argparse

from bunraku.base.errors import Diagnostic, PuppetError, in_order
from bunraku.base.source import Place, Source
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import GENERAL, LANGUAGE, Rules, limits
from bunraku.cli.options.shared import paint_for, read_text
from bunraku.cli.output.output import write, write_error
from bunraku.cli.report.findings import text_report
from bunraku.dialects.dialect import Dialect
from bunraku.engine.programs import check_program
from bunraku.jobs.context import Context
from bunraku.limits.limits import Limited
from bunraku.syntax.nodes import Program
from bunraku.syntax.pn import to_pn
from bunraku.syntax.tokens import printed

STAGES = ("tokens", "pn", "python", "bytecode")


OPTIONS = f"""
files [FILE]...: manifest files; - reads standard input
-e --execute CODE: show this code
--stage: the form to show (default: pn, the syntax tree)
--epp: the text of -e or - is an EPP template
{LANGUAGE}
{limits("file")}
{GENERAL}
"""
RULES: Rules = {"stage": {"choices": STAGES, "default": "pn"}}


def run(options: argparse.Namespace) -> int:
    """Print the stage of each text; texts that do not parse are reported and set the exit code to 1."""
    if options.execute is None and not options.files:
        raise UsageError("nothing to dump: give files, - or -e CODE")
    context = context_of(options)
    code = exits.OK
    texts = [] if options.execute is None else [(Source(options.execute), options.epp)]
    for path in options.files:
        epp = path.endswith(".epp") or (path == "-" and options.epp)
        texts.append((Source(read_text(path), path, on_disk=path != "-"), epp))
    for source, epp in texts:
        try:
            with Limited(context.limits):
                text, findings = dumped(source, context, options.stage, epp=epp)
        except PuppetError as error:
            text, findings = None, list(error.at(Place(source.path or None)))
        write_error(text_report(in_order(findings), paint_for(options)))
        if text is None:
            code = exits.FINDINGS
        else:
            write(text + "\n")
    return code


def dumped(
    source: Source, context: Context, stage: str, *, epp: bool
) -> tuple[str | None, list[Diagnostic]]:
    """Return the stage of a text (None if it does not parse) and the findings."""
    source.is_template = epp
    dialect = context.dialect
    if stage == "tokens":
        return printed(dialect.tokenize(source), source), []
    checked = check_program(source, dialect, context.settings)
    if checked.errors:
        return None, checked.findings
    return stage_text(stage, checked.program, source, dialect), checked.findings


def stage_text(stage: str, program: Program, source: Source, dialect: Dialect) -> str:
    """Return the syntax tree or the compiled code as text."""
    if stage == "pn":
        return to_pn(program)
    # Only these two need the compiler.
    from bunraku.compiler.generated_code import bytecode_text, python_text

    code_text = {"python": python_text, "bytecode": bytecode_text}[stage]
    return code_text(program, source, dialect.compiler)
