"""Hosts as lines of ``/etc/hosts``."""

from __future__ import annotations

import re

from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.parsed_file import FilePart, ParsedFile
from bunraku.providers.provider import State

LINE = re.compile(r"^([0-9a-f:]\S+)\s+([^#\s+]\S+)\s*(.*?)?(?:\s*#\s*(.*))?$")


class HostLines(ParsedFile):
    """Reads and writes ``/etc/hosts``."""

    name = "parsed"
    default_target = "/etc/hosts"
    properties = frozenset({"ip", "host_aliases", "comment"})

    def suitable(self) -> bool:
        """Return whether the machine has the file."""
        return self.host.status("/etc/hosts", follow=True) is not None

    def parse(self, line: str) -> State | None:
        """Return the address, names and comment of a line."""
        match = LINE.search(line)
        if match is None:
            return None
        ip, name, aliases, comment = match.groups()
        aliases = re.sub(r"\s+", " ", aliases) if aliases else ABSENT
        return {"name": name, "ip": ip, "host_aliases": aliases, "comment": comment or ""}

    def line(self, entry: FilePart) -> str:
        """Return the address, names and comment, separated by tabs."""
        ip, aliases = entry.state.get("ip", ABSENT), entry.state.get("host_aliases", ABSENT)
        if ip == ABSENT:
            raise ResourceFailure("ip is a required attribute for hosts")
        words = [ip, entry.name]
        if aliases != ABSENT:
            words.append(aliases)
        if entry.state.get("comment"):
            words.append(f"# {entry.state['comment']}")
        return "\t".join(words)


provider = HostLines
