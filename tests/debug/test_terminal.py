"""``bunraku debug FILE``: commands on standard input."""

from __future__ import annotations

import subprocess
import sys

import pytest

CODE = """\
class web(Integer $port = 80, Sensitive $password = Sensitive('hush')) {
  $doubled = $port * 2
  file { '/etc/web':
    content => "port ${doubled}",
  }
  [1, 2].each |$n| {
    notice($n)
  }
}
include web
"""


@pytest.fixture
def session(tmp_path):
    """A function of commands that returns what the debugger prints, and checks the exit code."""
    (tmp_path / "site.pp").write_text(CODE)

    def run(*commands, code=0, words=("site.pp",)):
        done = subprocess.run(
            [sys.executable, "-m", "bunraku", "debug", "--node", "a", *words],
            check=False,
            cwd=tmp_path,
            input="".join(f"{one}\n" for one in commands),
            capture_output=True,
            text=True,
        )
        assert code is None or done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout

    return run


def shown(text):
    """Return what follows the commands, in one list for each command."""
    return [part.partition("\n")[2] for part in text.split("(debug) ")[1:]]


def test_the_usual_commands(session):
    text = session("break 2", "run", "where", "p $port", "n", "locals doubled", "s", "s", "finish")
    assert shown(text) == [
        "breakpoint 1: site.pp:2\n",
        "breakpoint 1\nclass web at site.pp:2\n    2 ->   $doubled = $port * 2\n",
        "-> class web at site.pp:2\n   main at site.pp:10\n",
        "80\n",
        "class web at site.pp:3\n    3 ->   file { '/etc/web':\n",
        "$doubled = 160  (Integer)\n",
        "class web at site.pp:6\n    6 ->   [1, 2].each |$n| {\n",
        "lambda of each at site.pp:7\n    7 ->     notice($n)\n",
        "catalog of a: 5 resources\n",
    ]


@pytest.mark.parametrize(
    ("commands", "end"),
    [
        (["b File[/etc/web]", "r", "up", "down"], "    3 ->   file { '/etc/web':\n"),
        (["b web if $port == 80", "r"], "    1 -> class web("),
        (["b site.pp:7 if $n == 2", "r", "p $n"], "2\n"),
        (["b 7", "hits 1 2", "r", "$n"], "2\n"),
        (
            ["b 7", "log 1 at {$n}", "r"],
            "site.pp:7: at 1\nsite.pp:7: at 2\ncatalog of a: 5 resources\n",
        ),
        (["b 7", "condition 1 $n == 3", "r"], "catalog of a: 5 resources\n"),
        (["b 7", "delete 1", "b", "r"], "catalog of a: 5 resources\n"),
        (["b 2", "r", "set $port = 5", "n", "p $doubled"], "10\n"),
        (["b 2", "r", "set port = 'x'"], "parameter 'port' expects an Integer value, got String\n"),
        (["b 2", "r", "p $password"], "Sensitive [value redacted]\n"),
        (["b 2", "r", "whatis [$port]"], "Array[Integer]\n"),
        (["b 2", "r", "p lookup('x', default_value => 1)"], "1\n"),
        (["b 6", "r", "catalog file"], "File[/etc/web]  site.pp:3\n"),
        (["b 2", "r", "run", "p $port"], "80\n"),
        (["step", "p $nothing"], "error: Unknown variable: 'nothing'\n"),
        (["p 1"], "no code waits: 'run' compiles, 'step' stops at the first statement\n"),
        (["b 99", "b"], "1: site.pp:10 (reached 0 times)\n"),
        (["b none.pp:1"], "cannot read"),
        (["catch nothing"], "write: catch error, catch warning, both, or catch none\n"),
    ],
)
def test_commands(session, commands, end):
    text = session(*commands, "quit", code=None)
    assert end in shown(text)[len(commands) - 1]


def test_code_on_the_command_line(session):
    text = session("next", "next", "list", "c", words=("-e", "$x = 1\n$y = $x + 1\nnotice($y)"))
    assert shown(text)[2] == "    1    $x = 1\n    2 -> $y = $x + 1\n    3    notice($y)\n"


def test_an_error_stops_and_is_the_exit_code(session, tmp_path):
    (tmp_path / "site.pp").write_text("$x = 1\nfail('no')\n")
    text = session("run", "p $x", "c", code=1)
    assert shown(text)[:2] == ["error: no\nmain at site.pp:2\n    2 -> fail('no')\n", "1\n"]
