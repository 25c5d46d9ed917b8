"""What a server counts: requests by route and status, compiles and the time that they took."""

from __future__ import annotations

from collections import Counter
from threading import Lock


class Counts:
    """Counts that several threads add to."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.seconds: dict[str, float] = {}
        self.active = 0

    def begin(self) -> None:
        """Count a request that begins."""
        with self.lock:
            self.active += 1

    def end(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that has been answered."""
        with self.lock:
            self.active -= 1
            self.requests[method, route, status] += 1
            self.seconds[route] = self.seconds.get(route, 0.0) + seconds

    def snapshot(self) -> tuple[dict[tuple[str, str, int], int], dict[str, float], int]:
        """Return the requests by method, route and status, the seconds by route, and the active."""
        with self.lock:
            return dict(self.requests), dict(self.seconds), self.active
