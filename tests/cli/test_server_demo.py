"""``bunraku server demo`` as a process: what it prints is true, and nothing stays."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from bunraku.cli.main import main
from support.own_server import PATIENCE, environment, wait_for

pytest.importorskip("uvicorn", reason="the server needs the extra 'server'")
NODES = ("web1.demo.test", "web2.demo.test")
OF_THE_MACHINE = (
    "/etc/puppetlabs",
    "/opt/puppetlabs",
    "/var/log/puppetlabs",
    "/var/run/puppetlabs",
)


def state_of_the_machine():
    """Return the directories of Puppet with their times."""
    found = {}
    for start in OF_THE_MACHINE:
        for folder, _folders, names in os.walk(start):
            for path in (folder, *(f"{folder}/{name}" for name in names)):
                found[path] = os.lstat(path).st_mtime_ns
    return found


@contextmanager
def demonstration(tmp_path):
    """Run the demonstration; yield the process. Its home and its temporary files are in tests' own."""
    for name in ("home", "scratch"):
        (tmp_path / name).mkdir()
    variables = {"HOME": str(tmp_path / "home"), "TMPDIR": str(tmp_path / "scratch")}
    env = {**environment(**variables)}
    env.pop("XDG_CACHE_HOME", None)
    words = [sys.executable, "-m", "bunraku", "server", "demo"]
    process = subprocess.Popen(words, stdout=-1, stderr=-1, text=True, env=env)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def read_until(process, condition):
    """Return what the demonstration prints until a condition holds for the text."""
    text = ""
    while not condition(text):
        line = process.stdout.readline()
        assert line, text + process.stderr.read()
        text += line
    return text


def ended(process, number, tmp_path):
    """Stop the demonstration; check that nothing is left of it."""
    process.send_signal(number)
    process.stdout.read()
    errors = process.stderr.read()
    assert (process.wait(PATIENCE), "Traceback" in errors) == (0, False), errors
    assert os.listdir(tmp_path / "scratch") == []
    assert os.listdir(tmp_path / "home") == []
    wait_for(lambda: running_below(tmp_path) == [], "all processes have ended")


def running_below(folder):
    """Return the command lines of processes that name a folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:  # it has ended
            continue
        if str(folder) in words and "pytest" not in words:
            found.append(words)
    return found


def test_all_that_it_names_is_there(tmp_path):
    before = state_of_the_machine()
    with demonstration(tmp_path) as process:
        text = read_until(
            process, lambda text: all(f"{node}: the run is complete" in text for node in NODES)
        )
        for node in NODES:
            assert f"{node}: the run is complete: changes" in text
        folder = Path(re.search(r"^  cd (.*)$", text, re.MULTILINE)[1])
        roots = {node: folder / "roots" / node for node in NODES}
        assert (roots[NODES[0]] / "motd").read_text().startswith("Welcome to web1.demo.test")
        assert (roots[NODES[1]] / "served.txt").read_text() == (
            "This file comes from the file server.\n"
        )
        exported = roots[NODES[1]] / "neighbours" / NODES[0]
        assert exported.read_text() == "exported by web1.demo.test\n"
        check_commands(text, folder)
        ended(process, signal.SIGINT, tmp_path)
    assert state_of_the_machine() == before


def check_commands(text, folder):
    """Run the commands that the demonstration prints."""
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    commands = re.findall(r"^  ((?:curl|bunraku) .*)$", text, re.MULTILINE)
    assert len(commands) == 7
    printed = {}
    for command in commands:
        words = shlex.split(command)
        program = (
            ["curl", "--silent", "--show-error", "--fail", "--noproxy", "*"]
            if words[0] == "curl"
            else [sys.executable, "-m", "bunraku"]
        )
        done = subprocess.run(
            [*program, *words[1:]], cwd=folder, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, ""), command
        printed[command] = done.stdout
    services, metrics, nodes, resources, database, reports, certificates = printed.values()
    assert json.loads(services)["master"]["state"] == "running"
    assert 'puppetserver_requests_total{method="POST",route="/puppet/v3/catalog"' in metrics
    assert {row["certname"] for row in json.loads(nodes)} == set(NODES)
    assert any(row["title"].endswith("/motd") for row in json.loads(resources))
    assert "puppetdb_commands_total" in database
    assert "web1.demo.test" in reports
    assert {row["name"] for row in json.loads(certificates)} >= {"localhost", *NODES}


def test_a_signal_during_a_run_leaves_nothing(tmp_path):
    with demonstration(tmp_path) as process:
        read_until(process, lambda text: "Press Ctrl-C" in text)
        ended(process, signal.SIGTERM, tmp_path)


def test_it_takes_no_options_of_the_server(capsys):
    assert main(["server", "demo", "--listen", "127.0.0.1:0"]) == 2
    assert "--listen is not an option of demo" in capsys.readouterr().err
    assert main(["server", "demo", "--environment_timeout", "5m"]) == 2
    assert "--set is not an option of demo" in capsys.readouterr().err
    assert main(["server", "demonstration"]) == 2
    assert "use serve, explain, auth-conf, demo, unit, socket" in capsys.readouterr().err
