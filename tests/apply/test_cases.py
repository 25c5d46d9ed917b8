"""Whole runs of ``bunraku apply``, compared with recorded runs of real Puppet 7.23 (``make apply-tests``).

``tests/apply/README.md`` describes the cases. They run in throw-away roots, so they need root, Linux
namespaces, and mmdebstrap for the first run.
"""

from __future__ import annotations

import json
import os
import subprocess
import sysconfig
import tomllib
import zlib
from pathlib import Path

import pytest

from rigs.roots import base, case, compare, run

HERE = Path(__file__).parent
CASES = sorted((HERE / "cases").glob("*.yaml"))
KNOWN: dict[str, str] = tomllib.loads((HERE / "known_differences.toml").read_text("utf-8"))
ROOT_PYTHON = "3.11"
"""The Python of Debian 12, which the packages of this environment must fit."""


def obstacle() -> str | None:
    """Return why the cases cannot run here, None if they can."""
    if not os.environ.get("APPLY_TESTS"):
        return "APPLY_TESTS is not set; make apply-tests and .ci/run set it"
    if os.geteuid() != 0:
        return "not root"
    if sysconfig.get_python_version() != ROOT_PYTHON:
        return f"not Python {ROOT_PYTHON}, which the root has"
    done = subprocess.run(
        ["unshare", *run.NAMESPACES, "mount", "-t", "tmpfs", "tmpfs", "/mnt"],
        capture_output=True,
        text=True,
        check=False,
    )
    return None if done.returncode == 0 else f"no namespaces or mounts: {done.stderr.strip()}"


REASON = obstacle()
SAMPLE = "sample"
"""The value of APPLY_TESTS with which one of ten cases runs, chosen by their names."""


def is_left_out(path: Path) -> bool:
    """Return whether a case is not in the sample, if only that runs."""
    return os.environ.get("APPLY_TESTS") == SAMPLE and zlib.crc32(path.stem.encode()) % 10 != 0


def with_sample(path: Path) -> object:
    """Return a case as a parameter of a test; it is skipped if it is not in the sample."""
    reason = "not in the sample of .ci/run; make apply-tests runs all cases"
    return pytest.param(path, marks=pytest.mark.skipif(is_left_out(path), reason=reason))


in_sandbox = pytest.mark.skipif(REASON is not None, reason=f"cases of apply: {REASON}")
each_case = pytest.mark.parametrize(
    "path", list(map(with_sample, CASES)), ids=[path.stem for path in CASES]
)


@pytest.fixture(scope="module")
def base_root() -> None:
    """Make the base root and try it; the cases cannot run where that fails."""
    try:
        base.ensure()
        run.check_sandbox()
    except base.RigError as error:
        pytest.skip(f"cases of apply: {error}")


@pytest.fixture
def modules_here(base_root: None, path: Path) -> None:
    """Skip a case whose modules are packages that this machine lacks."""
    try:
        run.lent_modules(path)
    except base.RigError as error:
        pytest.skip(f"cases of apply: {error}")


def recorded(path: Path) -> compare.Outcome:
    """Return the recorded outcome of Puppet."""
    outcome: compare.Outcome = json.loads(path.with_suffix(".expected.json").read_text("utf-8"))
    return outcome


def differences(path: Path, outcome: compare.Outcome) -> list[str]:
    """Return the differences from the recorded outcome on the levels that decide."""
    found = compare.compare(recorded(path), outcome)
    levels = case.load(path).compare or list(compare.DECIDING)
    return [f"{level}: {line}" for level in levels for line in found[level]]


@in_sandbox
@pytest.mark.usefixtures("modules_here")
@each_case
def test_outcome_is_that_of_puppet(path: Path) -> None:
    wrong = differences(path, run.run_case(path, run.bunraku(case.load(path).bunraku_options)))
    if path.stem in KNOWN:
        assert wrong, "it agrees now: remove it from known_differences.toml"
    else:
        assert not wrong, "\n".join(wrong)


@in_sandbox
@pytest.mark.reference
@pytest.mark.usefixtures("modules_here")
@each_case
def test_real_puppet_does_what_is_recorded(path: Path, pytestconfig: pytest.Config) -> None:
    """Also records the outcome, with ``--update``."""
    outcome = run.run_case(path, run.PUPPET)
    if pytestconfig.getoption("--update"):
        text = json.dumps(outcome, indent=1, ensure_ascii=False, sort_keys=True)
        path.with_suffix(".expected.json").write_text(text + "\n", "utf-8")
    assert differences(path, outcome) == []


def test_known_differences_are_of_cases_and_have_reasons() -> None:
    assert KNOWN.keys() <= {path.stem for path in CASES}
    assert all(KNOWN.values())


def test_every_case_has_an_outcome() -> None:
    outcomes = {path.name.removesuffix(".expected.json") for path in HERE.glob("cases/*.json")}
    assert outcomes == {path.stem for path in CASES}
