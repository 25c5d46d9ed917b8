"""What the formatter changes, and what it leaves."""

from __future__ import annotations

import pytest

from bunraku.base.source import Source
from bunraku.workbench.format.format import format_source
from bunraku.workbench.format.pieces import Style

CHANGED = {
    "the column of an assignment is that of no other": (
        "if $a {\n  $b = 1\n} else {\n  $b     = 3\n  c()\n  $d     = 4\n}\n",
        "if $a {\n  $b = 1\n} else {\n  $b = 3\n  c()\n  $d = 4\n}\n",
    ),
    "blanks": (
        "class  x ( $a=1 ,$b = 2 )inherits y{\n}\n",
        "class x ($a = 1, $b = 2) inherits y {\n}\n",
    ),
    "calls and lists": (
        "$a = f( 1,2 )+[ 1 , 2 ][ 0 ]\nnotice ( $a )\n",
        "$a = f(1, 2) + [1, 2][0]\nnotice($a)\n",
    ),
    "hash on one line": ("$a = {'b' => 1 }\n", "$a = { 'b' => 1 }\n"),
    "regular expressions and divisions": (
        "$a = $b/2\nif $c=~/ x  y /{ }\n",
        "$a = $b / 2\nif $c =~ / x  y / {}\n",
    ),
    "collectors": ("File<|title=='a'|>\n", "File<| title == 'a' |>\n"),
    "brace of a block": (
        "if $a\n{\n  b()\n}\nelse\n{\n  c()\n}\n",
        "if $a {\n  b()\n} else {\n  c()\n}\n",
    ),
    "parameters one a line": (
        "class x ($a,\n  $b = 1) {\n}\n",
        "class x (\n  $a,\n  $b = 1,\n) {\n}\n",
    ),
    "chain arrows": (
        "package { 'a': } ->\n\nfile { 'b': } # last\n",
        "package { 'a': }\n-> file { 'b': } # last\n",
    ),
    "chain arrows before comments": (
        "a { 'a': } ->\n# one\nb { 'b': } -> # two\n\n# three\n\nc { 'c': }\n->\n# four\n\nd { 'd': }\n",
        "a { 'a': }\n# one\n-> b { 'b': } # two\n\n# three\n-> c { 'c': }\n# four\n-> d { 'd': }\n",
    ),
    "empty lines": (
        "\n\nclass x {\n\n\n  $a = [\n\n    1,\n\n\n    2,\n\n  ]\n\n}\n\n\n",
        "class x {\n\n  $a = [\n    1,\n\n    2,\n  ]\n}\n",
    ),
    "commas": (
        "$a = [\n  1\n]\n$b = {\n  'c' => 1 # one\n}\n$d = $a ? {\n  1 => 2\n}\n",
        "$a = [\n  1,\n]\n$b = {\n  'c' => 1, # one\n}\n$d = $a ? {\n  1 => 2,\n}\n",
    ),
    "comma behind the tag of a heredoc": (
        "file { 'a':\n  content => @(END)\n    x\n    | END\n}\n",
        "file { 'a':\n  content => @(END),\n    x\n    | END\n}\n",
    ),
    "brace of a resource": (
        "file\n{ 'a':\n    ensure => file\n}\n",
        "file { 'a':\n  ensure => file,\n}\n",
    ),
    "braces that comments keep from their heads": (
        "class x\n# a\n{\nif $b # c\n{\nd()\n}\n}\n",
        "class x\n# a\n{\n  if $b # c\n  {\n    d()\n  }\n}\n",
    ),
    "brace of a class": ("class x\n{\n  $a = 1\n}\n", "class x {\n  $a = 1\n}\n"),
    "braces of options": (
        "case $a {\n  'b' :   {\n    c()\n  }\n  'dd': { e() }\n  'f':   { g() }\n}\n",
        "case $a {\n  'b': {\n    c()\n  }\n  'dd': { e() }\n  'f':  { g() }\n}\n",
    ),
    "arrows of attributes": (
        "file { 'a':\n  ensure => file,\n  source      => 'b',\n\n  content => 'c',\n}\n",
        "file { 'a':\n  ensure  => file,\n  source  => 'b',\n\n  content => 'c',\n}\n",
    ),
    "mixed columns": (
        "$a = {\n  'b' => 1,\n  'ccc'  => 2,\n  'dd'     => 3,\n}\n",
        "$a = {\n  'b'   => 1,\n  'ccc' => 2,\n  'dd'  => 3,\n}\n",
    ),
    "indents": (
        "class x {\n$a = f(\n1,\n)\n    # a comment\n      if $b\n  and $c {\nd()\n}\n  # last\n}\n",
        "class x {\n  $a = f(\n    1,\n  )\n  # a comment\n  if $b\n    and $c {\n    d()\n  }\n  # last\n}\n",
    ),
    "several bodies": (
        "file { \n'a':\nensure => file;\n'b':\nensure => file,\nmode => '0644';\n}\n",
        "file {\n  'a':\n    ensure => file;\n  'b':\n    ensure => file,\n    mode   => '0644';\n}\n",
    ),
    "columns that would become too long": (
        f"class x (\n  Enum['{'a' * 100}'] $b  = 1,\n  C $d   = '{'e' * 40}',\n) {{\n}}\n",
        f"class x (\n  Enum['{'a' * 100}'] $b = 1,\n  C $d = '{'e' * 40}',\n) {{\n}}\n",
    ),
    "an arrow whose line would become too long": (
        f"file {{ 'a':\n  ensure  => file,\n  source => 'b',\n  mode => '{'c' * 127}',\n}}\n",
        f"file {{ 'a':\n  ensure => file,\n  source => 'b',\n  mode => '{'c' * 127}',\n}}\n",
    ),
    "tabs": ("class x {\n\t$a =\t1\n}\n", "class x {\n  $a = 1\n}\n"),
    "end of the text": ("$a = 1", "$a = 1\n"),
    "line ends of Windows": ("$a  = 1  \r\n$b = 2\r\n", "$a = 1\r\n$b = 2\r\n"),
}

SAME = {
    "the column of an assignment is that of others in branches": (
        "if $a {\n  $b    = 1\n  $long = 2\n} else {\n  $b    = 3\n}\n"
    ),
    "a title below its brace": "file {\n  'a':\n    ensure => file,\n}\n",
    "strings": "$a = \"x  ${ $b  + 1 }\n   y\"\n$c = 'd\n  e'\n",
    "block comments": "class x {\n/* a\n b\n  */\n  $a = 1\n}\n",
    "blanks at the end of comments": "# a  \n$a = 1\n",
    "types": "type A = Enum['a','b', 'c']\n",
    "no comma in calls and types": "f(\n  1,\n  2\n)\ntype A = Variant[\n  B,\n  C\n]\n",
    "bodies whose semicolons have lines of their own have columns of their own": (
        "file {\n  default:\n    owner => 'root',\n    ;\n  'a':\n    ensure => file,\n    ;\n}\n"
    ),
    "no comma before a semicolon": "file {\n  'a':\n    ensure => file;\n}\n",
    "signs": "function a(Integer *$b) {\n  f(-1, *$b, - $c) |*$d| { $d }\n}\n",
    "not": "if ! $a and !$b {\n}\n",
    "lists that would fit in a line": "$a = [\n  1,\n]\n",
    "long lines": f"$a = [{', '.join(map(str, range(100)))}]\n",
    "commas of a line that would become too long": f"$a = f({'x' * 126},1,2,3)\n",
    "lines with other blanks": "$a  =\u00a0 1\n\u00a0\n  $b  = 2\n",
    "aligned": "$a   = 1\n$bcd = 2\n",
    "one blank each": "$a = 1\n$bcd = 2\n",
    "a wider column": "$a = {\n  'b'    => 1,\n  'ccc'  => 2,\n}\n",
    "columns of successive lines": (
        "class x (\n  $a   = 1,\n  $bcd = 2,\n\n  $efghij = 3,\n  $k      = 4,\n) {\n}\n"
    ),
    "a key that is too long": (
        "$a = {\n  'b'   => 1,\n  'cc'  => 2,\n  'd'   => 4,\n  'long key' => 3,\n}\n"
    ),
    "an equal sign whose line would become too long": (
        f"class x (\n  $abc  = 1,\n  $def  = 2,\n  $ghi  = 3,\n  $j = '{'k' * 130}',\n) {{\n}}\n"
    ),
    "an arrow in the column of a line that is too long": (
        f"file {{ 'a':\n  ensure => file,\n  mode   => '{'c' * 128}',\n}}\n"
    ),
    "hugged brackets": (
        "f('a', {\n  'b' => 1,\n})\nf('a', {\n    'b' => 1,\n})\ntype A = Struct[{\n  b => C,\n}]\n"
    ),
    "chains on one line": "Package['a'] -> File['b']\n",
    "branches of one line": "if $a { b() }\nelse { c() }\n",
    "an empty line behind a header": "class x {\n\n  $a = 1\n}\n",
    "several parts a line": "$a = [\n  'b', 'c',\n  'd',\n]\n",
    "comments at the end of a line": "$a = 1    # one\n$b = 2 # two\n",
    "list literals as arguments": "include [$a]\nnotice [$b][0]\n",
    "a list of arguments on a new line": "$a = $b\n[$c] = $d\n",
    "off": "class x {\n  # fmt: off\n    $a   =   [ 1 ]\n\n\n  $b=1\n  # fmt: on\n  $c = 1\n}\n",
    "skipped line": "$a   =   [ 1 ] # fmt: skip\n$b = 1\n",
    "skipped block": "$a   =   [ # fmt: skip\n1  ]\n$b = 1\n",
    "a skipped block below its comment": "# fmt: skip\n$a   =   [\n1  ]\n$b = 1\n",
}


def formatted(text, style=None, chosen=None):
    found = format_source(Source(text), style or Style(), chosen)
    assert (found.problem, found.errors) == ("", [])
    return found.text


@pytest.mark.parametrize("name", CHANGED)
def test_changed(name):
    before, after = CHANGED[name]
    assert formatted(before) == after


@pytest.mark.parametrize("name", SAME)
def test_same(name):
    assert formatted(SAME[name]) == SAME[name]


def test_errors_leave_the_text():
    found = format_source(Source("class  {"), Style())
    assert found.text == "class  {"
    assert [one.code for one in found.errors] == ["SYNTAX_ERROR"]


def test_steps_and_tabs():
    text = "class x {\n  if $a {\n    b()\n  }\n}\n"
    assert formatted(text, Style(4)) == "class x {\n    if $a {\n        b()\n    }\n}\n"
    assert formatted(text, Style(4, tabs=True)) == "class x {\n\tif $a {\n\t\tb()\n\t}\n}\n"


PARTS = """\
class x {
    $a=1
    file{'b':
        ensure=>file,
        mode=>[
          1
        ]}
    if $c{
        d( 1 )
        e( 2 )
    }
}
"""


@pytest.mark.parametrize(
    ("line", "changed"),
    [(2, [2]), (3, [3, 4, 5, 6, 7]), (6, [5, 6, 7]), (8, [8, 11]), (9, [9])],
)
def test_only_the_part_around_a_line_changes(line, changed):
    found = formatted(PARTS, chosen=[range(line, line + 1)]).split("\n")
    before = PARTS.split("\n")
    assert len(found) == len(before)
    assert set(changed) >= {at for at, one in enumerate(found, 1) if one != before[at - 1]} != set()


def test_texts_without_code():
    for text in ("", "\n\n", "  \n"):
        assert formatted(text) == formatted(text, chosen=[range(1, 2)]) == ""
    assert formatted("\n  # a\n\n\n# b") == "# a\n\n# b\n"
