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
    ],
)
def test_the_text_is_that_of_puppet(code, expected):
    case = {"do": "catalog", "code": code, "node": "n", "settings": {"environment": "rp_env"}}
    found = json.loads(answer(json.dumps(case).encode()))
    assert found["error"]["text"] == f"{expected} on node n"
