"""What the hooks and the fixtures of one run of pytest share."""

from __future__ import annotations

import os

import pytest

from bunraku.base.errors import PuppetError
from bunraku.engine.hooks import NO_HOOKS, Hooks
from bunraku.workbench.testing.session import Session

HOOKS: pytest.StashKey[Hooks] = pytest.StashKey()
"""The hooks of all compiles of the run, which a debugger sets."""
SESSION: pytest.StashKey[Session] = pytest.StashKey()


def session_of(config: pytest.Config) -> Session:
    """Return what the tests of the run share."""
    if SESSION not in config.stash:
        folders = [*config.getoption("bunraku_modulepath"), *config.getini("bunraku_modulepath")]
        config.stash[SESSION] = Session(
            [os.path.abspath(one) for one in folders],
            config.getoption("bunraku_facterdb") or config.getini("bunraku_facterdb") or None,
            config.getoption("bunraku_language") or config.getini("bunraku_language") or None,
            config.getoption("bunraku_os"),
            config.stash.get(HOOKS, NO_HOOKS),
        )
    return config.stash[SESSION]


def hinted_message(error: PuppetError) -> str:
    """Return the message of a PuppetError with its hint."""
    hint = error.diagnostic.hint
    return f"{error}\nhint: {hint}" if hint else str(error)
