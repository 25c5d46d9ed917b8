"""Ruby code that only computes is known; what is not known to do so is refused, with its line."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import bunraku.functions
from bunraku.engine.loader import RANDOM_FUNCTIONS
from bunraku.modules.files import FileTable
from bunraku.ruby.process.computing import RubyCode
from bunraku.ruby.syntax.pure_files import FUNCTION as FUNCTION_KIND
from bunraku.ruby.syntax.pure_files import TEMPLATE, judged
from bunraku.world.dictionary import DictionaryWorld

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
    "File.exist?(a) ? File.read(a) : YAML.load_file(File.expand_path(a))",
    "file = File.open(a); text = file.readlines.join; file.close; text",
    "@count = 1; @@count = @count; $count = @@count",
    "a.dump.unpack1('m').each_char.each_slice(2).to_a",
    "a.send(:strip)",
    "self",
    "ENV['HOME'] + ENV.fetch('LANG', '')",
    "Dir['/etc/*'] + Dir.glob('/etc/*')",
    "closure_scope.send('function_own', [a])",
    "a.map(&method(:g))",
    "require 'net/http'; require 'date'; __FILE__ + __dir__",
    "Random.new(a.to_i).rand(5)",
    "scope = closure_scope; def scope.lookupdefaults(type) super(type) end; scope",
    "variables = closure_scope.to_hash; variables['x'] if variables.key?('x')",
    "closure_scope.to_hash.include?('x')",
    "closure_scope.catalog.resources.first.parameters[:x].value = 1",
]
IMPURE = {
    "Time.now": "uses Time",
    "Date.today.to_s": "calls Date.today",
    "rand(5)": "calls rand",
    "rand": "calls rand",
    "[1].shuffle": "calls shuffle",
    "[1].sample": "calls sample",
    "`id`": "runs a program",
    "%x(id)": "runs a program",
    "system('id')": "calls system",
    "ENV[a]": "uses ENV",
    "ENV['HOME'] = a": "uses ENV",
    "::ENV.fetch(a)": "uses ENV",
    "ENV.delete('HOME')": "calls ENV.delete",
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
    "Facter.fact(:x)": "calls Facter.fact",
    "closure_scope.compute_values": "calls closure_scope.compute_values",
    "begin; 1; rescue ArgumentError, Exception; 2; end": "catches Exception",
    "all = [Exception]; begin; 1; rescue *all; 2; end": "catches Exception",
    "eval(a)": "calls eval",
    "binding": "calls binding",
    "require 'my/own'": "loads 'my/own'",
    "require a": "loads a",
    "load('/x.rb')": "calls load",
    "Puppet::Util::Execution.execute(a)": "uses Puppet::Util::Execution",
    "begin; 1; rescue Exception; 2; end": "catches Exception",
    "def a.to_s; end": "changes an object",
    "{rand:}": "has a hash without values",
    "caller": "calls caller",
    "Class.new": "uses Class",
    "defined?(Foo)": "uses Foo",
    "a.instance_variable_set(:@a, 1)": "calls instance_variable_set",
    "loop { return Process.pid }": "uses Process",
    "srand(1)": "calls srand",
    "URI.open(a)": "calls URI.open",
    "Digest::MD5.file(a)": "calls Digest::MD5.file",
    "File.write(a, 'x')": "calls File.write",
    "a.send(options)": "calls send",
    "Random.new.rand": "uses Random",
    "closure_scope.to_hash": "calls closure_scope.to_hash",
    "closure_scope.to_hash.to_a": "calls closure_scope.to_hash",
    "closure_scope.to_hash['x'] = 1": "calls closure_scope.to_hash",
    "variables = closure_scope.to_hash; g(variables)": "calls closure_scope.to_hash",
    "variables = closure_scope.to_hash; variables = variables.merge(a)": (
        "calls closure_scope.to_hash"
    ),
    "[a].map(&method(:system))": "passes a block on",
    "$stdout = a": "uses $stdout",
    "$LOAD_PATH << a": "uses $LOAD_PATH",
    "require '/etc/own'": "loads '/etc/own'",
    'require "own/#{a}"': 'loads "own/#{a}"',
    "URI.parse(a).read": "may read an address",
    "a.force = 1": "calls force=",
    "a.b, c = 1, 2": "calls b=",
}
FILES = {
    FUNCTION.replace("  def g", "  LIST = []\n  def g"): None,
    FUNCTION.replace("  def g", "  count = 0\n  def g"): None,
    "class Own; def strip; rand; end; end\n" + FUNCTION: "calls rand",
    "class Own < StandardError; def strip; super; end; end\n" + FUNCTION: None,
    "class ::String; def strip; 1; end; end\n" + FUNCTION: "changes strip of String",
    "class Own; def system(a); a; end; end\n"
    + FUNCTION.replace("{}\n", "system('id')\n"): "calls system",
    "class Own; def send(a); super; end; end\n" + FUNCTION: "uses super",
    "class Own < Foo; end\n" + FUNCTION: "uses Foo",
    "module JSON; class << self; def sorted(a) a.to_json; end; end; end\n"
    + FUNCTION.replace("{}\n", "JSON.sorted(a)\n"): None,
    "def upcase; 1; end\n" + FUNCTION: "defines upcase for every object",
    "module Foo; end\n" + FUNCTION: None,
    OLD.replace("{}", "count = args[0]; lookupvar('x').to_s + count"): None,
    OLD.replace("  newfunction", "  count = 0\n  newfunction"): None,
    OLD.replace("{}", "Puppet::Parser::Functions.function(:g)"): None,
    OLD.replace("{}", "function_g([1])"): None,
    "Puppet::Functions.create_function(:f) do": "is no Ruby that can be read",
}
READS = {
    "closure_scope['facts']['os']['family']": True,
    "facts = closure_scope['facts']; facts.dig('os', 'family') if facts.key?('os')": True,
    "scope = closure_scope; scope['::facts'] && scope.lookupvar('facts')['os']": True,
    "scope['facts'].fetch('os', nil)": True,
    "closure_scope['other']": True,
    "closure_scope['facts']": False,
    "closure_scope['facts'].to_a": False,
    "[closure_scope['facts']]": False,
    "closure_scope[a]": False,
    "closure_scope.lookupvar(a)": False,
    "facts = closure_scope['facts']; facts.merge('a' => 1)": False,
    "closure_scope['facts']['x'] = 1": False,
    "other = closure_scope; other[a]": False,
    "g([closure_scope])": False,
    "closure_scope.find_global_scope[a]": False,
    "a['facts']": False,
    "closure_scope['facts'] || a": False,
}
"""Code of a function, and whether it reads only keys of the facts."""
LIBRARIES = {
    "def f(a) a end": None,
    "def system(a) a end": "defines system for every object",
    "module Own; def self.f(a) a.strip end; end": None,
    "module Own; def self.f(a) rand end; end": "calls rand",
    "module Own; ALL = {}; def self.f(a) ALL[a] ||= 1; end; end": ("constant", "Own", "ALL", "{}"),
    "module Own; ALL = [f]; end": "has a constant that may change",
    "module Own; PATTERN = Regexp.union('a', 'b'); Pair = Struct.new(:a, :b); end": None,
    "module Own; def self.f(a) @all ||= a; end; end": ("instance", "Own", "@all", None),
    "class Own; @@all = []; def f(a) @@all << a; end; end": ("class", "Own", "@@all", "[]"),
    "class Own; def f(a) @a = a; end; end": None,
    "class Own; @@all = f(1); end": "keeps a value between compiles",
    "module Own; def self.f(a) $own = a; end; end": ("global", "", "$own", None),
    "module Own; @own += 1; end": "keeps a value between compiles",
    "module Own; File = 1; def self.f(a) File.write(a); end; end": "calls File.write",
    "module Own; module File; end; end\nclass Other; def f(a) File.write(a); end; end": (
        "calls File.write"
    ),
    "class Hash; def own(a) keys; end; end": None,
    "class Hash; def keys; 1; end; end": "changes keys of Hash",
    "class Hash; alias keys values; end": "changes methods",
    "require_relative 'none'": "loads 'none'",
}
"""Files that a function requires: what they do besides computing, or what they keep."""
TEMPLATES = {
    "<% @a.each do |one| -%><%= one %><% end %>": None,
    "<% list = []; @a.each { |one| list << one } -%><%= list.join %>": None,
    "<%= scope.lookupvar('a::b') %> <%= scope['x'] %> <%= has_variable?('y') %>": None,
    "<%= scope.call_function('lookup', ['x']) %>": None,
    "<%= scope.function_template(['x']) %>": None,
    "<%= scope.function_own(['x']) %> <%= File.basename(@a) %>": None,
    "<%= scope.to_hash['x'] %>": None,
    "<% if instance_variables.any? { |one| one.to_s.include?('ssl_') } %><% end %>": None,
    "<% $count = 1 %><%= $count %>": None,
    "<%= scope.to_hash.reject { |key, _| key == 'x' } %>": "calls scope.to_hash",
    "<%= instance_variable_get('@x') %>": "calls instance_variable_get",
    "<% class Own; end %>": "defines a class",
    "<% X = 1 %>": "has a constant that may change",
    "<% def strip; 1; end %>": "defines strip for every object",
    "<%= hash %>": "calls hash",
    "<%= scope.parent %>": "calls scope.parent",
    "<%= [1].inject(:rand) %>": "calls inject with a method that is computed",
    "<% if %>": "is no Ruby that can be read",
}


def impurity(text, kind=FUNCTION_KIND):
    return judged(kind, text, "/m/lib/f.rb", lambda _: None)[0]


def what(found) -> str | None:
    return None if found is None else found.what


@pytest.mark.parametrize("code", PURE)
def test_functions_that_compute(code):
    assert impurity(FUNCTION.replace("{}\n  end", f"{code}\n  end")) is None


@pytest.mark.parametrize("code", IMPURE)
def test_functions_that_do_more(code):
    found = impurity(FUNCTION.replace("{}\n  end", f"{code}\n  end"))
    assert found is not None
    assert (found.what, found.line) == (IMPURE[code], 13)


@pytest.mark.parametrize("text", FILES)
def test_files_of_functions(text):
    assert what(impurity(text)) == FILES[text]


@pytest.mark.parametrize("text", LIBRARIES)
def test_required_files(text):
    code = "require 'own'; require File.join(__dir__, '../other')\n" + FUNCTION
    files = {"own": ("/m/lib/own.rb", text.encode()), "/m/other": ("/m/other.rb", b"require 'own'")}
    found, state, *_ = judged(FUNCTION_KIND, code, "/m/lib/f.rb", files.get)
    expected = LIBRARIES[text]
    if isinstance(expected, tuple):
        assert (found, state) == (None, (expected,))
    else:
        assert (what(found), found is None or found.path) == (
            expected,
            expected is None or "/m/lib/own.rb",
        )


def test_code_is_judged_again_after_a_change_of_what_it_requires():
    """A file that is found before, or that now does more than compute, counts at once."""
    function = FUNCTION.replace("{}\n  end", "Own::NAMES.first\n  end")
    files = {
        "/b/lib/f.rb": f"require 'puppet_x/own'\n{function}".encode(),
        "/b/lib/puppet_x/own.rb": b"module Own; NAMES = ['b']; end",
    }
    steps = [
        ({}, "['b']"),
        ({"/a/lib/puppet_x/own.rb": b"module Own; NAMES = ['a']; end"}, "['a']"),
        ({"/a/lib/puppet_x/own.rb": b"module Own; NAMES = [rand]; end"}, None),
    ]
    for more, expected in steps:
        world = DictionaryWorld({**files, **more})
        code = RubyCode(world, FileTable(world), ("/a/lib", "/b/lib"))
        found = code.judgement(FUNCTION_KIND, "/b/lib/f.rb")
        assert (found.impurity is None) == (expected is not None)
        assert expected is None or found.state == (("constant", "Own", "NAMES", expected),)


@pytest.mark.parametrize("code", READS)
def test_reads_of_facts(code):
    text = FUNCTION.replace("{}\n  end", f"{code}\n  end")
    if "scope[" in code:
        text = text.replace("    param 'Any'", "    scope_param\n    param 'Any'", 1)
        text = text.replace("f(a,", "f(scope, a,")
    found = judged(FUNCTION_KIND, text, "/m/lib/f.rb", lambda _: None)
    assert (found.impurity, found.keyed_facts) == (None, READS[code])


@pytest.mark.parametrize("text", TEMPLATES)
def test_templates(text):
    assert what(impurity(text, TEMPLATE)) == TEMPLATES[text]


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
