"""The mounts of ``fileserver.conf``.

Rules of access in it (``allow``, ``deny``) have no effect, as in Puppet since version 6: those of
``auth.conf`` decide.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import field, record
from bunraku.base.source import Place
from bunraku.base.suggestions import suggestion
from bunraku.server.files.issues import FILESERVER_CONFIGURATION
from bunraku.server.files.mounts import BUILT_IN
from bunraku.world.file_signatures import Signature, signature_of

SECTION = lazy_pattern(r"\s*\[([-\w]+)\]\s*(#.*)?")
ENTRY = lazy_pattern(r"\s*(\w+)\s+(.+?)(\s*#.*)?")
OLD_RULES = ("allow", "deny")
KNOWN = ("path", *OLD_RULES)


@record()
class Configuration:
    """The directories of mounts by name, and what is wrong without being an error."""

    mounts: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def read_mounts(text: str, path: str = "fileserver.conf") -> Configuration:
    """Return the mounts of a file; raise PuppetError with the line of the first error.

    >>> read_mounts("[extra]\\n  path /srv/%h\\n").mounts
    {'extra': '/srv/%h'}
    """
    found = Configuration()
    sections: dict[str, int] = {}
    name = None
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        section = SECTION.fullmatch(line)
        if section is not None:
            name = section[1]
            if name in sections:
                raise error(f"the mount '{name}' is there twice", path, number)
            sections[name] = number
        elif name is None:
            raise error("an entry before the first mount, [NAME]", path, number)
        else:
            read_entry(found, name, line, Place(path, number))
    for name, number in sections.items():
        if name not in BUILT_IN and name not in found.mounts:
            raise error(f"the mount '{name}' has no path", path, number)
    return found


def read_entry(found: Configuration, name: str, line: str, place: Place) -> None:
    """Add an entry of a mount."""
    entry = ENTRY.fullmatch(line)
    if entry is None:
        raise FILESERVER_CONFIGURATION(reason=f"malformed entry '{line.strip()}'").at(place)
    word, value = entry[1], entry[2].strip()
    if value.startswith("="):
        raise FILESERVER_CONFIGURATION(reason="'=' does not separate name and value").at(place)
    where = f"{place.file}:{place.line}"
    if word in OLD_RULES:
        if (word, value) != ("allow", "*"):
            found.warnings.append(f"{where}: '{word}' has no effect; use auth.conf")
    elif word != "path":
        reason = f"unknown entry '{word}'{suggestion(word, KNOWN)}"
        raise FILESERVER_CONFIGURATION(reason=reason).at(place)
    elif name in BUILT_IN:
        found.warnings.append(f"{where}: the mount '{name}' cannot have a path")
    elif not value.startswith("/"):
        raise FILESERVER_CONFIGURATION(reason=f"the path '{value}' is not absolute").at(place)
    else:
        found.mounts[name] = value


def error(reason: str, path: str, line: int) -> PuppetError:
    """Return the error in a line."""
    return FILESERVER_CONFIGURATION(reason=reason).at(Place(path, line))


class MountTable:
    """The mounts of a file, which is read again when it has changed.

    A file that becomes invalid leaves the mounts as they were; ``log`` is called with a level and a
    text. A missing file means no mounts.
    """

    def __init__(self, path: str, log: Callable[[str, str], None]) -> None:
        self.path = path
        self.log = log
        self.signature: Signature | None = None
        self.text: str | None = None
        self.mounts: Mapping[str, str] = {}
        self.read()

    def __call__(self) -> Mapping[str, str]:
        """Return the directories of the mounts by name."""
        signature = signature_of(self.path)
        if signature is None or signature != self.signature:
            try:
                self.read()
            except PuppetError as problem:
                where = f"{problem.diagnostic.file}:{problem.diagnostic.line}"
                self.log("err", f"{where}: {problem.message}; the mounts stay as they were")
            self.signature = signature
        return self.mounts

    def read(self) -> None:
        """Read the file if its text is another one; PuppetError if it is invalid."""
        try:
            with open(self.path, encoding="utf-8", errors="surrogateescape") as file:
                text = file.read()
        except FileNotFoundError:
            text = ""
        except OSError as problem:
            reason = f"cannot read it: {problem.strerror}"
            raise FILESERVER_CONFIGURATION(reason=reason).at(Place(self.path)) from None
        if text == self.text:
            return
        self.text = text
        found = read_mounts(text, self.path)
        self.mounts = found.mounts
        for warning in (*found.warnings, *missing_directories(found.mounts)):
            self.log("warning", warning)


def missing_directories(mounts: Mapping[str, str]) -> list[str]:
    """Return warnings about mounts of directories that do not exist."""
    return [
        f"the mount '{name}' has no directory {path}"
        for name, path in mounts.items()
        if "%" not in path and not os.path.isdir(path)
    ]
