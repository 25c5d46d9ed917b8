"""Benchmarks: hot paths execute no more instructions than the record says, and figures are honest."""

from __future__ import annotations

import argparse
import doctest
import json
import os
import platform
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
RECORDS = BENCHMARKS / "counts"
RECORD = RECORDS / f"{'.'.join(platform.python_version_tuple()[:2])}.json"
NO_RECORD = f"no record for Python {RECORD.stem} (there is: {', '.join(sorted(one.stem for one in RECORDS.iterdir()))})"
needs_record = pytest.mark.skipif(not RECORD.exists(), reason=NO_RECORD)


@pytest.fixture
def module(monkeypatch):
    """Import a module of the benchmarks, which are no package."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return import_module


def counts(seed, folder):
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "counts.py"), "--json"],
        env={**os.environ, "PYTHONHASHSEED": seed, "TMPDIR": str(folder)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def now():
    return counts("0", "/")


@needs_record
def test_no_path_executes_more_instructions_than_the_record_allows(now, module):
    found = module("counts").grown(json.loads(RECORD.read_bytes()), now)
    assert not found, "\n".join([*found, "to accept the counts: make counts"])


@needs_record
def test_every_path_has_a_record(now):
    assert set(now) == set(json.loads(RECORD.read_bytes()))


def test_counts_depend_on_neither_seeds_nor_directories(now, tmp_path):
    assert counts("4711", tmp_path) == now


def test_a_slower_path_is_named(now, module):
    before = {**now, "lex": int(now["lex"] / 1.1), "diff": now["diff"] * 2}
    (line,) = module("counts").grown(before, now)
    assert line.startswith("lex: ")
    assert line.endswith("instructions (+10.0 %)")
    assert module("counts").grown({"lex": 1000}, {"lex": 1029}) == []


def test_one_more_iteration_is_counted(module):
    def work(times):
        return lambda: [number * number for number in range(times)]

    few, more, many = (module("counts").counted(work(times)) for times in (10, 20, 110))
    assert many - few == 10 * (more - few) > 0


@pytest.mark.parametrize("name", ["counts", "growth", "measure", "nodes"])
def test_examples_in_docstrings(name, module):
    assert doctest.testmod(module(name)).failed == 0


def test_other_programs_are_seen_and_own_ones_are_not(module):
    measure = module("measure")
    spin = "import time\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass"
    watch = measure.Watch()
    subprocess.run([sys.executable, "-c", spin], check=True)
    assert watch.own() - watch.used >= 0.25
    running = subprocess.Popen([sys.executable, "-c", spin])
    try:
        assert running.pid in watch.mine()
        watch = measure.Watch(lambda: [os.getppid()])
        assert os.getppid() in watch.mine()
    finally:
        running.wait()


def test_figures_of_a_busy_machine_are_not_written(module):
    check = module("measure").check_writing
    problem = "not idle before the measurement: other programs use 1.50 processors"
    for written, busy in ((False, False), (True, True)):
        check(argparse.Namespace(write=written, busy=busy), problem)
    check(argparse.Namespace(write=True, busy=False), "")
    with pytest.raises(SystemExit, match=r"nothing is written: not idle .* --busy"):
        check(argparse.Namespace(write=True, busy=False), problem)


def test_the_page_keeps_the_findings_when_the_table_is_written(module):
    page = (BENCHMARKS.parent / "docs" / "performance.md").read_text("utf-8")
    assert module("run").findings() in page


def test_growth_has_a_verdict(module):
    growth = module("growth")
    sizes = {name: sizes[-1] for name, (_, sizes) in growth.WORKS.items()}
    assert sorted(sizes.values()) == [2_000, 10_000, 50_000, 200_000]
    row = growth.row("resources", growth.resources, [20, 100])
    assert row["counted"] <= 1.0
    assert row["beyond the twin"] > 0
    assert "| 20 → 100 |" in growth.table([row], idle=False)
    assert "not judged, the machine was busy; counted: met" in growth.table([row], idle=False)


def test_a_twin_makes_as_many_objects(module):
    growth = module("growth")
    work = growth.compiled(growth.edges(50))
    made, other = work(), growth.twin_of(work)()
    assert (len(other.resources), len(other.edges)) == (len(made.resources), len(made.edges))
