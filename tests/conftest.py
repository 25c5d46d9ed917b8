"""Shared by all tests: an environment that does not depend on the user's."""

from __future__ import annotations

import gc
import os
import signal
import sys

import pytest
from hypothesis import HealthCheck, settings

from bunraku.engine import kept
from support.order import shuffled
from support.ruby import HAS_READER

NEEDS_READER = ("NO_RUBY_READER", "pip install tree-sitter", "without the package tree-sitter")
"""What a failed test shows if it was to read Ruby code."""
ASKED: list[str] = []
"""Attempts of this test to import the reader; its error may be in a text that pytest shortens."""


class NotedImports:
    """A finder of modules that finds none, and notes who asks for the reader of Ruby."""

    @staticmethod
    def find_spec(name, _path=None, _target=None):
        if name.partition(".")[0] in {"tree_sitter", "tree_sitter_ruby"}:
            ASKED.append(name)


if not HAS_READER:
    sys.meta_path.insert(0, NotedImports)

# Fuzzers are not tests, and the engine of one is not installed with the others.
collect_ignore = ["fuzz/fuzz_everything.py", "fuzz/fuzz_readers.py"]


# Tests run pytest, too, which must not get the options of this run.
os.environ.pop("PYTEST_ADDOPTS", None)

# Images for containers set it; each process that a test starts would compile all of bunraku again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A shell lets the programs that it starts in the background ignore Ctrl-C, and they pass that on.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Hypothesis measures time, too: on a busy machine neither slow data nor a slow case is a failure.
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")


def pytest_addoption(parser):
    parser.addoption("--reference", action="store_true", help="ask a real Puppet the same, too")
    parser.addoption("--update", action="store_true", help="rewrite the golden files")
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run the tests in random order")


def pytest_configure(config):
    config.addinivalue_line("markers", "reference: asks a real Puppet; runs with --reference only")


def pytest_collection_modifyitems(config, items):
    """Skip tests that need Puppet unless they are requested; shuffle the others on request."""
    if not config.getoption("--reference"):
        left_out = [item for item in items if item.get_closest_marker("reference")]
        items[:] = [item for item in items if item not in left_out]
        if left_out:
            config.hook.pytest_deselected(items=left_out)
    if config.getoption("--shuffle") is not None:
        items[:] = shuffled(items, config.getoption("--shuffle"), lambda item: item.path)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Skip a test that needs the reader of Ruby where its package is not installed."""
    report = yield
    if call.when == "teardown":
        ASKED.clear()
    if report.failed and not HAS_READER:
        shown = f"{report.longreprtext}\n{report.capstdout}\n{report.capstderr}"
        if ASKED or any(words in shown for words in NEEDS_READER):
            report.outcome = "skipped"
            report.longrepr = (str(item.path), item.location[1], "needs the package tree-sitter")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_collection(session):
    """Collect tests without garbage collection, and exclude objects that stay until the end from it."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item, nextitem):
    """Let each file of tests start with empty caches, and exclude long-lived objects from collections.

    Else a collection in the last files walks over all that the process has, for a second, and
    those that Python starts by itself are so rare that garbage piles up to a gigabyte.
    """
    try:
        return (yield)
    finally:
        if nextitem is None or nextitem.path != item.path:
            kept.forget()
            gc.collect()
            gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def own_surroundings(tmp_path_factory):
    """No colours, and a cache that starts empty: nothing of this machine's user counts."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("FORCE_COLOR", "CLICOLOR_FORCE", "NO_COLOR", "GITHUB_ACTIONS"):
            patch.delenv(name, raising=False)
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield
