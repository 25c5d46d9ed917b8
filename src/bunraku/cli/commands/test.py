"""Run the tests of a module or control repository with pytest and its fixtures for Puppet code.

Without PATH: all tests in Python (test_*.py, *_test.py), in YAML (*_spec.yaml) and in Puppet code
(*_spec.pp) in the directories spec, tests and test of the project. Words after -- are options of
pytest.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from importlib.util import find_spec

from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import GENERAL, Rules
from bunraku.cli.output.output import write_error
from bunraku.jobs.paths import near_path
from bunraku.jobs.project_tests import runnable_tests

RUNS_A_PROGRAM = True
"""The words after ``--`` are options of pytest."""
INTERMIXED = True
IMPORTED = "ignore:Module already imported so cannot be rewritten; bunraku:pytest.PytestAssertRewriteWarning"
"""pytest rewrites the assertions of plugins; those of bunraku are imported when pytest starts."""
COLOURS = {"auto": "auto", "always": "yes", "never": "no"}
CODES = {0: exits.OK, 1: exits.FINDINGS}
"""pytest's exit code → bunraku's; all others are trouble, 2 also of a file that cannot be collected."""


OPTIONS = f"""
paths [PATH]...: a directory, a file, or FILE::TEST
-k EXPRESSION: run only tests whose names match
-x --exitfirst: stop after the first failure
--lf --last-failed: run only tests that failed last time
-n --numprocesses N: processes: a number, or auto (pytest-xdist)
@os: limit on_supported_os to an operating system, such as debian or debian-12; can be repeated
--update: accept the catalogs that differ from snapshots
--debugger PORT: wait until a debug adapter client attaches on this port of 127.0.0.1, 0 means any
    free port
--junitxml FILE: write a report for CI systems
-v --verbose: print each test
-q --quiet: print less
{GENERAL}
"""
RULES: Rules = {
    "debugger": {"type": int},
    "verbose": {"action": "count", "default": 0},
    "quiet": {"action": "count", "default": 0},
}


def run(options: argparse.Namespace) -> int:
    """Run the tests; return 1 if one fails."""
    for name, needed in (("pytest", True), ("xdist", options.numprocesses is not None)):
        if needed and find_spec(name) is None:
            package = "pytest" if name == "pytest" else "pytest-xdist"
            raise UsageError(f"{package} is not installed: pip install {package}")
    paths = list(checked(options.paths)) or runnable_tests(
        context_of(options, below=True), write_error
    )
    import pytest

    from bunraku.workbench.testing.interruption import Interruption

    stop = Interruption()
    given = [*pytest_options(options), *(options.program or ()), *paths]
    code = int(pytest.main(given, plugins=[stop]))
    return exits.INTERRUPTED if stop.came else CODES.get(code, exits.TROUBLE)


def pytest_options(options: argparse.Namespace) -> Iterator[str]:
    """Yield pytest's options."""
    from bunraku.workbench.testing import pytest_plugin

    if not is_installed(pytest_plugin.__name__):
        yield from ("-p", pytest_plugin.__name__)
    if options.debugger is not None:
        yield from debugger_options(options)
    yield from ("-W", IMPORTED)
    yield from ("-k", options.k) if options.k is not None else ()
    yield from ("-n", options.numprocesses) if options.numprocesses is not None else ()
    yield from ("--exitfirst",) if options.exitfirst else ()
    yield from ("--last-failed",) if options.lf else ()
    yield from (f"--bunraku-os={name}" for name in options.os)
    yield from ("--bunraku-update",) if options.update else ()
    yield from (f"--junitxml={options.junitxml}",) if options.junitxml else ()
    yield from ("-v",) * options.verbose
    yield from ("-q",) * options.quiet
    yield f"--color={COLOURS[options.color]}"


def debugger_options(options: argparse.Namespace) -> Iterator[str]:
    """Yield pytest's options for tests that are debugged."""
    from bunraku.debug import pytest_plugin

    if options.numprocesses is not None:
        raise UsageError(
            "give --debugger or -n, not both: tests in other processes cannot be debugged"
        )
    if not is_installed(pytest_plugin.__name__):
        yield from ("-p", pytest_plugin.__name__)
    yield f"--bunraku-debugger={options.debugger}"


def is_installed(plugin: str) -> bool:
    """Return whether pytest loads a plugin by itself; a source tree on the path has no metadata."""
    from importlib.metadata import entry_points

    return any(one.value == plugin for one in entry_points(group="pytest11"))


def checked(paths: list[str]) -> Iterator[str]:
    """Yield the paths of the command line; UsageError for one that does not exist."""
    for path in paths:
        file = path.partition("::")[0]
        if not os.path.exists(file):
            raise UsageError(f"cannot find {file}{near_path(file)}")
        yield path
