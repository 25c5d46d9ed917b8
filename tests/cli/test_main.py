"""The command as a whole: help, version, speed of start, and that no traceback gets out."""

from __future__ import annotations

import gc
import json
import os
import re
import signal
import subprocess
import sys
from importlib import metadata
from shutil import which
from types import SimpleNamespace

import pytest

from bunraku.base.command_names import COMMANDS, GROUPS
from bunraku.cli import exits
from bunraku.cli.command_modules import command_module
from bunraku.cli.main import main
from bunraku.cli.options.parser import parser_of
from support.signals import heed_signals

COMMAND = [sys.executable, "-m", "bunraku"]


def test_version_is_the_packages(capfd):
    assert main(["--version"]) == exits.OK
    assert capfd.readouterr().out == f"bunraku {metadata.version('bunraku')}\n"


def test_help_names_every_command_and_the_exit_codes(capfd):
    assert main(["--help"]) == exits.OK
    text = capfd.readouterr().out
    assert all(f"  {name} " in text for name in COMMANDS)
    assert "exit codes:" in text


def test_every_command_is_in_one_group_of_the_help(capfd):
    assert sorted(name for names in GROUPS.values() for name in names.split()) == sorted(COMMANDS)
    assert main(["--help"]) == exits.OK
    text = capfd.readouterr().out
    assert all(f"\n{job}:\n  {names.split()[0]} " in text for job, names in GROUPS.items())


@pytest.mark.parametrize("name", COMMANDS)
def test_formats_of_output_have_one_option(name):
    known = {
        word
        for action in parser_of(name, command_module(name)).actions()
        for word in action.option_strings
    }
    assert "--format" in known or known.isdisjoint({"--json", "--render-as", "--to-yaml"})


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name, capfd):
    assert main([name, "--help"]) == exits.OK
    assert main(["help", name]) == exits.OK
    assert capfd.readouterr().out.count(f"usage: bunraku {name}") == 2


def test_start_imports_nothing_heavy():
    heavy = (
        "argparse json yaml dataclasses tree_sitter onigurumacffi cryptography subprocess asyncio"
    )
    program = (
        "import sys; before = set(sys.modules); import bunraku.cli.main;"
        "print(' '.join(set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert not set(done.stdout.split()) & (set(heavy.split()) - {"argparse"})


ENDS = """
import atexit, sys
from bunraku.cli.main import main

class Words(list):
    def __getitem__(self, key):
        atexit.register(print, "end of the command")
        return super().__getitem__(key)

{before}
atexit.register(print, "end of Python")
sys.argv = Words(["bunraku", *{words}])
main({given})
"""


@pytest.mark.parametrize(
    ("before", "given", "words", "slow", "code"),
    [
        ("", "", ["--version"], False, exits.OK),
        ("", "", ["eval", "--absent"], False, exits.TROUBLE),
        ("sys.settrace(lambda *_: None)", "", ["--version"], True, exits.OK),
        ("", "['--version']", [], True, exits.OK),
    ],
)
def test_the_command_line_of_a_process_ends_it_at_once(before, given, words, slow, code):
    program = ENDS.format(before=before, given=given, words=words)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    lines = done.stdout.splitlines()
    assert ("end of Python" in lines, done.returncode) == (slow, code)
    assert ("end of the command" in lines) == (not given)


@pytest.mark.parametrize("command", ["check", "lint", "validate"])
def test_a_call_from_python_leaves_the_garbage_collector_on(command, tmp_path):
    (tmp_path / "site.pp").write_text("notice('x')\n")
    assert main([command, "--no-project", f"{tmp_path}/site.pp"]) == exits.OK
    assert gc.isenabled()


def test_validate_imports_neither_the_engine_nor_yaml():
    program = (
        "import sys; from bunraku.cli.main import main; main(['validate', '-e', '$a = 1']);"
        "print(' '.join(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "bunraku.syntax.parser.parser" in loaded
    assert not loaded & {
        "bunraku.engine.compile",
        "bunraku.engine.request",
        "yaml",
        "tree_sitter",
        "onigurumacffi",
        "subprocess",
    }


@pytest.mark.parametrize(("extra", "traceback"), [([], False), (["--debug"], True)])
def test_a_mistake_of_ours_is_one_line(extra, traceback, capfd, monkeypatch):
    def broken(_size):
        raise LookupError("the floor\nis gone")

    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=SimpleNamespace(read=broken)))
    assert main(["validate", "-", *extra]) == exits.TROUBLE
    err = capfd.readouterr().err
    assert err.splitlines()[-1].startswith(
        "bunraku: internal error: LookupError: the floor is gone (please report it"
    )
    assert ("Traceback" in err) is traceback


def test_facts_that_json_cannot_hold_are_left_out(tmp_path, capfd):
    (tmp_path / "a.yaml").write_text("a: .nan\nb: 1\n")
    assert main(["facts", "a", "b", "--external-dir", str(tmp_path)]) == exits.FINDINGS
    out, err = capfd.readouterr()
    assert json.loads(out) == {"a": "", "b": 1}
    reason = "nan is not a number that JSON has"
    assert err == (
        f"Warning: {tmp_path}/a.yaml: the fact 'a' is left out: {reason}\n"
        "error: the fact 'a' is left out, as the warning says\n"
    )


def test_facts_that_need_ruby_are_left_out_without_it(tmp_path, capfd, monkeypatch):
    folder = tmp_path / "m/lib/facter"
    folder.mkdir(parents=True)
    (folder / "rack.rb").write_text("Facter.add(:rack) { setcode { 'r1' } }\n")
    monkeypatch.setenv("BUNRAKU_RUBY", "/nix/ruby")
    assert main(["facts", "rack", "--modulepath", str(tmp_path)]) == exits.FINDINGS
    out, err = capfd.readouterr()
    assert json.loads(out) == {"rack": ""}
    assert "catalogs lack these custom facts: rack" in err
    assert err.endswith("error: the fact 'rack' is left out, as the warning says\n")


class Interrupting:
    """An attribute that is interrupted while its class is made; Python 3.11 raises RuntimeError then."""

    def __set_name__(self, _owner, _name):
        raise KeyboardInterrupt


def make_class():
    type("Made", (), {"attribute": Interrupting()})


def interrupt():
    raise KeyboardInterrupt


@pytest.mark.parametrize("raising", [interrupt, make_class])
def test_ctrl_c_is_no_traceback(raising, capfd, monkeypatch):
    def interrupted(_size):
        raising()

    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=SimpleNamespace(read=interrupted)))
    assert main(["validate", "-"]) == exits.INTERRUPTED
    assert capfd.readouterr().err == "interrupted\n"


def test_a_reader_that_leaves_is_no_traceback():
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*COMMAND, "dump", "-e", "$a = 1"], stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (exits.BROKEN_PIPE, b"")


def test_ctrl_c_ends_a_running_command_quietly():
    with subprocess.Popen(
        [*COMMAND, "validate", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heed_signals,  # noqa: PLW1509, no threads
    ) as running:
        running.stdin.write(b"$a = 1\n")
        running.stdin.flush()
        with pytest.raises(subprocess.TimeoutExpired):
            running.wait(1)  # it is up, and waits for the rest of its input
        running.send_signal(signal.SIGINT)
        _out, err = running.communicate(timeout=10)
    assert running.returncode == exits.INTERRUPTED
    assert err == b"interrupted\n"


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_help_is_short_in_usage_and_written_in_sentences(name, capfd):
    assert main([name, "--help"]) == exits.OK
    out = capfd.readouterr().out
    assert out.startswith(f"usage: bunraku {name} [OPTION]...")
    assert "\nexamples:\n  bunraku " in out
    assert "\nexit codes:\n" in out
    options = out[: out.index("\nexamples:")]
    options = options.replace("--environment_timeout", "").replace("--no-strict_variables", "")
    options = re.sub(r"--no-\s+strict_variables", "", options)  # settings, by Puppet's names
    assert "_" not in "".join(re.findall(r"--[\w-]+", options))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell, capfd):
    assert main(["completion", shell]) == exits.OK
    out = capfd.readouterr().out
    for word in (*COMMANDS, "hiera-config", "jobs"):
        assert word in out
    if which(shell) is not None:
        checked = subprocess.run(
            [shell, "-n"], check=False, input=out, text=True, capture_output=True
        )
        assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.skipif(which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["comp"], ["compile", "completion"]),
        (["compile", "--hiera"], ["--hiera-config"]),
        (["compile", "--format", ""], ["json", "text", "yaml"]),
        (["compile", "--node", ""], ["db1", "web1"]),
        (["functions", "profile::"], ["profile::port"]),
        (["resource", "crono"], ["cronotab"]),
        (["ca", "rev"], ["revoke"]),
        (["cover", "lc"], ["lcov"]),
        (["server", "dem"], ["demo"]),
        (["puppet", "cata"], ["catalog"]),
    ],
)
def test_completion_in_bash(words, expected, capfd, tmp_path):
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    (tmp_path / "bunraku").write_text(f'#!/bin/sh\nexec {sys.executable} -m bunraku "$@"\n')
    (tmp_path / "bunraku").chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    assert main(["completion", "bash"]) == exits.OK
    script = capfd.readouterr().out + (
        f"COMP_WORDS=(bunraku {' '.join(map(repr, words))}); COMP_CWORD={len(words)}\n"
        "_bunraku; printf '%s\\n' \"${COMPREPLY[@]}\""
    )
    done = subprocess.run(
        ["bash", "-c", script],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
    )
    assert sorted(done.stdout.split()) == expected


FILES = {
    "environment.conf": "",
    "facts/web1.yaml": "{}",
    "facts/db1.yaml": "{}",
    "modules/profile/manifests/web.pp": "class profile::web { }",
    "modules/profile/functions/port.pp": "function profile::port() { 80 }",
    "modules/profile/lib/puppet/type/cronotab.rb": "Puppet::Type.newtype(:cronotab) { }",
}


def test_names_of_the_classes_of_a_project(tmp_path, monkeypatch, capfd):
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.chdir(tmp_path)
    assert main(["completion", "--names", "classes"]) == exits.OK
    assert capfd.readouterr().out == "profile::web\n"
    assert main(["completion"]) == exits.TROUBLE


def test_a_directory_that_was_removed_is_one_clear_error(tmp_path, monkeypatch, capsys):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert main(["site", "restore", "a", "b"]) == 2
    assert capsys.readouterr().err == (
        "bunraku: the current directory was removed; change to one that exists\n"
    )
