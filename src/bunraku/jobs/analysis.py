"""The analysis of manifests with the settings of a job."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from bunraku.base.errors import Diagnostic, PuppetError, in_order
from bunraku.base.records import replace
from bunraku.engine.request import Request
from bunraku.limits.limits import Limited, Limits
from bunraku.syntax.nodes import Program
from bunraku.workbench.analysis.analyse import analyse
from bunraku.workbench.analysis.issues import MODULE_NOT_INSTALLED, MODULES_NOT_INSTALLED

UNSURE = frozenset(
    {"UNKNOWN_RESOURCE_TYPE", "UNKNOWN_FUNCTION", "UNKNOWN_TYPE", "LOOKUP_NOT_FOUND"}
)
"""Codes of warnings about names that a missing module can define."""


def analysed(
    request: Request,
    limits: Limits,
    programs: list[Program],
    files: Iterable[str],
    beside: Iterable[Program] = (),
) -> list[Diagnostic]:
    """Return the findings of the analysis; if the environment is invalid, only that.

    ``files`` are all checked files; those with data of Hiera are analysed, too.
    Those ``beside`` only define what the programs use.
    """
    try:
        with Limited(limits):
            return folded(analyse(request, programs, files, beside))
    except PuppetError as error:
        return list(error)


def folded(findings: list[Diagnostic]) -> list[Diagnostic]:
    """Return findings with one about all modules that are not there, and about names that can be theirs.

    A name that is nearly a known one stays a finding of its own.
    """
    absent = [one for one in findings if one.code == MODULE_NOT_INSTALLED.code]
    if len(absent) < 2:
        return findings
    modules = {str(one.arguments["name"]) for one in absent}
    names = sorted(modules)
    others = [one for one in findings if can_be_theirs(one, modules)]
    found = MODULES_NOT_INSTALLED.diagnostic(
        in_order(absent)[0].place, "warning", count=len(names), names=", ".join(names)
    )
    if others:
        words = ", ".join(sorted({name_in(one) for one in others}))
        found = replace(found, hint=f"names that can be theirs: {words}")
    left_out = {id(one) for one in (*absent, *others)}
    return [found, *(one for one in findings if id(one) not in left_out)]


def can_be_theirs(finding: Diagnostic, modules: Collection[str]) -> bool:
    """Return whether a warning is about a name that one of some missing modules can define."""
    if finding.code not in UNSURE or finding.severity != "warning":
        return False
    namespace, separator, _ = name_in(finding).partition("::")
    mistyped = "did you mean" in (finding.hint or "")
    return namespace in modules if separator else not mistyped


def name_in(finding: Diagnostic) -> str:
    """Return the name that a finding is about, as its definition spells it."""
    return str(finding.arguments["name"]).lower().removeprefix("::")
