"""Manifests that Puppet was seen to compile have no error of the analysis."""

from __future__ import annotations

import pytest

from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named
from bunraku.engine.programs import parse_program
from bunraku.engine.request import Request
from bunraku.workbench.analysis.analyse import analyse
from support.conformance import recorded_cases, request

DIALECT = "puppet_8"
UNKNOWN = frozenset({"UNKNOWN_FUNCTION", "UNKNOWN_RESOURCE_TYPE", "INVALID_RESOURCE_VALUE"})
"""Codes of names that modules of the cases define, or that are in code which creates nothing, and of values
that agents refuse.
"""


def compiles(case):
    """Whether Puppet compiled a case."""
    return not case["expect"].get("error")


@pytest.mark.parametrize("topic", recorded_cases(DIALECT))
def test_no_error_in_code_that_compiles(topic):
    dialect = dialect_named("8")
    wrong = {}
    for case in filter(compiles, recorded_cases(DIALECT)[topic]):
        checked = parse_program(Source(request(case)["code"], "/site.pp"), dialect)
        if checked.errors:
            continue
        found = analyse(Request(), [checked.program])
        errors = [str(one) for one in found if one.severity == "error" and one.code not in UNKNOWN]
        if errors:
            wrong[case["id"]] = errors
    assert wrong == {}


def test_many_cases_compile():
    cases = [case for cases in recorded_cases(DIALECT).values() for case in cases]
    assert sum(map(compiles, cases)) > 4000
