"""The runner of the cases of apply, as far as it can be tested without root."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rigs.roots import base, compare, masks, report
from rigs.roots.changes import is_below_link
from rigs.roots.layout import inner_place

SUPPORT = Path(__file__).parents[1]
ENSURE = "from rigs.roots import base; print(base.ensure())"


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Return a function that sets the script of mmdebstrap; the cache is empty."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "apt-config").write_text("#!/bin/sh\n")
    (programs / "apt-config").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    monkeypatch.setenv("PYTHONPATH", str(SUPPORT))
    monkeypatch.setenv("BUNRAKU_RIG_CACHE", str(tmp_path / "cache"))

    def install(script):
        place = programs / "mmdebstrap"
        place.write_text(
            f"#!/bin/sh\necho run >>{tmp_path}/runs\n"
            f"until test -e {tmp_path}/both-wait; do sleep 0.02; done\n{script}\n"
        )
        place.chmod(0o755)

    return install


def two_processes(folder):
    """Start two processes that need the base root; return the last line of output of each."""
    command = [sys.executable, "-c", ENSURE]
    both = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    while not all(has_open(process.pid, folder / "cache/lock") for process in both):
        time.sleep(0.02)
    (folder / "both-wait").touch()
    outputs = [process.communicate(timeout=60) for process in both]
    return [(out or err).strip().splitlines()[-1] for out, err in outputs]


def has_open(pid, file):
    return any(os.path.realpath(one) == str(file) for one in Path(f"/proc/{pid}/fd").iterdir())


def test_two_processes_make_one_base_root(machine, tmp_path):
    machine(
        'for last; do case "$last" in */base-*) root=$last;; esac; done\n'
        "mkdir -p $root/etc/apt/apt.conf.d; mkdir $root/etc/facter"
    )
    first, second = two_processes(tmp_path)
    assert first == second == str(tmp_path / "cache" / base.place().name)
    assert (tmp_path / "runs").read_text() == "run\n"
    assert (Path(first) / "etc/hostname").read_text() == "rig\n"


def test_a_base_root_that_cannot_be_made_says_why_and_is_tried_once(machine, tmp_path):
    machine("echo 'E: no mirror' >&2; exit 25")
    first, second = two_processes(tmp_path)
    assert first == second
    assert "mmdebstrap failed: E: no mirror; see" in first
    assert (tmp_path / "runs").read_text() == "run\n"


def test_clocks_durations_and_names_of_programs_are_masked():
    text = "Applied catalog in 0.25 seconds at 2026-11-22 19:00:00 +0000"
    assert masks.steady(text) == "Applied catalog in <n> seconds at <time>"
    assert masks.steady("# HEADER: by puppet.  While") == "# HEADER: by <program>.  While"


def test_values_of_reports_keep_their_types():
    text = "--- !ruby/object:Puppet::Transaction::Report\nstatus: changed\nnoop: false\nresource_statuses: {}\n"
    text += "logs:\n- level: !ruby/sym info\n  source: 'Puppet'\n  message: '12'\n"
    text += "metrics:\n  resources:\n    values:\n    - [total, Total, 8]\n"
    found = report.read(text)
    assert (found["status"], found["noop"], found["noop_pending"]) == ("changed", False, None)
    assert found["logs"] == [["info", "Puppet", "12"]]
    assert found["metrics"]["resources"] == {"total": 8}


def test_checksums_in_base64_are_decoded():
    assert report.checksum("e21kNX0wYQ==") == "{md5}0a"
    assert report.checksum("file") == "file"


def test_differences_name_run_and_place():
    assert compare.walk({"a": [1, 2]}, {"a": [2, 3]}, "run 1") == [
        "run 1 a: missing  1",
        "run 1 a: too much 3",
    ]
    assert compare.walk([1, 2], [2, 1], "run 1") == [
        "run 1: other order or number: [1, 2], here [2, 1]"
    ]


@pytest.mark.parametrize("path", ["/out/a", "/out/new/a", "/file"])
def test_no_file_is_written_through_a_link_that_leads_out_of_the_root(tmp_path, path):
    root = tmp_path / "root"
    root.mkdir()
    (root / "out").symlink_to(tmp_path)
    (root / "file").symlink_to(tmp_path / "other")
    with pytest.raises(ValueError, match="out of the root"):
        inner_place(root, path)
    assert inner_place(root, "/etc/new/a") == root / "etc/new/a"


def test_a_path_below_a_link_is_none_of_the_root(tmp_path):
    (tmp_path / "srv" / "plain").mkdir(parents=True)
    (tmp_path / "srv" / "link").symlink_to("/tmp")
    (tmp_path / "alias").symlink_to(tmp_path)
    for root in (tmp_path, tmp_path / "alias"):
        assert is_below_link(root, "/srv/link/x")
        assert not is_below_link(root, "/srv/link")
        assert not is_below_link(root, "/srv/plain/x")
        assert not is_below_link(root, "/srv")
