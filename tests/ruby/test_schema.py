"""Resource types read from Ruby source: our own examples, and all types of Debian's modules."""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any

import pytest

from bunraku.catalog.schema.model import ResourceTypeSchema, TitlePattern
from bunraku.world.dictionary import DictionaryWorld
from bunraku.world.machine import Machine
from support.debian_modules import needs_debian_modules
from support.resource_types import read_resource_types

DEBIAN = "/usr/share/puppet/modules"
RECORDED = os.path.join(os.path.dirname(__file__), "data", "debian_resource_types.json")


def read(body: str, **files: str) -> ResourceTypeSchema:
    """The one type that a definition with this body gives; files are relative to the module."""
    return read_file(f"Puppet::Type.newtype(:sample) do\n{body}\nend\n", **files)


def read_file(source: str, **files: str) -> ResourceTypeSchema:
    path = "/m/lib/puppet/type/sample.rb"
    content = {f"/m/lib/{name}": text.encode() for name, text in files.items()}
    [schema] = read_resource_types(source, path, DictionaryWorld({path: b"", **content}))
    return schema


def names(schema: ResourceTypeSchema) -> tuple[str, str, str]:
    assert schema.open is None
    return " ".join(schema.parameters), " ".join(schema.properties), " ".join(schema.namevars)


NAMES = [
    ("newparam(:name)", "name", "", "name"),
    ("newparam :path, :namevar => true", "path", "", "path"),
    ("newparam(:path, namevar: true) do\n desc 'x'\nend", "path", "", "path"),
    ("newparam(:path) do\n isnamevar\nend", "path", "", "path"),
    ("newparam(:path) { |each| each.isnamevar }", "path", "", "path"),
    ("newparam(:path).isnamevar", "path", "", "path"),
    ("newparam('name')\nnewproperty('a b'.tr(' ', '_').to_sym)", "name", "a_b", "name"),
    ("newparam(:name)\nensurable", "name", "ensure", "name"),
    (
        "newproperty(:x)\nensurable do\n newvalue(:on)\nend\nnewparam(:name)",
        "name",
        "ensure x",
        "name",
    ),
    ("newparam(:name)\nnewproperty(:x)\nnewproperty(:ensure)", "name", "ensure x", "name"),
    (
        "newparam(:name)\ndef exists?; end\ndef create; end\ndef destroy; end",
        "name",
        "ensure",
        "name",
    ),
    ("newparam(:b) { isnamevar }\nnewparam(:name)", "b name", "", "b name"),
    ("newproperty(:x) { isnamevar }\nnewparam(:name)", "name", "x", "name"),
    ("newparam(:x)", "x", "", ""),
    ("newparam(:a); newparam(:name); newparam(:a)", "a name", "", "name"),
]


@pytest.mark.parametrize(("body", "parameters", "properties", "namevars"), NAMES)
def test_attributes_and_namevars(
    body: str, parameters: str, properties: str, namevars: str
) -> None:
    assert names(read(body)) == (parameters, properties, namevars)


LOOPS = [
    ("%w[a b].each { |each| newproperty(each) }", "a b"),
    (
        "%i[a b].each do |each|\n newproperty(\"#{each}_x\".to_sym) do\n desc 'd'\n end\nend",
        "a_x b_x",
    ),
    ("[:a, :b].map(&:to_s).each { |each| newproperty each.to_sym }", "a b"),
    ("{ a: 'first', b: 'second' }.each { |key, text| newproperty(key) { desc text } }", "a b"),
    ("{ 'a' => 1, 'b' => 2 }.each_pair { |key, _| newproperty(key) }", "a b"),
    ("{ a: 1 }.keys.each { |key| newproperty(key) }", "a"),
    ("[[:a, true], [:b, false]].each { |key, flag| newproperty(key) if flag }", "a"),
    ('[:a, :b].each_with_index { |key, at| newproperty("#{key}#{at}".to_sym) }', "a0 b1"),
    (
        "list = [:a]\nlist << :b\nlist += %i[c]\n(list - [:a]).each { |key| newproperty(key) }",
        "b c",
    ),
    ("ALL = %w[a b].freeze\nALL.reject { |key| key == 'a' }.each { |key| newproperty(key) }", "b"),
    ("%w[a b].select { |key| key.start_with?('a') }.each { |key| newproperty(key) }", "a"),
    ("common = lambda { |key| newproperty(key) }\ncommon.call(:a)\ncommon.(:b)", "a b"),
    ("[:a].each { |key| send(:newproperty, key) }\nself.newproperty(:b)", "a b"),
    (
        "def self.add(key, options = {}, &block)\n newproperty(key, options, &block)\nend\nadd :a\nadd(:b) { desc 'x' }",
        "a b",
    ),
    (
        "class << self\n def add(*keys)\n keys.each { |key| newproperty(key) }\n end\nend\nadd :a, :b",
        "a b",
    ),
    (
        'def self.newproperty(key, *rest)\n super\n super(:"#{key}_too")\nend\nnewproperty(:a)',
        "a a_too",
    ),
    ("if true\n newproperty(:a)\nelse\n newproperty(:b)\nend\nnewproperty(:c) unless false", "a c"),
    ("def self.add\n yield self\nend\nadd { |type| type.newproperty(:a) }", "a"),
    ("begin\n require 'missing'\n newproperty(:a)\nrescue LoadError\n newproperty(:b)\nend", "a b"),
]


@pytest.mark.parametrize(("body", "properties"), LOOPS)
def test_attributes_made_in_loops_and_helpers(body: str, properties: str) -> None:
    assert names(read("newparam(:name)\n" + body)) == ("name", properties, "name")


def test_both_branches_count_where_nobody_knows_the_condition() -> None:
    schema = read(
        "newparam(:name)\n"
        "if Puppet.version =~ /^3/\n newproperty(:old)\nelsif windows?\n newproperty(:win)\n"
        "else\n newproperty(:new)\nend\n"
        "case Puppet.version\nwhen '2' then newproperty(:two)\nelse newproperty(:other)\nend\n"
        "key = Puppet[:x] ? :a : :b\n"
    )
    assert set(schema.properties) == {"old", "win", "new", "two", "other"}


OPEN = [
    ("newparam(Puppet[:x])", "computed"),
    ("surprise :x", "surprise on line 2"),
    ("Puppet[:list].each { |key| newparam(key) }", "loop on line 2"),
    ("include Other::Helper", "Other::Helper"),
    ("extend Other::Helper", "Other::Helper"),
    ("Other::Helper.add_to(self)", "Other::Helper.add_to"),
    ("instance_eval(File.read('x'))", "string"),
    ("while more?\n newparam(:x)\nend", "while"),
    ("newparam(:x", "cannot be parsed"),
    ("def self.add(x)\n add(x)\n add(x)\nend\nadd(1)", "not evaluated"),
]


@pytest.mark.parametrize(("body", "reason"), OPEN)
def test_what_cannot_be_read_leaves_the_type_open(body: str, reason: str) -> None:
    schema = read(body)
    assert schema.open is not None
    assert reason in schema.open
    assert schema.has_attribute("anything")


def test_usual_calls_do_not_open_a_type() -> None:
    schema = read(
        "@doc = 'x'\ndesc <<-EOT\n  newparam text\nEOT\ninclude Puppet::Util\n"
        "attr_reader :x\nautorequire(:file) { self[:path] }\nvalidate { fail 'x' unless self[:a] }\n"
        "def refresh\n newparam_like\nend\ndef self.instances\n []\nend\n"
        "newparam(:name) do\n munge { |v| v.surprise }\n newvalues(:a, /b/)\n surprise\nend\n"
        "newproperty(:list, array_matching: :all, parent: Puppet::Property::List) do\n"
        "  def insync?(is)\n is.sort == should.sort\n end\nend\nprivate\n"
    )
    assert names(schema) == ("name", "list", "name")


def test_flags_of_the_type() -> None:
    schema = read(
        "@isomorphic = false\napply_to_device\nnewparam(:name)\n"
        "feature :fast, 'x', methods: [:a]\nfeature :big, 'y'"
    )
    assert (schema.isomorphic, schema.applies_to) == (False, "device")
    assert schema.features == ("big", "fast")
    assert read("apply_to_all").applies_to == "both"
    assert (schema.name, schema.line) == ("sample", 1)


@pytest.mark.parametrize(
    "code",
    [
        "def self.isomorphic?; false; end",
        "class << self\n def isomorphic?\n  nil\n end\nend",
        "define_singleton_method(:isomorphic?) { false }",
    ],
)
def test_a_method_can_say_that_a_type_is_not_isomorphic(code):
    assert not read(f"{code}\nnewparam(:name)\n").isomorphic


def test_a_loop_with_a_number_makes_attributes():
    schema = read('newparam(:name)\n3.times { |at| newparam("n#{at}") }\n')
    assert schema.open is None
    assert list(schema.parameters) == ["name", "n0", "n1", "n2"]


def test_provider_is_a_parameter_where_there_are_providers() -> None:
    provider = "Puppet::Type.type(:sample).provide(:one) do\nend"
    schema = read("newparam(:name)", **{"puppet/provider/sample/one.rb": provider})
    assert schema.parameters == ("name", "provider")
    assert schema.providers == ("one",)
    assert read("", **{"puppet/provider/sample/base.rb": "class X; end"}).parameters == ()
    assert read("provide(:inner) { }").parameters == ("provider",)
    [alone] = read_resource_types("Puppet::Type.newtype(:a) { newparam :name }", "a.rb")
    assert alone.parameters == ("name", "provider")


HELPER = """
module PuppetX
  module Sample
    KEYS = %i[one two]
    COMMON = Proc.new do
      newproperty(:common)
    end
    def self.included(type)
      type.class_eval do
        newparam(:name)
        KEYS.each { |key| newproperty(key) }
      end
    end
    def self.extended(base)
      base.newproperty(:three)
    end
    def extra(key)
      newproperty(key)
    end
    def self.colon
      /[^:]+/
    end
    def self.patterns(a, b, separator = '::')
      [[/^(#{colon})#{separator}(#{colon})$/, [[a], [b]]]]
    end
  end
end
"""


@pytest.mark.parametrize(
    "statement",
    [
        "require 'puppet_x/sample'",
        "require_relative '../../puppet_x/sample'",
        "require File.expand_path(File.join(File.dirname(__FILE__), '..', '..', 'puppet_x', 'sample'))",
        "require File.join(__dir__, '../../puppet_x/sample.rb')",
    ],
)
def test_helpers_in_other_files(statement: str) -> None:
    schema = read_file(
        f"{statement}\nPuppet::Type.newtype(:sample) do\n"
        "include PuppetX::Sample\nextend PuppetX::Sample\nextra :four\n"
        "instance_eval(&PuppetX::Sample::COMMON)\nend",
        **{"puppet_x/sample.rb": HELPER},
    )
    assert names(schema) == ("name", "one two three four common", "name")


def test_attributes_added_in_a_folder_of_the_type() -> None:
    schema = read_file(
        "module Puppet\n  Type.newtype(:sample) do\n    newparam(:name)\n  end\n"
        "  require 'puppet/type/sample/more'\nend",
        **{
            "puppet/type/sample/more.rb": "require 'puppet/type/sample/last'\n"
            "Puppet::Type.type(:sample).newproperty(:more) { desc 'x' }",
            "puppet/type/sample/last.rb": "class Puppet::Type::Sample\n newproperty(:last)\nend",
        },
    )
    assert names(schema) == ("name", "last more", "name")


def patterns(body: str, **files: str) -> Any:
    text = "newparam(:a) { isnamevar }\nnewparam(:b) { isnamevar }\n"
    return read(f"{text}def self.title_patterns\n{body}\nend", **files)


def test_title_patterns() -> None:
    schema = patterns(
        "identity = lambda { |x| x }\n"
        "[[/^(.*)\\/(.*)$/m, [[:a, identity], [:b, ->(x) { x }]]],\n"
        " [%r{^(.*)/x$}i, [[:a, proc { |x| x }]]],\n"
        " [/^(#{/a\\/b/}|#{Regexp.escape('a.b')})$/, [:a]],\n"
        " [Regexp.new('^(.+)$'), [[:a, lambda { |x| x.upcase }], [:b]]]]"
    )
    assert schema.open is None
    assert schema.title_patterns == (
        TitlePattern("^(.*)/(.*)$", "m", ("a", "b")),
        TitlePattern("^(.*)/x$", "i", ("a",)),
        TitlePattern(r"^((?-mix:a\/b)|a\.b)$", "", ("a",)),
        TitlePattern("^(.+)$", "", ("a", "b"), ("a",)),
    )


def test_title_patterns_from_a_helper() -> None:
    schema = read_file(
        "require 'puppet_x/sample'\nPuppet::Type.newtype(:sample) do\n"
        "newparam(:a, namevar: true)\nnewparam(:b, namevar: true)\n"
        "def self.title_patterns\n PuppetX::Sample.patterns(:a, :b)\nend\nend",
        **{"puppet_x/sample.rb": HELPER},
    )
    expected = TitlePattern("^((?-mix:[^:]+))::((?-mix:[^:]+))$", "", ("a", "b"))
    assert schema.title_patterns == (expected,)


def test_title_patterns_that_say_the_usual_are_left_out() -> None:
    body = "newparam(:name)\ndef self.title_patterns\n [[/(.*)/m, [[:name]]]]\nend"
    assert read(body).title_patterns is None
    assert read("newparam(:x)").title_patterns == ()


@pytest.mark.parametrize(
    "body",
    [
        "[[pattern, [[:a]]]]",
        "Puppet[:x]",
        "return [[/(.*)/, [[:a]]]] if windows?\n[[/(.+)/, [[:a]]]]",
        "[[/#{Puppet[:x]}/, [[:a]]]]",
    ],
)
def test_title_patterns_that_are_computed_are_not_guessed(body: str) -> None:
    schema = patterns(body)
    assert not schema.titles_known
    assert schema.title_patterns is None


API = """
require 'puppet/resource_api'
Puppet::ResourceApi.register_type(
  name: 'sample',
  docs: <<-EOS,
    A sample.
  EOS
  features: ['simple_get_filter', 'remote_resource'],
  title_patterns: [
    { pattern: %r{^(?<package>.*[^-])-(?<manager>.*)$}, desc: 'both' },
    { pattern: %r{^(?<package>.*)$}, desc: 'one' },
  ],
  attributes: {
    ensure: { type: 'Enum[present, absent]', default: 'present' },
    package: { type: 'String', behaviour: :namevar },
    manager: { type: 'String', behaviour: :namevar },
    force: { type: 'Boolean', behaviour: :parameter },
    seen: { type: 'String', behaviour: :read_only },
    size: { type: 'Integer', behaviour: :init_only },
    'colour': { type: 'String' },
  },
)
"""


def test_the_resource_api() -> None:
    schema = read_file(API)
    assert schema.parameters == ("package", "manager", "force", "seen")
    assert schema.properties == ("ensure", "size", "colour")
    assert schema.namevars == ("package", "manager")
    assert schema.applies_to == "device"
    assert schema.title_patterns == (
        TitlePattern("^(?<package>.*[^-])-(?<manager>.*)$", "", ("package", "manager")),
        TitlePattern("^(?<package>.*)$", "", ("package",)),
    )
    assert schema.open is None


def test_the_resource_api_with_computed_attributes_is_open() -> None:
    schema = read_file("Puppet::ResourceApi.register_type(name: 'sample', attributes: Some.where)")
    assert schema.open is not None
    assert not schema.titles_known


def test_several_types_in_one_file() -> None:
    source = '%w[a b].each { |key| Puppet::Type.newtype(:"my_#{key}") { newparam(:name) } }'
    assert [each.name for each in read_resource_types(source, "x.rb")] == ["my_a", "my_b"]
    assert read_resource_types("class Foo\n def bar\n end\nend", "x.rb") == []


def test_bytes_that_are_not_utf_8_do_no_harm_in_comments() -> None:
    source = b"# caf\xe9\nPuppet::Type.newtype(:sample) do\n @doc = %s\n newparam(:name)\nend"
    harmless = (source % b"'x'").decode("utf-8", "surrogateescape")
    assert names(read_file(harmless))[0] == "name"
    schema = read_file((source % b"'\xe9'").decode("utf-8", "surrogateescape"))
    assert schema.open is not None  # Ruby: invalid multibyte char (UTF-8)


def test_deep_nesting_is_given_up_not_a_crash() -> None:
    deep = "(" * 20_000 + "1" + ")" * 20_000
    schema = read(f"newparam(:name)\nx = {deep}\nnewparam(:late)")
    assert schema.open is not None


@needs_debian_modules
def test_every_type_of_debians_modules_is_read_as_puppet_reads_it() -> None:
    """The data is Puppet 7.23's description of each type after loading it."""
    with open(RECORDED, encoding="utf-8") as file:
        recorded: dict[str, list[Any]] = json.load(file)
    world = Machine()
    modules = world.list_directory(DEBIAN)
    libraries = [f"{DEBIAN}/{module}/lib" for module in modules]
    compared = 0
    for path, (digest, parameters, properties, namevars, *titles) in recorded.items():
        file_name = f"{DEBIAN}/{path}"
        if not world.is_file(file_name):
            continue
        content = world.read(file_name)
        if hashlib.sha256(content).hexdigest()[:12] != digest:
            continue
        source = content.decode("utf-8", "surrogateescape")
        [schema] = read_resource_types(source, file_name, world, libraries)
        found = [list(each[:3]) for each in schema.title_patterns or ()]
        wanted = [[text, flags, list(keys)] for text, flags, keys in (titles[0] if titles else [])]
        assert [[a, b, list(c)] for a, b, c in found] == wanted, path
        assert set(schema.parameters) == set(parameters.split()), path
        assert schema.properties == tuple(properties.split()), path
        assert schema.namevars == tuple(namevars.split()), path
        assert schema.open is None, path
        compared += 1
    assert compared > 100


TITLES = (
    TitlePattern("^(.*)/(.*)$", "", ("a", "b")),
    TitlePattern("^(.*)$", "", ("a",)),
)
PATTERNS = "[[%r{^(.*)/(.*)$}, [[:a], [:b]]], [/^(.*)$/, [[:a]]]]"


@pytest.mark.parametrize(
    "definition",
    [
        f"define_singleton_method(:title_patterns) do\n {PATTERNS}\nend",
        f"define_singleton_method(:title_patterns) {{ return {PATTERNS} }}",
        f"code = lambda {{ {PATTERNS} }}\ndefine_singleton_method(:title_patterns, code)",
        f"class << self\n define_method(:title_patterns) {{ {PATTERNS} }}\nend",
        f"def self.x\n {PATTERNS}\nend\nclass << self\n alias_method :title_patterns, :x\nend",
        f"def self.x\n {PATTERNS}\nend\nclass << self\n alias title_patterns x\nend",
    ],
)
def test_methods_that_other_methods_define(definition: str) -> None:
    schema = read(f"newparam(:a, namevar: true)\nnewparam(:b, namevar: true)\n{definition}")
    assert schema.title_patterns == TITLES


def test_methods_of_a_module_that_defines_them_in_a_type() -> None:
    schema = read_file(
        "require 'x/y'\nPuppet::Type.newtype(:sample) do\n X::Y.add(self)\nend",
        **{
            "x/y.rb": "module X; module Y\n def self.add(type)\n  type.newparam(:a) { isnamevar }\n"
            "  type.newparam(:b) { isnamevar }\n"
            f"  type.define_singleton_method(:title_patterns) {{ {PATTERNS} }}\n end\nend; end"
        },
    )
    assert schema.title_patterns == TITLES


def test_define_method_makes_a_type_ensurable() -> None:
    schema = read("newparam(:name)\n%w[exists? create destroy].each { |n| define_method(n) { } }")
    assert schema.properties == ("ensure",)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (r'"\u{61 62}"', "ab"),
        (r'"\x61\142"', "ab"),
        (
            r'"a\
b"',
            "ab",
        ),
        (r'"\u0061b"', "ab"),
    ],
)
def test_escapes_in_names(text: str, name: str) -> None:
    assert read(f"newparam(:name)\nnewproperty({text})").properties == (name,)


def test_escapes_that_ruby_refuses_leave_the_type_open() -> None:
    assert read('newparam("\\u{110000}")').open is not None


def test_features_of_the_resource_api_are_no_features_of_providers() -> None:
    assert read_file(API).features == ()


def test_a_file_required_by_its_place_below_a_relative_modulepath() -> None:
    path = "modules/m/lib/puppet/type/sample.rb"
    files = {path: b"", "modules/m/lib/x.rb": b"Puppet::Type.newtype(:sample) { newparam(:name) }"}
    source = "require File.dirname(__FILE__) + '/../../x'"
    [schema] = read_resource_types(source, path, DictionaryWorld(files))
    assert schema.namevars == ("name",)


def test_halves_of_characters_are_not_read() -> None:
    """Ruby refuses the file; the type that is read without it accepts all values."""
    schema = read('  newparam(:name)\n  newparam(:mode) { newvalues("\\ud800", :b) }')
    assert schema.parameters[:2] == ("name", "mode")


FRAMEWORK = """
class Sample::Base
  class << self
    attr_accessor :name, :parameters
    attr_writer :key
  end
  def name=(other)
    @x[:name] = other
  end
  def self.kind(name, &block)
    name = name.to_sym if name.is_a? String
    @kinds ||= {}
    made = Class.new(self)
    made.name = name
    made.parameters = [:use]
    made.class_eval(&block)
    @kinds[name] = made
  end
  def self.setparameters(*array)
    @parameters += array
  end
  def self.setkey(name)
    @key = name
  end
  def self.key
    if defined?(@key)
      @key
    elsif (found = (name.to_s + '_name').to_sym) && @parameters.include?(found)
      @key = found
    else
      raise "no key"
    end
  end
  def self.[](name)
    @kinds[name]
  end
  kind(:sample) { setparameters :sample_name, :a, '2b'.to_sym }
  kind('other') { setparameters :b; setkey :b }
end
"""


def test_types_that_classes_of_their_own_describe() -> None:
    """The way of the module nagios_core."""
    schema = read_file(
        "require 'framework'\nkind = Sample::Base[:sample]\n"
        'type = Puppet::Type.newtype("#{kind.name}".to_sym)\ntype.ensurable\n'
        "type.newparam(kind.key, namevar: true)\n"
        "kind.parameters.uniq.each do |name|\n next if name == kind.key\n"
        " next if name.to_s =~ /^[0-9]/\n type.newproperty(name)\nend\n"
        "type.newproperty(Sample::Base[:other].key)",
        **{"framework.rb": FRAMEWORK},
    )
    assert names(schema) == ("sample_name", "ensure use a b", "sample_name")


@pytest.mark.parametrize("variable", ["$options", "@@options"])
def test_variables_that_are_seen_everywhere(variable: str) -> None:
    schema = read_file(
        f"{variable} = {{ 'a' => 1, 'b' => 2 }}\nPuppet::Type.newtype(:sample) do\n"
        f" newparam(:name, namevar: true)\n newparam(:c, namevar: true)\n"
        f" def self.title_patterns\n  [[/^(#{{{variable}.keys.join('|')}})(.*)$/, [[:name], [:c]]]]\n end\nend"
    )
    assert schema.title_patterns == (TitlePattern("^(a|b)(.*)$", "", ("name", "c")),)


TYPE = "Puppet::Type.newtype(:sample) { newparam(:name) }"


@pytest.mark.parametrize(
    ("source", "failure", "line"),
    [
        ("raise 'not here'", "not here", 1),
        (f"{TYPE}\nraise 'after it'", "after it", 2),
        ("# text\nfail 'not here'", "not here", 2),
        (f"raise Puppet::Error, 'not here'\n{TYPE}", "not here", 1),
        ("raise ArgumentError", "ArgumentError", 1),
        (f"exit 3\n{TYPE}", "the file calls exit 3", 1),
        (f"exit\n{TYPE}", "the file calls exit", 1),
        ("Kernel.abort 'text'", "the file calls Kernel.abort 'text'", 1),
        ("Puppet::Type.newtype(:sample) do\n raise 'inside'\nend", "inside", 2),
        (f"{TYPE}\nif true\n raise 'sure'\nend", "sure", 3),
        ("[1].each { |x| raise 'loop' }", "loop", 1),
        ("begin\n raise 'a'\nensure\n x = 1\nend", "a", 2),
        ("def stop\n raise 'called'\nend\nstop", "called", 2),
        ("require 'broken'", "in a library", 1),
    ],
)
def test_a_file_that_cannot_be_loaded_has_a_failure(source: str, failure: str, line: int) -> None:
    schema = read_file(source, **{"broken.rb": "raise 'in a library'"})
    assert (schema.name, schema.failure, schema.line) == ("sample", failure, line)


@pytest.mark.parametrize(
    "source",
    [
        f"raise 'a' if Puppet.features.windows?\n{TYPE}",
        f"begin\n raise 'a'\nrescue StandardError\n x = 1\nend\n{TYPE}",
        f"(raise 'a') rescue nil\n{TYPE}",
        f"def stop\n raise 'a'\nrescue\n 1\nend\nstop\n{TYPE}",
        f"def stop\n raise 'a'\nend\n{TYPE}",
        f"begin\n require 'broken'\nrescue\n 1\nend\n{TYPE}",
        (
            "Puppet::Type.newtype(:sample) do\n newparam(:name) { validate { |v| raise 'a' } }\n"
            " def self.title_patterns\n  raise 'a'\n end\nend"
        ),
        f"{TYPE}\nreturn\nraise 'a'",
    ],
)
def test_code_that_need_not_run_is_no_failure(source: str) -> None:
    assert read_file(source, **{"broken.rb": "raise 'in a library'"}).failure is None
