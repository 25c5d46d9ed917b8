"""The outline of a manifest, as lines with the entries below each other indented."""

from __future__ import annotations

import pytest

from bunraku.workbench.editor.symbols import document_symbols

RESOURCES = """class ntp(Integer $port = 1) {
  $own = 2
  file { '/a':
    ensure => file,
    mode   => '0644',
  }
  if $own { service { 'x': enable => true } }
}
"""


def lines(entries, made, depth=0):
    """Yield the entries as lines: the piece of the text of each, and its kind."""
    text = made.snapshot.source(made.path).text
    for one in entries:
        yield f"{'  ' * depth}{one.kind} {text[one.range.start : one.range.end]}"
        yield from lines(one.entries, made, depth + 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            RESOURCES,
            [
                "class ntp",
                "  parameter $port",
                "  variable $own",
                "  resource '/a'",
                "    attribute ensure",
                "    attribute mode",
                "  resource 'x'",
                "    attribute enable",
            ],
        ),
        (
            "file { 'a': * => {}; 'b': mode => '1' }",
            ["resource file", "  resource 'a'", "  resource 'b'", "    attribute mode"],
        ),
        (
            "File { mode => '1' }\nFile['a'] { owner => 'b' }\nUser <| |> { uid => 1 }\nUser <| |>",
            [
                "resource File",
                "  attribute mode",
                "resource File['a']",
                "  attribute owner",
                "resource User",
                "  attribute uid",
            ],
        ),
        ("node 'a', /b/ { notice(1) }", ["node 'a', /b/"]),
    ],
)
def test_the_outline(workspace, text, expected):
    made = workspace({"manifests/init.pp": f"^{text}"})
    assert list(lines(document_symbols(made.snapshot, made.path), made)) == expected
