"""Signals during a run: the first one ends it after the current resource, the second one at once."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

import pytest

from support.signals import heed_signals


@contextmanager
def started(where: Path, seconds: int) -> Iterator[subprocess.Popen[str]]:
    """Start a run, wait until its first command runs, and end it if the test has not."""
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
        preexec_fn=heed_signals,  # noqa: PLW1509, no threads
    )
    end = monotonic() + 60
    try:
        while not (where / "begun").exists():
            assert monotonic() < end
            sleep(0.02)
        yield run
    finally:
        run.kill()
        run.communicate()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_the_first_signal_completes_the_resource(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    with started(tmp_path, 1) as run:
        run.send_signal(number)
        run.wait(60)
    assert run.returncode == code
    assert (tmp_path / "first").exists()
    assert not (tmp_path / "second").exists()
    assert (tmp_path / "var/state/last_run_report.yaml").exists()


def test_the_second_signal_ends_the_run_at_once(tmp_path: Path) -> None:
    with started(tmp_path, 600) as run:
        run.send_signal(signal.SIGINT)
        sleep(0.5)
        assert run.poll() is None
        run.send_signal(signal.SIGTERM)
        run.wait(60)
    assert run.returncode == 143
    assert not (tmp_path / "first").exists()
    assert (tmp_path / "var/state/last_run_report.yaml").exists()
