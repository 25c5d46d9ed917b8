"""Write entries at the end of a file without the library's own way to save.

The library compiles the expressions of a lens again for each save, which takes most of the time of a
resource. The text of a new entry is the same for all entries of its shape but for the values. So one
entry of each shape is written by the library, into a text; the values of others replace its values. The
lens then reads the text, which must give the entry.
"""

from __future__ import annotations

import re

from bunraku.base.records import record
from bunraku.world.augeas import AugeasTree

MOST_NODES = 400
"""The size of a file above which comparing its nodes takes as long as saving it."""
FIRST_PLACEHOLDER = 7_310_570
NUMBER = re.compile(r"/\d+(?=/|$)")
PROBE, CHECK = "/probe", "/check"
Nodes = tuple[tuple[str, str | None], ...]
"""Nodes with their values, those of one level after the other; paths are relative."""


@record(frozen=True)
class Entries:
    """The nodes of a file: those of the first level in order, and all."""

    top: tuple[str, ...]
    nodes: Nodes


def entries_at(tree: AugeasTree, path: str) -> Entries | None:
    """Return the nodes below a path; None for too many."""
    paths = tree.match(f"{path}//*")
    if len(paths) > MOST_NODES:
        return None
    start = len(path) + 1
    nodes = tuple((plain(one)[start:], tree.get(one)) for one in paths)
    return Entries(tuple(one for one, _ in nodes if "/" not in one), nodes)


def plain(path: str) -> str:
    """Return a path without the index of a first node, which depends on the nodes after it.

    >>> plain("/files/etc/ssh/sshd_config/Match[1]/Settings/AllowUsers[12]")
    '/files/etc/ssh/sshd_config/Match/Settings/AllowUsers[12]'
    """
    return path.replace("[1]", "")


def appended(old: Entries, new: Entries) -> Nodes | None:
    """Return the only difference if that is an entry at the end; its label has no index."""
    if new.top[:-1] != old.top:
        return None
    top = new.top[-1]
    label = top.partition("[")[0]
    entry = tuple(node for node in new.nodes if is_in(node[0], top))
    rest = tuple(node for node in new.nodes if not is_in(node[0], top))
    if rest != old.nodes:
        return None
    return tuple((label + path[len(top) :], value) for path, value in entry)


def is_in(path: str, top: str) -> bool:
    """Return whether a path is that of a node or below it."""
    return path == top or path.startswith(f"{top}/")


class EntryTexts:
    """The texts of new entries, by their shape.

    Labels are part of the shape, except with ``free_labels`` those of entries without other nodes.
    """

    def __init__(self, tree: AugeasTree, lens: str, *, free_labels: bool) -> None:
        self.tree = tree
        self.lens = lens
        self.free_labels = free_labels
        self.templates: dict[Nodes, list[str] | None] = {}
        """The shape of an entry → the texts between its values; None if they are not known."""
        self.seen: set[Nodes] = set()

    def text(self, entry: Nodes) -> str | None:
        """Return the text of an entry; None if it is not known, as for the first entry of a shape."""
        has_free_label = self.free_labels and len(entry) == 1
        shape, values = shape_of(entry, has_free_label=has_free_label)
        if shape not in self.templates:
            if shape not in self.seen:
                self.seen.add(shape)
                return None
            self.templates[shape] = self.template(shape, len(values))
        template = self.templates[shape]
        if template is None:
            return None
        return "".join(a + b for a, b in zip(template, [*values, ""], strict=True))

    def template(self, shape: Nodes, count: int) -> list[str] | None:
        """Let the library write an entry, and return the texts between its values."""
        self.tree.remove(PROBE)
        done = all(self.tree.set(f"{PROBE}/{path}", value) for path, value in shape)
        text = self.tree.text(self.lens, "", PROBE) if done else None
        self.tree.remove(PROBE)
        if text is None or not text.endswith("\n"):
            return None
        parts = []
        for number in range(FIRST_PLACEHOLDER, FIRST_PLACEHOLDER + count):
            before, found, text = text.partition(placeholder(number))
            if not found or placeholder(number) in text:
                return None
            parts.append(before)
        return [*parts, text]

    def reads_as(self, text: str, wanted: Entries) -> bool:
        """Return whether the lens reads exactly the wanted entries from a text."""
        read = self.tree.parse(self.lens, text, CHECK)
        found = entries_at(self.tree, CHECK) if read else None
        self.tree.remove(CHECK)
        return found is not None and without_numbers(found) == without_numbers(wanted)


def without_numbers(entries: Entries) -> Nodes:
    """Return the nodes of entries; numbers that are labels of lists go on in the next list."""
    return tuple((NUMBER.sub("/*", path), value) for path, value in entries.nodes)


def placeholder(number: int) -> str:
    """Return a text that no value has."""
    return f"x{number}"


def shape_of(entry: Nodes, *, has_free_label: bool) -> tuple[Nodes, list[str]]:
    """Return an entry with placeholders, and the values that they stand for.

    >>> shape_of((("Port", "22"),), has_free_label=False)
    ((('Port', 'x7310570'),), ['22'])
    """
    shape: list[tuple[str, str | None]] = []
    values: list[str] = []

    def hidden(text: str) -> str:
        values.append(text)
        return placeholder(FIRST_PLACEHOLDER + len(values) - 1)

    for path, value in entry:
        label = hidden(path) if has_free_label else path
        shape.append((label, None if value is None else hidden(value)))
    return tuple(shape), values
