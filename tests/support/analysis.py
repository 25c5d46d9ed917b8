"""Findings of the analysis for tests that are not about variables."""

from __future__ import annotations

from bunraku.workbench.analysis.analyse import analyse

ABOUT_VARIABLES = {"UNKNOWN_VARIABLE", "UNUSED_VARIABLE", "UNUSED_PARAMETER", "SHADOWED_VARIABLE"}


def analysed_values(request, programs, data=()):
    """The findings that are not about variables: those without a value stand for any value here."""
    found = analyse(request, programs, data)
    return [one for one in found if one.code not in ABOUT_VARIABLES]
