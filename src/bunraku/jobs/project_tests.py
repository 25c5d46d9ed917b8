"""The files of a project that ``bunraku test`` runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from bunraku.base.file_reading import read_whole
from bunraku.base.usage import UsageError
from bunraku.jobs.context import Context
from bunraku.project.model import NOTHING

DIRECTORIES = ("spec", "tests", "test")
"""Where modules and control repositories have their tests."""
FIXTURES = "fixtures"
"""The directory of other modules' code, whose tests are not those of the project."""
PYTHON, RUBY = ("test_", "_test.py"), "_spec.rb"


def runnable_tests(context: Context, say: Callable[[str], None]) -> list[str]:
    """Return the tests of the project; UsageError if it has none. ``say`` gets a note for people."""
    project = context.project
    root = os.getcwd() if project.kind == NOTHING else project.root
    files = list(files_of_tests(root))
    ruby = sum(path.endswith(RUBY) for path in files)
    if ruby:
        say(
            f"note: {ruby} *{RUBY} file{'s' * (ruby != 1)}: rspec runs them, on bunraku with the gem "
            "bunraku-rspec (docs/rspec.md)\n"
        )
    found = [os.path.relpath(path) for path in files if is_test(path)]
    if not found:
        places = ", ".join(DIRECTORIES)
        raise UsageError(
            f"cannot find tests (test_*.py, *_spec.yaml, *_spec.pp) in {places} below {root}"
        )
    return found


def files_of_tests(root: str) -> Iterator[str]:
    """Yield the files in the directories of tests, without those of fixtures, sorted."""
    for name in DIRECTORIES:
        for directory, below, files in os.walk(os.path.join(root, name)):
            below[:] = sorted(one for one in below if one != FIXTURES and not one.startswith("."))
            yield from (os.path.join(directory, one) for one in sorted(files))


def is_test(path: str) -> bool:
    """Return whether pytest collects a file: a Python test, or a spec file."""
    if is_python_test(os.path.basename(path)):
        return True
    if path.rpartition("_spec.")[2] not in {"yaml", "yml", "pp"}:
        return False
    from bunraku.workbench.testing.spec_file import is_spec_file

    return is_spec_file(path, read_whole(path))


def is_python_test(name: str) -> bool:
    """Return whether pytest collects a file by its name.

    >>> is_python_test("test_ntp.py"), is_python_test("conftest.py"), is_python_test("ntp_test.py")
    (True, False, True)
    """
    return name.endswith(".py") and (name.startswith(PYTHON[0]) or name.endswith(PYTHON[1]))
