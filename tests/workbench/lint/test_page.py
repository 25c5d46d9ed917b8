"""The page of lint lists the checks that there are."""

from __future__ import annotations

from tools.write_lint_page import PAGE, page


def test_the_page_is_up_to_date():
    assert page(PAGE.read_text()) == PAGE.read_text()
