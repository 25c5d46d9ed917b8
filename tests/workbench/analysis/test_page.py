"""The table of rules in ``docs/check.md`` is the one that the rules give."""

from __future__ import annotations

from tools.write_check_page import PAGE, page


def test_page_has_the_table_of_rules():
    text = PAGE.read_text(encoding="utf-8")
    assert page(text) == text, "run tests/tools/write_check_page.py"
