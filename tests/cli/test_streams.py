"""Standard streams that are closed, full, or without a reader, for every command."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
import threading

import pytest

from bunraku.base import standard_streams as streams
from bunraku.base.command_names import COMMANDS
from bunraku.base.standard_streams import ReaderGone, StreamError
from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.cli.output.output import write, write_error
from bunraku.puppetdb.databases.opening import open_database

COMMAND = [sys.executable, "-m", "bunraku"]
REQUEST = '{"id": "1", "code": "notice(1)"}\n'
CALLS = {
    "compile": ["compile", "-e", "notice('hello')"],
    "compile --nodes": ["compile", "-e", "notice('hello')", "--nodes", "--facts-folder", "facts"],
    "compile --profile": ["compile", "-e", "1", "--profile", "profile.json"],
    "validate": ["validate", "-e", "$a = 1", "--format", "json"],
    "check": ["check", "-e", "$a = 1", "--format", "json"],
    "lint": ["lint", "--list-checks"],
    "dump": ["dump", "-e", "$a = 1"],
    "eval": ["eval", "1 + 1"],
    "types": ["types", "Integer[1, 2]"],
    "functions": ["functions", "abs"],
    "facts": ["facts", "kernel"],
    "lookup": ["lookup", "key", "--default", "x", "--environmentpath", "environments"],
    "diff": ["diff", "a.json", "b.json"],
    "ci": ["ci", "--base", "HEAD", "--repository", "git", "--facts-folder", "facts"],
    "cover": ["cover", "--help"],
    "test": ["test", "--help"],
    "affected": ["affected", "HEAD", "HEAD", "--repository", "git", "--facts-folder", "facts"],
    "migrate": ["migrate", "-e", "$a = 1", "--format", "json"],
    "new": ["new", "--help"],
    "build": ["build", "--help"],
    "doctor": ["doctor", "--help"],
    "site": ["site", "--help"],
    "graph": ["graph", "-e", "notify { 'x': }"],
    "explain": ["explain", "Notify[x]", "-e", "notify { 'x': }"],
    "repl": ["repl", "--help"],
    "debug": ["debug", "--help"],
    "fmt": ["fmt", "--help"],
    "lsp": ["lsp", "--help"],
    "docs": ["docs", "--help"],
    "deploy": ["deploy", "--help"],
    "modules": ["modules", "--help"],
    "r10k": ["r10k", "version"],
    "batch": ["batch"],
    "completion": ["completion", "bash"],
    "puppet": ["puppet", "--version"],
    "config": ["config"],
    "cache": ["cache", "show"],
    "--version": ["--version"],
    "apply": ["apply", "--statedir", "state", "-e", "notify { 'x': }"],
    "plan": ["plan", "--statedir", "state", "-e", "notify { 'x': }"],
    "resource": ["resource", "group", "root"],
    "report": ["report", "last_run_report.yaml"],
    "agent": ["agent", "--disable", "maintenance", "--certname", "web1", "--vardir", "var"],
    "ssl": ["ssl", "generate_request", "--certname", "web1", "--ssldir", "ssl"],
    "ca": ["ca", "--help"],
    "puppetdb": ["puppetdb", "--help"],
    "server": ["server", "--help"],
    "query": ["query", "nodes {}", "--format", "json", "--storedconfigs", "site.db"],
    "version": ["version"],
    "--help": ["--help"],
    "help": ["compile", "--help"],
}
"""A call of each command that prints something and succeeds."""
CODES = {"diff": exits.FINDINGS, "plan": 2}
FULL = "bunraku: cannot write to standard output: No space left on device\n"
CLOSED = "bunraku: cannot write to standard output: it is closed\n"
NO_INPUT = "bunraku: cannot read standard input: it is closed\n"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The report of a run."""
    folder = tmp_path_factory.mktemp("state")
    words = [*COMMAND, "apply", "--no-project", "--statedir", str(folder), "-e", "notify { 'x': }"]
    subprocess.run(words, check=True, capture_output=True)
    return folder / "last_run_report.yaml"


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    """An empty database of PuppetDB."""
    path = tmp_path_factory.mktemp("puppetdb") / "site.db"
    open_database(str(path)).close()
    return path


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """A git repository with one commit."""
    path = tmp_path_factory.mktemp("git")
    who = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    for words in (["init", "-q"], [*who, "commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run(["git", *words], cwd=path, check=True, capture_output=True)
    return path


@pytest.fixture
def place(tmp_path, monkeypatch, report, database, repository):
    (tmp_path / "facts").mkdir()
    (tmp_path / "facts" / "web1.json").write_text('{"a": 1}')
    (tmp_path / "environments" / "production").mkdir(parents=True)
    (tmp_path / "in").write_text(REQUEST)
    shutil.copy(report, tmp_path)
    shutil.copy(database, tmp_path)
    shutil.copytree(repository, tmp_path / "git")
    for name, title in (("a", "x"), ("b", "y")):
        resource = {"type": "Notify", "title": title, "tags": [], "exported": False}
        catalog = {"name": "n", "version": 1, "environment": "production", "classes": []}
        text = json.dumps({**catalog, "resources": [resource], "edges": []})
        (tmp_path / f"{name}.json").write_text(text)
    for name in ("XDG_CACHE_HOME", "HOME", "TMPDIR"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def in_a_shell(redirection, *arguments):
    """Run the command as a shell does, with its redirections."""
    return subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {redirection}', "sh", *COMMAND, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_command_is_tried():
    assert {name.split()[0] for name in CALLS} >= set(COMMANDS)


def lines(text):
    return [
        line for line in text.splitlines() if "Notice" not in line and not line.startswith("note: ")
    ]


@pytest.mark.parametrize("name", CALLS)
def test_output_that_is_not_written_is_a_failure(name, place):
    done = in_a_shell("<in >/dev/full", *CALLS[name])
    trouble = exits.TROUBLE_OF_PLAN if name == "plan" else exits.TROUBLE
    assert (done.returncode, done.stdout) == (trouble, "")
    assert lines(done.stderr) == [FULL.rstrip()]


@pytest.mark.parametrize("name", CALLS)
def test_no_other_stream_than_standard_output_is_needed(name, place):
    given = "<in" if name == "batch" else "<&-"
    done = in_a_shell(f"{given} 2>&-", *CALLS[name])
    assert (done.returncode, done.stderr) == (CODES.get(name, exits.OK), "")
    assert done.stdout
    assert "Notice" not in done.stdout or name in {
        "agent",
        "apply",
        "ssl",
    }  # whose output the notices are


@pytest.mark.parametrize("name", ["compile", "compile --nodes", "batch", "--help"])
def test_a_closed_standard_output_is_a_failure(name, place):
    done = in_a_shell("<in >&-", *CALLS[name])
    assert (done.returncode, done.stdout) == (exits.TROUBLE, "")
    assert lines(done.stderr) == [CLOSED.rstrip()]


@pytest.mark.parametrize("name", ["compile", "compile --nodes", "batch", "--help"])
def test_a_reader_that_is_gone_ends_the_command_without_a_message(name, place):
    reader, writer = os.pipe()
    os.close(reader)
    with open("in", "rb") as given, os.fdopen(writer, "wb") as target:
        done = subprocess.run(
            [*COMMAND, *CALLS[name]], stdin=given, stdout=target, stderr=-1, text=True, check=False
        )
    assert done.returncode == exits.BROKEN_PIPE
    assert lines(done.stderr) == []


def test_a_full_disk_under_standard_error_does_not_matter(place):
    done = in_a_shell("2>/dev/full", *CALLS["compile"])
    assert (done.returncode, done.stderr) == (exits.OK, "")
    assert json.loads(done.stdout)


@pytest.mark.parametrize(
    "arguments",
    [["batch"], ["compile", "-"], ["eval", "-"]],
)
def test_a_closed_standard_input_that_is_read_is_reported(arguments, place):
    done = in_a_shell("<&-", *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (exits.TROUBLE, "", NO_INPUT)


@pytest.mark.parametrize("arguments", [["batch"], ["compile", "-"]])
def test_a_directory_as_standard_input_is_reported(arguments, place):
    program = f"import os; os.dup2(os.open('/', 0), 0); from bunraku.cli.main import main; main({arguments})"
    done = subprocess.run(
        [sys.executable, "-c", program], stdin=-3, capture_output=True, text=True, check=False
    )
    assert done.stdout == ""
    assert done.stderr == "bunraku: cannot read standard input: Is a directory\n"


def files_beside_the_cache(place):
    """Return the names of the files that are not in the cache of bunraku."""
    return sorted(
        path.name for path in place.rglob("*") if not path.is_relative_to(place / "bunraku")
    )


@pytest.mark.parametrize("redirection", ["2>&-", "<&- >&- 2>&-", "2>/dev/full"])
def test_errors_go_nowhere_else_when_standard_error_is_closed(redirection, place):
    (place / "site.pp").write_text("notice(")
    for arguments in (["compile", "site.pp"], ["wrong"]):
        before = files_beside_the_cache(place)
        done = in_a_shell(redirection, *arguments)
        assert done.returncode in {exits.FINDINGS, exits.TROUBLE}
        assert (done.stdout, done.stderr) == ("", "")
        assert files_beside_the_cache(place) == before
    assert (place / "site.pp").read_text() == "notice("


@pytest.mark.parametrize("redirection", ["2>&-", "<&- >&- 2>&-"])
def test_a_file_that_is_written_gets_no_messages(redirection, place):
    """The lowest free descriptor goes to the next file: it must not be that of standard error."""
    arguments = ["--facts-folder", "facts", "--output-folder", "out", "--summary", "json"]
    in_a_shell(redirection, "compile", "-e", "warning('SECRET')", "--nodes", *arguments)
    text = (place / "out" / "web1.json").read_text()
    assert json.loads(text)["name"] == "web1"
    assert not [
        path
        for path in place.rglob("*")
        if path.suffix not in {".json", ".code", ".data"}  # entries of the cache keep messages
        and path.is_file()
        and b"SECRET" in path.read_bytes()
    ]


def test_programs_that_are_started_find_no_free_descriptor(place):
    """A program without a standard error would take a file of its own for it."""
    done = in_a_shell("<&- 2>&-", "eval", "generate('/bin/ls', '/proc/self/fd')")
    assert done.returncode == exits.OK
    assert done.stdout.startswith('"0\\n1\\n2\\n')


def test_a_slow_reader_of_a_pipe_that_does_not_block_gets_everything(place):
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    received = []

    def read():
        while piece := os.read(reader, 4096):
            received.append(piece)

    thread = threading.Thread(target=read)
    thread.start()
    code = "$s = range(1, 40000).map |$n| { \"line ${n}\" }.join(' ') $s"
    done = subprocess.run([*COMMAND, "eval", code], stdout=writer, check=False)
    os.close(writer)
    thread.join()
    os.close(reader)
    assert done.returncode == exits.OK
    assert b"line 39999" in b"".join(received)


# -- in this process -------------------------------------------------------------------------------


def test_files_in_the_place_of_a_stream_are_not_written_to(monkeypatch, capfd):
    """A library may have opened a file with the number of a closed stream before the command runs."""
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["eval", "1"]) == exits.TROUBLE
    assert main(["eval", "("]) in {exits.FINDINGS, exits.TROUBLE}
    monkeypatch.undo()
    assert capfd.readouterr() == ("", "")


def test_output_errors_are_of_their_own_kinds(monkeypatch):
    class Broken:
        buffer = None

        def __init__(self, error):
            self.error = error

        def flush(self):
            raise self.error

    for error, kind in (
        (OSError(errno.EIO, "Input/output error"), StreamError),
        (ValueError("I/O operation on closed file"), StreamError),
        (BrokenPipeError(), ReaderGone),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", Broken(error))
            with pytest.raises(kind):
                write("x")
            patch.setattr(sys, "stderr", Broken(error))
            write_error("x")


def test_streams_that_are_open_stay(monkeypatch):
    before = sys.stdin, sys.stdout, sys.stderr
    streams.occupy_closed_streams()
    assert (sys.stdin, sys.stdout, sys.stderr) == before
