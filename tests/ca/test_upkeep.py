"""Revocation lists of a running server are re-signed before they expire."""

from __future__ import annotations

from threading import Event

from bunraku.ca.upkeep import Upkeep


class Lists:
    """Stands for an authority: its lists expire once, then cannot be read."""

    def __init__(self):
        self.results = [False, True, OSError("no such file")]
        self.checked = Event()

    def refresh(self):
        if not self.results:
            self.checked.set()
            return False
        result = self.results.pop(0)
        if isinstance(result, Exception):
            raise result
        return result


def test_lists_are_checked_again_and_again_also_after_a_failure():
    lists, lines = Lists(), []
    with Upkeep(lists, lines.append, interval=0.001):
        assert lists.checked.wait(30)
    assert lines == [
        "notice: a revocation list was re-signed",
        "err: cannot re-sign the revocation lists: no such file",
    ]


def test_the_thread_ends_with_the_block():
    with Upkeep(Lists(), print, interval=3600) as upkeep:
        assert upkeep.thread.is_alive()
    assert not upkeep.thread.is_alive()
