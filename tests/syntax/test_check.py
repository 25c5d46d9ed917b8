"""The checker compared with Puppet's errors (``tests/record/record_check.py``)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bunraku.base.errors import Diagnostic, Issue
from bunraku.base.records import replace
from bunraku.base.source import Source
from bunraku.syntax.check.autoload import namespace_of
from bunraku.syntax.check.check import check
from bunraku.syntax.parser.parser import parse, parse_epp
from bunraku.syntax.rules import DEFAULTS, SyntaxRules

LANGUAGE = Path(__file__).parents[1] / "language"

# Where we point elsewhere than Puppet does, or find what it fails to name, with the reason.
DIFFERENT = {
    "class a { foo; { a => 1, a => 1 } }": "Puppet loses the place of the block",
    '$r = @(E:json)\n"\\ud800"\n|-E\n': "Ruby's JSON has another rule in later versions",
}


def findings(code: str, dialect: SyntaxRules = DEFAULTS, **settings: object) -> list[Diagnostic]:
    """The errors in a manifest; if it does not parse, only the first mistake."""
    result = parse(Source(code), dialect)
    return result.errors[:1] or check(result.program, dialect, settings)


def errors(code: str, dialect: SyntaxRules = DEFAULTS) -> list[tuple[int | None, int | None, str]]:
    """Line, column and code of the errors in a manifest."""
    return [
        (*item.place.where[1:], item.code)
        for item in findings(code, dialect)
        if item.severity == "error"
    ]


def agrees(found: list[tuple[Any, ...]], expected: list[list[Any]]) -> bool:
    """Whether we found the same errors as Puppet, if Puppet's are known."""
    if any(line is None for line, _, _ in expected):
        return bool(found)
    codes = [code for _, _, code in expected if code is not None]
    places = [[line, column] for line, column, _ in expected]
    if [None] in [place[1:] for place in places]:
        return [line for line, _, _ in found] == [line for line, _ in places]
    return [[line, column] for line, column, _ in found] == places and (
        not codes or codes == [code for _, _, code in found]
    )


@pytest.mark.parametrize(
    ("name", "dialect"), [("check", DEFAULTS), ("check_tasks", replace(DEFAULTS, tasks=True))]
)
def test_finds_what_puppet_finds(name: str, dialect: SyntaxRules) -> None:
    recorded = json.loads((LANGUAGE / f"{name}.json").read_text("utf-8"))
    different = []
    for code, expected in recorded:
        found = errors(code, dialect)
        if not agrees(found, expected) and code not in DIFFERENT:
            different.append((code, found, expected))
    assert different == []
    assert len(recorded) > 50


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("<%- |$a, $b = 1| -%>x<%= $a %>", []),
        ("<%- |$a, $a| -%>x", [(1, 10, "DUPLICATE_PARAMETER")]),
        ("<%- |*$a| -%>x", [(1, 7, "CAPTURES_REST_NOT_SUPPORTED")]),
        ("<%= Foo <| |> %>", [(1, 5, "NOT_RVALUE")]),
        ("x <% 1 %> y", [(1, 6, "IDEM_EXPRESSION_NOT_LAST")]),
    ],
)
def test_templates(code: str, expected: list[tuple[int, int, str]]) -> None:
    found = check(parse_epp(Source(code)).program, DEFAULTS)
    assert [(*item.place.where[1:], item.code) for item in found] == expected


def severity(code: str, strict: str) -> str | None:
    """How bad the first finding of a manifest is."""
    found = findings(code, strict=strict)
    return found[0].severity if found else None


def test_strict_decides_how_bad_a_duplicate_key_is() -> None:
    code = "$x = { a => 1, a => 2 }"
    assert [severity(code, strict) for strict in ("error", "warning", "off")] == [
        "error",
        "warning",
        None,
    ]


def test_future_words_are_deprecations() -> None:
    assert severity("class plan { }", "error") == "deprecation"


def test_metaparameters_need_a_default() -> None:
    assert severity("class a($tag) { }", "error") == "error"
    assert severity("class a($tag = 1) { }", "error") == "warning"


MODULES = ["/modules"]


@pytest.mark.parametrize(
    ("path", "namespace"),
    [
        ("/modules/m/manifests/init.pp", "m"),
        ("/modules/m/manifests/a/b.pp", "m::a::b"),
        ("/modules/m/functions/f.pp", "m::f"),
        ("/modules/m/types/init.pp", "m"),
        ("/modules/M/manifests/A.pp", "m::a"),
        ("/modules/m/manifests/init.txt", None),
        ("/site.pp", None),
    ],
)
def test_namespace_of_files(path: str, namespace: str | None) -> None:
    assert namespace_of(path, MODULES) == namespace


@pytest.mark.parametrize(
    ("path", "code", "expected"),
    [
        ("m/manifests/a.pp", "class m::a { }\nclass m::abc { }\ntype X = Integer", []),
        (
            "m/manifests/init.pp",
            "class m { }\nnotice(1)\nclass x { }\n",
            [(2, "ILLEGAL_TOP_CONSTRUCT_LOCATION"), (3, "ILLEGAL_DEFINITION_LOCATION")],
        ),
        ("m/functions/f.pp", "function m::g() { }", [(1, "ILLEGAL_DEFINITION_LOCATION")]),
        ("m/manifests/init.pp", "node a { }", [(1, "ILLEGAL_TOP_CONSTRUCT_LOCATION")]),
        ("m/examples/a.pp", "class m::a { }", [(1, "ILLEGAL_DEFINITION_LOCATION")]),
        ("m/manifests/a.pp", "# nothing", []),
    ],
)
def test_files_of_modules_hold_their_definitions(
    path: str, code: str, expected: list[tuple[int, str]]
) -> None:
    program = parse(Source(code, f"/modules/{path}")).program
    found = check(program, DEFAULTS, {}, MODULES)
    assert [(item.line, item.code) for item in found] == expected


def test_patterns_are_compiled_when_asked() -> None:
    issue = Issue("REGEXP_INVALID", "no pattern")

    def refuse(pattern: str) -> object:
        raise issue()

    program = parse(Source("$x = 'a' =~ /(/")).program
    assert check(program, DEFAULTS) == []
    found = check(program, DEFAULTS, compile_regexp=refuse)
    assert [(item.code, item.place.where[1:]) for item in found] == [("REGEXP_INVALID", (1, 13))]


@pytest.mark.parametrize(
    "build",
    [
        lambda size: "$x = " + " + ".join("1" * size),
        lambda size: "notice(" + "[" * 400 + "]" * 400 + ")",
        lambda size: "$x = $y" + "['a']" * size,
        lambda size: "$x = $y" + ".f" * size,
        lambda size: "if 1 { 1 } " + "elsif 2 { 2 } " * 400 + "\nnotice(1)",
        lambda size: "Foo['a']" + " -> Foo['a']" * size,
        lambda size: "class a($x = " + " + ".join("1" * size) + ") { }",
        lambda size: "Foo <| " + " or ".join(["a == 1"] * size) + " |>",
    ],
)
def test_long_and_deep_code(build: Callable[[int], str]) -> None:
    assert all(item.code == "IDEM_EXPRESSION_NOT_LAST" for item in findings(build(5000)))


def test_heredocs_in_heredocs_end_somewhere() -> None:
    code = "$x = 1\n"
    for level in range(40):
        code = f"$x = @(E{level}:pp)\n{code}E{level}\n"
    assert [item.code for item in findings(code)] == ["ILLEGAL_PP"]
