"""The parser: its errors, its recovery, and the positions of the nodes."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.base.source import Source
from bunraku.dialects.puppet_8 import DIALECTS, PUPPET_8
from bunraku.syntax import nodes
from bunraku.syntax.parser.parser import parse, parse_epp
from bunraku.syntax.pn import to_pn

MISTAKES = {
    "three files without a comma, a colon and a brace": (
        """\
class a {
  file { '/a':
    ensure => file
    mode   => '0644',
  }
  $ok = 1
  file { '/b'
    ensure => file,
  }
  notify { 'n': }
}
class b {
  $x = [1, 2
  $y = 2
}
class c { }
""",
        [4, 8, 14],
    ),
    "one extra brace": ("class a { }\n}\nclass b { }\n$x = = 1\n", [2, 4]),
    "a missing brace": (
        "class a {\n  file { '/a':\n    ensure => file,\n\n}\nclass b {\n  notify { 'x': }\n}\n",
        [8],
    ),
    "an if without a condition": (
        "if {\n  notice(1)\n}\n$x = 1\nunless {\n  notice(2)\n}\nnotice(3\n",
        [3, 7, 8],
    ),
    "= for =>": (
        "file { 'a':\n  mode = '1',\n  owner => 'b',\n}\nfile { 'b':\n  mode -> '1',\n}\n",
        [2, 6],
    ),
    "statements in one line": ("$a = ;\n$b = 1\n$c = )\n$d = 2\n$e = }\n$f = 3\n", [1, 3, 5]),
    "in blocks": (
        "class a {\n  if $x {\n    $y = \n  }\n  $z = 3 +\n}\nnode b {\n  include\n  case $x { }\n}\n",
        [4, 6, 9],
    ),
    "a forgotten quote turns the rest inside out: only the first counts": (
        "file { 'a':\n  owner => 'root,\n  mode  => '0644',\n  group => 'x',\n}\n",
        [3],
    ),
    "a bad number and a bad name": ("$a = 08\n$b = 1\n$c = Foo::bar\n$d = 2\n", [1, 3]),
    "lists that no function takes": ("foo 1, 2\nnotice(1)\nbar 3, 4\n", [1, 3]),
    "a bad parameter list": (
        "class a (\n  $x,\n  y,\n) {\n}\nclass b (\n  $x\n  $y\n) {\n}\n",
        [3, 8],
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_reports_each_mistake_once(name: str) -> None:
    text, lines = MISTAKES[name]
    assert [item.line for item in parse(Source(text)).errors] == lines


def test_the_end_tells_what_is_open() -> None:
    (error,) = parse(Source("class a {\n  $x = [\n    1,\n  ]\n")).errors
    assert "'{' in line 1" in error.message


def test_what_stands_around_a_mistake_is_in_the_tree() -> None:
    result = parse(Source("class a { }\n$x = = 1\nclass b { }\n"))
    assert [getattr(item, "name", None) for item in result.program.definitions] == ["a", "b"]


def test_checked_raises_all_mistakes_at_once() -> None:
    result = parse(Source("$x = = 1\n$y = = 2\n", "site.pp"))
    with pytest.raises(PuppetError) as caught:
        result.checked()
    assert caught.value.phase == "parse"
    assert len(list(caught.value)) == 2
    assert "site.pp" in str(caught.value)


def test_definitions_come_in_the_order_in_which_they_end() -> None:
    text = "class a { class b { define c { } } }\nfunction d() { }\nnode e { }\ntype F = G"
    names = [getattr(item, "name", "-") for item in parse(Source(text)).program.definitions]
    assert names == ["a::b::c", "a::b", "a", "d", "-", "F"]


def test_comments_are_kept() -> None:
    program = parse(Source("# one\n$a = 1 # two\n/* three\n */\n")).program
    assert [item.text for item in program.comments] == ["# one", "# two", "/* three\n */"]


def test_comments_on_lines_in_succession_are_single_comments() -> None:
    text = "$a = @(END) # one\n# text\n# END\nEND\n # two\n\t#three # four\n/* five\n# */ # six"
    program = parse(Source(text)).program
    found = [item.text for item in program.comments]
    assert found == ["# one", "# two", "#three # four", "/* five\n# */", "# six"]
    assert all(text[item.start : item.end] == item.text for item in program.comments)


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("$a = 1 + 2 * 3", "2 * 3"),
        ("$a = foo(1, 2) |$x| { 3 }", "foo(1, 2) |$x| { 3 }"),
        ("$a = $b.c(1)[2]", "$b.c(1)[2]"),
        ("$a = \"x${b['c']}y\"", "b['c']"),
        ("file { 'a': b => c }", "'a': b => c"),
        ("if $a { 1 } else { 2 }", "if $a { 1 } else { 2 }"),
        ("class a($b = 1) { $c = 2 }", "$b = 1"),
        ("@file { 'a': }", "@file { 'a': }"),
        ("A['b'] -> C['d']", "A['b'] -> C['d']"),
        ("$a = [1, b => 2]", "b => 2"),
    ],
)
def test_nodes_know_their_place(text: str, piece: str) -> None:
    places = set()

    def walk(node: nodes.Node) -> None:
        places.add(text[node.start : node.end])
        for child in nodes.children(node):
            walk(child)

    walk(parse(Source(text)).program.body)
    assert piece in places


def test_places_in_a_heredoc_are_places_in_the_file() -> None:
    text = 'notice(@("A"), @("B"))\n    one ${two}\n    | A\n      ${three + "${four}"}\n  | B\n'
    found = []

    def walk(node: nodes.Node) -> None:
        if isinstance(node, nodes.Variable):
            found.append(text[node.start : node.end])
        for child in nodes.children(node):
            walk(child)

    walk(parse(Source(text)).program.body)
    assert found == ["two", "four"]


def test_operators_know_their_own_place() -> None:
    body = parse(Source("$a = 1  + 2")).program.body
    assert isinstance(body, nodes.Assignment)
    assert isinstance(body.right, nodes.Arithmetic)
    assert (body.operator_start, body.right.operator_start) == (3, 8)


def test_warnings_are_no_errors() -> None:
    result = parse(Source('$a = "\\q"'))
    assert [item.severity for item in result.diagnostics] == ["warning"]
    assert result.errors == []


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ('"${true} ${undef} ${false}"', '(concat (str true) " " (str nil) " " (str false))'),
        ("'${true}'", '"${true}"'),
    ],
)
def test_constants_in_braces_are_their_values(text: str, tree: str) -> None:
    assert to_pn(parse(Source(text)).program) == tree


def test_plans_are_for_tasks_only() -> None:
    text = "plan a::b(String $x) { apply($x) { include foo } }"
    assert parse(Source(text)).errors
    program = parse(Source(text), PUPPET_8.with_syntax(tasks=True).syntax).checked()
    assert isinstance(program.body, nodes.PlanDefinition)
    assert program.body.name == "a::b"
    assert isinstance(program.body.body, nodes.Block)
    assert isinstance(program.body.body.statements[0], nodes.Apply)


def test_splat_parameters() -> None:
    tree = to_pn(parse(Source("function f($a, Integer *$b) { }")).checked())
    assert tree == '(function {:name "f" :params {:a {} :b {:type (qr "Integer") :splat true}}})'


def test_the_documents_way() -> None:
    def code(text: str) -> list[str]:
        return [item.code for item in parse(Source(text), DIALECTS["documents"].syntax).errors]

    assert code("notice(_word)") == ["ILLEGAL_NAME_OR_BARE_WORD"]
    assert code('notice("${inherits.upcase}")') == ["SYNTAX_ERROR"]
    assert code("notice(Integer[1,])") == ["SYNTAX_ERROR"]
    assert code("notice($a[1,])") == []
    assert code("notice(@(E))\nx E\n") == ["HEREDOC_WITHOUT_END_TAGGED_LINE"]
    joined = parse(Source('$a = "b\\\nc"'), DIALECTS["documents"].syntax)
    assert to_pn(joined.program) == '(= (var "a") "b\\\\\\nc")'
    margin = parse(Source("$a = @(E)\n   b\n c\n  | E\n"), DIALECTS["documents"].syntax)
    assert to_pn(margin.program) == '(= (var "a") (heredoc {:text " b\\nc\\n"}))'


def test_a_template_knows_whether_it_has_parameters() -> None:
    for text, given in (("<%- | | -%>x", True), ("x", False)):
        body = parse_epp(Source(text)).program.body
        assert isinstance(body, nodes.Lambda)
        assert isinstance(body.body, nodes.Epp)
        assert body.body.parameters_given is given


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('if true { } elseif $a { $b = "x', "UNCLOSED_QUOTE"),
        ("if true { } elseif f(1 2) { $b = 1 }", "SYNTAX_ERROR"),
    ],
)
def test_other_mistakes_after_a_wrong_elsif(code, expected):
    assert expected in [item.code for item in parse(Source(code)).errors]
