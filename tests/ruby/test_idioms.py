"""Idioms of Ruby functions without Ruby beside Ruby itself, on values of many kinds."""

from __future__ import annotations

import json
import subprocess
from typing import Any

from bunraku.engine.compile import new_compilation
from bunraku.engine.manifests import Manifests
from bunraku.engine.request import Request, resolve
from bunraku.ruby.run.functions import HELPERS, run_acting
from bunraku.ruby.run.translation import compile_function
from bunraku.ruby.values.objects import NeedsRuby
from bunraku.values.keys import pairs
from bunraku.world.dictionary import DictionaryWorld
from support.ruby import needs_ruby

EXPRESSIONS = [
    # hashes
    "v.merge({ 'a' => 9, 'z' => 1 }) { |k, old, new| [k, old, new] }",
    "v.merge({ 'a' => 9 }, { 'a' => 8, 'b' => 7 }) { |_, old, new| [old, new] }",
    "x = { 'a' => [0] }; x.merge!(v) { |_, a, b| [a, b] }; x",
    "x = {}; x.update(v); x.store('n', 1); x['m'] = 2; x",
    "v.slice('a', 'nested', 'none')",
    "v.except('a')",
    "v.key(1)",
    "v.fetch('a') { |k| k * 2 }",
    "v.fetch('none') { 'default' }",
    "v.fetch(-1) { |i| i }",
    "v.transform_values { |i| i.to_s }",
    "v.transform_values(&:to_s)",
    'v.transform_keys { |k| "#{k}!" }',
    "v.to_h { |k, i| [k.to_s, i.to_s] }",
    "v.to_h { |i| [i, 1] }",
    "v.each_with_object({}) { |(k, i), made| made[i.to_s] = k }",
    "v.reduce({}) { |made, pair| made.merge({ pair[0] => 1 }) }",
    "v.map { |k, i| \"#{k}=#{i}\" }.sort.join(',')",
    "v.select { |k, _| k =~ /^[ab]/ }",
    "v.dig('nested', 'x', 1)",
    "v.find { |k, i| i.is_a?(Array) }",
    "v.min_by { |k, _| k.to_s }",
    "v.sort_by { |k, _| k.to_s }.first",
    "Hash === v ? v.keys : Array === v",
    "v.key?('a') && v['a']",
    "nested = proc { |_, a, b| Hash === a && Hash === b ? a.merge(b, &nested) : b }; v.merge({ 'nested' => { 'x' => 2, 'w' => 1 } }, &nested)",
    # arrays
    "v.filter_map { |i| i && i.to_s }",
    "v.take_while { |i| i.is_a?(String) }",
    "v.drop_while { |i| i.is_a?(String) }",
    "v.find_index { |i| i == 'b' }",
    "v.max_by { |i| i.to_s }",
    "v.uniq { |i| i.to_s[0] }",
    "v.inject(:+)",
    "v.inject(0, :+)",
    "v.reduce(1, :*)",
    "x = v.dup; x.pop; x",
    "x = v.map { |i| i }; [x.shift, x]",
    "x = [1, 2]; x.clear; x",
    "v.partition { |i| i.to_s > 'b' }",
    "v.group_by { |i| i.class == nil }",
    "v.each_with_index.to_a",
    "v.flatten.compact.uniq",
    "v.first(2) + v.last(1)",
    "a, b = *v; [a, b]",
    "a, b = v; [b, a]",
    # strings and numbers
    "v.delete_prefix('a')",
    "v.delete_suffix('.yaml')",
    "v.gsub(/^::/, '').split('::')",
    "v.split('::')[0..-2].join('/')",
    "v.sub(/(\\w+)$/) { |m| m.upcase }",
    "v.to_f",
    "v.to_i.even?",
    "v.to_f.floor",
    "v.to_f.ceil",
    "/(\\w)(\\w)?/.match(v)[-1]",
    "/(\\w)(\\w)?/.match(v)[1, 2]",
    "format('%s-%d', v, 3)",
    "case v when /^a/ then 1 when String then 2 when nil then 3 when Integer, Float then 4 else 5 end",
    "v.start_with?('a', 'b')",
    "double = ->(x) { x + x }; double.call(v)",
    "twice = lambda { |x, y| [x, y] }; twice.(v, 1)",
    "[v].map(&proc { |x| x.to_s })",
    "v.freeze",
    # files
    "File.join('a', v)",
    "File.join(v, 'b', '/c')",
    "File.join('/', v)",
    "File.join(['a/', v], 'x')",
    "File.basename(v)",
    "File.basename(v, '.yaml')",
    "File.dirname(v)",
    "File.extname(v)",
    "File.expand_path(v)",
    "File.exist?(v)",
    # parsers and versions
    "JSON.parse(v)",
    "YAML.safe_load(v)",
    "YAML.load(v)",
    "YAML.safe_load(v, permitted_classes: [Symbol], aliases: true)",
    "Gem::Version.new(v) < Gem::Version.new('1.10')",
    "Gem::Version.new(v) == Gem::Version.new('1.0.0')",
    "Gem::Version.new('1.2') <=> Gem::Version.new(v)",
    "begin; Integer(v) + 1; rescue ArgumentError => e; 'no number'; end",
    "begin; v.frobnicate; rescue NoMethodError; 'no method'; end",
]
VALUES: list[Any] = [
    None,
    True,
    0,
    7,
    2.5,
    "",
    "a",
    "abc",
    "a::b::c",
    "::a::b",
    "/a/b.yaml",
    "/a/../b/",
    "a/b.tar.gz",
    ".hidden",
    "12.5%",
    "-3",
    "1.9.2",
    "1.0",
    "1.0.0.rc1",
    "été",
    '{"a": [1, 2.5, null, {"b": "é"}]}',
    '[1, "x"]',
    "nonsense: [",
    "a: 1\nb: [x, ~, 1.5, yes, 0x1f, 017, 1_000, 12:30, '2']\nc:\n  d: |\n    text\n",
    "a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 2}\n",
    "- :a\n- b\n",
    "when: 2020-01-01\n",
    [],
    ["b", "a", "b"],
    ["a", 1, None, ["b", ["c"]], "a"],
    [1, 2, 3.5],
    [["a", 1], ["b", 2]],
    {},
    {"a": 1, "b": "x"},
    {"a": {"deep": [1]}, "nested": {"x": [1, {"y": 2}], "k": "v"}, "b": ["q"]},
]
RUBY = """
require 'json'
require 'yaml'
class Functions
%s
end
def plain(value)
  case value
  when String, Integer, nil, true, false then value
  when Float then value.finite? ? value : raise('not finite')
  when Array then value.map { |item| plain(item) }
  when Hash then { 'hash' => value.map { |key, item| [plain(key), plain(item)] } }
  else raise "a #{value.class}"
  end
end
values = JSON.parse($stdin.read)
found = (0...%d).map do |at|
  values.map do |value|
    copy = Marshal.load(Marshal.dump(value))
    result = plain(Functions.new.send("e#{at}", copy))
    copy == value ? { 'ok' => result } : { 'changed' => result }
  rescue StandardError, ScriptError => e
    { 'error' => e.class.name }
  end
end
puts JSON.generate(found)
"""


def methods_text() -> str:
    """A method for each expression."""
    return "\n".join(f"def e{at}(v)\n{text}\nend" for at, text in enumerate(EXPRESSIONS))


def shown(value: Any) -> Any:
    """A value as the Ruby program writes it: pairs in order."""
    if isinstance(value, list):
        return [shown(item) for item in value]
    if isinstance(value, dict):
        return {"hash": [[shown(key), shown(item)] for key, item in pairs(value)]}
    if value.__class__ in (str, int, float, bool, type(None)):
        return value
    raise NeedsRuby("a value that is not plain")


@needs_ruby
def test_what_runs_without_ruby_does_what_ruby_does() -> None:
    program = RUBY % (methods_text(), len(EXPRESSIONS))
    done = subprocess.run(
        ["ruby", "-W0", "-e", program],
        input=json.dumps(VALUES),
        capture_output=True,
        text=True,
        check=True,
    )
    expected = json.loads(done.stdout)
    text = f"Puppet::Functions.create_function(:'m::f') do\ndef f(v)\nv\nend\n{methods_text()}\nend"
    namespace: dict[str, Any] = {}
    exec(compile_function(text, "/f.rb", "m::f"), HELPERS, namespace)
    resolved = resolve(Request(code="", world=DictionaryWorld({})), lambda entry: None)
    compilation, _ = new_compilation(resolved, Manifests(resolved), {"facts": {}})
    wrong, alike = [], dict.fromkeys(EXPRESSIONS, 0)
    for at, expression in enumerate(EXPRESSIONS):
        for value, known in zip(VALUES, expected[at], strict=True):
            try:
                method = namespace["methods"][f"e{at}"]
                found = shown(run_acting(compilation, method, [value], []))
            except NeedsRuby:
                continue
            if known != {"ok": found}:
                wrong.append((expression, value, found, known))
            alike[expression] += 1
    assert wrong == []
    never = [expression for expression, count in alike.items() if count == 0]
    assert never == [
        "v.each_with_index.to_a",
        "begin; v.frobnicate; rescue NoMethodError; 'no method'; end",
    ]
