"""The pytest plugin that lets an editor attach to tests: ``--bunraku-debugger PORT``.

pytest loads this module in every project in whose environment bunraku is installed. It imports
nothing of bunraku before the option is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from bunraku.debug.attachment import Attachment

ATTACHMENT: pytest.StashKey[Attachment] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    group = parser.getgroup("bunraku", "bunraku: tests of Puppet code")
    group.addoption(
        "--bunraku-debugger",
        metavar="PORT",
        type=int,
        help="wait until a debug adapter client attaches on this port of 127.0.0.1 (0: any free port)",
    )


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Wait for the client, before tests are collected."""
    config = session.config
    port = config.getoption("bunraku_debugger")
    if port is None:
        return
    from bunraku.base.usage import UsageError
    from bunraku.debug.attachment import wait_for_client
    from bunraku.workbench.testing.pytest_session import HOOKS

    writer = config.get_terminal_writer()

    def say(text: str) -> None:
        writer.line(text)
        writer.flush()

    try:
        attachment = wait_for_client(port, say)
    except UsageError as error:
        raise pytest.UsageError(str(error)) from None
    config.stash[ATTACHMENT] = attachment
    config.stash[HOOKS] = attachment.hooks


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Name the test in the console of the client."""
    attachment = item.config.stash.get(ATTACHMENT, None)
    if attachment is not None:
        attachment.begin_test(item.nodeid)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """End the session of the client."""
    attachment = session.config.stash.get(ATTACHMENT, None)
    if attachment is not None:
        attachment.finish(int(exitstatus))
