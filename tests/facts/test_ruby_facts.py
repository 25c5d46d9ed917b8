"""Custom facts in Ruby, compared with Facter 4: values, and which file and fact each message names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support import facter

from bunraku.cli.main import main
from bunraku.facts.collect import collect_facts
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
    known = set(collect_facts(Machine(), print, ())) - {"kernel"}
    for files, module, real in zip(VALUES, modules, theirs, strict=True):
        found = ours(module)
        names = set(found.values) - known
        assert real is not None, files
        expected = {"kernel": found.values["kernel"], **real.values}
        assert {name: found.values[name] for name in names} == expected, files
        assert bool(real.messages) == bool(found.messages), files


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
     ["a.rb: the fact 'a' is left out: its process ended"]),
    ({"a": "Facter.add(:a, timeout: 0.2) { setcode { sleep 5 } }"},
     ["a.rb: the fact 'a' is left out: Timed out after 0.2 seconds"]),
    ({"a": "Facter.add(:a) { setcode { Facter.value(:b); 1 } }", "b": "Facter.add(:b) { setcode { exit! } }"},
     ["b.rb: the fact 'b' is left out: its process ended"]),
    ({"a": "Facter.add(:a) { setcode { Facter.warn('careful'); 1 } }"}, ["a.rb: the fact 'a': careful"]),
    ({"a": "Facter.warn('careful')"}, ["a.rb: the file: careful"]),
    ({"a": "Facter.add(:a) { setcode { Object.new } }"}, ["a.rb: the fact 'a' is left out: Fact resolution"]),
    ({"a": "Facter.add(:a) { setcode { Float::NAN } }"}, ["a.rb: the fact 'a' is left out: JSON::GeneratorError"]),
    ({"a": 'Facter.add(:a) { setcode { raise "caf\\xe9" } }'}, ["a.rb:1: the fact 'a' is left out: caf\ufffd"]),
    ({"a": "Facter.add(:a) { raise 'in block' }"}, ["a.rb:1: the file is left out: RuntimeError: in block"]),
    ({"a": "Facter.add(:a) { setcode { 1 } }\nFacter.add(:a) { has_weight 2; setcode { sleep 9 }; self.timeout = 0.2 }"},
     ["a.rb: the fact 'a': Timed out after 0.2 seconds"]),
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


def test_a_fact_that_takes_too_long_has_no_value_for_others(tmp_path: Path) -> None:
    files = {
        "a": "Facter.add(:a) { setcode { Facter.value(:b).inspect } }",
        "b": "Facter.add(:b) { setcode { sleep 60 } }",
    }
    found = ours(write_module(tmp_path / "m", files), patience=0.2)
    assert found.values["a"] == "nil"
    reason = (
        "it did not end within 2 seconds; catalogs are compiled without it; --fact-timeout raises"
    )
    (message,) = found.messages
    assert message.startswith(f"{tmp_path}/m/lib/facter/b.rb: the fact 'b' is left out: {reason}")


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


def test_facts_can_read_puppet_and_its_settings(tmp_path: Path) -> None:
    code = """
        require 'puppet/type'
        require 'puppet/type/package'
        Facter.add(:a) { setcode { Puppet[:environmentpath].start_with?('/') } }
        Facter.add(:b) { setcode { Facter.value(:puppetversion) } }
        Facter.add(:c) { setcode { Puppet::Type.type(:package).name.to_s } }
    """
    found = ours(write_module(tmp_path / "m", {"a": code}), own={"puppetversion": "8.1.2"})
    assert [found.values.get(name) for name in "abc"] == [True, "8.1.2", "package"]
    assert found.messages == []
