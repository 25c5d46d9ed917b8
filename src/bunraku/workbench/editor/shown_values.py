"""Values of data and facts for hover and hints; secrets are never shown."""

from __future__ import annotations

import os
from collections.abc import Mapping

from bunraku.workbench.editor.definition import data_places
from bunraku.workbench.editor.places import FilePlace
from bunraku.workbench.editor.sample_facts import USUAL_SYSTEM, sample_facts
from bunraku.workbench.editor.secret_keys import is_secret_key
from bunraku.workbench.editor.snapshot import Snapshot

MOST_PLACES = 12


def data_value_text(snapshot: Snapshot, key: str, path: str) -> str:
    """Return Markdown about the value of a key: on the chosen node, and where data sets it."""
    is_secret = is_secret_key(snapshot, key)
    found = snapshot.value(key, path)
    parts = []
    if found is not None:
        where = ", ".join(
            f"`{shown_path(snapshot, one.path)}:{one.line or 1}`"
            if one.path
            else f"level {one.level}"
            for one in found.places
        )
        shown = "a secret" if is_secret or found.is_secret else f"`{found.text}`"
        shown = found.wrong or shown
        parts.append(f"\nOn {snapshot.node}: {shown}" + (f" ({where})" if where else "") + "\n")
    elif snapshot.node is not None:
        parts.append(f"\nOn {snapshot.node}: no value in data\n")
    places = data_places(snapshot, key)
    lines = [f"- {data_line(snapshot, one, is_secret=is_secret)}" for one in places[:MOST_PLACES]]
    if len(places) > MOST_PLACES:
        lines.append(f"- {len(places) - MOST_PLACES} more")
    if lines:
        parts.append("\nSet in\n" + "\n".join(lines) + "\n")
    return "".join(parts)


def data_line(snapshot: Snapshot, place: FilePlace, *, is_secret: bool) -> str:
    """Return a place in data with the line there, unless the key has a secret."""
    source = snapshot.source(place.path)
    if source is None:
        return f"`{shown_path(snapshot, place.path)}`"
    line = source.line(place.range.start)
    text = source.line_text(line).strip()
    where = f"`{shown_path(snapshot, place.path)}:{line}`"
    return where if is_secret else f"{where} `{text}`"


def fact_text(snapshot: Snapshot, name: str, path: str) -> str | None:
    """Return Markdown about a fact on the chosen node; None if it has none of the name."""
    if snapshot.node is None:
        example = example_of_fact(name)
        is_known = example or snapshot.index.definitions("fact", name)
        return f"fact `{name}`\n{example}" if is_known else None
    value = snapshot.project_of(path).data.fact(snapshot.node, name)
    return None if value is None else f"fact `{name}`\n\nOn {snapshot.node}: `{value}`\n"


def example_of_fact(name: str) -> str:
    """Return what a fact is on a usual machine: its value, or the names in it; nothing for other facts."""
    value = sample_facts().get(name)
    if value is None:
        return ""
    if isinstance(value, Mapping):
        inner = ", ".join(f"`{one}`" for one in value)
        return f"\nIt has {inner}.\n"
    return f"\nOn {USUAL_SYSTEM}: `{value}`\n"


def shown_path(snapshot: Snapshot, path: str) -> str:
    """Return a path relative to its project."""
    root = snapshot.project_of(path).root
    return os.path.relpath(path, root) if path.startswith(f"{root}/") else path
