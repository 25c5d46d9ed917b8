"""A text with mistakes leaves no garbage: an editor parses one after each keystroke."""

from __future__ import annotations

import gc

import pytest

from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named

BODY = "class a(\n  $p = 1\n) {\n" + "  $a = 1\n  notice($a)\n" * 20
SOME = 10
"""Objects of the first message with a hint or of a module that is imported."""


@pytest.mark.parametrize("name", ["8", "3.8"])
@pytest.mark.parametrize(
    "text",
    [
        f"{BODY}if $a {{ ",
        f"{BODY}if $a = {{ }}\n}}\n",
        f"{BODY}$a = 'x",
        f"{BODY}notice(\n",
        f"{BODY}file {{ 'x': mode => [\n",
        f"{BODY}1, 2\n}}\n",
        BODY.replace("$p = 1", "$p = = 1") + "}\n",
        f"{BODY}{'[' * 600}",
    ],
)
def test_the_nodes_of_a_text_with_mistakes_are_freed_at_once(name, text):
    dialect = dialect_named(name)
    assert dialect.parse(Source(text)).errors
    gc.collect()
    gc.disable()
    try:
        dialect.parse(Source(text))
        assert gc.collect() < SOME
    finally:
        gc.enable()
