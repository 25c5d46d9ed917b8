"""``bunraku.toml``, or the table ``[tool.bunraku]`` of ``pyproject.toml``."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_typing import Any
from bunraku.base.paths import path_list
from bunraku.base.source import Place
from bunraku.base.suggestions import suggestion
from bunraku.dialects.known_settings import near_setting
from bunraku.formats.shape import Fields, HashOf, Mismatch, Path, path_text
from bunraku.limits.texts import parse_seconds, parse_size
from bunraku.project import issues
from bunraku.project.detect import upwards
from bunraku.project.model import Choice
from bunraku.project.option_kinds import shape_of, wrong_setting
from bunraku.project.options import (
    FILE,
    KEY,
    CommandOptions,
    CompileOptions,
    Option,
    Table,
    options_in,
)
from bunraku.world.owners import how_to_allow
from bunraku.world.protocol import World
from bunraku.world.special_files import is_present

KEYS: Table = options_in(CompileOptions, CommandOptions, by=FILE | KEY)
"""The options that the file may set."""


def read_config_file(path: str, content: bytes, table: Table = KEYS) -> dict[str, Choice]:
    """Return the values of a configuration file by key.

    Raises PuppetError, with file and line, for invalid TOML, unknown keys and values
    of a wrong kind.

    >>> read_config_file("/c/bunraku.toml", b'strict = "warning"')["strict"].value
    'warning'
    """
    import tomllib  # few runs need it

    text = content.decode("utf-8", "replace")
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also a number with too many digits
        raise not_toml(path, error) from None
    prefix = ""
    if path.endswith("/pyproject.toml"):
        prefix = "tool.bunraku"
        wrong = PYPROJECT.mismatch(data)
        if wrong is not None:
            raise issues.INVALID_PYPROJECT(path=path, reason=str(wrong)).at(Place(path))
        data = data.get("tool", {}).get("bunraku", {})
    reader = Reader(path, text, prefix, table)
    return {name: reader.choice(name, value) for name, value in data.items()}


PYPROJECT = Fields({"tool": Fields({"bunraku": HashOf(expected="a table")}, expected="a table")})
CONFIG_FILES = ("bunraku.toml", "pyproject.toml")
TABLE = b"[tool.bunraku"
"""Begins the tables in a ``pyproject.toml`` that are about bunraku."""


def config_file_of(start: str, world: World) -> dict[str, Choice]:
    """Return the values of the configuration file of a directory: in it, or above in its repository.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> world = DictionaryWorld({"/c/bunraku.toml": b'strict = "off"', "/c/modules/a": b""})
    >>> config_file_of("/c/modules", world)["strict"].value
    'off'
    """
    for directory in upwards(start, world):
        for name in CONFIG_FILES:
            path = f"{directory}/{name}"
            if is_present(path, world):
                content = world.read(path)
                if name != "pyproject.toml" or TABLE in content:
                    if reason := world.reason_against(path, start):
                        raise untrusted(path, reason)
                    values = read_config_file(path, content)
                    if programs_in(values) and (
                        reason := reason_against_programs(values, path, world)
                    ):
                        raise untrusted(path, reason)
                    return values
    return {}


def has_config_file(directory: str, world: World) -> bool:
    """Return whether a directory has a file that can hold a configuration."""
    return any(is_present(f"{directory}/{name}", world) for name in CONFIG_FILES)


def programs_in(values: dict[str, Choice]) -> list[str]:
    """Return the programs that a configuration file names: classifiers of nodes.

    >>> programs_in({"external_nodes": Choice("/c/enc", "bunraku.toml")})
    ['/c/enc']
    """
    flat = {name: one.value for name, one in values.items()}
    found = []
    for one in (flat, flat.get("settings", {})):
        program = one.get("external_nodes")
        if program and one.get("node_terminus") != "yaml":
            found.append(str(program))
    return found


def reason_against_programs(values: dict[str, Choice], path: str, world: World) -> str | None:
    """Return why the programs that a configuration file names are not started; None if they may be."""
    if reason := world.reason_against(path, None):
        return reason
    for command in programs_in(values):
        program = command.split()[0]
        if reason := world.reason_against(program, None):
            return f"{program}: {reason}"
    return None


def without_programs(values: dict[str, Choice]) -> dict[str, Choice]:
    """Return the values of a configuration file without those that name programs."""
    found = {name: one for name, one in values.items() if name != "external_nodes"}
    if "settings" in found:
        inner = found["settings"]
        kept = {name: one for name, one in inner.value.items() if name != "external_nodes"}
        found["settings"] = Choice(kept, inner.reason, inner.file, inner.line)
    return found


def untrusted(path: str, reason: str) -> PuppetError:
    """Return the error for a configuration file that other users can have written."""
    return (
        issues.UNTRUSTED_FILE(path=path, reason=reason).hinted(how_to_allow(path)).at(Place(path))
    )


def not_toml(path: str, error: Exception) -> PuppetError:
    """Return the error for a file that is not valid TOML."""
    found = re.search(r"\s*\(at line (\d+), column (\d+)\)", str(error))
    reason = str(error).replace(found[0], "") if found else str(error)
    place = Place(path, int(found[1]), int(found[2])) if found else Place(path)
    return issues.NOT_TOML(path=path, reason=reason).at(place)


class Reader:
    """Checks the values of one file; ``table`` has the options that may be set in it."""

    def __init__(self, path: str, text: str, prefix: str, table: Table) -> None:
        self.table = table
        self.path = path
        self.lines = text.split("\n")
        self.prefix = prefix
        self.directory = path.rpartition("/")[0]

    def choice(self, name: str, value: Any) -> Choice:
        """Return the value of a key, checked."""
        option = self.table.get(name)
        if option is None:
            near = suggestion(name, self.table)
            raise self.error(name, issues.UNKNOWN_KEY(name=name, near=near))
        file = self.path.rpartition("/")[2]
        return Choice(self.checked(name, option, value), file, self.path, self.line(name))

    def checked(self, name: str, option: Option, value: Any) -> Any:
        """Return the value as commands take it: paths are absolute."""
        kind = option.kind
        if kind in {"time", "size"}:
            return self.limit(name, kind, value)
        if kind == "paths" and isinstance(value, str):
            value = [item for item in path_list(value) if item] or value
        wrong = shape_of(option).mismatch(value)
        if wrong is not None:
            raise self.wrong_value((name, *wrong.path), value, wrong)
        if kind == "table":
            self.check_settings(value)
        if kind == "paths":
            return [self.absolute(item) for item in value]
        if kind == "source" and "://" in value:
            return value
        return self.absolute(value) if kind in {"path", "source", "data"} else value

    def wrong_value(self, path: Path, value: Any, wrong: Mismatch) -> PuppetError:
        """Return the error of a value, with the name and the line of the table in a list that has it."""
        shown, near = path_text(path), wrong.hint or ""
        if wrong.got == "nothing":
            near = "it is missing"
        place = Place(self.path, self.line(str(path[0])))
        match path:
            case (str(first), str(key), int(index), *_):
                table = value[key][index]
                if isinstance(table, Mapping) and "name" in table:
                    near = "; ".join(filter(None, (near, f"{key} '{table['name']}'")))
                lines = table_lines("\n".join(self.lines), f"{first}.{key}")
                if len(lines) == len(value[key]):
                    place = Place(self.path, lines[index])
        near = f" ({near})" if near else ""
        return issues.WRONG_VALUE(name=shown, wanted=wrong.expected, near=near).at(place)

    def limit(self, name: str, kind: str, value: Any) -> float:
        """Return a limit of time in seconds, or of memory in bytes."""
        try:
            if value.__class__ not in {int, float, str}:
                raise ValueError("use a number or a string")
            return parse_seconds(str(value)) if kind == "time" else parse_size(str(value))
        except ValueError as error:
            problem = issues.WRONG_LIMIT(name=name, reason=error)
            raise self.error(name, problem) from None

    def check_settings(self, value: Mapping[str, Any]) -> None:
        """Raise PuppetError for a setting that Puppet does not have, or a wrong word."""
        for name, inner in value.items():
            near = near_setting(name)
            if near is not None:
                unknown = issues.UNKNOWN_SETTING(name=name, near=near)
                raise self.error(name, unknown, "settings")
            problem = wrong_setting(name, inner)
            if problem is not None:
                raise self.error(name, issues.WRONG_SETTING(problem=problem), "settings")

    def absolute(self, path: str) -> str:
        """Return a path, relative to the directory of the file."""
        import os.path

        return os.path.normpath(os.path.join(self.directory, os.path.expanduser(path)))

    def error(self, name: str, problem: PuppetError, table: str = "") -> PuppetError:
        """Return an error with the line of a key."""
        return problem.at(Place(self.path, self.line(name, table)))

    def line(self, name: str, table: str = "") -> int | None:
        """Return the line of a key in a table, or that of the table with its name."""
        inside = ".".join(part for part in (self.prefix, table) if part)
        current = ""
        for number, line in enumerate(self.lines, 1):
            if header := re.match(r"\s*\[\s*([\w.\s-]+?)\s*\]", line):
                current = header[1]
                if current == ".".join(part for part in (inside, name) if part):
                    return number
            elif current == inside and re.match(rf"\s*[\"']?{re.escape(name)}[\"']?\s*[.=]", line):
                return number
        return None


def table_lines(text: str, name: str) -> list[int]:
    """Return the lines of the headers of an array of tables, of whichever table it is a part.

    >>> table_lines("[[ci.policy]]\\nname = 'a'\\n[[tool.bunraku.ci.policy]]\\n", "ci.policy")
    [1, 3]
    """
    header = re.compile(rf"\s*\[\[\s*(?:[\w-]+\s*\.\s*)*?{re.escape(name)}\s*\]\]")
    return [number for number, line in enumerate(text.split("\n"), 1) if header.match(line)]
