"""A bounded part of the trials of ``faults.py``: nothing is lost, and others are served meanwhile."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack

import pytest

from rigs.server_trials import clocks, connections, hostile, kills
from rigs.server_trials.served_site import ServedSite, asked
from support.marked_processes import parent_of
from support.server_process import ROOT

ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT / 'tests'}"}
DISKS = """
import sys
from pathlib import Path
from rigs.server_trials.disks import full_disks

counts, faults = full_disks(Path(sys.argv[1]), rooms=(0, 2), first_rooms=(8,))
assert not faults, faults
assert counts["full cadir, request: status 500"] > 0
assert counts["full vardir, catalog: status 500"] > 0
"""


def test_killed_processes_lose_nothing(tmp_path):
    counts, faults = kills.kill_often(tmp_path, 4, seed=18, agents=3)
    assert faults == []
    assert counts["kills of the front process"] == 2
    assert counts["kills of compile processes"] == 2


def test_full_disks_leave_whole_files(tmp_path):
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("only root can mount small disks, in a namespace of its own")
    allowed = subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False)
    if allowed.returncode:
        pytest.skip(f"no namespace of mounts: {allowed.stderr.decode().strip()}")
    done = subprocess.run(
        ["unshare", "-m", sys.executable, "-c", DISKS, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        env=ENVIRONMENT,
    )
    if "cannot mount" in done.stderr:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.skipif(clocks.library() is None, reason="libfaketime is not installed")
def test_wrong_clocks_are_survived(tmp_path):
    counts, faults = clocks.wrong_clocks(tmp_path)
    assert faults == []
    assert counts["right clock again: status 200"] == 2


def test_many_idle_connections_need_little_memory(tmp_path):
    counts, faults = connections.idle(tmp_path, 300)
    assert faults == []
    assert counts["connections that are open"] == 300
    assert counts["bytes for each connection"] < 150_000


@pytest.mark.filterwarnings("ignore:Attribute's length")  # a name of 100 letters is one of them
def test_hostile_requests_are_survived(tmp_path):
    counts, faults = hostile.attack(tmp_path, seed=16, requests=150)
    assert faults == []
    assert counts["requests"] == 150
    assert counts["good requests"] > 0


def test_more_connections_than_allowed_are_refused(tmp_path):
    site = ServedSite(tmp_path, 1, ("--max-connections", "5"))
    server = site.start()
    with ExitStack() as stack:
        stack.callback(server.stop)
        statuses = []
        for _ in range(8):
            connection = site.client(server, site.nodes[0])
            stack.callback(connection.close)
            statuses.append(asked(connection, "GET", "/status/v1/simple")[0])
    assert statuses == [200] * 4 + [503] * 4


def test_a_server_ends_with_the_keeper_of_its_compile_processes(tmp_path):
    site = ServedSite(tmp_path, 1)
    server = site.start()
    keepers = Counter(parent_of(one) for one in kills.compile_processes(site, server))
    ((keeper, _),) = keepers.most_common(1)  # that of compiles in the background has one process
    os.kill(keeper, signal.SIGKILL)
    assert server.process.wait(60) in {1, 2}
    server.process.stdout.close()
    site.processes.await_end()
    assert "The process that keeps the compile processes has ended" in server.reported()
    assert "Traceback" not in server.reported()
