"""A timer for systems without timers of processes, such as Windows: a thread that interrupts another one."""

from __future__ import annotations

import ctypes
from threading import Event, Thread, get_ident


class ThreadTimer:
    """Raise an exception in the thread that makes this object, after some seconds and again until it stops.

    As with a signal, code in C that does not return to the interpreter is not interrupted.
    """

    def __init__(self, seconds: float, again: float, raised: type[BaseException]) -> None:
        self.again = again
        self.raised = raised
        self.target = ctypes.c_ulong(get_ident())
        self.ended = Event()
        Thread(target=self.run, args=(seconds,), daemon=True).start()

    def run(self, seconds: float) -> None:
        """Wait and raise until the timer stops."""
        while not self.ended.wait(seconds):
            self.request(ctypes.py_object(self.raised))
            seconds = self.again

    def stop(self) -> None:
        """Raise nothing from now on, also not what waits to be raised."""
        self.ended.set()
        self.request(None)

    def request(self, raised: ctypes.py_object[type[BaseException]] | None) -> None:
        """Let the interpreter raise an exception in the thread; None takes back an earlier request."""
        ctypes.pythonapi.PyThreadState_SetAsyncExc(self.target, raised)
