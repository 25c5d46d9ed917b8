"""After an edit of a manifest only the statements around it are parsed: the tree is that of the whole text."""

from __future__ import annotations

import random

import pytest

from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named
from bunraku.syntax.parser.statements import statement
from bunraku.workbench.editor.parsed import ParsedFiles, parse_file
from support.calls import calls_of
from support.edited_manifests import DIALECT, EditedManifests, described, manifests

LONG = "class a {\n" + "  $a = 1 + 2\n  if $a { notice($a) }\n" * 50 + "}\n"


def parsed(files, text):
    return files.parsed(Source(text, "a.pp"), DIALECT)


def after(old, new):
    """Return a manifest after an edit, and how many statements were parsed for it."""
    files = ParsedFiles()
    parsed(files, old)
    with calls_of(statement) as calls:
        found = parsed(files, new)
    assert described(found) == described(parse_file(Source(new, "a.pp"), DIALECT))
    return len(calls)


def test_trees_are_those_of_the_whole_texts_after_random_edits():
    paths = manifests()
    if not paths:
        pytest.skip("Debian's modules of Puppet are not installed")
    numbers = random.Random(1)
    edits = EditedManifests(numbers)
    small = [one for one in paths if one.stat().st_size < 2000]
    for path in numbers.sample(small, 15):
        edits.edit(path.read_text("utf-8", "surrogateescape"), 20)
    assert edits.steps == 300
    assert edits.kept > 50


@pytest.mark.parametrize("piece", ["x", "\n", "# c\n", "$b = 3\n", "if $b { }\n", "$b\n"])
def test_only_the_statements_around_an_edit_are_parsed(piece):
    at = LONG.index("  $a", 800)
    assert after(LONG, f"{LONG[:at]}{piece}{LONG[at:]}") < 6


def test_an_edit_outside_of_the_statements_moves_them_only():
    assert after(LONG, f"# A class.\n{LONG}") == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("$a = 1\nnotice\n$b = 2\n", "$a = 1\nnotice\n'x'\n$b = 2\n"),
        ("$a = 1\ninclude a\n$b = 2\n", "$a = 1\ninclude\n$b = 2\n"),
        ("class a {\n  $a = 1\n}\n", "class a {\n}\n"),
        ("class a {\n  $a = 1\n}\n", "class a {\n  $a = 1\n  $b = 1\n}\n"),
        ("if $a {\n  b()\n  c()\n}\n$c = 1\n", "if $a {\n  b()\n}\n$c = 1\n"),
        ("if $a {\n  b()\n}\n$c = 1\n", "if $a {\n  b()\n  c()\n}\n$c = 1\n"),
        ("$a = 1\n$b = 2\n", "$a = 1\n"),
        ("$a = [1].each |$x| {\n  $x\n  $x\n} + 3\n$b = 1\n", "$a = [1].each |$x| {\n  $xy\n  $x\n} + 3\n$b = 1\n"),
        ("$a = 1\n$b = 2\n$c = 3\n", "$a = 1\nclass b { }\n$c = 3\n"),
        ("class a {\n  class b { }\n  $c = 3\n}\n", "class a {\n  class bc { }\n  $c = 3\n}\n"),
        ("$a = 1\n$b = 2\n", "$a = 1\n$b = {\n"),
        ("$a = 1\n$b = {\n", "$a = 1\n$b = 2\n"),
        ("$a = 1\n$b = 2\n", "$a = 1\nprivate\n"),
        ("if $a {}notice()\n", "if $a {} notice()\n"),
        ("$a", "$a\n"),
        ("", "$a = 1"),
    ],
)  # fmt: skip
def test_trees_are_those_of_the_whole_texts(old, new):
    after(old, new)


def test_a_tree_that_other_code_keeps_does_not_change():
    files = ParsedFiles()
    program = parsed(files, LONG).lent_program()
    before = parse_file(Source(LONG, "a.pp"), DIALECT).program
    parsed(files, LONG.replace("$a = 1", "$abc = 1", 1))
    assert program.body == before.body


def test_a_manifest_in_the_syntax_of_puppet_3_is_read_by_its_own_parser():
    files, dialect = ParsedFiles(), dialect_named("3.8")
    for text in ("notice 1.5\n$a = 1\n", "notice 1.25\n$a = 1\n"):
        found = files.parsed(Source(text, "a.pp"), dialect)
        assert found.program.body == dialect.parse(Source(text, "a.pp")).program.body
        assert found.tokens.kinds == dialect.tokenize(Source(text, "a.pp")).kinds
