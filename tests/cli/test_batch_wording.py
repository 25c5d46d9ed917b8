"""Errors of ``do: catalog`` have the words of Puppet 7.23, recorded from it."""

from __future__ import annotations

import json

import pytest

from bunraku.cli.batch.protocol import answer

STATEMENT = "Evaluation Error: Error while evaluating a Resource Statement, "


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("$a = ", "Could not parse for environment rp_env: Syntax error at end of input"),
        (
            "$a = = 1",
            "Could not parse for environment rp_env: Syntax error at '=' (line: 1, column: 6)",
        ),
        ("nope()", "Evaluation Error: Unknown function: 'nope'. (line: 1, column: 1)"),
        (
            "file { '/a': nope => 1 }",
            "no parameter named 'nope' (line: 1) on File[/a] (line: 1)",
        ),
        (
            "notify { 'a': require => Notify['b'] }",
            "Could not find resource 'Notify[b]' in parameter 'require' (line: 1)",
        ),
        (
            "define x(Integer[0] $p) {} x { 'a': p => 'x' }",
            f"{STATEMENT}X[a]: parameter 'p' expects an Integer value, got String (line: 1)",
        ),
        (
            "type P = Integer[1] define x(P $p) {} x { 'a': p => 'x' }",
            f"{STATEMENT}X[a]: parameter 'p' expects a P = Integer[1] value, got String (line: 1)",
        ),
        (
            "type P = Pattern[/a/] define x(P $p) {} x { 'a': p => 'x', z => 1 }",
            (
                f"{STATEMENT}X[a]:\n  has no parameter named 'z'\n"
                "  parameter 'p' expects a match for P = Pattern[/a/], got 'x' (line: 1)"
            ),
        ),
        (
            "file { '/a': } file { '/a': }",
            (
                f"{STATEMENT}Duplicate declaration: File[/a] is already declared at (line: 1);"
                " cannot redeclare (line: 1) (line: 1, column: 16)"
            ),
        ),
        (
            "abs('x', 'y')",
            (
                "Evaluation Error: Error while evaluating a Function Call,"
                " 'abs' expects 1 argument, got 2 (line: 1, column: 1)"
            ),
        ),
        (
            "file { ['a', '']: }",
            "Evaluation Error: Empty string title at 1. Title strings must have a length greater than zero. (line: 1, column: 8)",
        ),
        (
            "notify { 1: }",
            "Evaluation Error: Illegal title type at index 0. Expected String, got Integer (line: 1, column: 10)",
        ),
        (
            "notice(1 + 'a')",
            "Evaluation Error: The value 'a' cannot be converted to Numeric. (line: 1, column: 12)",
        ),
        (
            "notice(undef[1])",
            "Evaluation Error: Operator '[]' is not applicable to an Undef Value. (line: 1, column: 8)",
        ),
        (
            "notice(1 =~ /a/)",
            "Evaluation Error: Left match operand must result in a String value. Got an Integer. (line: 1, column: 8)",
        ),
        ("notice(lookup('a'))", "Function lookup() did not find a value for the name 'a'"),
        (
            "notice(lookup(['a', 'b', 'c']))",
            "Function lookup() did not find a value for any of the names ['a', 'b', 'c']",
        ),
        (
            "include ''",
            "Evaluation Error: Error while evaluating a Function Call, Cannot use empty string as a class name (line: 1, column: 1)",
        ),
        (
            "file { '/a': } file { 'b': path => '/a' }",
            STATEMENT
            + 'Cannot alias File[b] to ["/a"] at (line: 1); resource ["File", "/a"] already declared (line: 1) (line: 1, column: 16)',
        ),
        ("node 'x' { }", "Could not find node statement with name 'default' or 'n'"),
        (
            "notice(file('x/y'))",
            "Evaluation Error: Error while evaluating a Function Call, Could not find any files from x/y (line: 1, column: 8)",
        ),
        (
            "function f($x) { } f()",
            "Evaluation Error: Error while evaluating a Function Call, 'f' expects 1 argument, got none (line: 1, column: 20)",
        ),
        (
            "if 'a' < 1 { }",
            "Evaluation Error: Comparison of: String < Integer, is not possible. Caused by 'A String is not comparable to a non String'. (line: 1, column: 8)",
        ),
        (
            "if [] > 1 { }",
            "Evaluation Error: Comparison of: Array > Integer, is not possible. Caused by 'Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable'. (line: 1, column: 7)",
        ),
    ],
)
def test_the_text_is_that_of_puppet(code, expected):
    case = {"do": "catalog", "code": code, "node": "n", "settings": {"environment": "rp_env"}}
    found = json.loads(answer(json.dumps(case).encode()))
    assert found["error"]["text"] == f"{expected} on node n"
