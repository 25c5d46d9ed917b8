"""The story of a lookup: which places were asked, in which order, and what they answered.

Hiera tells it to an :class:`Explanation`, which forgets, or to a :class:`Recorder`, which keeps it
as a tree for ``bunraku lookup --explain``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Value = Any


class Explanation:
    """Hears everything and keeps nothing."""

    active = False
    __slots__ = ()

    def enter(self, kind: str, name: str, **details: Value) -> None:
        """What follows, up to :meth:`leave`, belongs to this step."""

    def leave(self) -> None:
        """The step is over."""

    def found(self, key: object, value: Value, source: str = "") -> None:
        """The step has a value."""

    def missing(self, key: object) -> None:
        """The step has no value."""

    def absent(self) -> None:
        """The file or module of the step does not exist."""

    def result(self, value: Value) -> None:
        """What a merge of several values gave."""

    def note(self, text: str) -> None:
        """A remark, for example of a backend function."""


SILENT = Explanation()


@dataclass(slots=True)
class Step:
    """A step of a lookup: ``kind`` (global, environment, module, level, path, …), name, outcome."""

    kind: str
    name: str
    details: dict[str, Value] = field(default_factory=dict)
    outcome: str | None = None
    key: str | None = None
    value: Value = None
    notes: list[str] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    def data(self) -> dict[str, Value]:
        """The step as plain data, for ``--format json``."""
        data: dict[str, Value] = {"type": self.kind, "name": self.name, **self.details}
        if self.outcome:
            data["event"] = self.outcome
        if self.key is not None:
            data["key"] = self.key
        if self.outcome in {"found", "result"}:
            data["value"] = self.value
        if self.notes:
            data["texts"] = self.notes
        if self.steps:
            data["branches"] = [step.data() for step in self.steps]
        return data


class Recorder(Explanation):
    """Keeps the story. ``options_only`` asks for the search of ``lookup_options`` alone."""

    active = True
    __slots__ = ("_open", "options_only", "root")

    def __init__(self, *, options_only: bool = False) -> None:
        self.root = Step("root", "")
        self.options_only = options_only
        self._open = [self.root]

    def enter(self, kind: str, name: str, **details: Value) -> None:
        """See :class:`Explanation`."""
        step = Step(kind, name, details)
        self._open[-1].steps.append(step)
        self._open.append(step)

    def leave(self) -> None:
        """See :class:`Explanation`."""
        if len(self._open) > 1:
            self._open.pop()

    def found(self, key: object, value: Value, source: str = "") -> None:
        """See :class:`Explanation`."""
        step = self._open[-1]
        step.outcome, step.key, step.value = "found", str(key), value
        if source:
            step.details["in"] = source

    def missing(self, key: object) -> None:
        """See :class:`Explanation`."""
        step = self._open[-1]
        step.outcome, step.key = "not_found", str(key)

    def absent(self) -> None:
        """See :class:`Explanation`."""
        self._open[-1].outcome = "absent"

    def result(self, value: Value) -> None:
        """See :class:`Explanation`."""
        step = self._open[-1]
        step.outcome, step.value = "result", value

    def note(self, text: str) -> None:
        """See :class:`Explanation`."""
        self._open[-1].notes.append(text)

    def data(self) -> Value:
        """The whole story as plain data."""
        steps = [step.data() for step in self.root.steps]
        return steps[0] if len(steps) == 1 else {"branches": steps}

    def text(self) -> str:
        """The whole story for people, a line a step."""
        lines: list[str] = []
        for step in self.root.steps:
            write(step, lines, 0)
        return "\n".join(lines)


TITLES = {
    "data": 'Looking for "{name}"',
    "meta": 'Looking for "{name}"',
    "global": "Global data",
    "environment": "Environment data",
    "module": 'Data of module "{name}"',
    "default_hierarchy": 'Default hierarchy of module "{name}"',
    "level": 'Level "{name}"',
    "path": "File {name}",
    "uri": "URI {name}",
    "merge": "Merge with strategy {name}",
    "merge_source": "The merge strategy comes from {name}",
    "interpolate": 'Interpolation of "{name}"',
    "scope": 'Variable "{name}"',
    "sub_key": 'Inside it "{name}"',
    "invalid_key": 'The key "{name}" cannot be looked up',
    "mismatch": "{name}",
}
OUTCOMES = {"not_found": "not found: {key}", "absent": "does not exist"}


def write(step: Step, lines: list[str], depth: int) -> None:
    """Add the lines of a step."""
    indent = "  " * depth
    lines.append(indent + TITLES.get(step.kind, "{name}").format(name=step.name))
    inner = indent + "  "
    for name, value in step.details.items():
        if value not in (None, {}, ""):
            lines.append(f"{inner}{name.replace('_', ' ')}: {display(value)}")
    for child in step.steps:
        write(child, lines, depth + 1)
    if step.outcome in OUTCOMES:
        lines.append(inner + OUTCOMES[step.outcome].format(key=step.key))
    elif step.outcome == "found":
        lines.append(f"{inner}found: {step.key} = {display(step.value)}")
    elif step.outcome == "result":
        lines.append(f"{inner}result: {display(step.value)}")
    lines.extend(inner + note for note in step.notes)


def display(value: Value) -> str:
    """A value in one line; what is sensitive stays hidden, for it prints itself so."""
    return value if isinstance(value, str) else repr(value)
