"""Aliases as lines of ``/etc/aliases``."""

from __future__ import annotations

import re

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.parsed_file import FilePart, ParsedFile
from bunraku.providers.provider import State
from bunraku.types.ruby_semantics.values import to_s

COMMA = re.compile(r'\s*,\s*(?=(?:[^"]*"[^"]*")*[^"]*$)')
"""A comma outside of quotation marks."""
QUOTES = re.compile(r"^['\"]|['\"]$")
SPECIAL = re.compile(r"[^-+\w@.]")
"""A character that requires quotation marks around a recipient."""


class Aliases(ParsedFile):
    """Reads and writes ``/etc/aliases``."""

    name = "aliases"
    default_target = "/etc/aliases"
    properties = frozenset({"recipient"})

    def parse(self, line: str) -> State | None:
        """Return the alias with its recipients, or with the file that lists them.

        A line without a colon continues the one before it. The aliases of such a file cannot be managed, as in
        Puppet: a changed alias would get the continuation of the old one.
        """
        if line.startswith("#") or not line.strip():
            return None
        if ":" not in line:
            raise ResourceFailure(f'The line "{line}" has no colon, so the aliases cannot be read')
        parts = line.split(":", 3)
        name = parts[0].strip()
        if len(parts) == 4 and parts[2].strip() == "include":
            return {"name": name, "file": parts[3].strip()}
        given = line.split(":", 1)[1].strip()
        return {"name": name, "recipient": [QUOTES.sub("", one) for one in COMMA.split(given)]}

    def line(self, entry: FilePart) -> str:
        """Format an alias as a line."""
        recipients = entry.state.get("recipient")
        if recipients is None:
            return f"{entry.name}: :include: {entry.state.get('file', '')}"
        shown = (f'"{one}"' if SPECIAL.search(one) else one for one in map(to_s, recipients))
        return f"{entry.name}: {','.join(shown)}"


provider = Aliases
