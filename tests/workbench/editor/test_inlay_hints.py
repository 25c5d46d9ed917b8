"""The types that are shown behind variables."""

from __future__ import annotations

import pytest

from bunraku.workbench.editor.inlay_hints import inlay_hints
from bunraku.workbench.editor.places import TextRange


@pytest.mark.parametrize(
    ("code", "hints"),
    [
        ("$x = 1 + 2", {"$x": ": Integer"}),
        ("$x = 'a'", {}),
        ("$x = $y ? { 1 => 'a', default => 2 }", {"$x": ": Variant[String, Integer[2, 2]]"}),
        ("$x = unknown($y)", {}),
    ],
)
def test_types_of_variables(workspace, code, hints):
    made = workspace({"manifests/init.pp": f"class ntp {{\n  {code}\n}}\n^"})
    text = made.snapshot.source(made.path).text
    found = inlay_hints(made.snapshot, made.path, TextRange(0, len(text)))
    assert {text[one.offset - 2 : one.offset]: one.text for one in found} == hints
