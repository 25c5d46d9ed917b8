"""The commands on the pages print the shown output; `pytest --update` rewrites it."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import console
from support.ruby import HAS_RUBY

ROOT = Path(__file__).parents[1]
PAGES = [
    page
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    if console.BLOCK.search(page.read_text(encoding="utf-8")) and page.stem != "run-a-site"
]
"""The pages whose commands run on one machine; ``administration/test_day.py`` has the other one."""
NEED_RUBY = ("testing",)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_print_what_the_page_shows(page, request):
    if page.stem in NEED_RUBY and not HAS_RUBY:
        pytest.skip(
            "a function of the examples changes the case of letters outside of ASCII: needs Ruby"
        )
    text = page.read_text(encoding="utf-8")
    if request.config.getoption("--update"):
        text = console.rewritten(text, console.executed(text))
        page.write_text(text, encoding="utf-8")
        return
    for step, printed in console.executed(text):
        assert console.agrees(step.shown, printed), f"$ {step.command}\n{printed}"
