"""``bunraku dump``: every manifest that compiles can be shown at every stage."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from bunraku.base.source import Source
from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.compiler.generated_code import Formatted, python_text
from bunraku.dialects.languages import dialect_named
from bunraku.engine.programs import check_program

LANGUAGE = sorted((Path(__file__).parents[1] / "language").glob("*.pp"))


@pytest.mark.parametrize("path", LANGUAGE, ids=lambda path: path.stem)
def test_the_python_code_of_every_language_case_can_be_shown(path):
    shown = 0
    for case in ("\n" + path.read_text(encoding="utf-8")).split("\n## "):
        source = Source(case, "case.pp")
        dialect = dialect_named("8")
        checked = check_program(source, dialect, {})
        if not checked.errors:
            shown += bool(python_text(checked.program, source, dialect.compiler))
    assert shown or path.stem == "legacy"


@pytest.mark.parametrize("stage", ["tokens", "pn", "python", "bytecode"])
@pytest.mark.parametrize(
    "code",
    [
        '$a="x" notice("${ $a !~ /^db\\d+/ }")',
        'notice("${"${"${"${"${1 + 1}"}"}"}"} ${"it\'s \\"x\\""}")',
        'notice("{${1}} \\n é ${"\\u{1F600}"} ${regsubst("a\\nb", "\\n", "\\\\\\\\")}")',
        "notice(\"\udcff ${'\udcff'} ${1}\")",
    ],
)
def test_interpolation_with_backslashes_and_quotes_is_shown(stage, code, capfdbinary):
    assert main(["dump", "--stage", stage, "-e", code]) == exits.OK
    out, err = capfdbinary.readouterr()
    assert out
    assert err == b""


def test_what_replaces_an_f_string_has_the_same_value():
    names = {"a": "x{}y", "b": {"it's": 1, "\n": 2, '"\\': "\udcff"}}
    parts = [ast.Constant(text) for text in ("plain", "{", "it's", '"', "\\n\n", "é\udcff")]
    looked_up = [
        ast.Subscript(ast.Name("b", ast.Load()), ast.Constant(key), ast.Load())
        for key in names["b"]
    ]
    inner = ast.JoinedStr([ast.Constant("}"), ast.FormattedValue(looked_up[1], -1)])
    for value in (ast.Name("a", ast.Load()), *looked_up, inner):
        for part in parts:
            joined = ast.JoinedStr([part, ast.FormattedValue(value, -1), part])
            expected = eval(compile_of(joined), dict(names))
            text = ast.unparse(Formatted().visit(joined))
            assert eval(text, dict(names)) == expected


def compile_of(expression):
    """The code of an expression."""
    return compile(ast.fix_missing_locations(ast.Expression(expression)), "x", "eval")
