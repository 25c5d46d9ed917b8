"""Checks of spaces and indents: where they report code, and that corrections keep its meaning.

The expected places are those that the plugins manifest_whitespace 2.0 and strict_indent 5.0 report
with puppet-lint 3.0.1.
"""

from __future__ import annotations

import pytest

from bunraku.base.source import Source
from bunraku.workbench.lint.fixes import tree_of
from bunraku.workbench.lint.registry import checks
from bunraku.workbench.lint.run import LintSettings, lint_source

PREFIX = "manifest_whitespace_"
NAMES = tuple(name for name in checks() if name.startswith(PREFIX) or name == "strict_indent")
CHOSEN = LintSettings(only=NAMES).chosen()
CASES = [
    ("\n\nclass a {\n}\n", ["1:1 newline_beginning_of_file", "2:1 newline_beginning_of_file"]),
    ("$a = 1", ["1:6 missing_newline_end_of_file"]),
    (
        "$a = 1\n\n\n",
        ["2:1 double_newline_end_of_file", "3:1 double_newline_end_of_file", "3:1 two_empty_lines"],
    ),
    ("$a = 1\n\n\n\n$b = 2\n", ["3:1 two_empty_lines", "4:1 two_empty_lines"]),
    ("$a = 1\n\n$b = 2\n", []),
    ("class  a {\n}\n", ["1:6 class_name_single_space_before"]),
    ("class a{\n}\n", ["1:7 class_name_single_space_after", "1:8 opening_brace_before"]),
    ("class a\n{\n}\n", ["1:7 class_name_single_space_after", "2:1 opening_brace_before"]),
    ("define a::b ($c) {\n}\n", []),
    ("define a::b($c) {\n}\n", ["1:8 class_name_single_space_after"]),
    ("class a inherits  b {\n}\n", ["1:17 inherits_name_single_space_before"]),
    ("class a inherits b {\n}\n", []),
    (
        "file { '/a':\n  mode =>'0644',\n  owner =>  'b',\n  group => 'c',\n}\n",
        ["2:10 arrows_single_space_after", "3:11 arrows_single_space_after"],
    ),
    ("if $a{\n}\n", ["1:6 opening_brace_before"]),
    ("if $a  {\n}\n", ["1:8 opening_brace_before"]),
    ("if $a\n{\n}\n", ["2:1 opening_brace_before"]),
    ("$a = [{ b => 1 }]\n", []),
    ("$a = [ { b => 1 }]\n", ["1:7 opening_bracket_after", "1:8 opening_brace_before"]),
    ("$a = [\n  { b => 1 },\n  { c => 1 },\n]\n", []),
    ("$a = {{ b => 1 } => 2}\n", ["1:22 closing_brace_before", "1:7 opening_brace_before"]),
    ("f( { a => 1 })\n", ["1:4 opening_brace_before"]),
    ("# about\n{ a => 1 }.f\n", []),
    ("$a = {b => 1 }\n", ["1:7 opening_brace_after"]),
    ("$a = {  b => 1 }\n", ["1:7 opening_brace_after"]),
    ("if $a {\n\n  notice(1)\n}\n", ["2:1 opening_brace_after"]),
    ("$a = {}\n", []),
    ("$a = {[1] => 2 }\n", []),
    ("if $a {# why\n}\n", ["1:8 opening_brace_after"]),
    ("$a = { b => 1}\n", ["1:14 closing_brace_before"]),
    ("$a = { b => 1  }\n", ["1:14 closing_brace_before"]),
    ("$a = { }\n", ["1:7 closing_brace_before"]),
    ("if $a {\n  notice(1)\n\n}\n", ["2:12 closing_brace_before"]),
    ("if $a {\n  notice(1) }\n", ["2:1 strict_indent"]),
    ("$a = [{ b => 1 } ]\n", ["1:17 closing_brace_after", "1:17 closing_bracket_before"]),
    ("$a = { b => { c => 1 }}\n", ["1:23 closing_brace_after", "1:23 closing_brace_before"]),
    ("$a = f({ b => 1 } )\n", ["1:18 closing_brace_after"]),
    ("if $a {\n}else {\n}\n", ["2:2 closing_brace_after"]),
    ("if $a {\n} # why\n", []),
    ("$a = $b ['c']\n", ["1:9 opening_bracket_before"]),
    ("$a=[1]\n", ["1:4 opening_bracket_before"]),
    ("$a = String ['c']\n", ["1:13 opening_bracket_before"]),
    ("$a =  [1]\n", ["1:7 opening_bracket_before"]),
    ("$a = [[1]]\n", []),
    ("$a = [ [1]]\n", ["1:7 opening_bracket_after", "1:8 opening_bracket_before"]),
    ("f([1])\n", []),
    ("f( [1])\n", ["1:4 opening_bracket_before"]),
    ("notify { ['a']: }\n", []),
    ("notify {['a']: }\n", []),
    (
        "$a = {\n  b =>\n  [1],\n}\n",
        ["2:7 arrows_single_space_after", "3:1 strict_indent", "3:3 opening_bracket_before"],
    ),
    ("[1, 2].each |$i| { [1].f }\n", []),
    ("$a = [ 1]\n", ["1:7 opening_bracket_after"]),
    ("$a = [\n  1\n]\n", []),
    ("$a = [\n\n  1\n]\n", ["2:1 opening_bracket_after"]),
    ("$a = [1 ]\n", ["1:8 closing_bracket_before"]),
    ("$a = [\n  1\n\n]\n", ["2:4 closing_bracket_before"]),
    ("$a = [1, \n]\n", ["1:9 closing_bracket_before"]),
    ("$a = [1] + 2\n", []),
    ("$a = [[1] , 2]\n", ["1:10 closing_bracket_after"]),
    ("$a = [1]+ 2\n", ["1:9 closing_bracket_after"]),
    ("$a = \"${b['c'] }\"\n", ["1:15 closing_bracket_after"]),
    ("$a = $b['c'] . f\n", []),
    ("$a = @(\"END\")\n  ${b['c'] } text\n  | END\n", ["2:11 closing_bracket_after"]),
    ("if $a {\n notice(1)\n}\n", ["2:1 strict_indent"]),
    ("if $a {\n\tnotice(1)\n}\n", ["2:1 strict_indent"]),
    (
        "file { '/a':\nensure => file,\n  mode => '0644';\n  '/b':\n    ensure => file,\n    ;\n}\n",
        ["2:1 strict_indent", "6:1 strict_indent"],
    ),
    ("$a =\n  1\n$b =\n1\n", ["4:1 strict_indent"]),
    ("f(\n  [\n    1,\n  ], {\n    b => 1,\n  }\n)\n", []),
    ("f([\n  1,\n])\n", []),
    ("$a = @(END)\ntext\nEND\n$b = 1\n", ["2:1 strict_indent"]),
    ("$a = @(END)\n  text\n  | END\n", []),
    ("$a = @(END)\n    text\n    | END\n", ["2:1 strict_indent"]),
    ("if $a {\n# why\n   # why\n  notice(1)\n}\n", ["3:1 strict_indent"]),
    ("$a = 'b\n  c'\n$d = 1\n", []),
    ("}\n}\n", []),
]


def outcome_of(text, *, fix=False):
    return lint_source(Source(text, "a.pp"), CHOSEN, LintSettings(), fix=fix)


def corrected(text):
    """The text after as many corrections as there are: edits that touch need several runs."""
    for _ in range(9):
        fixed = outcome_of(text, fix=True).fixed
        if fixed is None:
            return text
        text = fixed
    raise AssertionError("the corrections do not end")


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_findings_are_where_the_plugins_report_them(text, expected):
    source = Source(text)
    found = []
    for one in outcome_of(text).findings:
        line, column = source.position(one.problem.start)
        found.append(f"{line}:{column} {one.check.removeprefix(PREFIX)}")
    assert sorted(found) == expected


@pytest.mark.parametrize("text", [text for text, _ in CASES])
def test_corrections_keep_the_tree_and_leave_nothing_that_can_be_corrected(text):
    after = corrected(text)
    assert tree_of(Source(after)) == tree_of(Source(text))
    assert outcome_of(after, fix=True).corrected == []


def test_each_check_has_a_case_that_it_reports():
    reported = {line.split()[1] for _, expected in CASES for line in expected}
    assert reported == {name.removeprefix(PREFIX) for name in NAMES}


def test_a_corrected_manifest_has_the_usual_spaces():
    text = "\nclass  a{\n\n$b=[ 1,{c=>2} ]\n  file {  '/d':\n  mode =>'0644'\n\n}\n\n\n}"
    expected = "class a {\n  $b= [1, { c=> 2 }]\n  file { '/d':\n    mode => '0644'\n  }\n}\n"
    assert corrected(text) == expected
