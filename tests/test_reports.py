"""The printed report of realistic mistakes: ``reports/NAME.pp`` beside ``NAME.txt``.

A directory ``NAME`` beside them has the files that the manifest needs: ``modules``, ``hiera.yaml``,
``data``; in the reports it is ``/NAME``. ``pytest --update`` rewrites the texts.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bunraku.base.errors import PuppetError
from bunraku.cli.output.output import Paint
from bunraku.cli.report.findings import text_report
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request

FOLDER = Path(__file__).parent / "reports"
MISTAKES = sorted(FOLDER.glob("*.pp"))


def report(path):
    code = path.read_text(encoding="utf-8")
    beside = path.with_suffix("")
    hiera = beside / "hiera.yaml"
    request = Request(
        code,
        as_file=path.name,
        modulepath=[f"{beside}/modules"] if beside.is_dir() else [],
        hiera_config=str(hiera) if hiera.exists() else None,
        settings={"strict": "error", "strict_variables": True},
        facts={"os": {"family": "Debian"}},
        node="web01.example.com",
        cycles=True,
    )
    with pytest.raises(PuppetError) as caught:
        compile_catalog(request, lambda entry: None)
    return text_report(caught.value, Paint(enabled=False)).replace(f"{FOLDER}/", "/")


@pytest.mark.parametrize("path", MISTAKES, ids=lambda path: path.stem)
def test_report(path, request):
    expected = path.with_suffix(".txt")
    text = report(path)
    if request.config.getoption("--update"):
        expected.write_text(text, encoding="utf-8")
    assert text == expected.read_text(encoding="utf-8")


def test_there_are_mistakes():
    assert len(MISTAKES) >= 10
