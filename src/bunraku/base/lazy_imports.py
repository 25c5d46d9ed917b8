"""Names of modules that are imported when they are first used so that data can mention them for free."""

from __future__ import annotations

from importlib import import_module

from bunraku.base.lazy_typing import Any
from bunraku.base.records import record


@record(frozen=True)
class Imported:
    """A name of a module; calling it imports the module and calls the object of that name.

    >>> Imported("bunraku.base.source", "Source")("notice(1)").line_text(1)
    'notice(1)'
    """

    module: str
    name: str

    def get(self) -> Any:
        """Import the module and return the object of that name."""
        return getattr(import_module(self.module), self.name)

    def __call__(self, *arguments: Any) -> Any:
        """Import the function and call it."""
        return self.get()(*arguments)
