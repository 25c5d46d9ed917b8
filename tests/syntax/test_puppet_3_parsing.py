"""Ten thousand small manifests: Puppet 3.8.7's own parser and ours refuse the same, at the same token.

``puppet_3_parsing.json`` has the errors of 3.8.7; see ``tests/record/record_puppet_3_parsing.py``.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from bunraku.base.errors import Diagnostic
from bunraku.base.source import Source
from bunraku.dialects.puppet_3_8 import PUPPET_3_8
from bunraku.engine.programs import compile_regexp
from support.conformance import FOLDER, recorded_cases

ONLY_WITH_FILES = frozenset(
    {
        "conditionals-form-028",
        "import-by-module-glob",
        "import-import-cycle",
        "import-missing-glob",
        "import-syntax-error-in-imported-file",
    }
)
"""Refused for the sake of files that are imported, which is no matter of the syntax."""
QUOTES = "$\"'}/"


@cache
def outcomes() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / "puppet_3_parsing.json").read_bytes())
    return found


def first_error(case: dict[str, Any]) -> Diagnostic | None:
    """The first mistake that the parser or the checker finds."""
    dashes = bool(case.get("settings", {}).get("allow_variables_with_dashes"))
    dialect = PUPPET_3_8.with_syntax(dashes_in_variables=dashes)
    result = dialect.parse(Source(case["code"], "/site.pp"))
    found = result.errors or dialect.check(result.program, {}, (), compile_regexp)
    return next((item for item in found if item.severity == "error"), None)


def difference(case: dict[str, Any]) -> str | None:
    """The error in our result for a case."""
    error = first_error(case)
    refused = outcomes()["refused"].get(case["id"])
    if refused is None or error is None:
        return None if (refused is None) == (error is None) else f"{error} but {refused}"
    line, token = refused
    _, error_line, column = error.puppet_place.where
    assert error_line is not None
    assert column is not None
    # 3.8.7 is sometimes one line late.
    if line - error_line not in (0, 1):
        return f"{error} not in line {line}"
    if token is None or token.startswith("(?"):
        return None
    text = case["code"][Source(case["code"]).line_starts[error_line - 1] + column - 1 :]
    at_end = not text.strip()
    if token == "" and (at_end or text[0] in QUOTES):
        return None
    starts = token and any(text[skip:].startswith(token) for skip in (0, 1))
    return None if starts else f"{error} not at {token!r} but at {text[:20]!r}"


@pytest.mark.parametrize("topic", recorded_cases())
def test_the_same_is_refused(topic: str) -> None:
    unknown = set(outcomes()["unknown"]) | ONLY_WITH_FILES
    cases = [case for case in recorded_cases()[topic] if case["id"] not in unknown]
    wrong = {case["id"]: difference(case) for case in cases}
    assert {name: text for name, text in wrong.items() if text} == {}
