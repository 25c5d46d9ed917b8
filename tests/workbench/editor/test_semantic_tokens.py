"""The kinds of names."""

from __future__ import annotations

from bunraku.workbench.editor.places import TextRange
from bunraku.workbench.editor.semantic_tokens import semantic_tokens

TEXT = """class ntp(String $host) inherits ntp::base {
  $own = upcase($host)
  ntp::peer { 'a': mode => $own }
  include ntp::server
  notice($facts)
}
^"""


def test_names_have_kinds(workspace):
    made = workspace({"manifests/init.pp": TEXT})
    text = made.snapshot.source(made.path).text
    found = [
        (text[one.range.start : one.range.end], one.kind, *sorted(one.modifiers))
        for one in semantic_tokens(made.snapshot, made.path)
    ]
    assert found == [
        ("ntp", "class", "declaration"),
        ("String", "type", "defaultLibrary"),
        ("host", "parameter", "declaration"),
        ("ntp::base", "class"),
        ("own", "variable", "declaration", "readonly"),
        ("upcase", "function", "defaultLibrary"),
        ("host", "variable", "readonly"),
        ("ntp::peer", "struct"),
        ("mode", "property"),
        ("own", "variable", "readonly"),
        ("include", "function", "defaultLibrary"),
        ("ntp::server", "class"),
        ("notice", "function", "defaultLibrary"),
        ("facts", "variable", "defaultLibrary", "readonly"),
    ]


def test_a_piece_has_its_names_only(workspace):
    made = workspace({"manifests/init.pp": TEXT})
    start = made.snapshot.source(made.path).text.index("include")
    found = semantic_tokens(made.snapshot, made.path, TextRange(start, start + 19))
    assert [one.kind for one in found] == ["function", "class"]
