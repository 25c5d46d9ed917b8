"""Configuration files of OpenStack, in which a setting may have several lines, as openstacklib writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

SECTION = re.compile(r"^\s*\[(.*)\]\s*$")
SETTING = re.compile(r"^(\s*)([^#;\s]|[^#;\s].*?[^\s=])(\s*=[ \t]*)(.*)\s*$")
COMMENTED = re.compile(r"^\s*[#;]+\s*(.*?[^\s=])\s*=[ \t]*.*\s*$")


class SectionLines:
    """The lines of a section."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.indentation = min((len(one[1]) for _, one in self.matches()), default=0)

    def matches(self) -> Iterator[tuple[int, re.Match[str]]]:
        """Yield the lines with settings."""
        for number, line in enumerate(self.lines):
            match = SETTING.match(line)
            if match is not None:
                yield number, match

    def settings(self) -> dict[str, list[str]]:
        """Return the values of all settings."""
        found: dict[str, list[str]] = {}
        for _, match in self.matches():
            found.setdefault(match[2], []).append(match[4])
        return found

    def set(self, setting: str, values: Sequence[str]) -> None:
        """Remove lines with other values and add those that are missing."""
        current = self.settings().get(setting, [])
        unwanted = [one for one in current if one not in values]
        for _ in unwanted:
            self.drop(setting, unwanted)
        self.insert(setting, [one for one in values if one not in current])

    def drop(self, setting: str, values: Sequence[str] | None = None) -> None:
        """Remove the first line of a setting that has one of some values, or any."""
        for number, match in self.matches():
            if match[2] == setting and (values is None or match[4] in values):
                del self.lines[number]
                return

    def insert(self, setting: str, values: Sequence[str]) -> None:
        """Add lines before the last one of the setting, below a commented one, or at the end."""
        indent = " " * self.indentation
        place = self.place(setting)
        self.lines[place:place] = [f"{indent}{setting}={one}" for one in values]

    def place(self, setting: str) -> int:
        """Return the number of the line before which lines of a setting are added."""
        numbers = [number for number, match in self.matches() if match[2] == setting]
        if numbers:
            return numbers[-1]
        for number, line in enumerate(self.lines):
            match = COMMENTED.match(line)
            if match is not None and match[1] == setting:
                return number + 1
        return len(self.lines)


class OpenStackFile:
    """A configuration file. If a section occurs twice, the last one is used, and written twice."""

    def __init__(self, text: str) -> None:
        self.order = [""]
        self.sections: dict[str, SectionLines] = {}
        lines: list[str] = []
        for line in text.removesuffix("\n").split("\n") if text else ():
            match = SECTION.match(line)
            if match is None:
                lines.append(line)
            else:
                self.sections[self.order[-1]] = SectionLines(lines)
                lines = []
                self.order.append(match[1])
        self.sections[self.order[-1]] = SectionLines(lines)

    def get(self, section: str, setting: str) -> list[str] | None:
        """Return the values of a setting, None if it is not set."""
        found = self.sections.get(section)
        return None if found is None else found.settings().get(setting)

    def set(self, section: str, setting: str, values: Sequence[str]) -> None:
        """Set the values of a setting."""
        if section not in self.sections:
            self.order.append(section)
            self.sections[section] = SectionLines([])
        self.sections[section].set(setting, values)

    def remove(self, section: str, setting: str) -> None:
        """Remove a setting; of several lines, only the first one."""
        self.sections[section].drop(setting)

    def text(self) -> str:
        """Return the file."""
        lines: list[str] = []
        for name in self.order:
            lines += [f"[{name}]"] if name else []
            lines += self.sections[name].lines
        return "".join(f"{line}\n" for line in lines)
