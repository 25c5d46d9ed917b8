"""INI files: settings in sections; comments and layout are preserved."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from bunraku.base.records import field, record
from bunraku.providers.rewriting import rewrite
from bunraku.world.host import Host

NEW_FILE = 0o644
Emptied = Literal["bare", "blank", "never"]
"""Which sections are removed with their last setting: without lines, with blank lines only, none."""


@record(frozen=True)
class IniStyle:
    """The layout of an INI file. ``width`` is the indentation of new settings, None to copy one."""

    separator: str = " = "
    prefix: str = "["
    suffix: str = "]"
    indent: str = " "
    width: int | None = None


@record(slots=False)
class Section:
    """A section: its header line (None for the part before all sections) and the lines below it."""

    name: str
    head: str | None = None
    lines: list[str] = field(default_factory=list)


class IniFile:
    """An INI file. If a section occurs twice, the last one is used."""

    def __init__(self, text: str, style: IniStyle) -> None:
        self.style = style
        blank = style.separator.isspace()
        sign = re.escape(" " if blank else style.separator.strip())
        self.setting = re.compile(
            rf"^(\s*)([^#;\s]|[^#;\s].*?[^\s{sign}])(\s*{sign}[ \t]*)(.*)\s*$"
        )
        self.commented = re.compile(rf"^\s*[#;]+\s*(.*?[^\s{sign}])\s*{sign}[ \t]*.*\s*$")
        self.head = re.compile(rf"^\s*{re.escape(style.prefix)}(.*){re.escape(style.suffix)}\s*$")
        self.sections = [Section("")]
        for line in text.removesuffix("\n").split("\n") if text else ():
            match = self.head.match(line)
            if match is not None:
                self.sections.append(Section(match[1], line))
            else:
                self.sections[-1].lines.append(line)

    def section(self, name: str) -> Section | None:
        """Return the section with a name."""
        return next((one for one in reversed(self.sections) if one.name == name), None)

    def settings(self, section: Section) -> Iterator[tuple[int, re.Match[str]]]:
        """Yield the settings of a section with their line numbers."""
        for number, line in enumerate(section.lines):
            match = self.setting.match(line)
            if match is not None:
                yield number, match

    def get(self, section: str, setting: str) -> str | None:
        """Return the value of a setting, None if it is not set."""
        found = self.section(section)
        values = () if found is None else self.settings(found)
        return next((match[4] for _, match in reversed([*values]) if match[2] == setting), None)

    def has_section(self, name: str) -> bool:
        """Return whether a section exists; the part before all sections always does."""
        return self.section(name) is not None

    def set(self, name: str, setting: str | None, value: str) -> None:
        """Set the value of a setting: on its line, below a commented-out setting, or at the end."""
        section = self.section(name)
        if section is None:
            section = Section(name, f"{self.style.prefix}{name}{self.style.suffix}")
            if any(one.head is not None or one.lines for one in self.sections):
                self.sections[-1].lines.append("")
            self.sections.append(section)
        if setting is None:
            return
        places = [
            (number, match) for number, match in self.settings(section) if match[2] == setting
        ]
        for number, match in places:
            section.lines[number] = f"{match[1]}{match[2]}{match[3]}{value}"
        if not places:
            line = f"{self.indentation(section)}{setting}{self.style.separator}{value}"
            if not section.lines and section.head is None and len(self.sections) > 1:
                section.lines.append("")  # between the new part and the first section
            section.lines.insert(self.place(section, setting), line)

    def place(self, section: Section, setting: str) -> int:
        """Return the number of the line before which a new setting is inserted."""
        for number, line in enumerate(section.lines):
            match = self.commented.match(line)
            if match is not None and match[1] == setting:
                return number + 1
        end = len(section.lines)
        while end and not section.lines[end - 1].strip():
            end -= 1
        return end

    def indentation(self, section: Section) -> str:
        """Return the indentation of a new setting."""
        width = self.style.width
        if width is None:
            width = min((len(match[1]) for _, match in self.settings(section)), default=0)
        return self.style.indent * width

    def remove(self, name: str, setting: str, emptied: Emptied = "bare") -> None:
        """Remove a setting, and its section if that is empty then."""
        section = self.section(name)
        if section is None:
            return
        numbers = {number for number, match in self.settings(section) if match[2] == setting}
        section.lines = [line for number, line in enumerate(section.lines) if number not in numbers]
        if numbers and section.head is not None and is_empty(section, emptied):
            self.sections.remove(section)

    def text(self) -> str:
        """Return the file."""
        lines = [
            line
            for section in self.sections
            for line in ([] if section.head is None else [section.head]) + section.lines
        ]
        return "".join(f"{line}\n" for line in lines)


def is_empty(section: Section, emptied: Emptied) -> bool:
    """Return whether a section is removed, because nothing is left in it."""
    return emptied != "never" and not any(one or emptied == "bare" for one in section.lines)


def read_ini(host: Host, path: str, style: IniStyle) -> IniFile:
    """Read the INI file at a path; an absent file is empty."""
    text = host.read(path).decode("utf-8", "surrogateescape") if host.is_file(path) else ""
    return IniFile(text, style)


def write_ini(host: Host, path: str, file: IniFile) -> None:
    """Write an INI file."""
    rewrite(host, path, file.text().encode("utf-8", "surrogateescape"), new_mode=NEW_FILE)
