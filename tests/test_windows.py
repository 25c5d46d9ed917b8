"""Commands of developers as on Windows: without POSIX's modules, functions, signals and open folders."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest

from bunraku.base import locks
from support.other_systems import POSIX_MODULES, command_without, commands_without, on_windows
from tools.developer_commands import NODE, OF_MODULE, OF_SITE, make_site


@pytest.fixture
def site(tmp_path):
    """Return a function that makes a repository with two commits."""
    return lambda name, line_end="\n": make_site(tmp_path / name / "site", line_end)


def environment(directory):
    home = {"HOME": str(directory.parent), "XDG_CACHE_HOME": str(directory.parent / "cache")}
    return {"PATH": os.environ["PATH"], "TMPDIR": str(directory.parent), **home}


def in_both(make, commands):
    """Run commands on this system and as on Windows, each in a directory of its own."""
    for name, modules, windows in (("here", (), None), ("there", POSIX_MODULES, on_windows())):
        directory = make(name)
        results = commands_without(
            modules, commands, directory, windows, env=environment(directory)
        )
        text = json.dumps(results).replace(str(directory.parent), "/top")
        yield json.loads(text), directory


def test_commands_of_a_control_repository_print_the_same(site):
    (here, _), (there, _) = in_both(site, list(OF_SITE))
    for (words, code), expected, result in zip(OF_SITE.items(), here, there, strict=True):
        assert result == expected, words
        assert result[0] == code, (words, result)
        assert "internal error" not in result[2], words


def test_commands_of_a_module_print_the_same_and_write_the_same_files(tmp_path):
    def make(name):
        directory = tmp_path / name / "modules"
        directory.mkdir(parents=True)
        return directory

    (here, first), (there, second) = in_both(make, list(OF_MODULE))
    for (words, code), expected, result in zip(OF_MODULE.items(), here, there, strict=True):
        assert result == expected, words
        assert result[0] == code, (words, result)
    assert files_in(first) == files_in(second)


def files_in(directory):
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in sorted(directory.rglob("*"))
        if path.is_file()
    }


def windows(directory, *arguments, **keywords):
    return command_without(
        POSIX_MODULES,
        *arguments,
        directory=directory,
        windows=on_windows(),
        env=environment(directory),
        **keywords,
    )


def test_nodes_are_compiled_in_one_process(site):
    directory = site("there")
    done = windows(directory, "compile", "--nodes", "--jobs", "4", "--output-folder", "out")
    assert done.returncode == 0, done.stderr
    assert "3 compiled, 0 failed" in done.stdout
    assert len(list((directory / "out").iterdir())) == 3


def test_tests_run_with_pytest(tmp_path):
    directory = tmp_path / "modules"
    directory.mkdir()
    assert windows(directory, "new", "module", "demo").returncode == 0
    done = windows(directory / "demo", "test")
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout


def test_modules_of_git_are_locked_and_installed(site, tmp_path):
    remote = site("remote")
    directory = tmp_path / "control" / "site"
    directory.mkdir(parents=True)
    (directory / "Puppetfile").write_text(f"mod 'demo', git: '{remote}', branch: 'main'\n")
    for words in (["lock"], ["install"], ["verify"], ["install"]):
        done = windows(directory, "modules", *words)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "none with differences" in windows(directory, "modules", "verify").stdout
    (directory / "modules" / "demo" / "hiera.yaml").write_text("---\n")
    assert windows(directory, "modules", "verify").returncode == 1


def test_a_session_of_the_repl_ends(site):
    done = windows(site("there"), "repl", input="1 + 1\n")
    assert done.returncode == 0, done.stderr
    assert "2" in done.stdout


@pytest.mark.skipif(shutil.which("ruby") is None, reason="Ruby is not installed")
def test_code_that_only_ruby_runs_is_an_error(site):
    code = "notice(inline_template('<%= ObjectSpace.count_objects.size %>'))"
    done = windows(site("there"), "compile", "-e", code)
    assert done.returncode == 1
    assert "RUBY_MISSING" in done.stderr
    assert "internal error" not in done.stderr


def test_the_language_server_answers(site):
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}},
        {"jsonrpc": "2.0", "method": "initialized", "params": {}},
        {"jsonrpc": "2.0", "id": 2, "method": "shutdown"},
        {"jsonrpc": "2.0", "method": "exit"},
    ]
    bodies = [json.dumps(one) for one in messages]
    text = "".join(f"Content-Length: {len(body)}\r\n\r\n{body}" for body in bodies)
    done = windows(site("there"), "lsp", input=text)
    assert done.returncode == 0, done.stderr
    assert '"capabilities"' in done.stdout
    assert "internal error" not in done.stderr + done.stdout


def test_a_time_limit_interrupts_a_compile(site):
    code = "Integer[0, 1000000000].each |$x| { $x + 1 }"
    done = windows(site("there"), "compile", "--timeout", "0.3", "-e", code)
    assert done.returncode == 1
    assert "The time limit of 0.3 s was reached [TIMEOUT]" in done.stderr


def test_nothing_stays_in_the_directory_for_temporary_files(site):
    directory = site("there")
    windows(directory, "diff", "HEAD~1", "HEAD")
    assert not [name for name in os.listdir(directory.parent) if name.startswith("bunraku-")]


@pytest.mark.parametrize("command", ["agent", "apply", "deploy", "server", "puppetdb"])
def test_commands_that_run_machines_say_what_they_need(tmp_path, command):
    done = windows(tmp_path, command)
    assert "it needs Linux, macOS or another POSIX system" in done.stderr
    assert "internal error" not in done.stderr


# -- paths and line ends -----------------------------------------------------------------------------


def test_line_ends_of_windows_change_no_result(site):
    commands = [["compile", "--node", NODE], ["check"], ["fmt", "--check"], ["validate", "."]]
    results = []
    for name, line_end in (("lf", "\n"), ("crlf", "\r\n")):
        directory = site(name, line_end)
        results.append(commands_without((), commands, directory, env=environment(directory)))
    assert results[0][0][0] == results[1][0][0] == 0
    texts = [one[0][1].replace("\\r\\n", "\\n").replace("/crlf/", "/lf/") for one in results]
    catalogs = list(map(json.loads, texts))
    assert catalogs[0]["resources"] == catalogs[1]["resources"]
    assert [one[0] for one in results[0][1:]] == [one[0] for one in results[1][1:]]


# -- locks -------------------------------------------------------------------------------------------


def test_a_lock_of_bytes_works_as_one_of_files(tmp_path):
    """As on Windows: the bytes that are locked are those of ``msvcrt``, here by ``lockf``."""
    program = (
        "import os, sys, time; from bunraku.base import locks\n"
        "handle = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)\n"
        "print(locks.try_lock_bytes(handle, sys.argv[2] == 'shared'), flush=True)\n"
    )
    path = tmp_path / "lock"
    lock = "import fcntl, sys, types\n" + LOCKING + program
    held = subprocess.Popen(
        [os.sys.executable, "-c", lock + "sys.stdin.read()", str(path), "shared"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert held.stdout.readline() == "True\n"
    ask = [os.sys.executable, "-c", lock, str(path)]
    for kind, expected in (("shared", "True\n"), ("alone", "False\n")):
        done = subprocess.run([*ask, kind], capture_output=True, text=True, check=True)
        assert done.stdout == expected, kind
    held.communicate()
    done = subprocess.run([*ask, "alone"], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


LOCKING = """
def locking(handle, mode, size):
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, size, 0, 1)
    except OSError as error:
        raise PermissionError(13, "locked") from None
sys.modules["msvcrt"] = types.SimpleNamespace(LK_NBLCK=2, locking=locking)
"""


def test_a_lock_leaves_the_position_of_the_file(tmp_path):
    handle = os.open(tmp_path / "lock", os.O_RDWR | os.O_CREAT)
    assert locks.try_lock(handle)
    assert os.lseek(handle, 0, os.SEEK_CUR) == 0
    os.close(handle)
