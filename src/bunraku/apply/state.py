"""The state that a run keeps for the next one: times of checks, and values of audited properties."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bunraku.apply.event_values import reported
from bunraku.apply.times import yaml_time
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.formats.failure import FormatError
from bunraku.formats.yaml import TIME, load_plain
from bunraku.formats.yaml_styles import Plain
from bunraku.formats.yaml_writer import ruby_yaml_text

Value = Any
TIMES = frozenset({"checked", "synced"})
"""The names whose values are times; all other names are audited properties."""
START = "---\n"
ENTRY = lazy_pattern(
    r"([A-Z][\w:]*\[[\w/.:+@-]*\]):\n((?:  :(?:checked|synced): [-0-9:.+ ]+\n)+)", re.ASCII
)
"""A resource with the times of its last check and change."""
KEPT = 32 * 86400.0
"""Seconds for which the state of a resource is kept after its last check (Puppet's ``statettl``)."""


class State:
    """The state file as data: resource → name → value.

    ``checked`` and ``synced`` are times in seconds since the epoch; other names are audited
    properties.
    """

    def __init__(self, data: Mapping[str, Mapping[str, Value]] | None = None) -> None:
        self.data: dict[str, dict[str, Value]] = {
            reference: dict(values) for reference, values in (data or {}).items()
        }

    def of(self, reference: str) -> dict[str, Value]:
        """Return the stored state of a resource."""
        return self.data.setdefault(reference, {})


def state_text(state: State, now: float) -> str:
    """Return a state as Puppet's ``state.yaml``, without entries older than :data:`KEPT`.

    >>> print(state_text(State({"File[/a]": {"mode": "0644"}}), 0.0), end="")
    ---
    File[/a]:
      :mode: '0644'
    """
    return ruby_yaml_text(
        {
            reference: {Plain(f":{name}"): written(name, value) for name, value in values.items()}
            for reference, values in state.data.items()
            if values and now - values.get("checked", now) < KEPT
        }
    )


def written(name: str, value: Value) -> Value:
    """Return a stored value in the format of the file."""
    return Plain(yaml_time(value)) if name in TIMES else reported(value)


def read_state(content: bytes) -> State:
    """Read a state file of bunraku or Puppet; raise FormatError for other content.

    >>> read_state(b"File[/a]:\\n  :checked: 1970-01-01 00:00:01.5 +00:00\\n  :mode: '0644'").data
    {'File[/a]': {'checked': 1.5, 'mode': '0644'}}
    """
    known = state_of_times(content.decode("utf-8", "surrogateescape"))
    if known is not None:
        return known
    data = load_plain(content)
    if data is None:
        return State()
    if not isinstance(data, dict):
        raise FormatError("it is not a hash")
    state = State()
    for reference, values in data.items():
        if not isinstance(values, dict):
            raise FormatError(f"the value of {reference} is not a hash")
        for name, value in values.items():
            state.of(str(reference))[name] = seconds_of(value) if name in TIMES else value
    return state


def state_of_times(text: str) -> State | None:
    """Return the state in a file whose entries have only times and names of plain characters.

    Return None for other files. Most have this form; the reader of YAML is slow to import.
    """
    state, place = State(), len(START)
    while found := ENTRY.match(text, place):
        values = state.of(found[1])
        if values:
            return None  # it is there twice
        for line in found[2].splitlines():
            name, _, value = line.strip(" :").partition(": ")
            values[name] = seconds_of(value)
        place = found.end()
    return state if text.startswith(START) and place == len(text) else None


def seconds_of(value: Value) -> float:
    """Return the seconds of a time in YAML; raise ValueError for anything else."""
    if not isinstance(value, str) or not TIME.search(value):
        raise ValueError(f"{value!r} is not a time")
    return datetime.fromisoformat(value.replace(" ", "T", 1).replace(" ", "")).timestamp()
