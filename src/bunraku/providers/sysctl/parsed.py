"""Settings of the kernel as lines of ``/etc/sysctl.conf``, as in duritong's module."""

from __future__ import annotations

import re

from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.parsed_file import FilePart, ParsedFile
from bunraku.providers.provider import State
from bunraku.types.ruby_semantics.values import to_s

CONFIGURATION = "/etc/sysctl.conf"
SKIPPED = re.compile(r"\s*(#|$)")
SEPARATOR = re.compile(r"\s*=\s*")


class SettingLines(ParsedFile):
    """Reads and writes the file; the running kernel keeps its values."""

    name = "parsed"
    source = "sysctl"
    default_target = CONFIGURATION
    properties = frozenset({"val"})

    def suitable(self) -> bool:
        """Return whether the machine has the file."""
        return self.host.status(CONFIGURATION, follow=True) is not None

    def parse(self, line: str) -> State | None:
        """Return the name and value of a line."""
        if SKIPPED.match(line):
            return None
        name, *values = SEPARATOR.split(line)
        return {"name": name or ABSENT, "val": "=".join(values) or ABSENT}

    def line(self, entry: FilePart) -> str:
        """Return the name and the value."""
        fields = {"name": entry.name, "val": entry.state.get("val", ABSENT)}
        for field, value in fields.items():
            if value == ABSENT:
                raise ResourceFailure(f"Field '{field}' is required")
        return f"{entry.name}={to_s(fields['val'])}"


provider = SettingLines
