"""Signals during a run: the first one ends it after the current resource, the second one at once."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest


def started(where: Path, seconds: int) -> subprocess.Popen[str]:
    """Start a run, and wait until its first command runs."""
    code = f"""
        exec {{ 'first': command => "/bin/sh -c 'touch {where}/begun; sleep {seconds}; touch {where}/first'" }}
        -> exec {{ '/bin/touch {where}/second': }}
    """
    words = ["apply", "--no-project", "--vardir", str(where / "var"), "-e", code]
    run = subprocess.Popen(
        [sys.executable, "-m", "bunraku", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    end = monotonic() + 60
    while not (where / "begun").exists():
        assert monotonic() < end
        sleep(0.02)
    return run


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_the_first_signal_completes_the_resource(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    run = started(tmp_path, 1)
    run.send_signal(number)
    run.communicate(timeout=60)
    assert run.returncode == code
    assert (tmp_path / "first").exists()
    assert not (tmp_path / "second").exists()
    assert (tmp_path / "var/state/last_run_report.yaml").exists()


def test_the_second_signal_ends_the_run_at_once(tmp_path: Path) -> None:
    run = started(tmp_path, 600)
    run.send_signal(signal.SIGINT)
    sleep(0.5)
    assert run.poll() is None
    run.send_signal(signal.SIGTERM)
    run.communicate(timeout=60)
    assert run.returncode == 143
    assert not (tmp_path / "first").exists()
    assert (tmp_path / "var/state/last_run_report.yaml").exists()
