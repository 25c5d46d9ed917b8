"""Hiera backends written in Ruby: the content of their contexts, and the number of calls to Ruby."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from bunraku.base.errors import PuppetError
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.ruby.process.process import RUNNING
from bunraku.world.dictionary import DictionaryWorld
from bunraku.world.machine import Machine
from bunraku.world.overlay import Overlay
from bunraku.world.protocol import World
from support.ruby import needs_ruby

MACHINE = Machine()
HEAD = """\
Puppet::Functions.create_function(:'b::%s') do
  dispatch :find do
    param 'String[1]', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end
  def find(key, options, context)
    ObjectSpace # only Ruby can run this function
"""
TAIL = """\
  end
end
"""


class Site:
    """An environment with backends, data and a manifest that logs the results of lookups."""

    def __init__(self, root: Path) -> None:
        self.root = root / "environments" / "production"
        self.write("environment.conf", "modulepath = modules\n")

    def write(self, path: str, text: str) -> Path:
        """Write a file of the environment."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def backend(self, name: str, body: str) -> None:
        """Write a backend in Ruby."""
        path = f"modules/b/lib/puppet/functions/b/{name}.rb"
        self.write(path, HEAD % name + body + TAIL)

    def hierarchy(self, *levels: dict[str, Any]) -> None:
        """Write hiera.yaml."""
        named = [{"name": f"level {at}", **level} for at, level in enumerate(levels)]
        self.write("hiera.yaml", json.dumps({"version": 5, "hierarchy": named}))

    def compile(
        self, code: str, messages: list[str] | None = None, world: World = MACHINE
    ) -> list[str]:
        """The messages of a compile."""
        found = [] if messages is None else messages
        request = Request(
            code=code,
            facts={"kernel": "Linux"},
            settings={"environment": "production", "environmentpath": str(self.root.parent)},
            world=world,
        )
        compile_catalog(request, lambda entry: found.append(entry.message))
        return found

    def look_up(self, *keys: str) -> list[str]:
        """The results of lookups of keys, as texts."""
        calls = (f"notice(lookup('{key}', default_value => 'none'))" for key in keys)
        return self.compile("\n".join(calls))


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def frames() -> int:
    """How many frames the Ruby process of this thread was sent."""
    process = getattr(RUNNING, "process", None)
    return 0 if process is None else process.frames


COUNTING = """\
    data = context.cached_file_data(options['path']) do |text|
      $made = ($made || 0) + 1
      { 'made' => $made, 'text' => text }
    end
    context.not_found unless data.key?(key)
    data[key]
"""


@needs_ruby
def test_the_block_of_cached_file_data_runs_once_for_all_compiles(site):
    site.hierarchy({"lookup_key": "b::counting", "path": "a.yaml"})
    site.backend("counting", COUNTING)
    site.write("data/a.yaml", "one")
    first = site.look_up("text", "made")
    assert first[0] == "one"
    assert site.look_up("other", "made") == ["none", first[1]]
    assert site.look_up("made", "text") == [first[1], "one"]


@needs_ruby
def test_a_changed_file_is_read_again(site):
    site.hierarchy({"lookup_key": "b::counting", "path": "a.yaml"})
    site.backend("counting", COUNTING)
    file = site.write("data/a.yaml", "one")
    first = site.look_up("text", "made")
    file.write_text("two")  # as long, and perhaps at the same time
    second = site.look_up("text", "made")
    assert [first[0], second[0]] == ["one", "two"]
    assert [first[1], second[1]] == ["1", "1"]  # each compile runs the file of the function again
    os.utime(file, (1, 1))
    file.write_text("three")
    assert site.look_up("text")[0] == "three"


@needs_ruby
def test_a_file_that_changes_during_a_compile_is_read_again(site):
    site.hierarchy({"lookup_key": "b::counting", "path": "a.yaml"})
    site.backend("counting", COUNTING)
    file = site.write("data/a.yaml", "one")
    site.write(
        "modules/b/lib/puppet/functions/b/change.rb",
        f"Puppet::Functions.create_function(:'b::change') do\n"
        f"  def change\n    File.write('{file}', 'changed')\n    nil\n  end\nend\n",
    )
    code = "notice(lookup('text'))\nb::change()\nnotice(lookup({name => 'made', merge => first}), lookup('text'))"
    found = site.compile(code)
    assert found[0] == "one"
    # A value that was found stays for the compile; others come from the file as it is now.
    assert found[1].endswith(" one")
    assert site.look_up("text") == ["changed"]


@needs_ruby
def test_the_cache_is_of_one_file_of_a_level(site):
    site.hierarchy(
        {"lookup_key": "b::keeping", "paths": ["a.yaml", "c.yaml"]}, {"lookup_key": "b::keeping"}
    )
    site.backend(
        "keeping",
        """\
    calls = (context.cached_value('calls') || 0) + 1
    context.cache('calls', calls)
    context.cache(nil, Object) # no value of Puppet
    return context.cached_entries.to_a.inspect if key == "of_#{options['path'].to_s[-6]}"
    context.not_found
""",
    )
    site.write("data/a.yaml", "")
    site.write("data/c.yaml", "")
    found = site.look_up("x", "of_a", "of_c", "of_")
    assert found == [  # a lookup asks for lookup_options first
        "none",
        '[["calls", 3], [nil, Object]]',
        '[["calls", 3], [nil, Object]]',
        '[["calls", 3], [nil, Object]]',
    ]
    assert site.look_up("of_") == ['[["calls", 2], [nil, Object]]']  # as long as a compile


@needs_ruby
def test_a_file_has_one_value_whichever_function_made_it(site):
    """As in Puppet 7.23, also with its own yaml_data."""
    site.hierarchy(
        {"lookup_key": "b::first", "path": "a.yaml"},
        {"data_hash": "yaml_data", "path": "a.yaml"},
        {"data_hash": "yaml_data", "path": "c.yaml"},
        {"lookup_key": "b::last", "path": "c.yaml"},
        {"data_hash": "b::puppet", "path": "a.yaml"},
    )
    site.backend(
        "first",
        """\
    context.cached_file_data(options['path']) { |text| { 'x' => "#{text.length} letters" } }
    context.not_found
""",
    )
    site.backend(
        "last",
        """\
    data = context.cached_file_data(options['path']) { |text| raise text }
    key == 'all' ? data : context.not_found
""",
    )
    site.write(
        "modules/b/functions/puppet.pp",
        "function b::puppet(Hash $options, Puppet::LookupContext $context) >> Hash {\n"
        "  $made = $context.cached_file_data($options['path']) |$text| { fail($text) }\n"
        "  $found = { 'puppet' => $made }\n  $found\n}\n",
    )
    site.write("data/a.yaml", "x: 1")
    site.write("data/c.yaml", "y: 2")
    found = site.look_up("x", "all", "puppet")
    assert found == ["4 letters", "{y => 2}", "{x => 4 letters}"]


@needs_ruby
def test_missing_files_and_missing_keys(site):
    site.hierarchy({"lookup_key": "b::missing"})
    site.backend(
        "missing",
        """\
    if key == 'rescued'
      begin
        context.cached_file_data('/no/such/file')
      rescue Errno::ENOENT => e
        return e.class.name
      end
    end
    return $ensured.to_s if key == 'ensured'
    begin
      context.not_found
    rescue StandardError, ScriptError
      return 'not_found is no error'
    ensure
      $ensured = 'yes'
    end
""",
    )
    assert site.look_up("rescued", "other", "ensured") == ["Errno::ENOENT", "none", "yes"]


@needs_ruby
def test_options_belong_to_the_call_unless_the_level_has_no_files(site):
    site.hierarchy(
        {"lookup_key": "b::changing", "path": "a.yaml", "options": {"o": {"x": "y"}}},
        {"lookup_key": "b::frozen"},
    )
    body = """\
    context.not_found if key == 'lookup_options'
    seen = [options['seen'], options['o']]
    options['seen'] = 1
    options['o']['x'] << '!'
    key =~ /^k/ ? seen.inspect : context.not_found
"""
    site.backend("changing", body)
    site.backend("frozen", "    context.not_found if key =~ /^l/\n    options['x'] = 1\n")
    site.write("data/a.yaml", "")
    found = site.look_up("k1", "k2")
    assert found == ['[nil, {"x"=>"y!"}]', '[nil, {"x"=>"y!!"}]']
    with pytest.raises(PuppetError, match="can't modify frozen Hash"):
        site.look_up("other")


@needs_ruby
def test_interpolation_and_explanations(site):
    site.hierarchy({"lookup_key": "b::texts"})
    site.backend(
        "texts",
        """\
    context.explain { raise 'nobody wants to know' }
    value = { 'a%{facts.kernel}' => ['%{facts.kernel}', 1, "%{literal('%')}x"], 'b' => nil }
    value if key == 'x' and return context.interpolate(value)
    context.interpolate({ 'k' => [key] })
""",
    )
    assert site.look_up("x", "y") == ["{aLinux => [Linux, 1, %x], b => }", "{k => [y]}"]


@needs_ruby
def test_a_context_that_goes_on_to_puppet_code_keeps_its_values_in_ruby(site):
    site.hierarchy({"lookup_key": "b::outer"})
    site.backend(
        "outer",
        """\
    context.cache('object', Object)
    context.cache('x', 1)
    context.not_found if key == 'lookup_options'
    found = call_function('b::inner', key, context)
    [found, context.cached_value('y'), context.cache_has_key('object')]
""",
    )
    site.write(
        "modules/b/functions/inner.pp",
        "function b::inner($key, $context) {\n"
        "  if $key == 'absent' { $context.not_found }\n"
        "  $context.cache('y', 2)\n"
        "  [$context.cached_value('x'), $context.cache_has_key('z'), $context.cache_has_key('y')]\n}\n",
    )
    assert site.look_up("k", "absent") == ["[[1, false, true], 2, true]", "none"]


@needs_ruby
def test_one_round_trip_for_each_call(site):
    """Besides one for each file that is read and one for each call of interpolate that replaces."""
    site.hierarchy({"lookup_key": "b::counted", "paths": ["a.yaml", "c.yaml"], "options": {"o": 1}})
    site.backend(
        "counted",
        """\
    return context.cached_value(key) if context.cache_has_key(key)
    data = context.cached_file_data(options['path']) { |text| text }
    context.explain { 'x' }
    context.not_found unless data.start_with?(key)
    context.environment_name
    context.cache(key, context.interpolate([data, options['o'], context.module_name]))
""",
    )
    site.write("data/a.yaml", "a %{facts.kernel}")
    site.write("data/c.yaml", "b")
    site.look_up("a", "b", "c", "d")
    before = frames()
    found = site.look_up("a", "b", "c", "d")
    assert found == ["[a Linux, 1, ]", "[b, 1, ]", "none", "none"]
    calls = 2 * len(["lookup_options", "b", "c", "d"]) + len(["a"])
    interpolations = 1
    assert frames() - before == calls + interpolations


def test_the_block_of_puppet_code_runs_once_for_all_compiles(site):
    site.hierarchy({"data_hash": "b::read", "path": "a.yaml"})
    site.write(
        "modules/b/functions/read.pp",
        "function b::read(Hash $options, Puppet::LookupContext $context) {\n"
        "  $context.cached_file_data($options['path']) |$text| {\n"
        "    notice('reading')\n    $found = { 'text' => $text }\n    $found\n  }\n}\n",
    )
    file = site.write("data/a.yaml", "one")
    assert site.look_up("text", "text") == ["reading", "one", "one"]
    assert site.look_up("text") == ["one"]
    file.write_text("two")
    assert site.look_up("text") == ["reading", "two"]


PARAMETERS = "abcdefgh"
CLASS = (
    "class b({}) {{ notice([{}].join(' ')) }}\n".format(
        ", ".join(f"$p{letter} = 'default'" for letter in PARAMETERS),
        ", ".join(f"$p{letter}" for letter in PARAMETERS),
    )
)  # fmt: skip


@needs_ruby
def test_the_parameters_of_a_class_are_asked_for_at_once(site):
    """After some calls in which the backend does nothing but answer."""
    site.hierarchy({"lookup_key": "b::one"}, {"lookup_key": "b::two"})
    body = """\
    context.not_found unless key =~ /::p([%s])/
    value = context.interpolate("%%{facts.kernel}%%{::pq}")
    "%s#{key[-1]}#{value.length}"
"""
    site.backend("one", body % ("ceg", "1"))
    site.backend("two", body % ("abdeg", "2"))
    site.write("modules/b/manifests/init.pp", CLASS)
    code = "notice(lookup('x', default_value => 'none'))\n$pq = '!'\ninclude b"
    expected = ["none", "2a6 2b6 1c6 2d6 1e6 default 1g6 default"]
    assert site.compile(code) == expected
    before = frames()
    assert site.compile(code) == expected
    interpolations = 3 + 3 + 1  # %{facts.kernel} alone once
    # Two each for lookup_options and x; one of the first level for all eight parameters; one of the
    # second for the two that come first, and those that the first is known not to have.
    assert frames() - before == 2 + 2 + 1 + 1 + interpolations


@needs_ruby
def test_a_backend_that_does_more_than_answer_is_called_for_one_key_at_a_time(site):
    site.hierarchy({"lookup_key": "b::one"}, {"lookup_key": "b::two"})
    site.backend("one", '    Puppet.notice("one #{key}")\n    context.not_found')
    site.backend(
        "two", "    context.not_found if key !~ /^b/\n    call_function('notice', key)\n    key[-1]"
    )
    site.write("modules/b/manifests/init.pp", CLASS)
    found = site.compile("['x', 'y', 'z'].each |$k| { lookup($k, default_value => 0) }\ninclude b")
    asked = [line for line in found if "b::p" in line]
    assert asked == [
        line for letter in PARAMETERS for line in (f"one b::p{letter}", f"b::p{letter}")
    ]
    assert found[-1] == " ".join(PARAMETERS)


@needs_ruby
def test_an_error_of_a_later_key_comes_when_that_is_looked_up(site):
    site.hierarchy({"lookup_key": "b::one"}, {"lookup_key": "b::two"})
    site.backend("one", "    raise 'no c' if key == 'b::pc'\n    context.not_found")
    site.backend(
        "two",
        "    context.not_found if key !~ /^b/\n    Puppet.notice(key)\n    1",
    )
    site.write("modules/b/manifests/init.pp", CLASS)
    found: list[str] = []
    code = "['x', 'y', 'z'].each |$k| { lookup($k, default_value => 0) }\ninclude b"
    with pytest.raises(PuppetError, match="no c"):
        site.compile(code, found)
    assert found == ["b::pa", "b::pb"]


@needs_ruby
def test_a_key_may_look_up_another_that_is_asked_for_at_once(site):
    site.hierarchy({"lookup_key": "b::one"})
    site.backend(
        "one",
        """\
    context.not_found unless key =~ /::p/
    return 'h' if key == 'b::ph'
    context.interpolate("#{key[-1]}%{lookup('b::p#{key[-1].succ}')}")
""",
    )
    site.write("modules/b/manifests/init.pp", CLASS)
    code = "['x', 'y', 'z'].each |$k| { lookup($k, default_value => 0) }\ninclude b"
    assert site.compile(code) == [" ".join(PARAMETERS[at:] for at in range(len(PARAMETERS)))]
    site.write(
        "modules/b/lib/puppet/functions/b/one.rb",
        HEAD % "one" + "    context.not_found unless key =~ /::p/\n"
        "    context.interpolate(\"%{lookup('b::pa')}\")\n" + TAIL,
    )
    with pytest.raises(PuppetError, match="b::pa, b::pa"):
        site.compile(code)


@needs_ruby
def test_texts_with_facts_are_interpolated_in_ruby(site):
    site.hierarchy({"lookup_key": "b::texts"})
    site.backend(
        "texts",
        """\
    context.not_found if key == 'lookup_options'
    context.interpolate(['1 %{facts.kernel}', { key => "%{ facts.os.name }%{::facts.kernel} #{key}" }, '%{facts.none}'])
""",
    )
    found: list[str] = []
    code = "$facts_of = $facts ['a', 'b', 'c'].each |$k| { notice(lookup($k)) }\n"
    code += "notice(lookup('d', {override => {'facts' => {}}}), lookup('e', {default_values_hash => {'x' => 1}}))"
    site.compile(code, found)
    expected = [f"[1 Linux, {{{key} => Linux {key}}}, ]" for key in "abc"]
    assert found[:3] == expected
    before = frames()
    assert site.compile(code) == found
    # The calls, the expressions, and two texts that see variables of their lookup.
    assert frames() - before == 1 + 5 + 4 + 2


@needs_ruby
def test_a_file_that_ruby_cannot_read_comes_from_python(site):
    """As in a compile of a revision, or with files of a request."""
    site.hierarchy({"lookup_key": "b::counting", "path": "a.yaml"})
    site.backend("counting", COUNTING)
    site.write("data/x.yaml", "")
    path = str(site.root / "data/a.yaml")
    code = "notice(lookup('text'), lookup('made'), lookup('text'))"
    worlds = [Overlay(DictionaryWorld({path: text}), MACHINE) for text in (b"one", b"two")]
    found = [site.compile(code, world=world)[0].split() for world in worlds]
    assert [found[0][0], found[0][2]] == ["one", "one"]
    assert [found[1][0], found[1][2]] == ["two", "two"]


@needs_ruby
def test_a_rescued_error_leaves_no_key_under_way(site):
    site.write("hiera.yaml", "version: 5\nhierarchy:\n- {name: c, path: c.yaml}\n")
    site.write(
        "data/c.yaml",
        "a: \"%{lookup('b')}\"\nb: \"%{unknown('x')}\"\nc: \"%{lookup('c')}\"\nd: 1\n",
    )
    site.write(
        "modules/m/lib/puppet/functions/m/try.rb",
        "Puppet::Functions.create_function(:'m::try') do\n"
        "  def try(key)\n    call_function('lookup', key)\n"
        "  rescue StandardError => e\n    e.message\n  end\nend\n",
    )
    found = site.compile("[a, b, a, c, c, d].each |$key| { notice(m::try($key)) }")
    assert found[:3] == ["Unknown interpolation method 'unknown'"] * 3
    assert found[3] == found[4]
    assert found[3].endswith("Recursive lookup detected in [c]")
    assert found[5] == "1"
