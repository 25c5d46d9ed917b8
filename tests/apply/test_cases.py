"""Cases of whole runs, beside what real Puppet 7.23 made of them (``make apply-tests``).

Each case is a layout, a manifest and some runs in a fresh Debian 12 root with its own namespaces. The
root is made by mmdebstrap once and kept outside of the repository, in ``/var/cache/bunraku-rig`` or
where ``BUNRAKU_RIG_CACHE`` says.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
import tomllib
from pathlib import Path

import pytest

from support.rig import base, compare, run

HERE = Path(__file__).parent
CASES = sorted((HERE / "cases").glob("*.yaml"))
KNOWN: dict[str, str] = tomllib.loads((HERE / "known_differences.toml").read_text("utf-8"))
SOURCE = Path(__file__).parents[2] / "src"
COMMAND = "python3 -m bunraku apply --verbose --modulepath {modulepath} {options} {manifest}"
ROOT_PYTHON = "3.11"
"""The Python of Debian 12, which the packages of this environment must fit."""


def obstacle() -> str | None:
    """Return why the cases cannot run here, None if they can."""
    if not os.environ.get("APPLY_TESTS"):
        return "they take minutes: make apply-tests"
    if os.geteuid() != 0:
        return "they need root"
    if sysconfig.get_python_version() != ROOT_PYTHON:
        return f"they need Python {ROOT_PYTHON}, which the root has"
    if not base.INDEX.exists() and shutil.which("mmdebstrap") is None:
        return "they need mmdebstrap"
    done = subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"], check=False)
    return None if done.returncode == 0 else "they need namespaces"


REASON = obstacle()


@pytest.fixture(scope="module")
def base_root() -> None:
    """Make the base root; without one the cases cannot run."""
    try:
        base.ensure()
    except base.RigError as error:
        pytest.skip(str(error))


@pytest.mark.skipif(REASON is not None, reason=str(REASON))
@pytest.mark.usefixtures("base_root")
@pytest.mark.parametrize("path", CASES, ids=[path.stem for path in CASES])
def test_outcome_is_that_of_puppet(path: Path) -> None:
    expected = json.loads(path.with_suffix(".expected.json").read_text("utf-8"))
    packages = sysconfig.get_path("purelib")
    binds = [(str(SOURCE), "/opt/src"), (packages, "/opt/packages")]
    environment = {"PYTHONPATH": "/opt/src:/opt/packages", "PYTHONDONTWRITEBYTECODE": "1"}
    found = compare.compare(expected, run.run_case(path, COMMAND, binds, environment))
    levels = run.load(path).compare or list(compare.LEVELS)
    wrong = [f"{level}: {line}" for level in levels for line in found[level]]
    if path.stem in KNOWN:
        assert wrong, "it agrees now: remove it from known_differences.toml"
    else:
        assert not wrong, "\n".join(wrong)


def test_known_differences_are_of_cases_and_have_reasons() -> None:
    assert KNOWN.keys() <= {path.stem for path in CASES}
    assert all(KNOWN.values())


def test_every_case_has_an_outcome() -> None:
    outcomes = {path.name.removesuffix(".expected.json") for path in HERE.glob("cases/*.json")}
    assert outcomes == {path.stem for path in CASES}
