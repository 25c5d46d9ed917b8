"""Custom facts in Ruby, compared with Facter 4: values, and which file and fact each message names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support import facter

from bunraku.cli.main import main
from bunraku.facts.collect import MachineFacts, collect_facts
from bunraku.facts.custom import PuppetForFacts, custom_facts, fact_files
from bunraku.facts.external import external_facts
from bunraku.world.machine import Machine

pytestmark = pytest.mark.skipif(not facter.has_facter(), reason="needs Ruby with Facter 4")

VALUES: list[dict[str, str]] = [
    {"a": "Facter.add(:a) { setcode { 1 } }\nFacter.add('B') { setcode { 2 } }"},
    {"other": "Facter.add(:a) { setcode { 1 } }", "z": "Facter.add(:z) { setcode { Facter.value(:a) } }"},
    {"a": "require 'facter/b'\nFacter.add(:a) { setcode { Facter.value(:b) } }", "b": "Facter.add(:b) { setcode { 2 } }"},
    {"a": "x = Facter.value(:b)\nFacter.add(:a) { setcode { x } }", "b": "Facter.add(:b) { setcode { 'b' } }"},
    {"a": "x = Facter.value(:b)\nFacter.add(:a) { setcode { x.inspect } }", "c": "Facter.add(:b) { setcode { 'b' } }"},
    {"a": "Facter.add(:a) { has_weight 5; setcode { 'five' } }\nFacter.add(:a) { has_weight 7; setcode { nil } }"},
    {"a": "Facter.add(:a) { has_weight 5; setcode { 'five' } }\nFacter.add(:a) { has_weight 7; setcode { raise 'x' } }"},
    {"a": "Facter.add(:kernel) { setcode { 'mine' } }"},
    {"a": "Facter.add(:kernel) { has_weight 1; setcode { 'mine' } }"},
    {"a": "Facter.add(:a) { has_weight 10_001; setcode { 'custom' } }\nFacter.add(:b) { setcode { 'custom' } }",
     "d": "Facter.add(:d) { confine c: 'ext'; setcode { Facter.value(:c) } }", "x.txt": "a=ext\nb=ext\nc=ext"},
    {"a": "Facter.add(:a, type: :aggregate) { chunk(:x) { { 'a' => 1 } }; chunk(:y, require: :x) { |x| { 'b' => x } } }"},
    {"a": "Facter.add(:a, type: :aggregate) { chunk(:x) { 1 }; chunk(:y) { 2 } }"},
    {"a": "Facter.add(:a, type: :aggregate) { chunk(:x, require: :y) { 1 }; chunk(:y, require: :x) { 2 } }"},
    {"a": "Facter.add(:a) { setcode { { x: [:y, 1.5, nil, true], 1 => 2 } } }"},
    {"a": "Facter.add(:a) { setcode { Time.at(0).utc } }\nFacter.add(:b) { setcode { Object.new } }"},
    {"a": "Facter.add(:a) { setcode { \"caf\\xe9\" } }\nFacter.add(:b) { setcode { \"caf\\xe9\".force_encoding('ISO-8859-1') } }"},
    {"a": "Facter.add(:a) { setcode { nil } }\nFacter.add(:b) { setcode { false } }\nFacter.add(:c) { setcode { '' } }"},
    {"a": "Facter.add(:a) { setcode 'echo hi' }\nFacter.add(:b) { setcode 'nosuchcmd' }\nFacter.add(:c) { setcode 'echo x; exit 3' }"},
    {"a": "Facter.add(:a) { setcode { 1 } }\nraise 'x'\nFacter.add(:c) { setcode { 3 } }", "b": "Facter.add(:b) { setcode { 2 } }"},
    {"a": "def oops(", "b": "Facter.add(:b) { confine(:os) { |os| os['name'] }; setcode { 2 } }"},
    {"a": "Facter.add(:a) { raise 'in block' }\nFacter.add(:b) { setcode { 1 } }", "c": "Facter.add(:c) { setcode { 1 } }"},
    {"a": "Facter.add(:a, bogus: 1) { setcode { 1 } }", "b": "Facter.add(:b, type: :bogus) { setcode { 1 } }"},
    {"a": "Facter.add(:a) { confine { raise 'x' }; setcode { 1 } }\nFacter.add(:b) { confine kernel: [:linux]; setcode { 2 } }"},
    {"a": "Facter.define_fact(:a) { define_resolution('one') { setcode { 1 } } }"},
    {"a": '[1, 2].each { |i| Facter.add("n_#{i}") { setcode { i } } }'},
    {"a": "Facter.add(:a) { setcode { Facter.add(:late) { setcode { 1 } }; 1 } }"},
    {"a": "Facter.add(:a) { setcode { Facter.value('os.family') + Facter.fact(:kernel).value + Facter.value(:osfamily) } }"},
    {"a": "Facter.add(:a) { setcode { return 3 } }\nFacter.add(:b) { setcode { next 3 } }\nFacter.add(:c) { setcode { throw :x } }"},
    {"a": "Facter.add(:a) { confine kernel: 'linux'; setcode { 1 } }\nFacter.add(:b) { confine kernel: :LINUX; setcode { 1 } }\n"
          "Facter.add(:c) { confine kernel: /^Lin/; setcode { 1 } }\nFacter.add(:d) { confine kernel: %w[BeOS Linux]; setcode { 1 } }"},
    {"n": "Facter.add(:n) { setcode { 5 } }", "z": "Facter.add(:z) { confine n: 1..9; setcode { 1 } }\n"
          "Facter.add(:y) { confine n: 7..9; setcode { 1 } }\nFacter.add(:x) { confine n: '5'; setcode { 1 } }"},
    {"t": "Facter.add(:t) { setcode { true } }\nFacter.add(:f) { setcode { false } }",
     "z": "Facter.add(:z) { confine t: true; setcode { 1 } }\nFacter.add(:y) { confine f: false; setcode { 1 } }\n"
          "Facter.add(:x) { confine t: 'true'; setcode { 1 } }\nFacter.add(:w) { confine nix: false; setcode { 1 } }"},
    {"a": "Facter.add(:a) { confine('os.family') { |f| f == 'debian' }; setcode { 1 } }\n"
          "Facter.add(:b) { confine(:os) { |o| o['family'] == 'Debian' }; setcode { 1 } }\n"
          "Facter.add(:c) { confine { nil }; setcode { 1 } }\nFacter.add(:d) { confine(:kernel) { |k| raise 'x' }; setcode { 1 } }"},
    {"a": "Facter.add(:a) { confine kernel: 'Linux', osfamily: 'Debian'; setcode { 'two' } }\n"
          "Facter.add(:a) { confine kernel: 'Linux'; setcode { 'one' } }\nFacter.add(:a) { setcode { 'none' } }"},
    {"a": "Facter.add(:a, weight: 3) { setcode { 'three' } }\nFacter.add(:a) { has_weight 2; setcode { 'two' } }\n"
          "Facter.add(:b, value: 7)\nFacter.add(:c, value: nil) { setcode { 1 } }\nFacter.add(:d, name: 'x') { setcode { name } }"},
    {"a": "Facter.add(:a) { setcode { 'first' } }\nFacter.add(:a) { setcode { 'second' } }"},
    {"a": "Facter.add('Some.Dotted') { setcode { { b: 1 } } }\nFacter.add(:z) { setcode { Facter.value('some.dotted').inspect } }\n"
          "Facter.add(:y) { setcode { Facter.value('some.dotted.b').inspect } }\nFacter.add(:x) { setcode { Facter.value('some').inspect } }"},
    {"a": "Facter.add(:list) { setcode { [{ 'k' => 'v' }, 2] } }\nFacter.add(:z) { setcode { Facter.value('list.0.k').inspect + "
          "Facter.value('list.1').inspect + Facter.value('list.9').inspect + Facter.value('list.x').inspect } }"},
    {"a": "Facter.add(:a) { setcode { Facter.value('os.release.major') + Facter['os']['name'] } }\n"
          "Facter.add(:b) { setcode { Facter.fact(:nix).inspect + Facter[:nix].inspect } }\n"
          "Facter.add(:c) { setcode { Facter.fact('kernel').name + Facter[:kernel].value } }"},
    {"a": "Facter.add(:a) { setcode { Facter.value(:kernel).class.to_s + Facter.value('processors.count').class.to_s } }\n"
          "Facter.add(:b) { setcode { Facter.value(:rubyversion) + Facter.value('ruby.version') } }\n"
          "Facter.add(:c) { setcode { Facter.value('networking.interfaces').keys.include?('lo') } }\n"
          "Facter.add(:d) { setcode { Facter.value(:processor0) } }\nFacter.add(:e) { setcode { Facter.value(:interfaces) } }"},
    {"a": "Facter.add(:a) { setcode { Facter.to_hash['kernel'] + Facter.to_hash['os']['family'] } }\n"
          "Facter.add(:b) { setcode { Facter.list.include?('os') } }"},
    {"a": "x = []\nFacter.each { |n, v| x << n }\nFacter.add(:a) { setcode { x.include?('kernel') } }"},
    {"a": "Facter.add(:a) { setcode { Facter.version } }\nFacter.add(:b) { setcode { Facter::VERSION } }\n"
          "Facter.add(:c) { setcode { Facter.debugging? ? 1 : 2 } }\nFacter.add(:d) { setcode { Facter.trace? ? 1 : 2 } }"},
    {"a": "Facter.add(:a) { setcode { Facter.nosuch(1).inspect } }"},
    {"a": "Facter.add(:a) { setcode { Facter.collection.inspect } }"},
    {"a": "Facter.add(:a) { setcode { Facter::Core::Execution.execute('echo $LANG$LC_ALL') } }\n"
          "Facter.add(:b) { setcode { Facter::Core::Execution.exec('nosuch').inspect } }\n"
          "Facter.add(:c) { setcode { Facter::Core::Execution.execute('nosuch', on_fail: 'no') } }\n"
          "Facter.add(:d) { setcode { Facter::Core::Execution.execute('nosuch') } }"},
    {"a": "Facter.add(:a) { setcode { Facter::Core::Execution.execute('echo a; echo b >&2; exit 2') + $?.exitstatus.to_s } }\n"
          "Facter.add(:b) { setcode { Facter::Core::Execution.execute('sleep 60', timeout: 1, on_fail: 'late') } }\n"
          "Facter.add(:c) { setcode { Facter::Core::Execution.execute('cd / && pwd', expand: false) } }\n"
          "Facter.add(:d) { setcode { Facter::Core::Execution.execute('cd / && pwd', on_fail: 'no') } }"},
    {"a": "Facter.add(:a) { setcode { Facter::Core::Execution.which('sh').inspect + Facter::Util::Resolution.which('nosuch').inspect } }\n"
          "Facter.add(:b) { setcode { Facter::Util::Resolution.exec('echo  x ') } }\n"
          "Facter.add(:c) { setcode { Facter::Util::Resolution.with_env('ZZ' => '1') { `echo $ZZ`.chomp } } }\n"
          "Facter.add(:d) { setcode { Facter::Core::Execution.absolute_path?('/x').inspect } }"},
    {"a": "Facter.add(:a) { setcode { Facter::Util::Resolution.execute('echo 1') } }"},
    {"a": "Facter.add(:a) { setcode { Facter::Core::Execution.expand_command('sh -c \"x y\"').inspect } }\n"
          "Facter.add(:b) { setcode { Facter::Core::Execution.expand_command(\"'sh' x\").inspect } }\n"
          "Facter.add(:c) { setcode { Facter::Core::Execution.expand_command('\"nosuch\" x').inspect } }"},
    {"a": "Facter.add(:a) { setcode { Facter::Core::Execution.execute_command('echo 1; echo 2 >&2').inspect } }\n"
          "Facter.add(:b) { setcode { Facter::Core::Execution.execute(\"printf 'caf\\\\351'\") } }"},
    {"a": "Facter.add(:a) { setcode 'exit 1' }\nFacter.add(:b) { setcode 'true' }\nFacter.add(:c) { setcode \"printf 'a\\nb\\n'\" }\n"
          "Facter.add(:d) { setcode 'FOO=1 env' }\nFacter.add(:e) { setcode '/bin/echo x' }\nFacter.add(:f) { setcode '\"/bin/echo\" x y' }"},
    {"a": "Facter.add(:a, type: :aggregate) { chunk(:x) { { 'l' => [1], 'h' => { 'p' => 1 } } }; chunk(:y) { { 'l' => [2], 'h' => { 'q' => 2 } } } }"},
    {"a": "Facter.add(:a, type: :aggregate) { chunk(:x) { [1] }; chunk(:y) { nil }; chunk(:z) { [2] } }"},
    {"a": "Facter.add(:a, type: :aggregate) { chunk(:x) { { 'k' => 1 } }; chunk(:y) { { 'k' => 2 } } }"},
    {"a": "Facter.add(:a, type: :aggregate) { chunk(:x) { 1 }; chunk(:y) { 2 }; aggregate { |c| c.values.inject(:+) } }"},
    {"a": "Facter.add(:a, type: :aggregate) { chunk(:z, require: [:x, :y]) { |x, y| [x, y] }; chunk(:x) { [1] }; chunk(:y) { [2] }; "
          "aggregate { |c| c[:z] } }"},
    {"a": "Facter.add(:a, type: :aggregate) { chunk(:x, require: :none) { 1 } }"},
    {"a": "Facter.add(:a, type: :aggregate) { chunk('x') { 1 } }\nFacter.add(:b) { setcode { 1 } }"},
    {"a": "Facter.add(:a, type: :aggregate) { chunk(:x) { raise 'y' }; chunk(:y) { [1] } }\nFacter.add(:a) { setcode { 'simple' } }"},
    {"a": "Facter.add(:a, type: :aggregate) { chunk(:x) { 'text'.freeze }; aggregate { |c| c[:x] << 'y' } }"},
    {"a": "require 'set'\nFacter.add(:a) { setcode { Set[1] } }\nFacter.add(:b) { setcode { :sym } }\nFacter.add(:c) { setcode { 1r } }\n"
          "Facter.add(:d) { setcode { Date.new(2020, 1, 2) } }\nFacter.add(:e) { setcode { 10**30 } }\nFacter.add(:f) { setcode { Struct.new(:a).new(1) } }"},
    {"a": "Facter.add(:a) { setcode { { nil => 1, 2 => :x, 'k' => { s: [Time.at(5).utc] } } } }\n"
          "Facter.add(:b) { setcode { Facter.value(:a).inspect } }"},
    {"a": "Facter.add(:a) { on_flush { $flushed = 1 }; setcode { ($count = ($count || 0) + 1) } }\n"
          "Facter.add(:b) { setcode { Facter.value(:a); Facter.flush; $flushed } }"},
    {"a": "Facter.define_fact(:a) { define_resolution(:one) { has_weight 1; setcode { 1 } }; define_resolution(:two) { has_weight 2; setcode { 2 } } }",
     "b": "Facter.define_fact(:a) { define_resolution(:one) { has_weight 5 } }"},
    {"a": "Facter.define_fact(:a) { define_resolution('x', type: :aggregate) { chunk(:q) { { 'q' => 1 } } } }"},
    {"a": "Facter.define_fact(:a) { define_resolution('x') { setcode { 1 } }; define_resolution('x', type: :aggregate) { } }\n"
          "Facter.add(:b) { setcode { 1 } }"},
    {"a": "Facter.add(:a) { setcode { Facter.value(:a) } }"},
    {"a": "Facter.add(:a) { setcode { Facter.value(:b) } }\nFacter.add(:b) { setcode { Facter.value(:a) } }"},
    {"a": "Facter.add(:osfamily) { setcode { 'custom' } }\nFacter.add(:b) { setcode { Facter.value(:osfamily) } }"},
    {"a": "Facter.add(:osfamily) { has_weight 10; setcode { 'custom' } }\nFacter.add(:b) { setcode { Facter.value(:osfamily) + Facter.value('os.family') } }"},
    {"a": "Facter.add('os') { has_weight 9; setcode { { 'family' => 'mine' } } }\n"
          "Facter.add(:b) { setcode { Facter.value('os.family').inspect + Facter.value('os.name').inspect } }"},
    {"a": "Facter.add(:a) { setcode { Facter.value(:ext).inspect + Facter.value('ext.k').inspect } }", "ext.json": '{"ext": {"k": [1]}}'},
    {"a": "Facter.add(:a) { setcode { 1 } }\nFacter.add(:a) { has_weight 20_000; setcode { 2 } }", "a.txt": "a=ext"},
    {"a": "Facter.add(:a) { setcode { Facter.value(:late).inspect } }\nFacter.add(:late) { setcode { 1 } }"},
    {"a": "Facter.add(:a) { setcode { Facter.value(:b).inspect } }", "zz": "Facter.add(:b) { setcode { 'zz' } }"},
    {"a": "Facter.add(:a) do\n def self.help() 'h' end\n setcode { help }\nend\ndef top() 't' end\nFacter.add(:b) { setcode { top } }"},
    {"a": "module Facter::Util::Mine\n def self.x() 1 end\nend\nFacter.add(:a) { setcode { Facter::Util::Mine.x } }"},
    {"a": "Facter.add(:a) { setcode { Facter.log_exception(StandardError.new('x'), 'said'); 1 } }\nFacter.add(:b) { setcode { Facter.warnonce('w'); Facter.debug('d'); 2 } }"},
    {"a": "Facter.add(:a) { setcode { Facter::Util::FileHelper.safe_read('/nonexistent', 'd') } }"},
    {"a": "Facter.add(:a) { setcode { Facter.search('/nix'); Facter.search_path.include?('/nix').inspect } }"},
    {"a": "Facter.add(:a) { setcode { raise Facter::Core::Execution::ExecutionFailure, 'x' } }\nFacter.add(:b) { setcode { Facter::ResolveCustomFactError.ancestors.include?(StandardError) } }"},
    {"a": "class Settings; def method_missing(name, *) name.to_s; end; end\nFacter.add(:a) { setcode { Settings.new.require } }"},
    {"a": "Facter.add(:a) { setcode }\nFacter.add(:b) { setcode { 1 } }"},
    {"a": "Facter.add(:a) { confine kernel: nil; setcode { 1 } }\nFacter.add(:b) { setcode { 1 } }"},
    {"a": "Facter.add(:a, timeout: 5) { setcode { timeout.to_s + limit.to_s } }\nFacter.add(:b) { self.timeout = 3; setcode { limit } }"},
    {"a": "f = Facter.add(:a) { setcode { 1 } }\nFacter.add(:b) { setcode { f.inspect } }"},
    {"a": "Facter.add(:A_Upper) { setcode { 1 } }\nFacter.add(:b) { setcode { Facter.value('A_UPPER') } }"},
]  # fmt: skip


def write_module(path: Path, files: dict[str, str]) -> Path:
    """Write files of facts to a module: external ones with an ending, others in Ruby."""
    for name, text in files.items():
        place = f"facts.d/{name}" if "." in name else f"lib/facter/{name}.rb"
        (path / place).parent.mkdir(parents=True, exist_ok=True)
        (path / place).write_text(text)
    return path


def ours(module: Path, **more) -> facter.Facts:
    """Return the facts of this machine with those of a module."""
    messages: list[str] = []
    found = collect_facts(
        Machine(), lambda one: messages.append(one.message), (), modules=[str(module)], **more
    )
    return facter.Facts(found, messages)


def test_values_are_those_of_facter(tmp_path: Path) -> None:
    modules = [write_module(tmp_path / str(number), files) for number, files in enumerate(VALUES)]
    theirs = facter.custom_facts([str(module) for module in modules])
    machine = Machine()
    known = MachineFacts(machine, print, ()).own_facts(None)
    for files, module, real in zip(VALUES, modules, theirs, strict=True):
        messages: list[str] = []
        warn = lambda one, told=messages: told.append(one.message)
        external = external_facts(machine, [f"{module}/facts.d"], warn)
        custom = fact_files(machine, [str(module)])
        found = {**external, **custom_facts(machine, custom, known, warn, external=external)}
        assert real is not None, files
        assert found == real.values, files
        assert bool(real.messages) == bool(messages), files


MESSAGES: list[tuple[dict[str, str], list[str]]] = [
    ({"a": "\ndef oops("}, ["a.rb:2: the file is left out: SyntaxError: syntax error, unexpected end-of-input"]),
    ({"a": "Facter.add(:a) { setcode { 1 } }\nraise 'oops'"}, ["a.rb:2: the file is left out: RuntimeError: oops"]),
    ({"a": "require 'nosuch'"}, ["a.rb:1: the file is left out: LoadError: cannot load such file -- nosuch"]),
    ({"a": "exit"}, ["a.rb:1: the file is left out: SystemExit: exit"]),
    ({"a": "exit!"}, ["a.rb: the file is left out: its process ended"]),
    ({"x": "Facter.add(:a) do\n setcode do\n raise 'oops'\n end\nend"}, ["x.rb:3: the fact 'a' is left out: oops"]),
    ({"a": "Facter.add(:a) { setcode { Facter.value(:b) } }", "b": "Facter.add(:b) { setcode { raise 'oops' } }"},
     ["b.rb:1: the fact 'b' is left out: oops"]),
    ({"a": "def deep(n) deep(n + 1) + 1; end\nFacter.add(:a) { setcode { deep(1) } }"},
     ["a.rb:1: the fact 'a' is left out: SystemStackError: stack level too deep"]),
    ({"a": "Facter.add(:a) { setcode { raise NotImplementedError, 'x' } }"},
     ["a.rb:1: the fact 'a' is left out: NotImplementedError: x"]),
    ({"a": "Facter.add(:a) { setcode { exit } }\nFacter.add(:b) { setcode { 1 } }"},
     ["a.rb:1: the fact 'a' is left out: SystemExit: exit"]),
    ({"a": "Facter.add(:a) { setcode { exit! } }\nFacter.add(:b) { setcode { 1 } }"},
     ["a.rb:1: the fact 'a' is left out: its process ended"]),
    ({"a": "Facter.add(:a, timeout: 0.2) { setcode { sleep 5 } }"},
     ["a.rb:1: the fact 'a' is left out: Timed out after 0.2 seconds"]),
    ({"a": "Facter.add(:a) { setcode { Facter.value(:b); 1 } }", "b": "Facter.add(:b) { setcode { exit! } }"},
     ["b.rb:1: the fact 'b' is left out: its process ended"]),
    ({"a": "Facter.add(:a) { setcode { Facter.warn('careful'); 1 } }"}, ["a.rb:1: the fact 'a': careful"]),
    ({"a": "Facter.add(:a) do\n setcode do\n Facter.warn('careful')\n raise 'oops'\n end\nend"},
     ["a.rb:3: the fact 'a': careful", "a.rb:4: the fact 'a' is left out: oops"]),
    ({"a": "\nFacter.add(:a) { setcode { Facter.value(:b).inspect } }", "b": "\n\nFacter.add(:b) { setcode { 1r } }"},
     ["b.rb:3: the fact 'b' is left out: Fact resolution"]),
    ({"a": "Facter.warn('careful')"}, ["a.rb:1: the file: careful"]),
    ({"a": "Facter.add(:a) { setcode { Object.new } }"}, ["a.rb:1: the fact 'a' is left out: Fact resolution"]),
    ({"a": "Facter.add(:a) { setcode { Float::NAN } }"}, ["a.rb:1: the fact 'a' is left out: JSON::GeneratorError"]),
    ({"a": 'Facter.add(:a) { setcode { raise "caf\\xe9" } }'}, ["a.rb:1: the fact 'a' is left out: caf\ufffd"]),
    ({"a": "Facter.add(:a) { raise 'in block' }"}, ["a.rb:1: the file is left out: RuntimeError: in block"]),
    ({"a": "Facter.add(:a) { setcode { 1 } }\nFacter.add(:a) { has_weight 2; setcode { sleep 9 }; self.timeout = 0.2 }"},
     ["a.rb:1: the fact 'a': Timed out after 0.2 seconds"]),
]  # fmt: skip


@pytest.mark.parametrize(("files", "texts"), MESSAGES)
def test_a_message_names_its_file_and_fact(tmp_path: Path, files, texts) -> None:
    module = write_module(tmp_path / "m", {**files, "last": "Facter.add(:last) { setcode { 1 } }"})
    found = ours(module)
    prefixes = [f"{module}/lib/facter/{text}" for text in texts]
    assert [
        message[: len(prefix)] for message, prefix in zip(found.messages, prefixes, strict=True)
    ] == prefixes
    assert found.values["last"] == 1


def test_a_module_behind_a_symbolic_link_keeps_its_lines(tmp_path: Path) -> None:
    code = (
        "\nFacter.add(:a) { setcode { raise 'oops' } }\nFacter.add(:b) { setcode { Object.new } }"
    )
    write_module(tmp_path / "real", {"a": code})
    (tmp_path / "link").symlink_to("real")
    assert [one.partition("/a.rb:")[2][:20] for one in ours(tmp_path / "link").messages] == [
        "2: the fact 'a' is l",
        "3: the fact 'b' is l",
    ]


def test_a_fact_that_is_left_out_is_not_unknown(tmp_path: Path, capfd) -> None:
    write_module(tmp_path / "m", {"a": "Facter.add(:a) { setcode { raise 'oops' } }"})
    words = ["facts", "--no-project", "--modulepath", str(tmp_path)]
    assert main([*words, "a.b"]) == 1
    assert "error: the fact 'a.b' is left out" in capfd.readouterr().err
    assert main([*words, "nix"]) == 0
    assert "error: unknown fact 'nix'" in capfd.readouterr().err


def test_a_fact_that_takes_too_long_has_no_value_for_others(tmp_path: Path) -> None:
    files = {
        "a": "Facter.add(:a) { setcode { Facter.value(:b).inspect } }",
        "b": "Facter.add(:b) { setcode { loop {} } }",
    }
    found = ours(write_module(tmp_path / "m", files), patience=0.4)
    assert found.values["a"] == "nil"
    reason = "it used more than 0.4 seconds of processor time; catalogs are compiled without it"
    (message,) = found.messages
    assert message.startswith(f"{tmp_path}/m/lib/facter/b.rb:1: the fact 'b' is left out: {reason}")


def test_only_named_facts_are_computed(tmp_path: Path) -> None:
    files = {
        "a": "Facter.add(:a) { setcode { raise 'not asked' } }\nFacter.add(:b) { setcode { { 'c' => 1 } } }"
    }
    found = ours(write_module(tmp_path / "m", files), names=["b.c"])
    assert found.values["b"] == {"c": 1}
    assert found.messages == []


def test_the_variable_facterlib_lists_directories(tmp_path: Path, monkeypatch, capfd) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.rb").write_text(f"Facter.add(:{name}) {{ setcode {{ 1 }} }}\n")
    monkeypatch.setenv("FACTERLIB", f"{tmp_path}/one:{tmp_path}/two:{tmp_path}/absent:")
    assert main(["facts", "--no-project", "one", "two"]) == 0
    assert json.loads(capfd.readouterr().out) == {"one": 1, "two": 1}


def test_the_directory_of_an_option_has_facts(tmp_path: Path, capfd) -> None:
    (tmp_path / "one.rb").write_text("Facter.add(:one) { setcode { 1 } }\n")
    assert main(["puppet", "facts", "show", "--custom-dir", str(tmp_path), "one"]) == 0
    assert json.loads(capfd.readouterr().out) == {"one": 1}


def test_facts_can_read_puppet_and_its_settings(tmp_path: Path) -> None:
    code = """
        require 'puppet/type'
        require 'puppet/type/package'
        Facter.add(:a) { setcode { Puppet[:environmentpath].start_with?('/') } }
        Facter.add(:b) { setcode { Facter.value(:puppetversion) } }
        Facter.add(:c) { setcode { Puppet::Type.type(:package).name.to_s } }
    """
    found = ours(
        write_module(tmp_path / "m", {"a": code}), puppet=PuppetForFacts({"puppetversion": "8.1.2"})
    )
    assert [found.values.get(name) for name in "abc"] == [True, "8.1.2", "package"]
    assert found.messages == []
