"""Ruby code of modules compared with recorded results of Puppet 7, and failures."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from bunraku.base.errors import PuppetError
from bunraku.base.records import replace
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.ruby.process.process import RUNNING
from bunraku.ruby.process.wire import Codec
from bunraku.types.model import ClassType, IntegerType, ResourceType
from bunraku.values.binary import Binary
from bunraku.values.default import DEFAULT
from bunraku.values.keys import make_hash
from bunraku.values.regexp.regexp import Regexp
from bunraku.values.sensitive import Sensitive
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.uri import URI
from bunraku.values.version import SemVer
from bunraku.world.dictionary import DictionaryWorld
from bunraku.world.machine import Machine
from support.ruby import needs_ruby

DATA = Path(__file__).parents[1] / "data"
MODULES = str(DATA / "ruby_modules")
# The paths in the answers begin with MODULES.
CASES = json.loads((DATA / "ruby_bridge.json").read_text().replace("MODULES", MODULES))


def notices(code: str, **given: Any) -> list[str]:
    """The messages that a manifest logs with notice()."""
    found: list[str] = []
    request = Request(code=code, node="testnode.example.com", modulepath=[MODULES], **given)
    compile_catalog(
        request,
        lambda entry: (
            found.append(entry.message)
            if entry.scope is not None and entry.level == "notice"
            else None
        ),
    )
    return found


def failure(code: str, **given: Any) -> PuppetError:
    """The error that a manifest ends with."""
    with pytest.raises(PuppetError) as caught:
        notices(code, **given)
    return caught.value


# -- against real Puppet ---------------------------------------------------------------------------


@needs_ruby
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["code"].splitlines()[-1][:60])
def test_does_what_puppet_does(case: dict[str, Any]) -> None:
    settings = case.get("settings", {})
    if "error" in case:
        assert failure(case["code"], settings=settings).diagnostic.line == case["error"]
    else:
        assert notices(case["code"], settings=settings) == case["notices"]


@needs_ruby
def test_the_last_value_is_the_text_of_a_template_whose_end_is_a_comment() -> None:
    assert notices("notice(inline_template('T<% l = 3 # x %><%= l %>'))") == ["3"]
    code = "notice(inline_template('a<% [1, nil, [:b, 2.5], Object] # %>', '<% nil # %>'))"
    assert notices(code) == ["1b2.5Object"]


# -- values ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        7,
        1.5,
        float("inf"),
        "é\udcff",
        DEFAULT,
        [1, [None]],
        make_hash([(1.0, "a"), (True, "b"), ([1], {"k": None})]),
        Sensitive(["x"]),
        Regexp("a.b", 1),
        Binary(b"\x00\xff"),
        URI.parse("http://a/b"),
        SemVer.parse("1.2.3"),
        Timestamp(5),
        IntegerType(1, 2),
        ResourceType("file", "/a"),
        ClassType("a::b"),
    ],
    ids=repr,
)
def test_values_come_back_as_they_went(value: Any) -> None:
    codec = Codec()
    data = json.loads(json.dumps(codec.encode(value)))
    assert codec.decode(only_number(data)) == value


def only_number(data: Any) -> Any:
    """A held value as Ruby gives it back: nothing but its number."""
    if isinstance(data, dict) and "o" in data:
        return {"o": data["o"][0]}
    return data


def test_a_value_of_another_compile_is_refused() -> None:
    (number, *_) = Codec().encode(IntegerType(1, 2))["o"]
    with pytest.raises(PuppetError):
        Codec().decode({"o": number})


@needs_ruby
def test_bytes_that_are_no_text_survive() -> None:
    assert notices(
        "$x = Binary('/w==').convert_to(String, '%B') notice(m::ev('\"\\xff\" + r[0]', $x))"
    ) == ["\udcff/w=="]


@needs_ruby
def test_secrets_are_not_shown() -> None:
    code = (
        "$p = 'swordfish' $s = Sensitive($p) notice(inline_template('<%= @s %><%= @s.inspect %>'))"
    )
    assert notices(code) == ["Sensitive [value redacted]#<Sensitive [value redacted]>"]
    assert "swordfish" not in str(
        failure("$p = 'swordfish' notice(inline_template('<%= nope %><%= @p %>'))")
    )


# -- changes by Ruby code ------------------------------------------------------------------------


@needs_ruby
def test_a_change_in_place_is_seen_by_all_who_hold_the_value() -> None:
    code = "$x = [1] $y = $x notice(inline_template('<% @x << 2 %>')) notice($y, [1])"
    assert notices(code)[1] == "[1, 2] [1]"


@needs_ruby
def test_facts_of_the_caller_are_left_alone() -> None:
    facts = {"list": ["a"]}
    code = "notice(inline_template('<% begin; @list << 1; rescue => e %><%= e.class %><% end %>'))"
    assert notices(code, facts=facts) == ["FrozenError"]
    assert facts == {"list": ["a"]}


@needs_ruby
def test_a_template_that_sets_a_variable_shares_the_object_with_those_it_calls() -> None:
    code = """notice(inline_template('<% scope.setvar("s", {}); scope["s"][:k] = 1 -%>
<%= scope.function_inline_template(["<%= scope[%q(s)][:k] %%>"]) %>'))"""
    assert notices(code) == ["1"]


# -- failures --------------------------------------------------------------------------------------


@needs_ruby
def test_an_error_names_the_file_and_line_of_the_template(tmp_path: Path) -> None:
    path = tmp_path / "t.erb"
    path.write_text("one\n<% nil.no_such %>\n")
    error = failure(f"\nnotice(template('{path}'))")
    assert f"(file: {path}, line: 2)" in error.message
    assert error.diagnostic.line == 2


@needs_ruby
def test_an_error_names_the_file_and_line_of_the_function() -> None:
    error = failure("m::hang3()")
    assert error.message == "m::hang3() raised RuntimeError: no hang (hang3.rb:3)"


@needs_ruby
@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("  def self.helper\n  end\n  newfunction(:old) { |args| 1 }", 2),
        ("  newfunction(:old) do |args|\n    def helper\n    end\n  end", 3),
        ("  newfunction(:old, :type => :rvalue) { |args| 'def' }", None),
    ],
)
def test_a_function_of_the_old_kind_may_not_define_methods(
    tmp_path: Path, body: str, line: int | None
) -> None:
    path = tmp_path / "x/lib/puppet/parser/functions/old.rb"
    path.parent.mkdir(parents=True)
    path.write_text(f"module Puppet::Parser::Functions\n{body}\nend\n", encoding="utf-8")
    request = Request(code="old()", modulepath=[str(tmp_path)])
    if line is None:
        compile_catalog(request, lambda _: None)
        return
    with pytest.raises(PuppetError) as caught:
        compile_catalog(request, lambda _: None)
    assert "it defines the method 'helper'" in caught.value.message
    assert f"(file: {path}, line: {line})" in caught.value.message
    compile_catalog(replace(request, language="3.8"), lambda _: None)


class Impatient(Machine):
    """This machine, where Ruby gets little time."""

    def environment_variable(self, name: str) -> str | None:
        return "0.2" if name == "BUNRAKU_RUBY_TIMEOUT" else super().environment_variable(name)


@needs_ruby
def test_ruby_code_that_hangs_is_ended_at_its_time_limit() -> None:
    error = failure('notice(inline_template("a\nb <% loop { } %>"))', world=Impatient())
    assert error.code == "RUBY_TIMEOUT"
    assert "line: 2" in error.message
    error = failure("m::ev('begin; loop { }; rescue Exception; retry; end')", world=Impatient())
    assert error.code == "RUBY_TIMEOUT"
    assert notices("notice(inline_template('<%= 1 + 1 %>'))") == ["2"]


@needs_ruby
@pytest.mark.parametrize("code", ["exit!", "Process.kill(9, $$)"])
def test_a_process_that_dies_is_replaced(code: str) -> None:
    assert failure(f"m::ev('{code}')").code == "RUBY_ERROR"
    assert notices("notice(m::ev('1 + 1'))") == ["2"]


@needs_ruby
def test_what_ruby_prints_does_not_disturb() -> None:
    code = "notice(m::ev('puts 1; STDOUT.write(2); system(%q(echo 3)); $stdin.read'))"
    assert notices(code) == [""]


@needs_ruby
def test_endless_recursion_through_ruby_is_one_error() -> None:
    code = """function f($n) { inline_template('<%= scope.call_function("f", [@n + 1]) %>') }
notice(f(0))"""
    assert failure(code).code == "STACK_LEVEL_TOO_DEEP"


def test_without_ruby_the_error_says_what_needs_it_and_how_to_get_it() -> None:
    if hasattr(RUNNING, "process"):
        RUNNING.process.kill()
    world = DictionaryWorld({"/m/a/templates/t.erb": b"x\n<%= 1.foo %>"})
    with pytest.raises(PuppetError) as caught:
        compile_catalog(
            Request(code="notice(template('a/t.erb'))", modulepath=["/m"], world=world),
            lambda entry: None,
        )
    error = caught.value
    assert error.code == "RUBY_MISSING"
    assert "'a/t.erb' (line 2: the method 'foo') needs Ruby" in error.message
    assert "install" in (error.diagnostic.hint or "")


# -- loading ---------------------------------------------------------------------------------------


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A module ``x`` with room for functions."""
    folder = tmp_path / "x" / "lib" / "puppet" / "functions" / "x"
    folder.mkdir(parents=True)
    return folder


def write(path: Path, name: str, body: str) -> None:
    """A function of the present kind that takes nothing."""
    path.write_text(
        f"Puppet::Functions.create_function(:'x::{name}') do\n  def {name}\n    {body}\n  end\nend\n"
    )
    os.utime(path, ns=(time.time_ns(), time.time_ns()))


@needs_ruby
def test_a_function_that_changed_is_loaded_again(library: Path) -> None:
    path = library / "f.rb"
    root = str(library.parents[4])

    def value() -> list[str]:
        found: list[str] = []
        request = Request(code="notice(x::f())", modulepath=[root])
        compile_catalog(request, lambda entry: found.append(entry.message))
        return found

    write(path, "f", "'one'")
    assert value() == ["one"]
    write(path, "f", "'another'")
    assert value() == ["another"]


@needs_ruby
def test_a_file_that_a_function_requires_is_loaded_again_when_it_changed(library: Path) -> None:
    root = library.parents[4]
    found = []
    write(library / "g.rb", "g", "X_TEXT.call")
    text = (library / "g.rb").read_text()
    (library / "g.rb").write_text(f"require 'x/more'\n{text}")
    more = root / "x/lib/x/more.rb"
    more.parent.mkdir()
    for value in ("one", "two"):
        more.write_text(f"X_TEXT = -> {{ '{value}' }}\n")
        request = Request(code="notice(x::g())", modulepath=[str(root)])
        compile_catalog(request, lambda entry: found.append(entry.message))
    assert found == ["one", "two"]


@needs_ruby
def test_lambdas_of_puppet_code_jump_out_of_ruby_code() -> None:
    code = """$r = [1, 2, 3].map |$n| { m::ev('[1, 2].map { |v| block.call(v) }') |$x| { next($x * $n) } }
notice($r)
[1, 2].each |$n| { notice($n) m::ev('block.call(1)') |$x| { break() } }"""
    assert notices(code) == ["[[1, 2], [2, 4], [3, 6]]", "1"]


@needs_ruby
def test_functions_see_the_locals_of_the_lambda_that_calls() -> None:
    code = """[5].each |$local| { notice(ev3('lookupvar("local")'), m::evs('scope["local"]')) }"""
    assert notices(code) == ["5 5"]


@needs_ruby
def test_an_error_of_puppet_code_comes_out_of_ruby_code_as_it_was() -> None:
    error = failure(
        "\n\nnotice(m::ev('call_function(%q(m::ev), %q(call_function(:fail, %q(no))))'))"
    )
    assert error.message == "no"
    assert error.diagnostic.line == 3


@needs_ruby
def test_a_backend_of_hiera_may_be_ruby(tmp_path: Path) -> None:
    folder = tmp_path / "x"
    (folder / "lib/puppet/functions/x").mkdir(parents=True)
    (folder / "lib/puppet/functions/x/back.rb").write_text(
        """Puppet::Functions.create_function(:'x::back') do
  dispatch :back do
    param 'String', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end
  def back(key, options, context)
    return context.not_found unless key == 'x::a'
    context.explain { 'looked' }
    context.cache('n', 4) unless context.cache_has_key('n')
    [context.interpolate('%{facts.f}'), options['o'], context.cached_value('n'), context.module_name]
  end
end
"""
    )
    (folder / "hiera.yaml").write_text(
        "version: 5\nhierarchy:\n- name: r\n  lookup_key: x::back\n  options: {o: p}\n"
    )
    found: list[str] = []
    code = "notice(lookup('x::a'), lookup('x::b', default_value => 'none'))"
    request = Request(code=code, modulepath=[str(tmp_path)], facts={"f": "fact"})
    compile_catalog(request, lambda entry: found.append(entry.message))
    assert found == ["[fact, p, 4, x] none"]
