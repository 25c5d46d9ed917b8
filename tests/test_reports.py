"""The printed report of realistic mistakes: ``reports/NAME.pp`` beside ``NAME.txt``.

``pytest --update`` rewrites the texts.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bunraku.cli.output import Paint
from bunraku.cli.report import text_report
from bunraku.engine import Request, compile_catalog
from bunraku.errors import PuppetError

FOLDER = Path(__file__).parent / "reports"
MISTAKES = sorted(FOLDER.glob("*.pp"))


def report(path):
    code = path.read_text(encoding="utf-8")
    request = Request(
        code,
        as_file=path.name,
        settings={"strict": "error", "strict_variables": True},
        facts={"os": {"family": "Debian"}},
        node="web01.example.com",
    )
    with pytest.raises(PuppetError) as caught:
        compile_catalog(request, lambda entry: None)
    return text_report(caught.value, Paint(enabled=False))


@pytest.mark.parametrize("path", MISTAKES, ids=lambda path: path.stem)
def test_report(path, request):
    expected = path.with_suffix(".txt")
    text = report(path)
    if request.config.getoption("--update"):
        expected.write_text(text, encoding="utf-8")
    assert text == expected.read_text(encoding="utf-8")


def test_there_are_mistakes():
    assert len(MISTAKES) >= 10
