"""The garbage collector runs rarely during a compile, since there is little garbage.

A compile makes some ten objects for each resource, and they stay until the catalog is done. To walk
them after each 700 new ones, as Python does by itself, finds nothing and takes the longer the larger
the catalog is. With the collector switched off, code that makes much garbage could fill the memory.
So it has patience: it looks when there are PATIENCE objects more than the last time, about a hundred
megabytes. When a compile is over it takes itself apart (``Compilation.close``), so reference
counts free nearly all and little is left to collect.
"""

from __future__ import annotations

import gc
from _thread import allocate_lock  # the type of threading.Lock, without importing threading

PATIENCE = 500_000


class Patience:
    """Make the collector run rarely while a ``with`` of this object is active in any thread.

    Settings of the process itself stay: a collector that is off or runs even more rarely.

    >>> with PATIENT, PATIENT:
    ...     gc.get_threshold()[0] >= PATIENCE
    True
    """

    def __init__(self) -> None:
        self.lock = allocate_lock()
        self.running = 0
        self.before: tuple[int, int, int] | None = None

    def __enter__(self) -> None:
        with self.lock:
            self.running += 1
            threshold = gc.get_threshold()
            if self.running == 1 and 0 < threshold[0] < PATIENCE:
                self.before = threshold
                gc.set_threshold(PATIENCE, *threshold[1:])

    def __exit__(self, *_error: object) -> None:
        with self.lock:
            self.running -= 1
            if self.running == 0 and self.before is not None:
                if gc.get_threshold()[0] == PATIENCE:  # otherwise other code changed it meanwhile
                    gc.set_threshold(*self.before)
                self.before = None


PATIENT = Patience()
