"""The functions that collect facts of a machine, with the facts that each can find."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bunraku.facts.probe import Probe

Collector = Callable[[Probe], dict[str, Any]]
COLLECTORS: dict[Collector, frozenset[str]] = {}
"""Collector → the facts that it can find. The files that declare collectors fill it."""


def collects(*names: str) -> Callable[[Collector], Collector]:
    """Return a decorator for a function that collects the facts with some names.

    The function returns the facts that the machine has; ``bunraku.facts.collect`` imports its file.
    """

    def declare(function: Collector) -> Collector:
        COLLECTORS[function] = frozenset(names)
        return function

    return declare
