"""Places: of run-time errors, to the line and column; of every node of Python that is emitted."""

from __future__ import annotations

import ast
import traceback

import pytest

from bunraku.base.errors import PuppetError
from bunraku.base.source import Source
from bunraku.compiler.code import to_ast, to_code
from bunraku.compiler.rules import DEFAULTS
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.syntax.parser.parser import parse, parse_epp
from bunraku.world.machine import Machine
from support.language import puppet_8_cases

STRICT = {"strict": "error", "strict_variables": True}

# Each manifest fails where the mark « stands (before the column that is to blame). Columns are those that
# real Puppet 7.23 prints.
FAILING = """
$x = 1 / «0
$x = «'a' + 1
notify { 'a': * => «1 }
notify { 'a': }   Notify['a'] { *   =>   «'x' }
Notify <| |> { * => «[1] }
$x = 1 + «'a'
$x = «[1] * 2
$x = «2 % 1.5
$x = «-'a'
$x = 'a' «< 1
$x = [1] «> [2]
$x = «1 =~ /a/
$x = 'a' =~ «1
$x = 'a' =~ «'('
$x = [1, 2][«'a']
$x = «true[0]
$x = 'abc'[«'x']
$x = {a => 1}[«]
$x = «$nosuch
$x = "text ${«nosuch} more"
$x = 1 + «nosuch()
$x = [1]«.nosuch
$x = [1, [«fail('deep')]]
$x = «abs('x', 1)
$x = «'z' ? { 'a' => 1 }
$x = «Integer('x')
$x = Integer[«'a']
$x = 'a' =~ «Nosuch
$x = [1].map |Integer $n| { $n / «0 }
notify { «undef: }
notify { «'': }
notify { 'a': message => 1 / «0 }
if 1 / «0 == 1 { }
case «nosuch() { default: { } }
Notify['a'] «-> 1
[$a, $b] «= [1]
«include nosuch
$x = "é" $y = 1 / «0
$x = '日本' in [1 / «0]
function f($n) { $n / «0 } f(1)
$r = [1,
  2 / «0]
$h = { a => 1,
  b => «nosuch(2) }
notify { «['a', undef]: }
notify { «['a', '']: }
notify { «1: }
«notify { ['a', 'a']: }
$x = «Notify['nosuch']['message']
$x = «[1, 2][0, 1, 2]
$x = 'abc'[«'x', 1]
$x = {}[«]
$x = «true ? { false => 1 }
$x = 1.nosuch«(2)
$x = «abs([])
$x = [3].map |$a| { «abs([]) }
$x = «-true
$x = (1 + 2) / «0
$x = 1 + (2 / «0)
$x = - (1 / «0)
$x = !(1 / «0)
$x = *(1 / «0)
$x = [*«nosuch()]
$x = 1 in [«nosuch()]
$x = true and «nosuch()
$x = false or (1 / «0)
$x = "a${1 / «0}b"
$x = { «nosuch() => 1 }
$x = File[«nosuch()]
$x = «nosuch()['a']
$x = 'a'.nosuch«().upcase
$x = 1 ? { 1 => «nosuch() }
$x = 1 ? { «nosuch() => 2 }
case 1 { «nosuch(): { } }
case 1 { 1: { «nosuch() } }
unless «nosuch() { }
if true { «nosuch() }
if false { } elsif «nosuch() { }
$x = with(1) |Integer $a, String $b = nosuch()| «{ $a }
$x = «with('a') |Integer $a| { $a }
$x = «assert_type(Integer, 'a')
$x = «Optional[Integer]('x')
$facts «= 1
$x = 1 $x «= 2
[$a, [$b, $c]] «= [1, 2]
«class { 'nosuch': }
«include 'nosuch'
«contain nosuch
Notify['a'] { message => 1 / «0 }
notify { «nosuch(): }
notify { 'a': message => «nosuch() }
Notify { message => «nosuch() }
«nosuch { 'a': }
«Nosuch['a'] -> Notify['b']
node default { «nosuch() }
class k { «nosuch() } include k
class k($a = «$nosuch) { } include k
class k($a = «$nosuch::b) { } include k
class k(Optional[«Integer[5, 1]] $a = undef) { } include k
function g($a) { $a } «g()
$x = «Sensitive('a') + 1
$x = 9223372036854775807 «* 2
$x = 'a' «>= 1
$x = «undef['a']
$x = «/a/['b']
$x = 'é'[«'x']
'日本'«.nosuch
$«é = 1
$x = "日本${«nosuch()}"
«create_resources('nosuch', { 'a' => {} })
$x = «epp('nosuch/a.epp')
$x = «template('nosuch/a.erb')
«fail('x')
$x =« inline_epp('<%= nosuch() %>')
$x = «regsubst('a', '(', 'b')
$x = «split('a', '(')
$x = «sprintf('%d', 'a')
notify { 'a': message => «$nosuch }
notify { 'a': message => [1, «$nosuch] }
notify { 'a': message => { 'k' => «$nosuch::b } }
notify { 'a': message => «$nosuch; 'b': message => 1 / 0 }
notify { 'a': message => 1 / «0; 'b': message => $nosuch }
notify { 'a': require => [«Nosuch['x']] }
notify { "a${«nosuch}": message => $other }
class k($a) { notify { $a: message => «$nosuch } } class { 'k': a => 'n' }
class k { $x = 1 $y = 'a' $x «= 2 $z = 3 } include k
class k { $x = 1 $y = «$nosuch $z = 2 } include k
class k($x) { $y = 1 $x «= 2 $z = 3 } class { 'k': x => 1 }
class k { $y = 1 $title «= 2 $z = 3 } include k
class k { $y = 1 $z = «Nosuch['a'] $v = 1 } include k
class k($a = [«$nosuch]) { } include k
class k($a = { 'x' => «$nosuch::b }) { } include k
class k($a, $b = $a, $c = «$nosuch) { } class { 'k': a => 1 }
class k($a = $b, $b = 1) { } «include k
class k(Integer $a = 'x', String $b = «$nosuch) { } include k
"""


def manifests():
    """Code and offset of each failing manifest."""
    found = []
    for line in FAILING.strip().split("\n"):
        if line.startswith("  "):
            found[-1] += "\n" + line
        else:
            found.append(line)
    return [(text.replace("«", "", 1), text.index("«")) for text in found if "«" in text]


def failure(code):
    with pytest.raises(PuppetError) as caught:
        compile_catalog(Request(code, settings=STRICT), lambda entry: None)
    return caught.value


@pytest.mark.parametrize(("code", "offset"), manifests(), ids=str)
def test_place_of_the_error(code, offset):
    error = failure(code)
    assert error.diagnostic.place.where[1:] == Source(code).position(offset), str(error)


def test_marked_text_of_an_unknown_type_with_titles():
    span = failure("notify { 'a': require => Nosuch['a', 'b'] }").span
    assert span.source.text[span.start : span.end] == "Nosuch"


def test_calls_around_a_value_in_a_table():
    error = failure("class k {\n  notify { 'a': message => $nosuch }\n}\ninclude k\n")
    assert error.diagnostic.place.where[1:] == (2, 28)
    assert [(name, span.position) for name, span in error.diagnostic.stack] == [("main", (4, 1))]


def test_warning_about_a_value_in_a_table():
    logs = []
    settings = {"strict": "warning", "strict_variables": False}
    code = "class k($a = $one) {\n  $b = [$two]\n  $c = 1\n  notify { 'a': message => $three }\n}\ninclude k"
    compile_catalog(Request(code, settings=settings), logs.append)
    assert [(entry.line, entry.column) for entry in logs] == [(1, 14), (2, 9), (4, 28)]


def test_places_of_calls():
    error = failure("function f($n) { 1 / $n }\nfunction g() { f(0) }\n\n$x = g()\n")
    assert error.diagnostic.place.where[1:] == (1, 22)
    assert [(name, span.line, span.column) for name, span in error.diagnostic.stack] == [
        ("function g", 2, 16),
        ("main", 4, 6),
    ]


def programs():
    for case in puppet_8_cases():
        source = Source(case.code, f"/{case.file}.pp")
        result = parse(source)
        if not result.errors:
            yield source, result.program
    template = Source(
        "<%- | $é = 'ü' | -%>\n日本 <%= $é %>\n<% if true { -%>\nx\n<% } -%>\n", "/t.epp"
    )
    yield template, parse_epp(template).program


def test_every_node_has_all_four_positions():
    count = 0
    for source, program in programs():
        lines = source.text.encode().split(b"\n")
        try:
            tree = to_ast(source, program, DEFAULTS)
        except PuppetError:
            continue  # code that the compiler rejects
        for node in ast.walk(tree):
            if isinstance(node, ast.expr | ast.stmt | ast.excepthandler | ast.arg):
                start = (node.lineno, node.col_offset)
                end = (node.end_lineno, node.end_col_offset)
                assert (1, 0) <= start <= end, ast.dump(node)
                # A column counts bytes of UTF-8, and lies within its line.
                assert start[1] <= len(lines[start[0] - 1]), ast.dump(node)
                assert end[1] <= len(lines[end[0] - 1]), ast.dump(node)
                count += 1
    assert count > 10_000


def test_columns_are_bytes():
    source = Source("$x = 'é' + nosuch\n", "/a.pp")
    tree = to_ast(source, parse(source).program, DEFAULTS)
    (found,) = {
        (node.col_offset, node.end_col_offset)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and node.value == "nosuch"
    }
    assert found == (12, 18)
    assert source.text.encode()[slice(*found)] == b"nosuch"


def test_code_carries_the_file_name():
    source = Source("class a { $x = 1 }\n", "/some/where.pp", on_disk=True)
    code = to_code(source, parse(source).program, DEFAULTS)
    assert code.co_filename == "/some/where.pp"
    inner = [one for one in code.co_consts if hasattr(one, "co_filename")]
    assert inner
    assert {one.co_filename for one in inner} == {"/some/where.pp"}


def test_traceback_of_a_mistake_of_ours_names_the_manifest(tmp_path):
    broken = tmp_path / "broken"
    broken.touch()

    class Broken(Machine):
        def read(self, path):
            if path == str(broken):
                raise ZeroDivisionError("a mistake of ours")
            return super().read(path)

    path = tmp_path / "site.pp"
    path.write_text(f"$a = 1\n$b = [1, file('{broken}')]\n")
    with pytest.raises(ZeroDivisionError) as caught:
        compile_catalog(Request(path=str(path), world=Broken()), lambda entry: None)
    text = "".join(traceback.format_exception(caught.value))
    assert f'File "{path}", line 2, in main' in text
    assert f"$b = [1, file('{broken}')]" in text
    assert "^^^^^^" in text
