"""Settings files: ``puppet.conf`` and ``environment.conf``."""

from __future__ import annotations

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.source import Place
from bunraku.modules import issues
from bunraku.world.protocol import World

SECTION = lazy_pattern(r"\s*\[([^\]]*)\]\s*\Z")
SETTING = lazy_pattern(r"\s*([\w.-]+)\s*=\s*(.*?)\s*\Z")
OPTIONS = lazy_pattern(r"\s*\{[^{}]*\}\s*\Z")
QUOTE = lazy_pattern(r"\A[\"']|[\"']\Z")


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
        if "\0" in line:  # no path, address or word contains it
            raise issues.ILLEGAL_SETTING_LINE(line=line.strip()).at(Place(path, number))
        if found := SECTION.match(line):
            current = sections.setdefault(found[1], {})
        elif found := SETTING.match(line):
            current[found[1]] = setting_value(found[2])
        else:
            raise issues.ILLEGAL_SETTING_LINE(line=line.strip()).at(Place(path, number))
    return sections


def setting_value(text: str) -> str:
    """Return the value without file options (``{owner = root}``) and quotes around it.

    A ``#`` in it is a part of it, as in Puppet: comments have lines of their own. One quote is removed
    at either end, whether the other end has it or not.

    >>> setting_value("'/a:/b '"), setting_value("/a'"), setting_value("''/a#1 {mode = 755}")
    ('/a:/b', '/a', "'/a#1")
    """
    text = QUOTE.sub("", text).rstrip()
    return OPTIONS.sub("", text) if not text.startswith("{") else text


def read_settings(path: str, world: World) -> dict[str, str]:
    """Return the settings of a file whose sections do not matter, as ``environment.conf``."""
    merged: dict[str, str] = {}
    for section in read_sections(path, world).values():
        merged.update(section)
    return merged


def with_setting(text: str, section: str, name: str, value: str) -> str:
    """Return a settings file's text with a setting: in its line, or after the others of its section.

    A missing section is added at the end. Comments and the order of lines stay, as with Puppet's
    ``config set``.

    >>> with_setting("[main]\\na = 1\\n# more\\n", "main", "b", "2")
    '[main]\\na = 1\\nb = 2\\n# more\\n'
    >>> with_setting("[main]\\na = 1\\n", "agent", "b", "2")
    '[main]\\na = 1\\n[agent]\\nb = 2\\n'
    """
    lines = text.splitlines(keepends=True)
    new = f"{name} = {value}\n"
    places = setting_lines(lines, section)
    at = next((number for number, found in places if found == name), None)
    if at is not None:
        lines[at] = new
        return "".join(lines)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    if not places:
        return "".join([*lines, f"[{section}]\n", new])
    lines.insert(places[-1][0] + 1, new)
    return "".join(lines)


def without_setting(text: str, section: str, name: str) -> tuple[str, str | None]:
    """Return a settings file's text without a setting, and the setting's line; None if it has none.

    >>> without_setting("[main]\\na=1\\nb = 2\\n", "main", "a")
    ('[main]\\nb = 2\\n', 'a=1')
    """
    lines = text.splitlines(keepends=True)
    for number, found in setting_lines(lines, section):
        if found == name:
            line = lines.pop(number).strip()
            return "".join(lines), line
    return text, None


def setting_lines(lines: list[str], section: str) -> list[tuple[int, str]]:
    """Return the number and the name of each setting in a section; its header has an empty name."""
    found: list[tuple[int, str]] = []
    current = "main"
    for number, line in enumerate(lines):
        if header := SECTION.match(line):
            current = header[1]
            name: str | None = ""
        else:
            setting = None if line.lstrip().startswith("#") else SETTING.match(line)
            name = setting[1] if setting else None
        if current == section and name is not None:
            found.append((number, name))
    return found
