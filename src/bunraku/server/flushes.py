"""How often caches were to be emptied: those of all environments, and those of single ones."""

from __future__ import annotations

from collections import Counter
from threading import Lock


class Flushes:
    """Counters that jobs carry to the compile processes, which compare them with the last ones."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.count = 0
        """Orders for all caches."""
        self.single: Counter[str] = Counter()

    def add(self, environment: str | None = None) -> None:
        """Order all processes to empty the caches of an environment, or all, before the next job."""
        with self.lock:
            if environment is None:
                self.count += 1
            else:
                self.single[environment] += 1

    def of_environments(self) -> dict[str, int]:
        """Return the orders for single environments."""
        with self.lock:
            return dict(self.single)
