"""``.editorconfig``: the properties of a file, as https://spec.editorconfig.org describes them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping

from bunraku.base.paths import inner_path

NAME = ".editorconfig"
Read = Callable[[str], str | None]
"""Returns the text of a file; None without one."""


def properties_of(path: str, read: Read) -> dict[str, str]:
    """Return the properties of a file, in lower case; nearer files and later sections win.

    >>> files = {"/c/.editorconfig": "root = true\\n[*.{pp,epp}]\\nindent_size = 4\\n"}
    >>> properties_of("/c/manifests/init.pp", files.get)
    {'indent_size': '4'}
    """
    found: dict[str, str] = {}
    for directory, sections in reversed(list(configurations(os.path.dirname(path), read))):
        relative = inner_path(path, directory)
        for pattern, values in sections:
            if matches(relative, pattern):
                found.update(values)
    return found


def configurations(
    directory: str, read: Read
) -> Iterator[tuple[str, list[tuple[str, Mapping[str, str]]]]]:
    """Yield the directories with a configuration and its sections, up to one that is the root."""
    while True:
        text = read(os.path.join(directory, NAME))
        if text is not None:
            is_root, sections = parse(text)
            yield directory, sections
            if is_root:
                return
        above = os.path.dirname(directory)
        if above == directory:
            return
        directory = above


def parse(text: str) -> tuple[bool, list[tuple[str, Mapping[str, str]]]]:
    """Return whether a file is the root of a tree, and its sections."""
    is_root = False
    sections: list[tuple[str, Mapping[str, str]]] = []
    values: dict[str, str] | None = None
    for line in text.lstrip("\ufeff").splitlines():
        line = line.strip()
        if not line or line[0] in "#;":
            continue
        if line[0] == "[" and line[-1] == "]":
            values = {}
            sections.append((line[1:-1], values))
            continue
        name, _, value = (part.strip().lower() for part in line.partition("="))
        if values is not None:
            values[name] = value
        elif name == "root":
            is_root = value == "true"
    return is_root, sections


def matches(path: str, pattern: str) -> bool:
    """Return whether a pattern is for a path below its directory.

    >>> [matches("a/b.pp", one) for one in ("*.pp", "/*.pp", "a/**", "{x,*.{pp,epp}}", "[!b].pp")]
    [True, False, True, True, False]
    """
    if "/" not in pattern:
        path = os.path.basename(path)
    return re.fullmatch(regexp_of_pattern(pattern.removeprefix("/")), path) is not None


def regexp_of_pattern(pattern: str) -> str:
    """Return a regular expression for a pattern; braces that are not closed are text."""
    has_braces = pattern.count("{") == pattern.count("}")
    found, at, depth = "", 0, 0
    while at < len(pattern):
        sign = pattern[at]
        rest = pattern[at:]
        if rest.startswith("**/"):
            found += "(?:.*/)?"
            at += 2
        elif rest.startswith("**"):
            found += ".*"
            at += 1
        elif sign == "*":
            found += "[^/]*"
        elif sign == "?":
            found += "[^/]"
        elif sign == "[" and "]" in rest[2:]:
            end = pattern.index("]", at + 2)
            content = pattern[at + 1 : end].replace("\\", r"\\")
            found += f"[{'^' + content[1:] if content[0] == '!' else content}]"
            at = end
        elif sign == "{" and (numbers := re.match(r"\{(-?\d+)\.\.(-?\d+)\}", rest)):
            low, high = sorted(map(int, numbers.groups()))
            found += "(?:" + "|".join(map(str, range(low, min(high, low + 1000) + 1))) + ")"
            at += numbers.end() - 1
        elif has_braces and sign == "{":
            found += "(?:"
            depth += 1
        elif has_braces and sign == "}" and depth:
            found += ")"
            depth -= 1
        elif sign == "," and depth:
            found += "|"
        elif sign == "\\" and at + 1 < len(pattern):
            at += 1
            found += re.escape(pattern[at])
        else:
            found += re.escape(sign)
        at += 1
    return found
