"""The notes on codes of issues are true: examples give the code, fixed code does not, links of SARIF lead to them."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from bunraku.base.version import DOCUMENTATION
from bunraku.cli.main import main
from support.issue_notes import notes
from support.issues import issues
from support.ruby import HAS_RUBY

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs" / "issues").glob("*.md"))


@pytest.mark.parametrize("note", notes().values(), ids=lambda note: note.code)
def test_the_example_gives_the_code_and_the_fixed_code_does_not(note):
    found = note.report(note.example)
    if not HAS_RUBY and "[RUBY_MISSING]" in found and note.code != "RUBY_MISSING":
        pytest.skip("the example needs Ruby")
    assert f"[{note.code}]" in found
    if note.fixed:
        report = note.report(note.fixed)
        assert "error:" not in report
        assert f"[{note.code}]" not in report


def test_notes_are_about_codes_that_exist():
    assert notes().keys() - issues().keys() == set()
    assert len(notes()) >= 60


def test_each_code_has_a_heading_on_one_page():
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert sorted(re.findall(r"^## (\w+)$", text, re.MULTILINE)) == sorted(issues())


def test_a_family_is_a_page_of_bounded_length():
    assert len(PAGES) >= 10
    assert max(page.read_text(encoding="utf-8").count("\n## ") for page in PAGES) <= 100


def test_sarif_links_each_rule_to_the_page(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.pp").write_text("notice(attr)\n")
    main(["validate", "bad.pp", "--format", "sarif"])
    (rule,) = json.loads(capfd.readouterr().out)["runs"][0]["tool"]["driver"]["rules"]
    assert rule["helpUri"] == f"{DOCUMENTATION}issues.html#reserved-word"


def test_the_address_of_the_documentation_is_that_of_the_package():
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    assert urls["Documentation"] == DOCUMENTATION
