"""Which files match a pattern, as Ruby's ``Dir.glob`` finds them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bunraku.world import World

MAGIC = re.compile(r"[*?\[\\]")


def alternatives(pattern: str) -> list[str]:
    """A pattern with braces as the patterns that they stand for.

    >>> alternatives("a{b,c{d,e}}f")
    ['abf', 'acdf', 'acef']
    """
    start = pattern.find("{")
    if start < 0:
        return [pattern]
    depth, parts, last = 0, [], start + 1
    for at in range(start, len(pattern)):
        letter = pattern[at]
        if letter == "{":
            depth += 1
        elif letter == "}":
            depth -= 1
        if depth == 0 or (depth == 1 and letter == ","):
            parts.append(pattern[last:at])
            last = at + 1
        if depth == 0:
            rest = pattern[at + 1 :]
            whole = (pattern[:start] + part + rest for part in parts)
            return [found for item in whole for found in alternatives(item)]
    return [pattern]


def name_pattern(pattern: str) -> re.Pattern[str]:
    """The regular expression for one part of a path; leading dots must be named."""
    text, at = "" if pattern.startswith(".") else r"(?!\.)", 0
    while at < len(pattern):
        letter = pattern[at]
        at += 1
        if letter == "*":
            text += ".*"
        elif letter == "?":
            text += "."
        elif letter == "[" and "]" in pattern[at + 1 :]:
            end = pattern.index("]", at + 1)
            inside = pattern[at:end].replace("\\", "\\\\")
            text += f"[^{inside[1:]}]" if inside[:1] in {"^", "!"} else f"[{inside}]"
            at = end + 1
        elif letter == "\\" and at < len(pattern):
            text += re.escape(pattern[at])
            at += 1
        else:
            text += re.escape(letter)
    return re.compile(text + r"\Z", re.DOTALL)


def entries(world: World, folder: str) -> list[str]:
    """The names in a folder; none where it cannot be read."""
    try:
        return world.list_directory(folder or "/")
    except OSError:
        return []


def walk(world: World, folder: str, parts: list[str]) -> Iterator[str]:
    """The paths under a folder (written with its slash) that match the rest of a pattern."""
    part, *rest = parts
    while rest and not part:
        folder += "/"
        part, *rest = rest
    if part == "**" and rest:
        yield from walk(world, folder, rest)
        for name in entries(world, folder):
            if not name.startswith(".") and world.is_directory(folder + name):
                yield from walk(world, f"{folder}{name}/", parts)
        return
    if not MAGIC.search(part):
        names = [part]
    else:
        fits = name_pattern("*" if part == "**" else part)
        known = [".", *entries(world, folder)] if not rest else entries(world, folder)
        names = [name for name in known if fits.match(name)]
    for name in names:
        path = folder + name
        if rest and world.is_directory(path):
            yield from walk(world, f"{path}/", rest)
        elif not rest and (name == "" or world.is_file(path) or world.is_directory(path)):
            yield path


def find_files(world: World, pattern: str) -> list[str]:
    """The absolute paths that match a pattern, in the order in which Ruby finds them."""
    found: list[str] = []
    for item in alternatives(pattern):
        if item.startswith("/"):
            found.extend(walk(world, "/", item[1:].split("/")))
    return found
