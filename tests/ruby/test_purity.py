"""Ruby code that only computes is known; what is not known to do so is refused, with its line."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import bunraku.functions
from bunraku.engine.loader import RANDOM_FUNCTIONS
from bunraku.ruby.syntax.purity import impurity_of_function, impurity_of_template

FUNCTION = """# frozen_string_literal: true
Puppet::Functions.create_function(:'a::f') do
  dispatch :f do
    param 'Any', :a
    optional_param 'Hash', :options
    optional_block_param
    return_type 'Any'
  end
  def g(value, *rest, key: 1, **more, &block)
    value.map(&block)
  end
  def f(a, options = {}, &block)
    {}
  end
end
"""
OLD = """module Puppet::Parser::Functions
  newfunction(:f, type: :rvalue, doc: <<-DOC) do |args|
    A text.
    DOC
    {}
  end
end
"""
PURE = [
    "a.to_s.strip.gsub(/(x)/) { $1.upcase }",
    "require 'ipaddr'; IPAddr.new(a).to_range.first.to_s rescue ArgumentError",
    'raise Puppet::ParseError, "no #{a.inspect}" unless a.is_a?(String)',
    "options.each_with_object({}) { |(key, value), all| all[key] = value }",
    "hash = a; hash.length",
    "require 'json'; JSON.pretty_generate(a)",
    "Digest::SHA256.hexdigest(a)",
    "closure_scope['facts']['os'] + call_function('lookup', 'key').to_s",
    "block ? yield(a) : g([a]) { |one| one }",
    "[1, 2].inject(:+) + [1].reduce(0) { |sum, one| sum + one }",
    "case a when Hash, Array then a.size else 0 end",
    "begin; Integer(a); rescue ArgumentError, TypeError => error; error.message; end",
    "text = +''; [a].each { |one| text << one.to_s }; text",
    "raise Exception, 'wrong' unless Puppet[:strict] == :off",
    "closure_scope.find_global_scope.catalog.resource('Class[a]')['b']",
    "Puppet.debug(_('text %{a}') % { a: a }); nil",
]
IMPURE = {
    "Time.now": "uses Time",
    "Date.today.to_s": "uses Date",
    "rand(5)": "calls rand",
    "rand": "calls rand",
    "[1].shuffle": "calls shuffle",
    "[1].sample": "calls sample",
    "`id`": "runs a program",
    "%x(id)": "runs a program",
    "system('id')": "calls system",
    "File.read(a)": "calls File.read",
    "File.expand_path(a)": "calls File.expand_path",
    "Dir['*']": "uses Dir",
    "ENV['HOME']": "uses ENV",
    "::ENV['HOME']": "uses ENV",
    "a.send(:system, 'id')": "calls send",
    "a.public_send(options)": "calls public_send",
    "[a].map(&:instance_eval)": "calls instance_eval",
    "[a].map(&a)": "passes a block on",
    "[a].inject(options)": "calls inject with a method that is computed",
    "[a].inject(:system)": "calls inject with a method that is computed",
    "a.hash": "calls hash",
    "hash": "calls hash",
    "x = hash; hash = 1": "calls hash",
    "a.object_id": "calls object_id",
    "@count = 1": "keeps a value between calls",
    "@@count": "keeps a value between calls",
    "$count = 1": "uses $count",
    "Facter.fact(:x)": "calls Facter.fact",
    "closure_scope.compute_values": "calls closure_scope.compute_values",
    "begin; 1; rescue ArgumentError, Exception; 2; end": "catches Exception",
    "all = [Exception]; begin; 1; rescue *all; 2; end": "catches Exception",
    "self": "passes itself on",
    "eval(a)": "calls eval",
    "binding": "calls binding",
    "require 'my/own'": "loads 'my/own'",
    "require a": "loads a",
    "load('/x.rb')": "calls load",
    "Puppet::Util::Execution.execute(a)": "uses Puppet::Util::Execution",
    "begin; 1; rescue Exception; 2; end": "catches Exception",
    "class << self; end": "changes an object",
    "def a.to_s; end": "changes an object",
    "{rand:}": "has a hash without values",
    "caller": "calls caller",
    "__FILE__": "calls __FILE__",
    "Class.new": "uses Class",
    "defined?(Foo)": "uses Foo",
    "a.instance_variable_set(:@a, 1)": "calls instance_variable_set",
    "loop { return Process.pid }": "uses Process",
    "srand(1)": "calls srand",
    "URI.open(a)": "calls URI.open",
    "Digest::MD5.file(a)": "calls Digest::MD5.file",
}
FILES = {
    FUNCTION.replace("  def g", "  LIST = []\n  def g"): "has a constant that may change",
    FUNCTION.replace("  def g", "  LIST = %w[a b].freeze\n  def g"): None,
    FUNCTION.replace("  def g", "  NAMES = { 'a' => [] }.freeze\n  def g"): None,
    FUNCTION.replace("  def g", "  count = 0\n  def g"): "keeps a value between calls",
    FUNCTION.replace("# frozen_string_literal: true", "").replace(
        "  def g", "  TEXT = 'a'\n  def g"
    ): "has a constant that may change",
    "class String; def strip; rand; end; end\n" + FUNCTION: "defines a class",
    "def upcase; 1; end\n" + FUNCTION: "defines upcase for every object",
    "module Foo; end\n" + FUNCTION: "defines the module Foo",
    OLD.replace("{}", "count = args[0]; lookupvar('x').to_s + count"): None,
    OLD.replace("  newfunction", "  count = 0\n  newfunction"): "keeps a value between calls",
    OLD.replace("{}", "Puppet::Parser::Functions.function(:g)"): (
        "calls Puppet::Parser::Functions.function"
    ),
    OLD.replace("{}", "function_g([1])"): None,
    "Puppet::Functions.create_function(:f) do": "is no Ruby that can be read",
}
TEMPLATES = {
    "<% @a.each do |one| -%><%= one %><% end %>": None,
    "<% list = []; @a.each { |one| list << one } -%><%= list.join %>": None,
    "<%= scope.lookupvar('a::b') %> <%= scope['x'] %> <%= has_variable?('y') %>": None,
    "<%= scope.call_function('lookup', ['x']) %>": None,
    "<%= scope.function_template(['x']) %>": None,
    "<%= scope.function_own(['x']) %> <%= File.basename(@a) %>": None,
    "<% X = 1 %>": "has a constant that may change",
    "<% def strip; 1; end %>": "defines strip for every object",
    "<%= hash %>": "calls hash",
    "<%= scope.parent %>": "calls scope.parent",
    "<%= [1].inject(:rand) %>": "calls inject with a method that is computed",
    "<% if %>": "is no Ruby that can be read",
}


def what(found) -> str | None:
    return None if found is None else found.what


@pytest.mark.parametrize("code", PURE)
def test_functions_that_compute(code):
    assert impurity_of_function(FUNCTION.replace("{}\n  end", f"{code}\n  end")) is None


@pytest.mark.parametrize("code", IMPURE)
def test_functions_that_do_more(code):
    found = impurity_of_function(FUNCTION.replace("{}\n  end", f"{code}\n  end"))
    assert found is not None
    assert (found.what, found.line) == (IMPURE[code], 13)


@pytest.mark.parametrize("text", FILES)
def test_files_of_functions(text):
    assert what(impurity_of_function(text)) == FILES[text]


@pytest.mark.parametrize("text", TEMPLATES)
def test_templates(text):
    assert what(impurity_of_template(text)) == TEMPLATES[text]


def test_functions_in_python_that_are_random_are_listed():
    """A function that uses a random number without a seed is in the list of the loader."""
    found = set()
    for path in Path(bunraku.functions.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                text = ast.unparse(node)
                if any(one in text for one in ("secrets.", "SystemRandom", "urandom", "uuid4")):
                    found.add(node.name)
    assert found == RANDOM_FUNCTIONS
