"""The parts of DAP messages: positions, sources and variables, as clients count and name them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from bunraku.base.records import record
from bunraku.base.source import Source
from bunraku.compiler.code_names import unit_name
from bunraku.workbench.debugging.debugger import real_path

Json = dict[str, Any]


class RequestFailed(Exception):
    """A request that is refused, with the message for the user."""


@record()
class ClientOptions:
    """How the client counts lines and columns, and whether its paths are URIs."""

    first_line: int = 1
    first_column: int = 1
    paths_are_uris: bool = False

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> ClientOptions:
        """Return the options in the arguments of ``initialize``."""
        return cls(
            1 if arguments.get("linesStartAt1", True) else 0,
            1 if arguments.get("columnsStartAt1", True) else 0,
            arguments.get("pathFormat") == "uri",
        )

    def line(self, ours: int) -> int:
        """Return a line (from 1) as the client counts."""
        return ours - 1 + self.first_line

    def column(self, ours: int) -> int:
        """Return a column (from 1) as the client counts."""
        return ours - 1 + self.first_column

    def our_line(self, theirs: int) -> int:
        """Return a line of the client, counted from 1."""
        return theirs - self.first_line + 1

    def our_column(self, theirs: int) -> int:
        """Return a column of the client, counted from 1."""
        return theirs - self.first_column + 1

    def path(self, ours: str) -> str:
        """Return a path as the client writes it."""
        path = os.path.abspath(ours)
        return f"file://{quote(path)}" if self.paths_are_uris else path

    def our_path(self, theirs: str) -> str:
        """Return the path that the client means."""
        return unquote(urlsplit(theirs).path) if theirs.startswith("file:") else theirs


class Sources:
    """The files and pieces of code of a compile; code without a file has a number.

    ``virtual_folder`` is that of the debugger.
    """

    def __init__(self, virtual_folder: str = "") -> None:
        self.virtual_folder = virtual_folder
        self.known: dict[str, Source] = {}
        self.numbers: dict[str, int] = {}

    def add(self, source: Source) -> bool:
        """Add a source; return whether it is new."""
        name = unit_name(source)
        is_new = name not in self.known
        self.known[name] = source
        if not source.on_disk:
            self.numbers.setdefault(name, len(self.numbers) + 1)
        return is_new

    def name_of(self, source: Source) -> str:
        """Return the name that users see."""
        if source.on_disk:
            return os.path.basename(source.path)
        return source.path or "-e"

    def path(self, source: Source) -> str:
        """Return the path of the file of a source."""
        return real_path(source.path, self.virtual_folder)

    def numbered(self, number: int) -> str | None:
        """Return the name of the unit of a number."""
        return next((name for name, one in self.numbers.items() if one == number), None)

    def at_path(self, path: str) -> Source | None:
        """Return the source of a file."""
        real = os.path.realpath(path)
        for source in list(self.known.values()):
            if source.on_disk and os.path.realpath(self.path(source)) == real:
                return source
        return None

    def as_json(self, source: Source, options: ClientOptions) -> Json:
        """Return a source as DAP has it."""
        if source.on_disk:
            return {"name": self.name_of(source), "path": options.path(self.path(source))}
        name = unit_name(source)
        self.add(source)
        return {"name": self.name_of(source), "sourceReference": self.numbers[name]}
