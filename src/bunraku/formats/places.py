"""The place of a piece of data in the text that it was read from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import Any
from bunraku.base.source import Position

SPACE = lazy_pattern(r"\s*")
SCALAR = lazy_pattern(r"[^\s,\]}:]+")
STRING = lazy_pattern(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


def place_in_json(text: str, path: Sequence[str | int]) -> Position | None:
    r"""Return the place of the deepest step of a path that JSON text has; of an entry, its key.

    >>> place_in_json('{"a": [1,\n {"b": 2}]}', ["a", 1, "b"])
    (2, 3)
    >>> place_in_json('{"a": [1,\n {"b": 2}]}', ["a", 1, "missing"])
    (2, 2)
    """
    at = after_space(text, 0)
    found = at
    for step in path:
        place = entry_place(text, at, step)
        if place is None:
            break
        found, at = place
    before = text.rfind("\n", 0, found)
    return (text.count("\n", 0, found) + 1, found - before) if text else None


def entry_place(text: str, at: int, step: str | int) -> tuple[int, int] | None:
    """Return where an entry of the array or hash at an offset begins, and where its value does."""
    opening = text[at : at + 1]
    if opening != ("[" if isinstance(step, int) else "{"):
        return None
    found = None
    index = 0
    at = after_space(text, at + 1)
    while text[at : at + 1] not in {"]", "}", ""}:
        start = at
        key: str | int = index
        if opening == "{":
            end = end_of(text, at)
            key = key_text(text[at:end])
            at = after_space(text, after_space(text, end) + 1)
        if key == step:
            found = start, at  # if a key occurs twice, the last one is used
        end = end_of(text, at)
        at = after_space(text, end)
        if end == start or text[at : at + 1] != ",":
            break
        at = after_space(text, at + 1)
        index += 1
    return found


def key_text(token: str) -> str:
    """Return the string that a token of JSON is."""
    try:
        return str(json.loads(token))
    except ValueError:
        return token


def after_space(text: str, at: int) -> int:
    """Return the offset of the next token."""
    found = SPACE.match(text, at)
    return at if found is None else found.end()


def end_of(text: str, at: int) -> int:
    """Return the offset behind the value that begins at an offset."""
    depth = 0
    while at < len(text):
        letter = text[at]
        if letter == '"':
            found = STRING.match(text, at)
            at = len(text) if found is None else found.end()
        elif letter in "[{":
            depth += 1
            at += 1
        elif letter in "]}":
            depth -= 1
            at += 1
        elif depth and letter in " \t\r\n,:":
            at += 1
            continue
        else:
            found = SCALAR.match(text, at)
            if found is None:
                return at
            at = found.end()
        if depth <= 0:
            return at
    return at


def place_in_yaml(
    content: bytes | str, path: Sequence[str | int], *, whole: bool = False
) -> Position | None:
    """Return the place of the deepest step of a path that YAML text has; of an entry, its key.

    With ``whole`` the text must have all of the path.

    >>> place_in_yaml("a:\\n  - b: 1\\n    c: 2\\n", ["a", 0, "c"])
    (3, 5)
    """
    return YamlPlaces(content).of(path, whole=whole)


class YamlPlaces:
    r"""The places of the entries of one YAML text, which is parsed once.

    >>> places = YamlPlaces("a: 1\nb: {c: 2}\n")
    >>> places.of(["b", "c"]), places.of(["a"])
    ((2, 5), (1, 1))
    """

    def __init__(self, content: bytes | str) -> None:
        import yaml  # for errors only

        if isinstance(content, str):
            content = content.encode("utf-8", "surrogateescape")
        self.root: Any = None
        try:
            self.root = yaml.compose(content, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        except (yaml.YAMLError, RecursionError, ValueError):
            return

    def of(self, path: Sequence[str | int], *, whole: bool = False) -> Position | None:
        """Return the place of the deepest step of a path: see :func:`place_in_yaml`."""
        node = self.root
        if node is None:
            return None
        mark = node.start_mark
        for step in path:
            found = child(node, step)
            if found is None and whole:
                return None
            if found is None:
                break
            mark, node = found
        return mark.line + 1, mark.column + 1

    def texts(self, key: str) -> Iterator[str]:
        r"""Yield the texts in the value of a key of the root.

        >>> list(YamlPlaces("a: [b, {c: d}]\ne: f\n").texts("a"))
        ['b', 'c', 'd']
        """
        found = None if self.root is None else child(self.root, key)
        if found is not None:
            yield from scalar_texts(found[1])

    def named_entries(self, key: str) -> Iterator[tuple[str, int, list[str]]]:
        r"""Yield the name, the line and the texts of each entry in a list of the root.

        >>> list(YamlPlaces("a:\n- {name: b, c: d}\n- e\n").named_entries("a"))
        [('b', 2, ['name', 'b', 'c', 'd']), ('e', 3, ['e'])]
        """
        found = None if self.root is None else child(self.root, key)
        if found is None or found[1].__class__.__name__ != "SequenceNode":
            return
        for node in found[1].value:
            named = child(node, "name")
            name = "".join(scalar_texts(node if named is None else named[1]))
            yield name, node.start_mark.line + 1, list(scalar_texts(node))

    def repeated(self, *path: str | int) -> tuple[str, Position] | None:
        r"""Return the first key that an entry has twice, and the second place; None without one.

        >>> YamlPlaces("a:\n  b: 1\n  c: 2\n  b: 3\n").repeated("a")
        ('b', (4, 3))
        """
        node = self.root
        for step in path:
            found = None if node is None else child(node, step)
            node = None if found is None else found[1]
        known: set[str] = set()
        for key, _ in node.value if node.__class__.__name__ == "MappingNode" else ():
            if key.value in known:
                return key.value, (key.start_mark.line + 1, key.start_mark.column + 1)
            known.add(key.value)
        return None


def scalar_texts(node: Any) -> Iterator[str]:
    """Yield the texts in a YAML node, in the order of the document."""
    waiting = [node]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, tuple):
            waiting[:0] = node
        elif isinstance(node.value, list):
            waiting[:0] = node.value
        else:
            yield node.value


def child(node: Any, step: str | int) -> tuple[Any, Any] | None:
    """Return the mark of an entry of a YAML node, and its value."""
    if isinstance(step, int):
        items = node.value if node.__class__.__name__ == "SequenceNode" else []
        return (items[step].start_mark, items[step]) if step < len(items) else None
    found = None
    if node.__class__.__name__ == "MappingNode":
        for key, value in node.value:
            if key.value in (step, f":{step}"):
                found = key.start_mark, value
    return found
