"""Custom facts of modules: in Python, in Ruby without Facter, and as external facts."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from textwrap import dedent

import pytest

from bunraku.cli.main import main
from bunraku.facts.collect import collect_facts
from bunraku.facts.custom import custom_facts, fact_files
from bunraku.world.machine import Machine

KNOWN = {"kernel": "Linux", "os": {"family": "Debian"}}
PYTHON = """
    import bunraku


    @bunraku.fact()
    def role(facts):
        print("not an answer")
        return facts["os"]["family"].lower()


    @bunraku.fact("rack", confine={"os.family": ["Debian", "RedHat"], "kernel": "Linux"})
    def compute(facts):
        return {1: [None]}


    @bunraku.fact(confine=lambda facts: "nix" in facts)
    def nix(facts):
        return 1


    @bunraku.fact(timeout=0.4)
    def hangs(facts):
        while True:
            pass


    @bunraku.fact()
    def fails(facts):
        return facts["absent"]


    @bunraku.fact()
    def last(facts):
        return "last"
"""
RUBY = """
    Facter.add(:rb_role) { confine kernel: 'Linux'; setcode { "on-#{Facter.value(:kernel)}" } }
    Facter.add(:rb_weight) { has_weight 10; setcode { 'heavy' } }
    Facter.add(:rb_weight) { setcode { 'light' } }
    Facter.add(:rb_none) { confine kernel: 'BeOS'; setcode { 1 } }
    Facter.add(:rb_sum, type: :aggregate) do
      chunk(:a) { { 'x' => 1 } }
      chunk(:b) { { 'y' => Facter::Core::Execution.execute('echo 2') } }
    end
    Facter.add(:rb_fails) { setcode { raise 'oops' } }
    Facter.add('rb_prints') { setcode { puts 'not an answer'; 'yes' } }
"""


needs_ruby = pytest.mark.skipif(not shutil.which("ruby"), reason="needs Ruby")
LIMIT_OPTION = "; catalogs are compiled without it; --fact-timeout raises the limit"
LIMIT_DECLARED = "; catalogs are compiled without it; the fact declares the limit"


@pytest.fixture
def module(tmp_path: Path):
    """Make a module with files of facts, and return its directory."""

    def make(**files: str) -> str:
        for name, text in files.items():
            folder = {"py": "lib/bunraku/facts", "rb": "lib/facter", "txt": "facts.d"}[name]
            path = tmp_path / "m" / folder / f"facts.{name}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text))
        return str(tmp_path / "m")

    return make


def facts_of(module: str) -> tuple[dict, list[str]]:
    """Return the custom facts of a module and the warnings."""
    found: list[str] = []
    machine = Machine()
    facts = custom_facts(
        machine, fact_files(machine, [module]), KNOWN, lambda one: found.append(one.message)
    )
    return facts, found


def test_facts_in_python(module) -> None:
    directory = module(py=PYTHON)
    path = f"{directory}/lib/bunraku/facts/facts.py"
    found, warnings = facts_of(directory)
    assert found == {"role": "debian", "rack": {"1": [None]}, "last": "last"}
    assert warnings == [
        f"{path}:21: the fact 'hangs' is left out: it used more than 0.4 seconds of processor time{LIMIT_DECLARED}",
        f"{path}:29: the fact 'fails' is left out: KeyError: 'absent'",
    ]


def test_a_python_file_that_cannot_be_run(module) -> None:
    found, warnings = facts_of(module(py="import nix_nix"))
    assert found == {}
    assert len(warnings) == 1
    assert "the file is left out: ModuleNotFoundError" in warnings[0]


def test_a_process_that_ends_drops_the_fact_alone(module) -> None:
    code = """
        import os

        import bunraku

        first = bunraku.fact("first")(lambda facts: os._exit(3))
        then = bunraku.fact("then")(lambda facts: 2)
    """
    found, warnings = facts_of(module(py=code))
    assert found == {"then": 2}
    assert [text.partition(": ")[2] for text in warnings] == [
        "the fact 'first' is left out: its process ended"
    ]


@needs_ruby
def test_facts_in_ruby(module) -> None:
    found, warnings = facts_of(module(rb=RUBY))
    assert found == {
        "rb_role": "on-Linux",
        "rb_weight": "heavy",
        "rb_sum": {"x": 1, "y": "2"},
        "rb_prints": "yes",
    }
    assert len(warnings) == 1
    assert warnings[0].endswith("facts.rb:10: the fact 'rb_fails' is left out: oops")


@needs_ruby
def test_a_hanging_fact_in_ruby_is_dropped_alone(module) -> None:
    code = "Facter.add(:slow) { setcode { `sleep 60` } }\nFacter.add(:quick) { setcode { 1 } }\n"
    warnings: list[str] = []
    machine = Machine()
    files = fact_files(machine, [module(rb=code)])
    found = custom_facts(
        machine, files, {}, lambda one: warnings.append(one.message), 0.1, least=1.0
    )
    assert found == {"quick": 1}
    assert len(warnings) == 1
    text = f"the fact 'slow' is left out: it did not end within 1 seconds{LIMIT_OPTION}"
    assert warnings[0].endswith(text)


@needs_ruby
@pytest.mark.parametrize("work", ["loop {}", "`sh -c 'while :; do :; done'`"])
def test_the_processor_time_of_a_fact_and_its_programs_is_limited(module, work: str) -> None:
    code = (
        f"Facter.add(:slow) {{ setcode {{ {work} }} }}\nFacter.add(:quick) {{ setcode {{ 1 }} }}\n"
    )
    warnings: list[str] = []
    machine = Machine()
    files = fact_files(machine, [module(rb=code)])
    found = custom_facts(machine, files, {}, lambda one: warnings.append(one.message), 0.6)
    assert found == {"quick": 1}
    (warning,) = warnings
    text = f"'slow' is left out: it used more than 0.6 seconds of processor time{LIMIT_OPTION}"
    assert warning.endswith(text)


def test_without_ruby_one_warning_names_the_facts(module, monkeypatch) -> None:
    monkeypatch.setenv("BUNRAKU_RUBY", "/nix/ruby")
    found, warnings = facts_of(module(rb=RUBY))
    assert found == {}
    text = (
        "Cannot run Ruby ('/nix/ruby': No such file or directory), so catalogs lack these custom facts: "
        "rb_role, rb_weight, rb_none, rb_sum, rb_fails, rb_prints; install the package 'ruby', or name "
        "the program in BUNRAKU_RUBY"
    )
    assert warnings == [text]


def test_a_ruby_that_fails_is_reported(module, tmp_path: Path, monkeypatch, capfd) -> None:
    (tmp_path / "ruby").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "ruby").chmod(0o755)
    monkeypatch.setenv("BUNRAKU_RUBY", f"{tmp_path}/ruby")
    module(rb="Facter.add(:rb_role) { setcode { 'web' } }")
    words = ["apply", "--no-project", "--modulepath", str(tmp_path), "--vardir", f"{tmp_path}/var"]
    assert main([*words, "-e", "notify { \"role=${facts['rb_role']}\": }"]) == 0
    out, err = capfd.readouterr()
    assert "Notice: role=\n" in out
    assert err.startswith(
        f"Warning: Cannot run Ruby ('{tmp_path}/ruby': it ended before it was ready)"
    )
    assert err.count("Warning") == 1


@needs_ruby
def test_facter_need_not_be_installed(module, tmp_path: Path, monkeypatch) -> None:
    for name in ("facter", "puppet"):
        (tmp_path / f"{name}.rb").write_text(
            f"raise LoadError, 'cannot load such file -- {name}'\n"
        )
    monkeypatch.setenv("RUBYLIB", str(tmp_path))
    code = "require 'facter'\nFacter.add(:rb_role) { setcode { Facter.version } }"
    assert facts_of(module(rb=code)) == ({"rb_role": "4.3.0"}, [])


@pytest.mark.parametrize("timeout", ["0", "60s"])
def test_the_time_limit_of_facts(module, tmp_path: Path, capfd, timeout: str) -> None:
    module(
        py="""
        import time

        import bunraku


        def work(seconds):
            end = time.process_time() + seconds
            while time.process_time() < end:
                pass
            return "slow"


        @bunraku.fact()
        def slow(facts):
            return work(1.2)


        @bunraku.fact(timeout=0.4)
        def strict(facts):
            return work(99)
        """
    )
    words = ["facts", "--no-project", "--modulepath", str(tmp_path)]
    assert main([*words, "--fact-timeout", timeout]) == 0
    out, err = capfd.readouterr()
    assert json.loads(out)["slow"] == "slow"
    text = "is left out: it used more than 0.4 seconds of processor time"
    assert f"the fact 'strict' {text}{LIMIT_DECLARED}" in err
    assert main([*words, "--fact-timeout", "0.4"]) == 0
    out, err = capfd.readouterr()
    assert "slow" not in json.loads(out)
    assert f"the fact 'slow' {text}{LIMIT_OPTION}" in err


@needs_ruby
def test_facts_in_ruby_declare_their_time_limit(module) -> None:
    code = "Facter.add(:slow, timeout: 30) { setcode { sleep 0.7; 1 } }\n"
    machine = Machine()
    files = fact_files(machine, [module(rb=code)])
    assert custom_facts(machine, files, {}, print, 0.4) == {"slow": 1}


def test_the_order_of_precedence(module, monkeypatch) -> None:
    code = "import bunraku\n" + "".join(
        f"{name} = bunraku.fact({name!r})(lambda facts: 'custom')\n"
        for name in ("kernel", "external", "variable")
    )
    directory = module(py=code, txt="external=file\nvariable=file\n")
    monkeypatch.setenv("FACTER_variable", "variable")
    found = collect_facts(Machine(), print, [], modules=[directory])
    assert [found[name] for name in ("kernel", "external", "variable")] == [
        "custom", "file", "variable",
    ]  # fmt: skip


def test_commands_have_custom_facts(module, tmp_path: Path, capfd) -> None:
    module(py="import bunraku\nrole = bunraku.fact('role')(lambda facts: 'web')\n")
    assert main(["facts", "role", "--no-project", "--modulepath", str(tmp_path)]) == 0
    assert json.loads(capfd.readouterr().out) == {"role": "web"}
    words = ["apply", "--no-project", "--modulepath", str(tmp_path), "--vardir", f"{tmp_path}/var"]
    assert main([*words, "-e", "notify { $facts['role']: }"]) == 0
    assert "Notice: web\n" in capfd.readouterr().out
