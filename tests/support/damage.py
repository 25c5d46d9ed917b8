"""JSON values with some of their parts damaged."""

from __future__ import annotations

import copy

ODD_TEXTS = [
    *("", "x", "\0", "\ud800", "é" * 300, "2026-13-01T00:00:00Z", "0000-01-01T00:00:00Z"),
    *("9999-12-31T23:59:59.999Z", "-9999999999999", "'; DROP TABLE nodes; --"),
]
ODD_NUMBERS = [0, -1, 1 << 31, 1 << 52, -(1 << 52), 1 << 63, 10**400, 1.5, -0.0, 1e308]
ODD_OTHERS = [None, True, False, [], {}, [[]], [{}], {"a": {"b": []}}, ["x"] * 3, [1, 2]]
ODD = [*ODD_TEXTS, *ODD_NUMBERS, *ODD_OTHERS]
NAMES = ["x", "name", "", "a\0", "certname", "resource_events", "producer-timestamp"]


def places(value, path=()):
    """Yield the way to each part of a value but the whole."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for step, item in items:
        yield (*path, step)
        if isinstance(item, dict | list):
            yield from places(item, (*path, step))


def damaged(source, value):
    """Return a value with some parts removed, added, doubled or replaced."""
    value = copy.deepcopy(value)
    for _ in range(source.choice((1, 1, 2, 3))):
        found = list(places(value))
        if not found:
            break
        *way, last = source.choice(found)
        parent = value
        for step in way:
            parent = parent[step]
        odd = copy.deepcopy(source.choice(ODD))
        change = source.random()
        if change < 0.2 and isinstance(parent, dict):
            del parent[last]
        elif change < 0.3 and isinstance(parent, dict):
            parent[source.choice(NAMES)] = odd
        elif change < 0.4 and isinstance(parent, list):
            parent.append(copy.deepcopy(parent[last]))
        else:
            parent[last] = odd
    return value
