"""The modules that a Puppetfile lists: it is read as text, never run."""

from __future__ import annotations

import re

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lines import line_matching
from bunraku.base.records import record
from bunraku.project.model import Choice
from bunraku.project.reading import text_of
from bunraku.world.protocol import World

MODULE = lazy_pattern(
    r"""^\s*mod\s*\(?\s*['"](?:[^'"/-]+[/-])?(\w+)['"](?:\s*,\s*['"]v?(\d[\w.+-]*)['"])?""",
    re.MULTILINE,
)
MODULEDIR = lazy_pattern(r"""^\s*moduledir\s*\(?\s*['"]([^'"]+)['"]""", re.MULTILINE)


@record(frozen=True)
class Listed:
    """A module of a Puppetfile: its name, where it is installed, the line that lists it.

    ``version`` is that of a release on the Forge; empty for others.
    """

    name: str
    directory: str
    line: int
    version: str = ""


def read_puppetfile(root: str, world: World) -> list[Listed]:
    """Return the modules that the Puppetfile of a project lists.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> text = b"moduledir 'vendor'\\nmod 'puppetlabs/stdlib', '9.0.0'\\n"
    >>> [one.directory for one in read_puppetfile("/c", DictionaryWorld({"/c/Puppetfile": text}))]
    ['/c/vendor/stdlib']
    """
    text = text_of(world, f"{root}/Puppetfile")
    found = MODULEDIR.search(text)
    folder = found[1].rstrip("/") if found else "modules"
    base = folder if folder.startswith("/") else f"{root}/{folder}"
    return [
        Listed(one[1], f"{base}/{one[1]}", text.count("\n", 0, one.start(1)) + 1, one[2] or "")
        for one in MODULE.finditer(text)
    ]


def puppetfile_choices(root: str, world: World) -> dict[str, Choice]:
    """Return the directories that a Puppetfile fills: they are not checked."""
    listed = read_puppetfile(root, world)
    if not listed:
        return {}
    path = f"{root}/Puppetfile"
    start = len(root) + 1
    inside = [one.directory[start:] for one in listed if one.directory.startswith(root + "/")]
    line = line_matching(text_of(world, path), r"^\s*moduledir\b") or listed[0].line
    return {"exclude": Choice(sorted(set(inside)), "installed by the Puppetfile", path, line)}
