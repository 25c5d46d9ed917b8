"""The parts of Ruby's standard library that Puppet loads are available without a require, in any order."""

from __future__ import annotations

import pytest
from tests.support.ruby_code import needs_ruby, notices

from bunraku.base.errors import PuppetError
from bunraku.ruby.process.process import RUNNING
from support.ruby_process import end_ruby

pytestmark = needs_ruby
EXPRESSIONS = {
    'Gem::Version.new("1.10") > Gem::Version.new("1.9")': "true",
    'Gem::Requirement.new("~> 1.0").satisfied_by?(Gem::Version.new("1.2"))': "true",
    "[1, 2, 1].to_set.size": "2",
    '{"a" => 1}.to_set.to_a.inspect': '[["a", 1]]',
    "Set.new([1]).add(2).to_a.inspect": "[1, 2]",
    '{"a" => 1}.to_yaml': "---\na: 1\n",
    "Psych.dump(1)": "--- 1\n",
    "Time.at(0).utc.iso8601": "1970-01-01T00:00:00Z",
    'Time.parse("2020-01-01 00:00:00 UTC").to_i': "1577836800",
    "Time.at(0).utc.to_date.to_s": "1970-01-01",
    'Date.parse("2020-01-01").to_s': "2020-01-01",
    "SecureRandom.hex(2).size": "4",
    'Digest::MD5.hexdigest("a")': "0cc175b9c0f1b6a831c399e269772661",
    'OpenSSL::Digest::MD5.hexdigest("a")': "0cc175b9c0f1b6a831c399e269772661",
    'URI("http://a/b").host': "a",
    'URI.join("http://a/", "b").to_s': "http://a/b",
    "Net::HTTP.name": "Net::HTTP",
    'Pathname("/a").join("b").to_s': "/a/b",
    'ERB.new("<%= 1 %>").result': "1",
    "OpenStruct.new(a: 1).a": "1",
    'Base64.strict_encode64("a")': "YQ==",
    'StringIO.new("a").read': "a",
    'StringScanner.new("ab").scan(/a/)': "a",
    "Timeout.timeout(9) { 1 }": "1",
    "Dir.tmpdir.class": "String",
    "TCPSocket.name": "TCPSocket",
    'IPAddr.new("10.0.0.0/8").include?("10.1.1.1")': "true",
    "Monitor.new.class": "Monitor",
    "$PROGRAM_NAME.class": "String",
    'SimpleDelegator.new("a").size': "1",
    'Class.new(DelegateClass(String)).new("x").size': "1",
    '"a b".shellescape': "a\\ b",
    "3.to_bn.class": "OpenSSL::BN",
}


@pytest.fixture(autouse=True)
def fresh_ruby() -> None:
    """A Ruby process in which nothing has run."""
    end_ruby()


@pytest.mark.parametrize("backwards", [False, True], ids=["forwards", "backwards"])
def test_libraries_are_loaded_by_their_first_use(backwards: bool) -> None:
    cases = list(EXPRESSIONS.items())
    if backwards:
        cases.reverse()
    code = "\n".join(f"notice(m::ev('{text}'))" for text, _ in cases)
    assert notices(code) == [value for _, value in cases]


@pytest.mark.parametrize("name", ["Gem::Version", "Set", "YAML", "Date", "OpenSSL", "Net::HTTP"])
def test_a_process_does_not_load_what_is_not_used(name: str) -> None:
    feature = {"Gem::Version": "rubygems", "Net::HTTP": "net/http"}.get(name, name.lower())
    code = f"$LOADED_FEATURES.grep(%r{{/{feature}[.]rb}}).size"
    assert notices(f"notice(m::ev('{code}'))") == ["0"]


def test_ruby_reads_its_own_libraries() -> None:
    notices("notice(m::ev('1'))")
    before = RUNNING.process.frames
    assert notices("notice(m::ev('require \"psych\"'))") == ["true"]
    assert RUNNING.process.frames - before == 1  # Python is not asked for any of the files


def test_templates_see_the_same_libraries() -> None:
    code = """$list = ['b', 'a', 'b']
    notice(inline_template('<%= @list.to_set.to_a.join(",") %> <%= @list.to_yaml %>'))"""
    assert notices(code) == ["b,a ---\n- b\n- a\n- b\n"]


def test_a_library_that_is_missing_is_named() -> None:
    with pytest.raises(PuppetError, match="cannot load such file -- no_such_library"):
        notices("m::ev('require \"no_such_library\"')")
