"""Tells an interruption by the user from the end that pytest itself gives to a run."""

from __future__ import annotations

import pytest


class Interruption:
    """A plugin of pytest: ``came`` is whether SIGINT ended the run.

    pytest also ends with the code of an interruption if it cannot collect a file.
    """

    came = False

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Take note of what ended the run."""
        self.came = not isinstance(
            excinfo.value, (pytest.Session.Interrupted, pytest.exit.Exception)
        )
