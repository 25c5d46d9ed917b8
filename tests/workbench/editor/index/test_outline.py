"""The record of a manifest from its tokens is that from its syntax tree."""

from __future__ import annotations

from pathlib import Path

import pytest

from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named
from bunraku.workbench.editor.index.scan import scan
from bunraku.workbench.editor.parsed import ParsedFile, parse_file

DIALECT = dialect_named("8")
MODULES = Path("/usr/share/puppet/modules.available")
RENDERS = "class a {\n  $x = template('a/x.erb', \"a/${y}.erb\", 'a/z.erb')\n  $y = epp('a/y', { b => 'c' })\n}\n"


def both(text, path="/m/a/manifests/init.pp", dialect=DIALECT):
    """Return the record from the tree, the one that may be from tokens, and whether it is."""
    parsed = []

    def parse(source: Source) -> ParsedFile:
        parsed.append(source)
        return parse_file(source, dialect)

    source = Source(text, path)
    from_tokens = scan(source, parse, dialect)
    is_parsed = bool(parsed)
    return scan(source, parse), from_tokens, not is_parsed


@pytest.mark.parametrize("version", ["3.0", "3.8"])
@pytest.mark.parametrize("name", ["a::b", "a::b-c"])
def test_the_tokens_are_those_of_the_language(version, name):
    text = f"class a($b = 1) {{\n  $d = template('a/x.erb')\n}}\ndefine {name} {{ }}\n"
    from_tree, from_tokens, _ = both(text, dialect=dialect_named(version))
    assert from_tokens == from_tree
    assert [one.name for one in from_tokens.definitions] == ["a", name]


@pytest.mark.parametrize(
    ("text", "is_outlined"),
    [
        ("class a($b = { c => [1] }) inherits a::d {\n  class { 'e': f => 1 }\n}\n", True),
        ("define a::b(String $c) { if $c { notice($c) } }\nfunction a::f($x) { $x }\n", True),
        (RENDERS, True),
        (RENDERS.replace("class a", "function a::b()"), True),
        ("class a { class b { } }\n", False),
        ("function a::f() >> Hash[String, Integer] { { } }\n", False),
        ("type A::B = String\n", True),
        (
            "type A::B = Struct[{a => Enum['x', y], Optional[b] => Array[Integer[1, default]]}]",
            False,
        ),
        ("type A::B = Variant[Pattern[/x/], Boolean[true],]", False),
        ("type A::B = Variant[Pattern[/x/], Boolean[true]] # x", True),
        ("type A::B = Integer[-1]", False),
        ("type A::B = Integer[1 2]", False),
        ("type A::B = Struct[{a => }]", False),
        ("type A::B = Struct[{a, b}]", False),
        ("type A::B = Integer[1] type A::C = String", False),
        ("type A::B = Integer[1", False),
        ("type A::B =", False),
        ("type ::A::B = String", False),
        ("type a = String", False),
        ("node 'x' { }\n", False),
        ("include a\n", False),
        ("class a {\n", False),
        ("class a { $x = 'a/b.erb'.template }\n", False),
        ("class a { $x = template($a ? { 1 => 'x', default => 'y' }) }\n", True),
        ("", True),
    ],
)
def test_records_are_equal(text, is_outlined):
    from_tree, from_tokens, outlined = both(text)
    assert from_tokens == from_tree
    assert outlined == is_outlined


@pytest.mark.skipif(not MODULES.is_dir(), reason="needs Debian's modules")
def test_records_of_modules_are_equal():
    paths = sorted(MODULES.glob("*/manifests/**/*.pp"))[::5]
    outlined = 0
    for path in paths:
        from_tree, from_tokens, is_outlined = both(
            path.read_text("utf-8", "surrogateescape"), str(path)
        )
        assert from_tokens == from_tree
        outlined += is_outlined
    assert outlined > len(paths) * 0.9
