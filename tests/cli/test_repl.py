"""``bunraku repl``: pieces of code, commands, mistakes, and the prompt on a terminal."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from importlib.util import find_spec

import pytest

COMMAND = [sys.executable, "-m", "bunraku", "repl"]


def entered(text, *words, code=0, cwd=None):
    done = subprocess.run(
        [*COMMAND, *words], input=text, cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout, done.stderr


def test_pieces_see_what_came_before():
    out, err = entered(
        "$a = [1, 2]\n"
        "function f($x) {\n"
        "  $x + 1\n"
        "}\n"
        "$a.map |$x| {\n"
        "  f($x)\n"
        "}\n"
        ":type f(2)\n"
        "notice('hello')\n"
        "$a[1]\n",
    )
    assert out == "[1, 2]\n[2, 3]\nInteger[3, 3]\n2\n"
    assert err.count("hello") == 1


def test_a_mistake_leaves_the_session_as_it_was():
    out, err = entered("$a = 1\n$a = 2\n$b\n$a\n:nope\n$a }\n", code=1)
    assert out == "1\n1\n"
    assert "Cannot reassign variable '$a'" in err
    assert "repl:2:" in err
    assert "unknown command ':nope'" in err


def test_the_facts_and_the_data_of_a_node_count(tmp_path):
    (tmp_path / "environment.conf").write_text("")
    (tmp_path / "facts").mkdir()
    (tmp_path / "facts/web1.yaml").write_text("os: {family: Debian}\n")
    (tmp_path / "hiera.yaml").write_text(
        "version: 5\nhierarchy: [{name: os, path: '%{facts.os.family}.yaml'}]\n"
    )
    (tmp_path / "data").mkdir()
    (tmp_path / "data/Debian.yaml").write_text("key: it's\n")
    out, _err = entered(
        ":lookup key\n:facts os.family\nfile { '/a': mode => '0644' }\n:catalog\n"
        ":explain File[/a]\n:reset\n:explain File[/a]\n:quit\n$never\n",
        *("--node", "web1"),
        cwd=tmp_path,
    )
    assert out.startswith("'it\\'s'\n'Debian'\n")
    assert "file { '/a':\n  mode => '0644',\n}" in out
    assert "  mode => '0644'\n    the declaration" in out
    assert out.endswith("File[/a] is not in the catalog\n")


def test_notices_are_not_repeated_by_an_explanation():
    out, err = entered("file { '/a': }\nnotice('once')\n:explain File[/a]\n:catalog\n")
    assert (out + err).count("once") == 1


def test_commands_are_listed():
    out, _err = entered(":help\n")
    assert ":type EXPRESSION" in out
    assert ":quit" in out
    _out, err = entered(":lookup\n", code=1)
    assert "the KEY is missing" in err


@pytest.mark.skipif(find_spec("prompt_toolkit") is None, reason="prompt_toolkit is not installed")
def test_the_prompt_completes_and_takes_several_lines(tmp_path):
    shown = typed(
        tmp_path, [b"$number = 41\r", b"$num\t", b" + 1\r", b"if true {\r'in'\r}\r", b"\x04"]
    )
    assert "42" in shown
    assert "in" in shown.split("42")[1]
    history = tmp_path / "state/bunraku/history"
    assert history.stat().st_mode & 0o777 == 0o600
    assert "$number = 41" in history.read_text()
    typed(tmp_path, [b"$secret = 1\r", b"\x04"], "--no-history")
    assert "$secret" not in history.read_text()


INTERRUPT = b"\x03"


def test_an_interrupt_ends_a_piece_and_not_the_session(tmp_path):
    keys = [
        b"$a = 41\r",
        b"Integer[1, 1000000000].each |$n| { }\r",
        INTERRUPT,
        b"$a + 1\r",
        b"\x04",
    ]
    shown = typed(tmp_path, keys, "--no-history")
    assert "interrupted; the session is as before" in shown
    assert "42" in shown.partition("interrupted")[2]


def test_the_file_of_the_history_becomes_private(tmp_path):
    history = tmp_path / "state/bunraku/history"
    history.parent.mkdir(parents=True)
    history.touch()
    history.chmod(0o644)
    typed(tmp_path, [b"\x04"])
    assert history.stat().st_mode & 0o777 == 0o600


def typed(tmp_path, keys, *words):
    """What a terminal shows while keys are typed, each piece when nothing more is printed."""
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state"), "TERM": "xterm"}
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *words], stdin=follower, stdout=follower, stderr=follower, env=environment
    )
    os.close(follower)
    shown = ""
    waiting = list(keys)
    deadline = time.monotonic() + 60
    try:
        while time.monotonic() < deadline:
            readable, _, _ = select.select([leader], [], [], 0.7)
            if not readable:
                if waiting and "\x1b" in shown:  # the prompt is there
                    keys = waiting.pop(0)
                    if keys == INTERRUPT:
                        process.send_signal(signal.SIGINT)
                    else:
                        os.write(leader, keys)
                continue
            try:
                piece = os.read(leader, 65536)
            except OSError:  # the terminal is closed
                break
            if b"\x1b[6n" in piece:  # where is the cursor?
                os.write(leader, b"\x1b[1;1R")
            shown += piece.decode("utf-8", "replace")
        assert process.wait(timeout=20) == 0, shown
    finally:
        process.kill()
        process.wait()
        os.close(leader)
    return shown


def test_a_fact_that_the_node_lacks():
    _out, err = entered(":facts os.nope\n", code=1)
    assert err == "the node has no fact 'os.nope'; :facts shows all\n"
