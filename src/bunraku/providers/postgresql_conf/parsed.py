"""Settings as lines of a file, as in releases of the module before 10."""

from __future__ import annotations

import re
from typing import ClassVar

from bunraku.providers.attributes import ABSENT
from bunraku.providers.parsed_file import FilePart, ParsedFile
from bunraku.providers.postgresql_conf.lines import LINE, setting
from bunraku.providers.provider import State
from bunraku.types.ruby_semantics.values import to_s

SKIPPED = re.compile(r"\s*(#|$)")
QUOTES = re.compile(r"^'|'$", re.MULTILINE)


class SettingLines(ParsedFile):
    """Reads each file once."""

    name = "parsed"
    default_target: ClassVar[str] = "/etc/postgresql.conf"
    properties = frozenset({"value", "comment"})

    def parse(self, line: str) -> State | None:
        """Return the key, the value and the comment of a line."""
        match = None if SKIPPED.match(line) else LINE.match(line)
        if match is None:
            return None
        key, value, comment = match.groups()
        return {"name": key.lower(), "value": QUOTES.sub("", value), "comment": comment}

    def line(self, entry: FilePart) -> str:
        """Return the setting with its comment."""
        value, comment = entry.state.get("value", ABSENT), entry.state.get("comment")
        text = ", ".join(map(to_s, value)) if isinstance(value, list) else value
        return setting(entry.name, text, None if comment == ABSENT else comment)


provider = SettingLines
