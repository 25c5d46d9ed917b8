"""Settings files: ``puppet.conf`` and ``environment.conf``."""

from __future__ import annotations

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.source import Place
from bunraku.modules import issues
from bunraku.world.protocol import World

SECTION = lazy_pattern(r"\s*\[([^\]]*)\]\s*\Z")
SETTING = lazy_pattern(r"\s*([\w.-]+)\s*=\s*(.*?)\s*\Z")
OPTIONS = lazy_pattern(r"\s*\{[^{}]*\}\s*\Z")


def read_sections(path: str, world: World) -> dict[str, dict[str, str]]:
    """Return the sections of a settings file by name; settings before the first are in ``main``."""
    try:
        text = world.read(path).decode("utf-8", "surrogateescape")
    except OSError as error:
        raise issues.UNREADABLE_FILE(path=path, reason=error.strerror or error) from None
    return parse_sections(text, path)


def parse_sections(text: str, path: str = "") -> dict[str, dict[str, str]]:
    """Return the sections of a settings file's text.

    >>> parse_sections("a = 1\\n[server]\\n# no\\nb = 'two'")
    {'main': {'a': '1'}, 'server': {'b': 'two'}}
    """
    sections: dict[str, dict[str, str]] = {"main": {}}
    current = sections["main"]
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if found := SECTION.match(line):
            current = sections.setdefault(found[1], {})
        elif found := SETTING.match(line):
            current[found[1]] = setting_value(found[2])
        else:
            raise issues.ILLEGAL_SETTING_LINE(line=line.strip()).at(Place(path, number))
    return sections


def setting_value(text: str) -> str:
    """Return the value without file options (``{owner = root}``) and quotes around it.

    A ``#`` in it is a part of it, as in Puppet: comments have lines of their own.
    """
    text = OPTIONS.sub("", text) if not text.startswith("{") else text
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    return text


def read_settings(path: str, world: World) -> dict[str, str]:
    """Return the settings of a file whose sections do not matter, as ``environment.conf``."""
    merged: dict[str, str] = {}
    for section in read_sections(path, world).values():
        merged.update(section)
    return merged
