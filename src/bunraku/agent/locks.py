"""The file that disables an agent, with Puppet's name and content."""

from __future__ import annotations

import posixpath
from typing import Any

from bunraku.agent.settings import AgentSettings
from bunraku.apply.records import Records
from bunraku.formats.failure import FormatError
from bunraku.formats.json import json_text, parse_json

MESSAGE = "disabled_message"
NO_REASON = "reason not specified"
MODE = 0o644


class Disabling:
    """Whether runs are disabled on this machine, and why."""

    def __init__(self, settings: AgentSettings, records: Records) -> None:
        self.path = settings.text("agent_disabled_lockfile")
        self.records = records
        self.host = records.host

    def reason(self) -> str | None:
        """Return why runs are disabled; None if they are not."""
        try:
            data: Any = parse_json(self.host.read(self.path))
        except FileNotFoundError:
            return None
        except (OSError, FormatError):
            return NO_REASON  # the file exists, which is what counts
        found = data.get(MESSAGE) if isinstance(data, dict) else None
        return found if isinstance(found, str) else NO_REASON

    def disable(self, reason: str) -> None:
        """Disable runs; raise OSError if that fails. An earlier reason stays."""
        if self.host.is_file(self.path):
            return
        self.records.make_directory(posixpath.dirname(self.path))
        content = json_text({MESSAGE: reason}).encode("utf-8", "surrogateescape")
        self.host.replace_file(self.path, [content], mode=MODE)

    def enable(self) -> None:
        """Enable runs; raise OSError if that fails."""
        if self.host.is_file(self.path):
            self.host.remove_file(self.path)
