"""Files that match a pattern, as Ruby's ``Dir.glob`` finds them."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.modules.files import expand_braces, name_pattern
from bunraku.world.protocol import World

MAGIC = lazy_pattern(r"[*?\[\\]")


def fits(pattern: str, name: str) -> bool:
    """Return whether a name matches one part of a pattern; a leading dot must be named."""
    if name.startswith(".") and not pattern.startswith("."):
        return False
    return name_pattern(pattern).fullmatch(name) is not None


def entries(world: World, folder: str) -> list[str]:
    """Return the names in a folder; none if it cannot be read."""
    try:
        return world.list_directory(folder or "/")
    except OSError:
        return []


def walk(world: World, folder: str, parts: list[str]) -> Iterator[str]:
    """Yield the paths under a folder (written with its slash) that match the rest of a pattern."""
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
        wanted = "*" if part == "**" else part
        known = [".", *entries(world, folder)] if not rest else entries(world, folder)
        names = [name for name in known if fits(wanted, name)]
    for name in names:
        path = folder + name
        if rest and world.is_directory(path):
            yield from walk(world, f"{path}/", rest)
        elif not rest and (name == "" or world.is_file(path) or world.is_directory(path)):
            yield path


def find_files(world: World, pattern: str) -> list[str]:
    """Return the absolute paths that match a pattern, in the order in which Ruby finds them."""
    found: list[str] = []
    for item in expand_braces(pattern):
        if item.startswith("/"):
            found.extend(walk(world, "/", item[1:].split("/")))
    return found
