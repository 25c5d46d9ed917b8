"""SIGTERM and SIGHUP as exceptions, so they are cleaned up after as Ctrl-C is."""

from __future__ import annotations

# The C module behind ``signal``, which wraps all numbers in enumerations: this takes
# longer than to check a small manifest.
import _signal as signal
from types import FrameType, TracebackType

from bunraku.base.lazy_typing import Any

RELOADING_NAMES = ("SIGHUP", "SIGUSR1", "SIGUSR2")
HANGUP: int = getattr(signal, "SIGHUP", signal.SIGTERM)
"""The signal of a terminal that closes; Windows has none."""
RELOADING = [getattr(signal, name) for name in RELOADING_NAMES if hasattr(signal, name)]
"""Signals that a service handles without ending."""


class Held:
    """Let the signals of a service wait inside the ``with`` block: before it handles them, they would end it."""

    def __enter__(self) -> None:
        self.before = signal.pthread_sigmask(signal.SIG_BLOCK, RELOADING)

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, self.before)


def release_reloads() -> None:
    """Deliver the signals that wait, and later ones at once."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, RELOADING)


class Terminated(KeyboardInterrupt):
    """Raised in the main thread by SIGTERM and SIGHUP; ``number`` is the signal's."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class Handlers:
    """Handlers of signals inside a ``with`` block; the earlier handlers are restored at its end."""

    def __init__(self) -> None:
        self.before: dict[int, Any] = {}

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        for number, handler in self.before.items():
            signal.signal(number, handler)
        self.before.clear()


class Terminable(Handlers):
    """Raise :class:`Terminated` inside the ``with`` block for SIGTERM and SIGHUP.

    Signals that the process ignores (``nohup``) or handles otherwise are left alone. A second signal
    does not disturb the clean-up after the first. Outside of the main thread the block changes
    nothing, for Python delivers signals to the main thread only.
    """

    def __enter__(self) -> None:
        for number in {signal.SIGTERM, HANGUP}:
            if signal.getsignal(number) is signal.SIG_DFL:
                try:
                    signal.signal(number, self.handle)
                except ValueError:  # not the main thread
                    return
                self.before[number] = signal.SIG_DFL

    def handle(self, number: int, _frame: FrameType | None) -> None:
        """Turn a signal into an exception, once."""
        for one in self.before:
            signal.signal(one, signal.SIG_IGN)
        raise Terminated(number)


class Postponed(Handlers):
    """Note the first of SIGINT, SIGTERM and SIGHUP inside the ``with`` block instead of raising.

    ``number`` is the signal's. A second one raises :class:`Terminated`. Signals that the process
    ignores are left alone; outside of the main thread the block changes nothing.
    """

    def __init__(self) -> None:
        super().__init__()
        self.number: int | None = None

    def __enter__(self) -> Postponed:
        for number in {signal.SIGINT, signal.SIGTERM, HANGUP}:
            handler = signal.getsignal(number)
            if handler is not signal.SIG_IGN:
                try:
                    signal.signal(number, self.note)
                except ValueError:  # not the main thread
                    break
                self.before[number] = handler
        return self

    def note(self, number: int, _frame: FrameType | None) -> None:
        """Keep the number of a signal; raise at the second one."""
        if self.number is not None:
            raise Terminated(number)
        self.number = number

    def came(self) -> bool:
        """Return whether a signal came."""
        return self.number is not None
