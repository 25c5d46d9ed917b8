"""Records a lookup as a tree, for ``bunraku lookup --explain``.

The output is that of ``puppet lookup --explain`` (labels, indentation, values), and as data it has the
same structure (types, events, names of entries) so that programs can read both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bunraku.base.records import field, record
from bunraku.catalog.text import folded
from bunraku.hiera.explain import Explanation
from bunraku.modules.ruby_text import inspect
from bunraku.types.convert.formats import format_value
from bunraku.types.value_text import to_text
from bunraku.values.keys import as_key, pairs
from bunraku.values.sensitive import Sensitive

Value = Any
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
        """Return the step as plain data."""
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
    """Records a lookup. ``options_only`` records only the search of ``lookup_options``."""

    active = True

    def __init__(self, *, options_only: bool = False) -> None:
        self.root = Step("root", "")
        self.options_only = options_only
        self._open = [self.root]
        self._last = self.root
        self._failed: Step | None = None

    def step(self, kind: str, name: str, **details: Value) -> Recorder:
        """See :class:`Explanation`."""
        step = Step(kind, name, details)
        if kind in KEYED:
            step.key = name
        self._open[-1].steps.append(step)
        self._open.append(step)
        self._failed = None
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        """End the step; note the innermost step of an error."""
        self._last = self._open.pop()
        if error is None:
            self._failed = None
        elif self._failed is None:
            self._failed = self._last

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

    def failed(self, message: str) -> None:
        """Note the error that ended the lookup in the step where it occurred."""
        (self._failed or self.root).notes.append(message)

    def converted(self, convert_to: Value, *, secret: bool) -> None:
        """See :class:`Explanation`."""
        if secret:
            self._last.hide()
        self.remark(f"Applying convert_to lookup_option with arguments {value_text(convert_to)}")

    def data(self) -> Value:
        """Return the whole explanation as plain data."""
        steps = [step.data() for step in self.root.steps]
        notes = {"texts": self.root.notes} if self.root.notes else {}
        return {**steps[0], **notes} if len(steps) == 1 else {"branches": steps, **notes}

    def text(self) -> str:
        """Return the whole explanation as text, one line for each step."""
        lines: list[str] = []
        for step in self.root.steps:
            write(step, lines, "")
        return "\n".join(lines + self.root.notes)


# -- as data ---------------------------------------------------------------------------------------


def titled(step: Step) -> dict[str, Value]:
    """Return the parts of a step that is shown by its title only."""
    return {"name": title(step)}


def layer(step: Step) -> dict[str, Value]:
    """Return the parts of a layer of data."""
    return {
        "name": title(step),
        "configuration_path": step.details.get("configuration"),
        "module": step.name or None,
    }


def file(step: Step) -> dict[str, Value]:
    """Return the parts of a file."""
    return {"original_path": step.details.get("written_as"), "path": step.name}


def uri(step: Step) -> dict[str, Value]:
    """Return the parts of an address."""
    return {"original_uri": step.details.get("written_as"), "uri": step.name}


def merge(step: Step) -> dict[str, Value]:
    """Return the parts of a merge."""
    return {"merge": step.name, "options": plain(merge_options(step) or None)}


def merge_options(step: Step) -> dict[str, Value]:
    """Return the options of a merge besides its strategy, which is the name of the step."""
    options = step.details.get("options", {})
    return {name: value for name, value in options.items() if name != "strategy"}


def nothing(_: Step) -> dict[str, Value]:
    """Return the parts of a step that is shown in full."""
    return {}


Parts = Callable[[Step], dict[str, Value]]
KINDS: dict[str, tuple[str, Parts]] = {
    "data": ("root", nothing),
    "meta": ("root", nothing),
    "global": ("data_provider", layer),
    "environment": ("data_provider", layer),
    "module": ("data_provider", layer),
    "no_module": ("module", lambda step: {"module": step.name}),
    "default_hierarchy": ("scope", titled),
    "default_key": ("scope", titled),
    "shared_options": ("scope", titled),
    "module_options": ("scope", titled),
    "level": ("data_provider", titled),
    "path": ("path", file),
    "uri": ("uri", uri),
    "merge": ("merge", merge),
    "merge_source": ("merge_source", lambda step: {"merge_source": step.name}),
    "interpolate": ("interpolate", lambda step: {"expression": step.name}),
    "scope": ("scope", titled),
    "sub_key": ("sub_key", nothing),
    "segment": ("segment", nothing),
    "invalid_key": ("invalid_key", nothing),
}
"""Kind of step → its type in the data, and the parts it has there beside key, value and event."""
KEYED = frozenset({"data", "meta", "invalid_key"})


def plain(value: Value) -> Value:
    """Return a value for JSON or YAML; other values become text, secrets are hidden.

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
    "data": 'Searching for "{name}"',
    "meta": 'Searching for "{name}"',
    "global": "Global Data Provider",
    "environment": "Environment Data Provider",
    "module": 'Module "{name}" Data Provider',
    "no_module": 'Module "{name}"',
    "default_hierarchy": 'Searching default_hierarchy of module "{name}"',
    "default_key": 'Searching for "{name}"',
    "shared_options": "Global and Environment",
    "module_options": "Module {name}",
    "level": 'Hierarchy entry "{name}"',
    "path": 'Path "{name}"',
    "uri": 'URI "{name}"',
    "merge": "Merge strategy {name}",
    "merge_source": 'Using merge options from "{name}" hash',
    "interpolate": 'Interpolation on "{name}"',
    "scope": "Global Scope",
    "sub_key": 'Sub key: "{name}"',
    "segment": "",
    "invalid_key": 'Invalid key "{name}"',
}
"""The labels of ``puppet lookup --explain``, so programs that search for them work."""
OUTCOMES = {
    "not_found": 'No such key: "{key}"',
    "location_not_found": "{kind} not found",
    "module_not_found": "not found",
    "module_provider_not_found": "has no data",
}
SOURCES = {"found_in_overrides": " in overrides", "found_in_defaults": " in defaults"}
LOCATIONS = {"path": "Path", "uri": "URI"}


def title(step: Step) -> str:
    """Return the name of a step."""
    version = step.details.get("version")
    suffix = f" (hiera configuration version {version})" if version is not None else ""
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
    lines += [f"{inner}{text}" for text in details(step, inner)]
    for child in step.steps:
        write(child, lines, inner)
    if step.event in OUTCOMES:
        kind = LOCATIONS.get(step.kind, "Path")
        lines.append(inner + OUTCOMES[step.event].format(key=step.key, kind=kind))
    elif step.event == "result":
        lines.append(f"{inner}Merged result: {dumped(step.value, inner)}")
    elif step.event is not None:
        source = SOURCES.get(step.event, "")
        lines.append(f'{inner}Found key: "{step.key}" value: {dumped(step.value, inner)}{source}')
    lines.extend(inner + note for note in step.notes)


def details(step: Step, indent: str) -> list[str]:
    """Return the lines about the configuration of a step."""
    found = []
    if step.details.get("configuration"):
        found.append(f'Using configuration "{step.details["configuration"]}"')
    if step.details.get("written_as"):
        kind = LOCATIONS.get(step.kind, "Path").lower()
        found.append(f'Original {kind}: "{step.details["written_as"]}"')
    if options := merge_options(step):
        found.append(f"Options: {dumped(options, indent)}")
    return found


def dumped(value: Value, indent: str) -> str:
    """Return a value as explanations of Puppet print it; sensitive values stay hidden.

    >>> print(dumped({"a": [1, None, Sensitive("x")]}, ""))
    {
      "a" => [
        1,
        nil,
        Sensitive [value redacted]
      ]
    }
    """
    inner = indent + "  "
    if isinstance(value, Mapping):
        items = [
            f"{dumped(key, inner)} => {dumped(item, inner)}" for key, item in pairs(dict(value))
        ]
        opening, closing = "{", "}"
    elif isinstance(value, list):
        items = [dumped(item, inner) for item in value]
        opening, closing = "[", "]"
    elif isinstance(value, Sensitive):
        return repr(value)
    else:
        return inspect(value)
    if not items:
        return opening + closing
    lines = ",\n".join(f"{inner}{item}" for item in items)
    return f"{opening}\n{lines}\n{indent}{closing}"


def value_text(value: Value, indent: str = "") -> str:
    """Return a value as Puppet code, on one line if it fits; sensitive values stay hidden.

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
