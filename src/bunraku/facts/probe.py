"""Reading the machine for facts; missing files and programs are not errors."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from subprocess import SubprocessError

from bunraku.base.records import record
from bunraku.world.protocol import World


@record(slots=False)
class Probe:
    """Reads facts of a machine; a file that cannot be read is empty.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> probe = Probe(DictionaryWorld({"/proc/version": b"Linux\\n"}))
    >>> probe.text("/proc/version"), probe.text("/proc/absent"), probe.names("/sys")
    ('Linux', '', [])
    """

    world: World

    def text(self, path: str) -> str:
        """Return a file's text without white space around it."""
        try:
            content = self.world.read(path)
        except OSError:
            return ""
        return content.decode("utf-8", "surrogateescape").strip("\0 \t\r\n")

    def lines(self, path: str) -> list[str]:
        """Return a file's lines."""
        return self.text(path).splitlines()

    def names(self, path: str) -> list[str]:
        """Return the names in a folder, sorted."""
        try:
            return self.world.list_directory(path)
        except OSError:
            return []

    def folder(self, path: str) -> bool:
        """Return whether a folder exists."""
        return self.world.is_directory(path)

    def output(self, *command: str) -> str:
        """Return the output of a program."""
        try:
            return self.world.run(list(command)).strip()
        except (OSError, SubprocessError):
            return ""

    def fields(self, path: str, separator: str) -> Iterator[tuple[str, str]]:
        """Yield the lines ``name separator value`` of a file."""
        for line in self.lines(path):
            name, found, value = line.partition(separator)
            if found:
                yield name.strip(), value.strip()

    @cached_property
    def kernel(self) -> tuple[str, str, str, str]:
        """Name and release of the kernel, hardware and processor; empty if they are not known."""
        name, release, hardware, processor, *_ = [*self.output("uname", "-srmp").split(), *[""] * 4]
        return name, release, hardware, processor

    @cached_property
    def mounts(self) -> list[tuple[str, str, str, list[str]]]:
        """Device, path, file system and options of the mounts."""
        found = []
        for line in self.lines("/proc/self/mounts"):
            device, path, kind, options, *_ = [plain(field) for field in [*line.split(), *[""] * 4]]
            found.append((device, path, kind, options.split(",")))
        return found


def plain(field: str) -> str:
    """Return a field of the table of mounts, where blanks are written as octal numbers.

    >>> plain("/mnt/a\\\\040b")
    '/mnt/a b'
    """
    for code, letter in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        field = field.replace(code, letter)
    return field


def known(**facts: object) -> dict[str, object]:
    """Return the known facts: neither None nor empty text.

    >>> known(a=1, b=None, c="", d=False)
    {'a': 1, 'd': False}
    """
    return {name: value for name, value in facts.items() if value is not None and value != ""}
