"""Symbols and objects of Ruby that Puppet code passes on; the texts are those of Puppet 7.23."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.ruby_code import compiled, failure, needs_ruby, notices

from bunraku.catalog.wire import catalog_to_data

pytestmark = needs_ruby


@pytest.mark.parametrize("code", ["Class", "Object.new", "Class.new", "[Time, {Object => 1}]"])
def test_a_function_used_as_a_statement_may_return_any_object(code: str) -> None:
    assert notices(f"m::ev('{code}') notice(1)") == ["1"]


def test_an_object_comes_back_to_ruby_as_the_same_one() -> None:
    code = "$x = m::ev('[Object.new]') notice(m::ev('r[0][0].equal?(r[1])', $x, $x[0]))"
    assert notices(code) == ["true"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Class", "Class Type[Runtime[ruby, 'Class']]"),
        ("Time.at(0).utc", "1970-01-01 00:00:00 UTC Runtime[ruby, 'Time']"),
        ("3.to_r", "3/1 Runtime[ruby, 'Rational']"),
        ('require "set"; Set[1, 2]', "#<Set: {1, 2}> Runtime[ruby, 'Set']"),
        (":sym", "sym Runtime[ruby, 'Symbol']"),
        ("{:a => 1}", "{a => 1} Hash[Runtime[ruby, 'Symbol'], Integer[1, 1], 1, 1]"),
        ("closure_scope", "Scope(Class[main]) Runtime[ruby, 'Puppet::Parser::Scope']"),
    ],
)  # fmt: skip
def test_objects_have_the_text_and_the_type_of_ruby(value: str, text: str) -> None:
    assert notices(f"$x = m::ev('{value}') notice($x, type($x))") == [text]


def test_the_address_of_an_object_is_left_out() -> None:
    assert notices("notice(m::ev('Object.new'))") == ["#<Object>"]


def test_objects_are_equal_where_they_are_in_ruby() -> None:
    code = """$x = m::ev('Time.at(0).utc') $y = m::ev('Time.at(0).utc') $z = m::ev('Object.new')
    notice($x == $y, { $x => 1 }[$y], $z == m::ev('Object.new'), $z in [$z])"""
    assert notices(code) == ["true 1 false true"]


def test_a_symbol_is_no_string() -> None:
    code = """$x = m::ev(':a') notice($x == 'a', $x in ['a'], $x =~ String, $x =~ Runtime[ruby, 'Symbol'])
    notice($x ? { 'a' => 1, default => 2 }, "${x}", String($x, '%p'), sprintf('%p', $x))"""
    assert notices(code) == ["false false false true", "2 a 'a' :a"]


def test_a_symbol_as_a_key_is_another_than_the_string() -> None:
    code = "$x = m::ev('{:a => 1}') notice($x['a'], $x + {'a' => 2}, $x == {'a' => 1})"
    assert notices(code) == [" {a => 1, a => 2} false"]


def test_symbols_survive_call_function() -> None:
    code = 'notice(m::ev(\'call_function("m::ev", "r.inspect", :default, :a, {:b => [:c]})\'))'
    assert notices(code) == ["[:default, :a, {:b=>[:c]}]"]
    inner = '{"default_value" => :none}'
    assert notices(f'notice(m::ev(\'call_function("lookup", "x", {inner}) == :none\'))') == ["true"]


def test_symbols_reach_templates() -> None:
    code = "$x = m::ev('{:a => {:b => 1}}') notice(inline_template('<%= @x[:a][:b] %><%= @x.inspect %>'))"
    assert notices(code) == ["1{:a=>{:b=>1}}"]


def test_symbols_name_the_attributes_of_created_resources() -> None:
    code = 'm::ev(\'call_function("create_resources", "notify", {"x" => {:message => :a}})\')'
    catalog, logged = compiled(code)
    assert catalog_to_data(catalog)["resources"][-1]["parameters"] == {"message": "a"}
    assert logged == []


def test_a_catalog_has_the_text_of_an_object() -> None:
    code = (
        "notify { 'a': message => { 'x' => [m::ev('Time.at(0).utc')] }, withpath => m::ev(':s') }"
    )
    catalog, logged = compiled(code)
    data = catalog_to_data(catalog)["resources"][-1]["parameters"]
    assert data == {"message": {"x": ["1970-01-01 00:00:00 UTC"]}, "withpath": "s"}
    ((level, message),) = [(item.level, item.message) for item in logged]
    assert level == "warning"
    assert message.startswith("Notify[a]['message']['x'][0] contains a Time value. It will be")
    assert message.endswith("converted to the String '1970-01-01 00:00:00 UTC'")


def test_a_catalog_cannot_have_a_class() -> None:
    error = failure("notify { 'a': message => m::ev('Object') }")
    assert error.code == "RUBY_CLASS_IN_CATALOG"


def test_a_function_may_choose_its_dispatch_itself(tmp_path: Path) -> None:
    folder = tmp_path / "m/lib/puppet/functions/m"
    folder.mkdir(parents=True)
    (folder / "own.rb").write_text("""
Puppet::Functions.create_function(:'m::own') do
  dispatch :two do
    param 'Any', :scope
    param 'Integer', :number
  end
  def call(scope, *arguments)
    self.class.dispatcher.dispatch(self, scope, [scope, *arguments])
  end
  def two(scope, number)
    "#{scope.class} #{number}"
  end
end
""")
    path = [str(tmp_path)]
    assert notices("notice(m::own(3))", modulepath=path) == ["Puppet::Parser::Scope 3"]
    assert "expects an Integer value" in failure("m::own('a')", modulepath=path).message


def test_the_stack_of_puppet_calls_reaches_the_manifest() -> None:
    code = "\nnotice(m::ev('Puppet::Pops::PuppetStack.stacktrace.map(&:last).inspect'))"
    assert notices(code) == ["[2, 0]"]


def test_a_string_without_an_encoding_is_binary_in_the_catalog() -> None:
    code = """$x = m::ev('"abc".b') $y = m::ev('r[0]', [$x])
    notify { 'a': message => { 'k' => [$x] }, withpath => "b${x}" } notify { 'b': message => $y[0] }
    notify { 'c': message => inline_template('<%= @x %>') } notice($x, $x == 'abc', type($x), m::ev('r[0].encoding.to_s', $x))"""
    catalog, logged = compiled(code)
    assert [item.message for item in logged] == ["abc true String ASCII-8BIT"]
    found = [item.get("parameters") for item in catalog_to_data(catalog)["resources"][-3:]]
    binary = {"__ptype": "Binary", "__pvalue": "YWJj"}
    assert found == [
        {"message": {"k": [binary]}, "withpath": "babc"},
        {"message": binary},
        {"message": "abc"},
    ]
