"""Log messages of a compile."""

from __future__ import annotations

from bunraku.base.records import record


@record()
class LogEntry:
    """A message of a compile; ``scope`` is set for what Puppet code logged itself."""

    level: str
    message: str
    scope: str | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None
    code: str | None = None
