"""The made pages of docs/ are current, every form and statement has a case, examples run."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

from support.language import cases
from support.ruby import HAS_RUBY

ROOT = Path(__file__).parents[1]
TOOL = import_module("tools.write_docs")
# Statements of the reference text that no manifest can show.
NOT_TO_RUN = {"S4-111": "about PuppetDB"}


def test_pages_are_current_and_folders_hold_no_others():
    """One test, because to make the pages takes half a minute."""
    pages = TOOL.pages()
    old = [path.name for path, text in pages.items() if path.read_text(encoding="utf-8") != text]
    if not HAS_RUBY:  # examples of pages about issues need Ruby
        old = [name for name in old if not (ROOT / "docs" / "issues" / name).exists()]
    assert old == [], "run tests/tools/write_docs.py"
    for folder in ("commands", "issues"):
        known = {path for path in pages if path.parent.name == folder}
        assert known == set((ROOT / "docs" / folder).glob("*.md"))


def test_every_form_is_settled():
    count = TOOL.counted()
    names = [name for name, form in TOOL.forms() if form is not None]
    assert names == [f"B{number}" for number in range(1, 114)]
    assert [name for name in names if TOOL.status(name, count.get(name, 0)) == "?"] == []


def test_every_statement_of_the_text_on_strings_has_a_case():
    count = TOOL.counted()
    missing = {f"S4-{number}" for number in range(1, 131)} - set(count)
    assert missing == set(NOT_TO_RUN)


def test_there_are_several_hundred_cases():
    assert len(cases()) > 500


def test_the_readme_counts_the_forms_that_work():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    (counted,) = re.findall(r"^(\d+ of \d+ forms)", page, re.MULTILINE)
    assert f"[{counted}](docs/language.md)" in readme
