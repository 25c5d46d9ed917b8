"""Keeps the story of a lookup as a tree, for ``bunraku lookup --explain``.

As data the tree has the structure of ``puppet lookup --explain --render-as json`` (types, events,
names of entries), so that programs read both; the texts are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bunraku.hiera.explain import Explanation
from bunraku.records import field, record
from bunraku.types.formats import format_value
from bunraku.types.text import to_text
from bunraku.values.keys import as_key, pairs
from bunraku.values.sensitive import Sensitive

Value = Any
WIDTH = 88
HIDDEN = Sensitive(None)


@record()
class Step:
    """A step of a lookup: its kind (an entry of :data:`KINDS`), name and outcome."""

    kind: str
    name: str
    details: dict[str, Value] = field(default_factory=dict)
    event: str | None = None
    key: str | None = None
    value: Value = None
    notes: list[str] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    @property
    def has_value(self) -> bool:
        """Whether the step ended with a value."""
        return self.event is not None and (self.event.startswith("found") or self.event == "result")

    def data(self) -> dict[str, Value]:
        """The step as plain data."""
        if self.kind == "merge" and len(self.steps) == 1:  # there was nothing to merge
            return self.steps[0].data()
        data: dict[str, Value] = {}
        if self.steps:
            data["branches"] = [step.data() for step in self.steps]
        if self.key is not None:
            data["key"] = self.key
        if self.has_value:
            data["value"] = plain(self.value)
        if self.event:
            data["event"] = self.event
        if self.notes:
            data["texts"] = self.notes
        type_, parts = KINDS[self.kind]
        data["type"] = type_
        data.update((name, part) for name, part in parts(self).items() if part is not None)
        return data

    def hide(self) -> None:
        """Forget the values, here and below."""
        if self.has_value:
            self.value = HIDDEN
        if self.kind == "interpolate":
            self.name = "…"
        for step in self.steps:
            step.hide()


class Recorder(Explanation):
    """Keeps the story. ``options_only`` asks for the search of ``lookup_options`` alone."""

    active = True

    def __init__(self, *, options_only: bool = False) -> None:
        self.root = Step("root", "")
        self.options_only = options_only
        self._open = [self.root]
        self._last = self.root

    def enter(self, kind: str, name: str, **details: Value) -> None:
        """See :class:`Explanation`."""
        step = Step(kind, name, details)
        if kind in KEYED:
            step.key = name
        self._open[-1].steps.append(step)
        self._open.append(step)

    def leave(self) -> None:
        """See :class:`Explanation`."""
        if len(self._open) > 1:
            self._last = self._open.pop()

    def found(self, key: object, value: Value, source: str = "") -> None:
        """See :class:`Explanation`."""
        step = self._open[-1]
        step.event = f"found_in_{source}" if source else "found"
        step.key, step.value = str(key), value

    def missing(self, key: object) -> None:
        """See :class:`Explanation`."""
        step = self._open[-1]
        step.event, step.key = "not_found", str(key)

    def absent(self) -> None:
        """See :class:`Explanation`."""
        self._open[-1].event = "location_not_found"

    def no_layer(self, module: str, *, exists: bool) -> None:
        """See :class:`Explanation`."""
        event = "module_provider_not_found" if exists else "module_not_found"
        self._open[-1].steps.append(Step("no_module", module, event=event))

    def result(self, value: Value) -> None:
        """See :class:`Explanation`."""
        step = self._open[-1]
        step.event, step.value = "result", value

    def note(self, text: str) -> None:
        """See :class:`Explanation`."""
        self._open[-1].notes.append(text)

    def remark(self, text: str) -> None:
        """See :class:`Explanation`."""
        self.root.notes.append(text)

    def converted(self, convert_to: Value, *, secret: bool) -> None:
        """See :class:`Explanation`."""
        if secret:
            self._last.hide()
        self.remark(f"made {value_text(convert_to)}, as lookup_options say")

    def data(self) -> Value:
        """The whole story as plain data."""
        steps = [step.data() for step in self.root.steps]
        notes = {"texts": self.root.notes} if self.root.notes else {}
        return {**steps[0], **notes} if len(steps) == 1 else {"branches": steps, **notes}

    def text(self) -> str:
        """The whole story for people, a line a step."""
        lines: list[str] = []
        for step in self.root.steps:
            write(step, lines, "")
        return "\n".join(lines + self.root.notes)


# -- as data ---------------------------------------------------------------------------------------


def named(step: Step) -> dict[str, Value]:
    """The parts of a step of which only its title is told."""
    return {"name": title(step)}


def layer(step: Step) -> dict[str, Value]:
    """The parts of a layer of data."""
    return {
        "name": title(step),
        "configuration_path": step.details.get("configuration"),
        "module": step.name or None,
    }


def file(step: Step) -> dict[str, Value]:
    """The parts of a file."""
    return {"original_path": step.details.get("written_as"), "path": step.name}


def uri(step: Step) -> dict[str, Value]:
    """The parts of an address."""
    return {"original_uri": step.details.get("written_as"), "uri": step.name}


def merge(step: Step) -> dict[str, Value]:
    """The parts of a merge."""
    return {"merge": step.name, "options": plain(step.details.get("options") or None)}


def nothing(_: Step) -> dict[str, Value]:
    """The parts of a step of which all is told."""
    return {}


Parts = Callable[[Step], dict[str, Value]]
KINDS: dict[str, tuple[str, Parts]] = {
    "data": ("root", nothing),
    "meta": ("root", nothing),
    "global": ("data_provider", layer),
    "environment": ("data_provider", layer),
    "module": ("data_provider", layer),
    "no_module": ("module", lambda step: {"module": step.name}),
    "default_hierarchy": ("scope", named),
    "default_key": ("scope", named),
    "shared_options": ("scope", named),
    "module_options": ("scope", named),
    "level": ("data_provider", named),
    "path": ("path", file),
    "uri": ("uri", uri),
    "merge": ("merge", merge),
    "merge_source": ("merge_source", lambda step: {"merge_source": step.name}),
    "interpolate": ("interpolate", lambda step: {"expression": step.name}),
    "scope": ("scope", named),
    "sub_key": ("sub_key", nothing),
    "segment": ("segment", nothing),
    "invalid_key": ("invalid_key", nothing),
}
"""Kind of step → its type in the data, and the parts it has there beside key, value and event."""
KEYED = frozenset({"data", "meta", "invalid_key"})


def plain(value: Value) -> Value:
    """A value as JSON and YAML have it; what they have no form for is its text, secrets are hidden.

    >>> plain({"a": [1, Sensitive("x")]})
    {'a': [1, 'Sensitive [value redacted]']}
    """
    if isinstance(value, Sensitive):
        return repr(value)
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {
            key if isinstance(key, str) else to_text(key): plain(item)
            for key, item in pairs({as_key(key): item for key, item in value.items()})
        }
    return to_text(value)


# -- for people ------------------------------------------------------------------------------------

TITLES = {
    "data": 'Looking for "{name}"',
    "meta": 'Looking for "{name}"',
    "global": "Global data",
    "environment": "Environment data",
    "module": 'Data of module "{name}"',
    "no_module": 'Module "{name}"',
    "default_hierarchy": 'Default hierarchy of module "{name}"',
    "default_key": 'Looking there for "{name}"',
    "shared_options": "Global and environment data",
    "module_options": 'Data of module "{name}"',
    "level": 'Level "{name}"',
    "path": "File {name}",
    "uri": "URI {name}",
    "merge": "Merge with strategy {name}",
    "merge_source": 'How to merge is said by "{name}"',
    "interpolate": 'Interpolation of "{name}"',
    "scope": "Variables in scope",
    "sub_key": 'Inside it "{name}"',
    "segment": "",
    "invalid_key": '"{name}" cannot be looked up',
}
OUTCOMES = {
    "not_found": 'no key "{key}"',
    "location_not_found": "does not exist",
    "module_not_found": "does not exist",
    "module_provider_not_found": "has no data",
}
FOUND = {"found": "found", "result": "merged", "found_in_overrides": "found in overrides"}
DETAILS = {"configuration": "configured by", "written_as": "written as", "options": "with"}


def title(step: Step) -> str:
    """What a step is called."""
    version = step.details.get("version")
    suffix = f" (hiera.yaml version {version})" if version is not None else ""
    return TITLES[step.kind].format(name=step.name) + suffix


def write(step: Step, lines: list[str], indent: str) -> None:
    """Add the lines of a step."""
    if step.kind == "merge" and len(step.steps) < 2:  # there was nothing to merge
        for child in step.steps:
            write(child, lines, indent)
        return
    inner = indent
    if step.kind != "segment":
        lines.append(indent + title(step))
        inner += "  "
    for name, text in DETAILS.items():
        if step.details.get(name):
            lines.append(f"{inner}{text}: {shown(step.details[name], inner)}")
    for child in step.steps:
        write(child, lines, inner)
    if step.event in OUTCOMES:
        lines.append(inner + OUTCOMES[step.event].format(key=step.key))
    elif step.event is not None:
        key = f' "{step.key}"' if step.key is not None else ""
        word = FOUND.get(step.event, step.event.replace("_", " "))
        lines.append(f"{inner}{word}{key}: {value_text(step.value, inner)}")
    lines.extend(inner + note for note in step.notes)


def shown(value: Value, indent: str) -> str:
    """A detail: text as it is, anything else as Puppet code."""
    return value if isinstance(value, str) else value_text(value, indent)


def value_text(value: Value, indent: str = "") -> str:
    """A value as Puppet code, on one line if it fits; what is sensitive stays hidden.

    >>> print(value_text({"a": [1, None, Sensitive("x")], "b": "c"}))
    { 'a' => [1, undef, Sensitive [value redacted]], 'b' => 'c' }
    """
    inner = indent + "  "
    if isinstance(value, Sensitive):
        return repr(value)
    if isinstance(value, list):
        return folded("[", [value_text(item, inner) for item in value], "]", indent)
    if isinstance(value, dict):
        items = [f"{value_text(key)} => {value_text(item, inner)}" for key, item in pairs(value)]
        return folded("{", items, "}", indent)
    return str(format_value(value, "%p"))


def folded(opening: str, items: list[str], closing: str, indent: str) -> str:
    """Items on one line when they fit, else a line each."""
    space = " " if opening == "{" and items else ""
    line = f"{opening}{space}{', '.join(items)}{space}{closing}"
    if len(line) + len(indent) <= WIDTH and "\n" not in line:
        return line
    inner = "".join(f"{indent}  {item},\n" for item in items)
    return f"{opening}\n{inner}{indent}{closing}"
