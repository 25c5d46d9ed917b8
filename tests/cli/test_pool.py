"""The workers of ``bunraku batch``: order, speed, and that a bad case costs only itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]


def command(size: int = 1, timeout: float = 5.0) -> list[str]:
    return [sys.executable, "-m", "support.pool_of_actors", str(size), str(timeout)]


def run(text: bytes, size: int = 1, timeout: float = 5.0) -> list[bytes]:
    """The answers to an input that comes through a pipe."""
    done = subprocess.run(
        command(size, timeout),
        input=text,
        stdout=subprocess.PIPE,
        check=True,
        cwd=TESTS,
        timeout=60,
    )
    return done.stdout.split(b"\n")[:-1]


def test_answers_come_in_the_order_of_the_requests():
    found = run(b"sleep 0.3\na\nsleep 0.2\nb\nc", size=3)
    assert [line.rpartition(b" by")[0] for line in found] == [
        b"sleep 0.3",
        b"a",
        b"sleep 0.2",
        b"b",
        b"c",
    ]


def test_cases_run_side_by_side(tmp_path):
    found = run(f"meet {tmp_path}\n".encode() * 4, size=4, timeout=60.0)
    assert len({line.rpartition(b" ")[2] for line in found}) == 4
    assert not any(b"timeout" in line for line in found)


def test_one_worker_serves_many_cases():
    assert len({line.rpartition(b" ")[2] for line in run(b"x\n" * 200)}) == 1


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (b"die", b"die crash (the worker ended: exit code 3)"),
        (b"kill", b"kill crash (the worker ended: signal 9)"),
        (b"sleep 60", b"sleep 60 timeout (the case took too long)"),
    ],
)
def test_a_bad_case_costs_only_itself(bad, said):
    found = run(b"a\n" + bad + b"\nb\n", timeout=0.3)
    assert found[0].startswith(b"a by ")
    assert found[1] == said
    assert found[2].startswith(b"b by ")


def test_what_a_case_prints_is_no_answer():
    (found,) = run(b"print")
    assert found.startswith(b"print by ")


def test_long_lines_pass_in_both_directions():
    assert [len(line) for line in run(b"long 5000000\n")] == [5_000_000]
    (found,) = run(b"y" * 5_000_000)
    assert found.startswith(b"y" * 40)


def test_blank_lines_are_no_requests():
    assert len(run(b"\n \na\n\n")) == 1


@pytest.mark.parametrize("text", [b"", b"a\nb\n" * 300])
def test_input_may_be_a_file(tmp_path, text):
    path = tmp_path / "requests"
    path.write_bytes(text)
    with path.open("rb") as source:
        done = subprocess.run(
            command(2), stdin=source, stdout=subprocess.PIPE, check=True, cwd=TESTS, timeout=60
        )
    assert done.stdout.count(b"\n") == text.count(b"\n")


def test_an_answer_comes_before_the_next_request():
    with subprocess.Popen(
        command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=TESTS
    ) as running:
        for _ in range(3):
            running.stdin.write(b"x\n")
            running.stdin.flush()
            assert running.stdout.readline().startswith(b"x by ")
        running.stdin.close()
        assert running.wait(10) == 0
