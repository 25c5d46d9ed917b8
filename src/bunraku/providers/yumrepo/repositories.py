"""The files of yum: sections with settings and comments, in several files.

A file that changes is written as Puppet does: ``KEY=VALUE`` without spaces, new sections at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bunraku.base.records import field, record
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.rewriting import rewrite
from bunraku.types.ruby_semantics.values import inspect
from bunraku.world.host import Host

MODE = 0o644
KEPT = re.compile(r"\s*$|[#;]|\s*rem\s", re.IGNORECASE)
"""Lines that are kept as they are: blank ones and comments."""
CONTINUED = re.compile(r"[ \t\r\n\f]")
HEAD = re.compile(r"\[([^\]]+)\]")
SETTING = re.compile(r"\s*([^\s=]+)\s*=\s*(.*)$")


@record(slots=False)
class Setting:
    """A setting; without a value it is not written."""

    key: str
    value: str | None


@record(slots=False)
class Section:
    """A section: a repository, or ``main``."""

    name: str
    file: str
    entries: list[Setting | str] = field(default_factory=list)
    """Settings and lines that are kept."""
    changed: bool = False
    removed: bool = False

    def setting(self, key: str) -> Setting | None:
        """Return the setting of a name."""
        settings = (one for one in self.entries if isinstance(one, Setting))
        return next((one for one in settings if one.key == key), None)

    def get(self, key: str) -> str | None:
        """Return a value, None if there is none."""
        found = self.setting(key)
        return None if found is None else found.value

    def set(self, key: str, value: str | None) -> None:
        """Give a setting a value in its place, or at the end; None removes it."""
        found = self.setting(key)
        if found is None:
            self.entries.append(Setting(key, value))
        else:
            found.value = value
        self.changed = True

    def text(self) -> str:
        """Return the section as it is written."""
        lines = [f"[{self.name}]\n"]
        for one in self.entries:
            if isinstance(one, str):
                lines.append(one)
            elif one.value is not None:
                lines.append(f"{one.key}={one.value}\n")
        return "".join(lines)


class Repositories:
    """Files of repositories; a section exists in one of them only."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.files: dict[str, list[Section | str]] = {}
        """Path → sections, and the lines above them."""

    def sections(self) -> Iterator[Section]:
        """Yield all sections."""
        for contents in self.files.values():
            yield from (one for one in contents if isinstance(one, Section))

    def read(self, path: str) -> None:
        """Read a file, again if it has been read before; ResourceFailure for a wrong line."""
        self.files[path] = []
        text = self.host.read(path).decode("utf-8", "surrogateescape")
        section: Section | None = None
        last: Setting | None = None
        for number, line in enumerate(text.splitlines(keepends=True), 1):
            bare = line.rstrip("\r\n")
            head, setting = HEAD.match(bare), SETTING.match(bare)
            if KEPT.match(bare):
                (self.files[path] if section is None else section.entries).append(line)
            elif CONTINUED.match(bare) and last is not None:
                last.value = f"{last.value}\n{bare}"
            elif head is not None:
                section, last = self.add(head[1], path), None
            elif setting is None:
                reason = f"Can't parse line '{bare}' (file: {path}, line: {number})"
                raise ResourceFailure(reason)
            elif section is None:
                key = inspect(setting[1])
                raise ResourceFailure(f"Property with key {key} outside of a section")
            else:
                section.set(setting[1], setting[2].rstrip())
                last = section.setting(setting[1])
        for one in self.sections():
            one.changed = one.changed and one.file != path

    def add(self, name: str, path: str) -> Section:
        """Return a new section at the end of a file; ResourceFailure if there is one of the name."""
        if any(one.name == name and not one.removed for one in self.sections()):
            text = f"Section {inspect(name)} is already defined, cannot redefine (file: {path})"
            raise ResourceFailure(text)
        section = Section(name, path, changed=True)
        self.files.setdefault(path, []).append(section)
        return section

    def store(self) -> None:
        """Write the files that changed; a file is removed with its last section."""
        for path, contents in [*self.files.items()]:
            sections = [one for one in contents if isinstance(one, Section)]
            if sections and all(one.removed for one in sections):
                self.host.remove_file(path)
                del self.files[path]
            elif any(one.changed or one.removed for one in sections):
                self.write(path)

    def write(self, path: str) -> None:
        """Write a file without the sections that are removed."""
        left: list[Section | str] = []
        for one in self.files[path]:
            if isinstance(one, Section):
                if one.removed:
                    continue
                one.changed = False
            left.append(one)
        self.files[path] = left
        text = "".join(one if isinstance(one, str) else one.text() for one in left)
        rewrite(self.host, path, text.encode("utf-8", "surrogateescape"), new_mode=MODE)
