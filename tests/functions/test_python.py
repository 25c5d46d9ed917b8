"""Functions that others write in Python: found, checked, called, and their mistakes told."""

from __future__ import annotations

from types import ModuleType

import pytest

import bunraku
from bunraku.base.errors import PuppetError
from bunraku.values.sensitive import Sensitive
from bunraku.world.dictionary import DictionaryWorld


@bunraku.function("double(Integer $x) >> Integer")
def double(x):
    """Return the number twice."""
    return 2 * x


def evaluate(code, *functions, files=(), **more):
    world = DictionaryWorld({f"/m/{path}": text.encode() for path, text in dict(files).items()})
    return bunraku.evaluate(code, functions=functions, world=world, modulepath=["/m"], **more)


def failure(code, *functions, **more):
    with pytest.raises(PuppetError) as caught:
        evaluate(code, *functions, **more)
    return caught.value


def module(name, body):
    """A function ``m::f`` of a module, under a header."""
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    text = f"import bunraku\n@bunraku.function('{name}')\ndef f(*arguments, **more):\n{lines}\n"
    return {"m/lib/bunraku/functions/m/f.py": text}


# -- given by the caller ---------------------------------------------------------------------------


def test_a_given_function_is_called():
    assert evaluate("[1, 2].map |$x| { double($x) }", double) == [2, 4]
    assert evaluate("4.double", double) == 8


def test_the_python_function_stays_what_it_is():
    assert double(4) == 8
    assert double.__doc__ == "Return the number twice."


def test_a_python_module_gives_all_its_functions():
    holder = ModuleType("holder")
    code = "import bunraku\nfor n in (1, 2):\n    @bunraku.function(f'f{n}()')\n    def f(n=n):\n        return n\n"
    exec(code, holder.__dict__)
    assert evaluate("[f1(), f2()]", holder) == [1, 2]


def test_dispatches_are_tried_in_order():
    @bunraku.function("kind(Integer $x)")
    def first(_):
        return "integer"

    @bunraku.function("kind(Numeric $x)", "kind(String $x)")
    def second(_):
        return "other"

    assert evaluate("[kind(1), kind(1.5), kind('a')]", first, second) == [
        "integer",
        "other",
        "other",
    ]
    error = failure("kind([])", first, second)
    assert error.code == "TYPE_MISMATCH"
    assert error.span.line == 1


def test_what_is_no_function_of_ours_is_refused():
    with pytest.raises(TypeError, match="not decorated"):
        evaluate("1", len)
    with pytest.raises(TypeError, match="contains no function"):
        evaluate("1", ModuleType("empty"))
    with pytest.raises(ValueError, match="not a function header"):
        bunraku.function("double Integer $x")


def test_a_built_in_function_cannot_be_replaced():
    @bunraku.function("abs(Any $x)")
    def mine(_):
        return 1

    assert failure("1", mine).code == "PYTHON_FUNCTION_TAKEN"


def test_a_function_of_the_manifest_comes_first():
    assert evaluate("function double($x) { 'mine' } double(1)", double) == "mine"


# -- values ----------------------------------------------------------------------------------------


def returning(value):
    @bunraku.function("give()")
    def give():
        return value

    return give


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "undef"),
        (True, "true"),
        (-(2**63), "-9223372036854775808"),
        (1.5, "1.5"),
        ("é", "'é'"),
        ((1, [None]), "[1, [undef]]"),
        ({"a": {2: "x", 1.5: "y", True: "z"}}, "{'a' => {2 => 'x', 1.5 => 'y', true => 'z'}}"),
        ({(1, 2): ()}, "{[1, 2] => []}"),
        (b"hi", 'Binary("aGk=")'),
    ],
)
def test_what_is_returned_is_a_puppet_value(value, text):
    assert evaluate("String(give(), '%p')", returning(value)) == text


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (2**63, "NUMERIC_OVERFLOW"),
        ({1, 2}, "PYTHON_FUNCTION_FAILED"),
        ([object()], "PYTHON_FUNCTION_FAILED"),
        (1 + 2j, "PYTHON_FUNCTION_FAILED"),
        (iter([1]), "PYTHON_FUNCTION_FAILED"),
    ],
)
def test_what_is_no_value_is_refused(value, code):
    assert failure("give()", returning(value)).code == code


def test_objects_of_ours_are_passed_on():
    assert evaluate("give().unwrap", returning(Sensitive(1))) == 1


def test_the_result_is_checked_against_its_type():
    @bunraku.function("f(Any $x) >> Array[Integer]")
    def f(x):
        return x

    assert evaluate("f([1])", f) == [1]
    error = failure("f(['a'])", f)
    assert error.code == "TYPE_MISMATCH"
    assert "value returned from function 'f'" in error.message


def test_arguments_are_copies():
    @bunraku.function("spoil(Array $x)")
    def spoil(x):
        x[0].append(2)
        x.clear()

    assert evaluate("$a = [[1]] spoil($a) $a", spoil) == [[1]]


# -- lambdas, defaults, scope ----------------------------------------------------------------------


@bunraku.function("twice(Array $items, Integer $times = 2, Optional[Callable[1, 1]] &$block)")
def twice(items, times=2, *, block):
    return [block((item,)) if block else item for item in items for _ in range(times)]


def test_a_lambda_is_called_with_puppet_values():
    assert evaluate("twice([1]) |$x| { [$x, type($x) =~ Type[Tuple]] }", twice) == [
        [[1], True],
        [[1], True],
    ]
    assert evaluate("twice(['a'], 1)", twice) == ["a"]
    assert failure("twice([1]) |$x, $y| { 1 }", twice).code == "TYPE_MISMATCH"


def test_break_in_the_lambda_passes_through():
    code = "[1, 2].map |$x| { if $x == 2 { twice([1]) |$y| { break() } } $x }"
    assert evaluate(code, twice) == [1]


def test_repeated_parameters():
    @bunraku.function("count_all(Any *$rest)")
    def count_all(*rest):
        return len(rest)

    assert evaluate("[count_all(), count_all(1, [2], 3)]", count_all) == [0, 3]


def test_the_scope_shows_variables_facts_and_functions():
    @bunraku.function("look(String $name)", scope=True)
    def look(scope, name):
        scope.compilation.call_function(scope, "notice", [name])
        return [scope.lookup(name, "none"), scope.compilation.facts["a"]]

    logged = []
    code = "function f() { $x = 5  look('x') } f() + look('y')"
    assert evaluate(code, look, facts={"a": 1}, log=logged.append) == [5, 1, "none", 1]
    assert [entry.message for entry in logged] == ["x", "y"]


# -- in modules ------------------------------------------------------------------------------------


def test_a_module_brings_functions():
    files = module("m::f(Integer *$x) >> Integer", "return sum(arguments)")
    assert evaluate("m::f(1, 2, 3)", files=files) == 6


def test_a_name_without_namespace_is_found_in_any_module():
    text = module("f(Integer $x)", "return -arguments[0]")["m/lib/bunraku/functions/m/f.py"]
    assert evaluate("f(1)", files={"m/lib/bunraku/functions/f.py": text}) == -1


def test_python_comes_before_ruby_and_puppet():
    files = module("m::f()", "return 'python'")
    files["m/functions/f.pp"] = "function m::f() { 'puppet' }"
    files["m/lib/puppet/functions/m/f.rb"] = "Puppet::Functions.create_function(:'m::f') { }"
    assert evaluate("m::f()", files=files) == "python"


def test_types_of_modules_are_known():
    files = module("m::f(M::Port $x) >> M::Port", "return arguments[0] + 1")
    files["m/types/port.pp"] = "type M::Port = Integer[1, 3]"
    assert evaluate("m::f(1)", files=files) == 2
    assert failure("m::f(4)", files=files).code == "TYPE_MISMATCH"
    assert failure("m::f(3)", files=files).code == "TYPE_MISMATCH"


def test_a_file_may_hold_helpers_and_dataclasses():
    text = """
from __future__ import annotations
from dataclasses import dataclass
import bunraku

@dataclass
class Pair:
    left: int
    right: list[int]

@bunraku.function("m::f()")
def f():
    return Pair(1, [2]).right
"""
    assert evaluate("m::f()", files={"m/lib/bunraku/functions/m/f.py": text}) == [2]


def test_each_compile_runs_the_file_again():
    text = "import bunraku\nseen = []\n@bunraku.function('m::f()')\ndef f():\n    seen.append(1)\n    return len(seen)\n"
    files = {"m/lib/bunraku/functions/m/f.py": text}
    assert evaluate("[m::f(), m::f()]", files=files) == [1, 2]
    assert evaluate("m::f()", files=files) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = ", "SyntaxError: invalid syntax, line 1"),
        ("\n1 / 0\n", "ZeroDivisionError: division by zero, line 2"),
        ("import no_such_module_here\n", "ModuleNotFoundError"),
        ("raise SystemExit(3)\n", "SystemExit: 3, line 1"),
        ("import bunraku\n@bunraku.function('f')\ndef f(): pass\n", "not a function header: f"),
        ("", "must define the function m::f, but it defines none"),
        ("\0", "Cannot load"),
        ("import bunraku\n@bunraku.function('g()')\ndef f(): pass\n", "it defines g"),
        (
            "import bunraku\n@bunraku.function('m::f(Nosuch[ $x)')\ndef f(x): pass\n",
            "invalid signature",
        ),
    ],
)
def test_a_broken_file_is_one_error_that_names_it(text, said):
    error = failure("$a = 1\nm::f()", files={"m/lib/bunraku/functions/m/f.py": text})
    assert error.code == "PYTHON_FUNCTION_FILE"
    assert "/m/m/lib/bunraku/functions/m/f.py" in error.message
    assert said in error.message
    assert error.span.line == 2


def test_what_a_function_raises_names_file_and_line():
    error = failure("\nm::f(1)", files=module("m::f(Any $x)", "return {}['key']"))
    assert error.code == "PYTHON_FUNCTION_FAILED"
    assert "Function 'm::f' failed: KeyError: 'key'" in error.message
    assert "m/lib/bunraku/functions/m/f.py, line 4)" in error.message
    assert error.span.line == 2


def test_leaving_python_is_no_way_out():
    error = failure("m::f()", files=module("m::f()", "raise SystemExit(0)"))
    assert error.code == "PYTHON_FUNCTION_FAILED"


def test_errors_of_puppet_code_pass_through():
    error = failure("twice([1]) |$x| { 1 / 0 }", twice)
    assert error.code == "DIV_BY_ZERO"
