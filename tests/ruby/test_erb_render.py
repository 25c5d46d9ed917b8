"""ERB templates called from Puppet code: work done once, caches, and the switch to Ruby."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bunraku.base.errors import PuppetError
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.ruby.process.bridge import Bridge
from bunraku.runtime.log import LogEntry
from support.calls import Call, calls_of
from support.ruby import needs_ruby

RUBY = "<% if true %><%= [1].pack('C') %><% end %>"
"""Code that turns out to need Ruby while it runs."""


def messages(code: str, **given: Any) -> list[str]:
    """All that a manifest logs."""
    found: list[LogEntry] = []
    compile_catalog(Request(code=code, **given), found.append)
    return [entry.message for entry in found]


@pytest.fixture
def by_ruby() -> Iterator[list[Call]]:
    """The calls of the templates that Ruby renders."""
    with calls_of(Bridge.render) as calls:
        yield calls


@needs_ruby
def test_what_functions_did_is_not_done_again_by_ruby(by_ruby: list[Call]) -> None:
    code = f"""function f() {{ notice('f') 7 }}
notice(inline_template('<% scope.function_warning(["w"]) %><%= scope.call_function("f", []) %>{RUBY.replace("'", '"')}'))"""
    assert messages(code) == ["w", "f", "7\x01"]
    assert len(by_ruby) == 1


@needs_ruby
def test_an_unknown_variable_is_reported_once(by_ruby: list[Call]) -> None:
    code = f"""notice(inline_template("<%= scope['nope'].inspect %>{RUBY}"))"""
    settings = {"strict": "warning", "strict_variables": False}
    found = messages(code, settings=settings)
    assert [message for message in found if "nope" in message] == ["Undefined variable 'nope'"]
    assert found[-1] == "nil\x01"
    assert len(by_ruby) == 1


def test_an_unknown_variable_of_a_class_is_reported_once_with_the_reason() -> None:
    code = """class a { } class b { } include b
notice(inline_template("<%= scope['a::x'] %><%= scope['b::x'] %><%= scope['::c::x'] %>"))
notice(inline_template("<%= scope['a::x'] %><%= scope.lookupvar('::x') %>"))"""
    settings = {"strict": "warning", "strict_variables": True}
    assert messages(code, settings=settings) == [
        "Undefined variable 'a::x'; class a has not been evaluated",
        "Undefined variable '::b::x'",
        "Undefined variable 'c::x'; class c could not be found",
        "",
        "Undefined variable '::x'",
        "",
    ]


@needs_ruby
def test_an_error_of_a_function_is_told_as_ruby_tells_it(by_ruby: list[Call]) -> None:
    with pytest.raises(PuppetError) as caught:
        messages("notice(inline_template('<% scope.function_fail([\"no\"]) %>'))")
    assert "The inline template failed" in caught.value.message
    assert len(by_ruby) == 1


def test_a_variable_that_a_template_sets_stays(by_ruby: list[Call]) -> None:
    code = """notice(inline_template('<% scope.setvar("q", {}) %><% scope["q"][:a] = [1] %>'))
notice($q['a'], inline_template('<%= scope["q"][:a] %><%= scope["q"]["a"].inspect %>'))"""
    assert messages(code) == ["", " [1]nil"]
    assert by_ruby == []


@needs_ruby
def test_ruby_sees_a_variable_as_the_template_that_set_it(by_ruby: list[Call]) -> None:
    code = f"""notice(inline_template('<% scope.setvar("q", {{}}) %><% scope["q"][:a] = [1] %>'))
notice(inline_template("<%= scope['q'].inspect %>{RUBY}"))"""
    assert messages(code) == ["", "{:a=>[1]}\x01"]
    assert len(by_ruby) == 1


@needs_ruby
def test_a_variable_that_was_set_before_ruby_took_over_is_set_once(by_ruby: list[Call]) -> None:
    code = (
        f"""notice(inline_template("<% scope.setvar('q', []) %><% scope['q'] << 1 %>{RUBY}"), $q)"""
    )
    assert messages(code) == ["\x01 [1]"]
    assert len(by_ruby) == 1


def test_a_template_may_render_others(tmp_path: Path, by_ruby: list[Call]) -> None:
    write(tmp_path, "<% @list.each do |x| scope.setvar('x', x) %><% end %>", "unused.erb")
    write(tmp_path, "<%= scope['item'][:x] %>,", "inner.erb")
    outer = """<% scope.setvar('item', {}) %><% @list.each do |x| scope['item'][:x] = x -%>
<%= scope.function_template(['m/inner.erb']) %><% end %>"""
    write(tmp_path, outer, "outer.erb")
    code = "$list = [1, 2] notice(template('m/outer.erb'))"
    assert messages(code, modulepath=[str(tmp_path)]) == ["1,2,"]
    assert by_ruby == []


@needs_ruby
def test_an_inner_template_that_needs_ruby_takes_the_outer_along(
    tmp_path: Path, by_ruby: list[Call]
) -> None:
    write(tmp_path, "<%= @list.pack('C*') %>", "inner.erb")
    write(
        tmp_path,
        "<% scope.function_notice(['once']) %><%= scope.function_template(['m/inner.erb']) %>",
        "outer.erb",
    )
    code = "$list = [65] notice(template('m/outer.erb'))"
    assert messages(code, modulepath=[str(tmp_path)]) == ["once", "A"]
    assert len(by_ruby) == 2


@needs_ruby
def test_symbols_that_ruby_code_put_into_a_variable_are_ruby_s(by_ruby: list[Call]) -> None:
    code = f"""notice(inline_template("{RUBY}<% scope.setvar('q', {{}}); scope['q'][:a] = 1 %>"))
notice(inline_template("<%= scope['q'][:a] %>"), $q['a'])"""
    assert messages(code) == ["\x01", "1 "]
    assert len(by_ruby) == 1


@needs_ruby
def test_a_template_inside_of_ruby_code_sees_what_that_has_changed(
    tmp_path: Path, by_ruby: list[Call]
) -> None:
    write(tmp_path, "<%= @list %>", "inner.erb")
    write(tmp_path, "<% @list << 2 %><%= scope.function_template(['m/inner.erb']) %>", "outer.erb")
    code = "$list = [1] notice(template('m/outer.erb')) notice($list)"
    assert messages(code, modulepath=[str(tmp_path)]) == ["[1, 2]", "[1, 2]"]
    assert len(by_ruby) == 2


@needs_ruby
def test_outer_variables_are_as_inner_templates_set_them(
    tmp_path: Path, by_ruby: list[Call]
) -> None:
    write(tmp_path, "<% scope.setvar('q', {}); scope['q'][:a] = 1 %>", "inner.erb")
    write(
        tmp_path, "<% scope.function_template(['m/inner.erb']) %><%= scope['q'][:a] %>", "outer.erb"
    )
    assert messages("notice(template('m/outer.erb'))", modulepath=[str(tmp_path)]) == ["1"]
    assert by_ruby == []


def write(folder: Path, text: str, name: str = "t.erb") -> Path:
    """A template of the module ``m``."""
    path = folder / "m" / "templates" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_a_template_that_changes_is_seen(tmp_path: Path) -> None:
    code = "$x = 1 notice(template('m/t.erb'))"
    for text in ("a<%= @x %>", "b<%= @x %>", "plain"):
        write(tmp_path, text)
        expected = text.replace("<%= @x %>", "1")
        assert messages(code, modulepath=[str(tmp_path)]) == [expected]


def test_catalog_values_are_never_changed_without_ruby(by_ruby: list[Call]) -> None:
    code = "$x = [1] $y = $x notice(inline_template('<% z = @x.dup %><% z << 2 %><%= z %>'), $y)"
    assert messages(code) == ["[1, 2] [1]"]
    assert by_ruby == []


PROGRAM = """
import sys
from bunraku.engine.request import Request
from bunraku.engine.compile import compile_catalog
compile_catalog(
    Request(code="$x = 1 notice(template('m/t.erb'))", modulepath=[sys.argv[1]]),
    lambda entry: print(entry.message),
)
print("tree_sitter._binding" in sys.modules)
"""


def test_the_next_process_needs_no_parser(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter", reason="the first process needs the package tree-sitter")
    write(tmp_path, "<%= @x %>")
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    answers = [
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert answers == ["1\nTrue\n", "1\nFalse\n"]
