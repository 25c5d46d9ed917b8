"""Functions of modules in Ruby that run without Ruby: their results, and the switch to Ruby."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bunraku.base.errors import PuppetError
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.ruby.process.bridge import Bridge
from bunraku.ruby.run import functions
from bunraku.ruby.run.translation import compile_function
from bunraku.ruby.syntax.erb import Unsupported
from bunraku.values.binary import Binary
from bunraku.values.ruby_object import Symbol
from bunraku.world.machine import Machine
from support.calls import calls_of
from support.ruby import needs_ruby
from support.ruby_process import for_ruby, without_programs

FUNCTIONS = {
    "m::quoted": """
require 'digest/sha1'
# A comment.
Puppet::Functions.create_function(:'m::quoted') do
  # @param text
  dispatch :quoted do
    required_param 'String', :text
    optional_param 'Integer', :times
    return_type 'String'
  end

  def quoted(text, times = 2)
    return '' if text.empty?
    return text if text =~ %r{\\A"}
    mark * times + text.gsub(%r{[\\\\"]}) { |c| "\\\\#{c}" } + mark
  end

  def mark
    '"'
  end
end
""",
    "m::digest": """
require 'digest'
Puppet::Functions.create_function(:'m::digest') do
  dispatch :digest do
    param 'String', :text
  end
  def digest(text)
    '*' + Digest::SHA1.hexdigest(Digest::SHA1.digest(text)).upcase + Digest::MD5.hexdigest(text)
  end
end
""",
    "m::anything": """
Puppet::Functions.create_function(:'m::anything') do
  def anything(first, second = first, *others)
    found = {}
    others.each_with_index do |item, at|
      next if item.nil?
      return item if item == 'stop'
      found["k#{at}"] = item
    end
    case first
    when String then [first.upcase, second, found]
    when Integer, Float then { 'sum' => first + 1, 'rest' => found }
    when nil then nil
    else
      first.is_a?(Array) ? first.map { |one| one.to_s }.join('-') : found
    end
  end
end
""",
    "m::captured": """
Puppet::Functions.create_function(:'m::captured') do
  dispatch :one do
    param 'String', :text
  end
  dispatch :many do
    repeated_param 'Array', :lists
  end
  def one(text)
    if text =~ /(\\w+)=(\\d+)/
      "#{$1}:#{$2}"
    elsif text.match(/(.)\\?/)
      $1
    else
      :none
    end
  end
  def many(*lists)
    lists.flatten.compact.uniq.sort
  end
end
""",
    "m::endless": """
Puppet::Functions.create_function(:'m::endless') do
  def endless(text) = text.empty? ? mark : longer(text)
  def longer(text) = text.upcase + mark
  def mark = '!'
end
""",
    "m::gives_up": """
Puppet::Functions.create_function(:'m::gives_up') do
  def gives_up(value)
    return 'early' if value == 'easy'
    raise Puppet::ParseError, "no #{value}" if value == 'bad'
    value.crypt('ab')
  end
end
""",
}
CALLS = {
    "m::quoted('')": "",
    "m::quoted('\"x')": '"x',
    "m::quoted('a\"b\\\\')": '""a\\"b\\\\"',
    "m::quoted('a', 1)": '"a"',
    "m::digest('secret')": "*14E65567ABDB5135D0CFD9A70B3032C179A49EE75ebe2294ecd0e0f08eab7690d2a6ee69",
    'm::digest("\\u00e9")': None,
    "m::anything('a')": ["A", "a", {}],
    "m::anything('a', 2, undef, 'x')": ["A", 2, {"k1": "x"}],
    "m::anything('a', 2, 'stop', 'x')": "stop",
    "m::anything(1)": {"sum": 2, "rest": {}},
    "m::anything(1.5, 2, [1])": {"sum": 2.5, "rest": {"k0": [1]}},
    "m::anything([1, undef, 'b'])": "1--b",
    "m::anything(undef)": None,
    "m::anything(true)": {},
    "m::captured('a=1')": "a:1",
    "m::captured('a')": Symbol("none"),
    "m::captured('a?')": "a",
    "m::captured(['b', undef], ['a', 'b'])": ["a", "b"],
    "m::captured()": [],
    "m::endless('')": "!",
    "m::endless('a')": "A!",
    "m::gives_up('easy')": "early",
}  # fmt: skip


def module(root: Path, functions: Mapping[str, str] = FUNCTIONS) -> str:
    """A folder of modules with the functions."""
    folder = root / "m" / "lib" / "puppet" / "functions" / "m"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in functions.items():
        (folder / f"{name[3:]}.rb").write_text(text)
    return str(root)


def value(call: str, modulepath: str, world: Any = None) -> Any:
    """The result of a call, taken from a catalog."""
    code = f"notify {{ 'x': message => [{call}] }}"
    request = Request(code=code, node="x", modulepath=[modulepath], world=world or Machine())
    catalog = compile_catalog(request, lambda entry: None)
    return next(item for item in catalog.resources if item.type == "Notify").parameters["message"]


@pytest.mark.parametrize("call", CALLS)
def test_runs_where_there_is_no_ruby(call: str, tmp_path: Path) -> None:
    root = module(tmp_path)
    found = value(call, root, without_programs(root))
    if CALLS[call] is not None:
        assert found == [CALLS[call]]


@needs_ruby
@pytest.mark.parametrize("call", CALLS)
def test_returns_what_ruby_returns(call: str, tmp_path: Path) -> None:
    native = value(call, module(tmp_path))
    root = module(tmp_path, {name: for_ruby(text) for name, text in FUNCTIONS.items()})
    with calls_of(Bridge.call) as calls:
        assert value(call, root) == native
    assert calls


def test_without_ruby_what_gives_up_says_so(tmp_path: Path) -> None:
    root = module(tmp_path)
    with pytest.raises(PuppetError) as caught:
        value("m::gives_up('bad')", root, without_programs(root))
    assert "Ruby" in caught.value.message


@needs_ruby
def test_what_gives_up_is_done_by_ruby(tmp_path: Path) -> None:
    root = module(tmp_path)
    assert value("m::gives_up('hard')", root) == [Binary(crypt_of_hard().encode())]
    with pytest.raises(PuppetError) as caught:
        value("m::gives_up('bad')", root)
    assert "no bad" in caught.value.message


def crypt_of_hard() -> str:
    """The result of Ruby's ``'hard'.crypt('ab')``."""
    command = ["ruby", "-e", "print 'hard'.crypt('ab')"]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def test_wrong_arguments_are_refused_without_ruby(tmp_path: Path) -> None:
    root = module(tmp_path)
    for call in ("m::quoted(1)", "m::quoted()", "m::digest('a', 'b')", "m::anything()"):
        with pytest.raises(PuppetError) as caught:
            value(call, root, without_programs(root))
        assert caught.value.code.startswith("ILLEGAL_ARGUMENT"), call


@pytest.mark.parametrize(
    "text",
    [
        "x = 1\n" + FUNCTIONS["m::digest"],
        "require 'm/helper'\n" + FUNCTIONS["m::digest"],
        FUNCTIONS["m::digest"].replace("m::digest", "m::other"),
        FUNCTIONS["m::digest"].replace(") do", ", Puppet::Functions::InternalFunction) do", 1),
        FUNCTIONS["m::digest"].replace("param 'String', :text", "block_param"),
        FUNCTIONS["m::digest"].replace("dispatch :digest", "dispatch :missing"),
        FUNCTIONS["m::digest"].replace("dispatch", "LIMIT = Time.now\n  dispatch"),
        FUNCTIONS["m::digest"].replace("dispatch", "def initialize(*)\n  end\n  dispatch"),
        "Puppet::Functions.create_function(:'m::digest') do\nend\n",
        "",
        "def (",
    ],
)  # fmt: skip
def test_a_file_that_does_anything_else_goes_to_ruby(text: str) -> None:
    compile_function(FUNCTIONS["m::digest"], "x.rb", "m::digest")
    with pytest.raises(Unsupported):
        compile_function(text, "x.rb", "m::digest")


def test_an_edited_function_is_read_again(tmp_path: Path) -> None:
    root = module(tmp_path)
    assert value("m::gives_up('easy')", root) == ["early"]
    file = tmp_path / "m/lib/puppet/functions/m/gives_up.rb"
    file.write_text(FUNCTIONS["m::gives_up"].replace("'early'", "'later'"))
    assert value("m::gives_up('easy')", root) == ["later"]


def test_its_code_carries_its_own_file_and_lines(tmp_path: Path) -> None:
    root = module(tmp_path)
    path = str(tmp_path / "m/lib/puppet/functions/m/digest.rb")
    found = functions.native_function(Machine(), path, "m::digest")
    assert found is not None
    code = found.methods["digest"].__code__
    text = FUNCTIONS["m::digest"].splitlines()
    assert code.co_filename == path
    assert root in path
    assert text[code.co_firstlineno - 1].strip() == "def digest(text)"
    last = max(line for _, _, line in code.co_lines() if line)
    assert text[last - 1].strip().startswith("'*' + Digest::SHA1")
