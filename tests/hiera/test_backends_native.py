"""Hiera backends in Ruby that run without Ruby: their answers, logs and caches are those of Ruby."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bunraku.base.errors import PuppetError
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.ruby.process.bridge import Bridge
from bunraku.world.machine import Machine
from support.calls import calls_of
from support.ruby import needs_ruby
from support.ruby_process import for_ruby, without_programs

LAYERED = (
    (Path(__file__).parents[2] / "benchmarks/workloads/layers/merged.rb")
    .read_text("utf-8")
    .replace("layers::merged", "b::layered")
)
"""The backend that is measured, too."""
EXPANDED = """
Puppet::Functions.create_function(:'b::expanded') do
  require 'yaml'

  dispatch :expanded do
    param 'String[1]', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end

  def expanded(key, options, context)
    context.not_found if key == 'lookup_options'
    parts = key.gsub(/^::/, '').split('::')
    parts.pop
    file = parts.empty? ? "#{options['base']}.yaml" : "#{File.join(options['base'], parts)}.yaml"
    data = load(file, context)
    context.not_found unless data.include?(key)
    deep_merge = ->(one, other) { one.merge(other, &merger) }
    value = data[key]
    value = deep_merge.call(value, options['extra']) if Hash === value && options['extra']
    context.interpolate(value)
  end

  def load(file, context)
    return {} unless File.exist?(file)
    context.cached_file_data(file) { |text| YAML.load(text) || {} }
  end

  def merger
    nested = proc { |_, old, new| Hash === old && Hash === new ? old.merge(new, &nested) : new }
    nested
  end
end
"""
MATCHED = """
require 'json'
Puppet::Functions.create_function(:'b::matched') do
  dispatch :matched do
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end

  def matched(options, context)
    name = closure_scope['facts']['host']
    text = context.cached_file_data(options['path'])
    data = JSON.parse(text).each_with_object({}) do |(label, item), found|
      next unless Regexp.escape(label) == label
      next unless item['match'].any? { |prefix| name.start_with?(prefix) }
      found.update(item['data']) { |_key, old, new| old + new }
    end
    old = Gem::Version.new(closure_scope['facts']['release']) < Gem::Version.new('10.2')
    data['b::release'] = old ? 'old' : 'new'
    data['b::called'] = call_function('b::called', data.keys.sort, options['path'])
    data.transform_values { |value| value.is_a?(Array) ? sorted(value) : value }
  end

  def sorted(items)
    items.reject { |item| item.to_s.start_with?('!') }.sort.uniq
  end
end
"""
DUG = """
Puppet::Functions.create_function(:'b::dug') do
  dispatch :dug do
    param 'Array', :segments
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end

  def dug(segments, options, context)
    context.not_found unless segments.first == 'dug'
    segments.drop(1).reduce(options['tree']) do |found, segment|
      context.not_found unless found.is_a?(Hash) && found.key?(segment)
      found[segment]
    end
  end
end
"""
FILES = {
    "layers/common.yaml": (
        "a: 1\nlist: [one, two]\nh: {x: {y: 1, z: [1]}, k: v}\nt: 'on %{facts.host}'\n"
        "aliased: &x {q: 1}\nother: *x\n1: number\n"
    ),
    "layers/os.yaml": "a: 2\nlist: [three, one]\nh: {x: {y: 2, z: [2]}}\n",
    "layers/empty.yaml": "{}\n",
    "expand.yaml": "top: from top\n",
    "expand/m.yaml": "m::a: from m\nm::h: {x: {a: 1}, n: '%{facts.host}'}\n",
    "expand/m/n.yaml": "m::n::a: [1, two, 3.5, true, ~]\n",
    "matched.json": json.dumps(
        {
            "web": {"match": ["web", "app"], "data": {"b::x": ["w", "!c", "a"], "b::y": 1}},
            "all": {"match": [""], "data": {"b::x": ["b", "a"], "b::z": None}},
            "db*": {"match": [""], "data": {"b::never": 1}},
            "db": {"match": ["db"], "data": {"b::never": 1}},
        }
    ),
}
CALLED = "function b::called($keys, $path) { notice('called') \"${keys.size} keys\" }\n"
KEYS = {
    "layered": ["a", "list", "h", "t", "aliased", "other", "missing", "h.x.z.1", "a"],
    "expanded": ["top", "m::a", "m::h", "m::n::a", "m::n::b", "::m::a"],
    "matched": ["b::x", "b::y", "b::z", "b::never", "b::release", "b::called"],
    "dug": ["dug.a.b", "dug.a", "dug.x", "other"],
}
BACKENDS = {"layered": LAYERED, "expanded": EXPANDED, "matched": MATCHED, "dug": DUG}


def levels(root: str) -> dict[str, dict[str, Any]]:
    """The level of each backend."""
    return {
        "layered": {
            "lookup_key": "b::layered",
            "options": {"folder": f"{root}/layers", "layers": ["common", "os", "none", "empty"]},
        },
        "expanded": {
            "lookup_key": "b::expanded",
            "uri": "x",
            "options": {"base": f"{root}/expand", "extra": {"x": {"b": 2}}},
        },
        "matched": {"data_hash": "b::matched", "datadir": root, "path": "matched.json"},
        "dug": {"data_dig": "b::dug", "options": {"tree": {"a": {"b": [1, {"c": 2}]}}}},
    }


def write_site(root: Path, names: list[str], backends: dict[str, str]) -> str:
    """Write an environment; the folder of environments."""
    environment = root / "environments" / "production"
    texts = {f"modules/b/lib/puppet/functions/b/{name}.rb": backends[name] for name in names}
    hierarchy = [{"name": name, **levels(str(environment))[name]} for name in names]
    # A hierarchy of one kind for the global or environment layer.
    texts["hiera.yaml"] = json.dumps({"version": 5, "hierarchy": hierarchy})
    texts["environment.conf"] = "modulepath = modules\n"
    texts["modules/b/functions/called.pp"] = CALLED
    for path, text in {**FILES, **texts}.items():
        file = environment / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return str(root / "environments")


def look_up(environments: str, keys: list[str], world: Any, facts: Any = None) -> list[str]:
    """The log of a compile that looks keys up."""
    found: list[str] = []
    request = Request(
        code="".join(f"notice(lookup('{key}', default_value => 'none'))\n" for key in keys),
        facts=facts or {"host": "web1", "release": "10.10"},
        settings={"environment": "production", "environmentpath": environments},
        world=world,
    )
    compile_catalog(request, lambda entry: found.append(f"{entry.level} {entry.message}"))
    return found


@needs_ruby
@pytest.mark.parametrize("name", list(KEYS))
def test_without_ruby_as_in_ruby(name, tmp_path):
    environments = write_site(tmp_path, [name], BACKENDS)
    facts = {"host": "app-2.x", "release": "9.9.9"}
    given = {"web1": None, "app": facts}
    native = {
        at: look_up(environments, KEYS[name], without_programs(environments), some)
        for at, some in given.items()
    }
    write_site(tmp_path, [name], {name: for_ruby(BACKENDS[name])})
    with calls_of(Bridge.call) as calls:
        in_ruby = {
            at: look_up(environments, KEYS[name], Machine(), some) for at, some in given.items()
        }
    assert calls
    # Files that another compile has read are not read again, so these are not noted again.
    assert [line for line in native["web1"] if not line.startswith("debug")] == [
        line for line in in_ruby["web1"] if not line.startswith("debug")
    ]
    assert [line for line in native["app"] if not line.startswith("debug")] == [
        line for line in in_ruby["app"] if not line.startswith("debug")
    ]
    assert any("none" in line for line in native["web1"])


def test_what_the_backends_find(tmp_path):
    environments = write_site(tmp_path, list(KEYS), BACKENDS)
    world = without_programs(environments)
    keys = ["a", "list", "h", "t", "m::h", "b::x", "b::z", "b::called", "dug.a.b.1.c"]
    assert look_up(environments, keys, world)[:1] == ["info merging 4 layers for production"]
    found = [line[7:] for line in look_up(environments, keys, world) if line.startswith("notice ")]
    assert found == [
        "called",  # the data of b::matched are asked for lookup_options
        "2",
        "[one, two, three]",
        "{x => {y => 2, z => [1, 2]}, k => v}",
        "on web1",
        "{x => {a => 1, b => 2}, n => web1}",
        "[a, b, w]",
        "",
        "4 keys",
        "none",
    ]


def test_a_file_is_parsed_once_for_all_compiles(tmp_path):
    environments = write_site(tmp_path, ["layered"], BACKENDS)
    world = Machine()
    first = look_up(environments, ["a", "t"], world)
    again = look_up(environments, ["list", "t"], world)
    read = [line for line in first if line.startswith("debug reading")]
    assert read == ["debug reading common", "debug reading os", "debug reading empty"]
    assert not any(line.startswith("debug reading") for line in again)
    (tmp_path / "environments/production/layers/os.yaml").write_text("a: 3\n")
    changed = look_up(environments, ["a"], world)
    assert [line for line in changed if "reading" in line] == ["debug reading os"]
    assert changed[-1] == "notice 3"


def test_a_wrong_option_is_explained_without_ruby(tmp_path):
    environments = write_site(tmp_path, ["layered"], BACKENDS)
    path = tmp_path / "environments/production/hiera.yaml"
    path.write_text(path.read_text().replace('"layers"', '"strata"'))
    with pytest.raises(PuppetError, match="needs the option 'layers', not folder, strata"):
        look_up(environments, ["a"], without_programs(environments))


@needs_ruby
def test_a_call_that_needs_ruby_in_its_middle_is_done_once(tmp_path):
    """Ruby gets the values that were kept, and nothing that was done is done again."""
    backend = """
Puppet::Functions.create_function(:'b::dug') do
  dispatch :dug do
    param 'Array', :segments
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end
  def dug(segments, _options, context)
    context.not_found if %w[lookup_options nothing].include?(segments.first)
    calls = (context.cached_value('calls') || 0) + 1
    context.cache('calls', calls)
    Puppet.notice("call #{calls} of #{segments.first}")
    text = context.interpolate("%{facts.host} %{lookup('nothing')}")
    called = call_function('b::called', [calls], text)
    found = [calls, called, text]
    found << segments.first.crypt('ab').length if segments.first =~ /^ruby/
    context.cache_all({ 'last' => found })
    [found, context.cached_value('last') == found, context.cache_has_key(nil)]
  end
end
"""
    environments = write_site(tmp_path, ["dug"], {"dug": backend})
    keys = ["one", "two", "ruby", "four", "ruby_again"]
    found = look_up(environments, keys, Machine())
    write_site(tmp_path, ["dug"], {"dug": for_ruby(backend)})
    assert look_up(environments, keys, Machine()) == found
    assert sum(line.startswith("notice call ") for line in found) == len(keys)


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ("a: 1", False),
        ("a: &x 1\nb: *x", True),
        ("a: 'x & y * z'", True),
        (":a: 1", True),
        ("a: :b", True),
        ("a: 2020-01-01", True),
        ("a: !ruby/symbol x", True),
        ("a: !!str 1", True),
        ("", True),
        ("a", True),
        ("- a", False),
        ("a: [", True),
        ('a: "\\xff"', False),
    ],
)  # fmt: skip
def test_yaml_on_which_versions_of_ruby_differ_goes_to_ruby(text, needs, tmp_path):
    backend = EXPANDED.replace("expanded", "layered").replace(
        "YAML.load(text) || {}", "{ 'k' => YAML.load(text) }"
    )
    environments = write_site(tmp_path, ["layered"], {"layered": backend})
    root = tmp_path / "environments/production"
    (root / "hiera.yaml").write_text(
        json.dumps(
            {
                "version": 5,
                "hierarchy": [
                    {"name": "x", "lookup_key": "b::layered", "options": {"base": f"{root}/text"}}
                ],
            }
        )
    )
    (root / "text.yaml").write_text(text)
    world = without_programs(environments)
    if needs:
        with pytest.raises(PuppetError, match="Ruby"):
            look_up(environments, ["k"], world)
    else:
        assert look_up(environments, ["k"], world)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("require_relative 'x'\n" + DUG, "line 1: code around the function"),
        (DUG.replace("segments.drop(1)", "segments.cycle"), "the method 'cycle'"),
    ],
)
def test_the_error_without_ruby_says_what_needs_it(text, reason, tmp_path):
    environments = write_site(tmp_path, ["dug"], {"dug": text})
    with pytest.raises(PuppetError) as caught:
        look_up(environments, ["dug.a"], without_programs(environments))
    assert reason in str(caught.value)
