"""The stages of a manifest on its way to code, as text: tokens, syntax tree, Python code, bytecode."""

from __future__ import annotations

from bunraku.base.errors import Diagnostic
from bunraku.base.source import Source
from bunraku.dialects.dialect import Dialect
from bunraku.engine.programs import check_program
from bunraku.jobs.context import Context
from bunraku.syntax.nodes import Program
from bunraku.syntax.pn import to_pn
from bunraku.syntax.tokens import printed

STAGES = ("tokens", "pn", "python", "bytecode")


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
