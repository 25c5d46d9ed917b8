"""Print the log of a compile, with Puppet's words for levels."""

from __future__ import annotations

from bunraku.base.excerpt import visible
from bunraku.base.records import replace
from bunraku.cli.output.output import Paint, write_error
from bunraku.runtime.log import LogEntry

# Level → the word before the message and its colour, least urgent first.
LEVELS = {
    "debug": ("Debug", "dim"),
    "info": ("Info", "green"),
    "notice": ("Notice", ""),
    "warning": ("Warning", "yellow"),
    "err": ("Error", "red"),
    "alert": ("Alert", "red+bold"),
    "emerg": ("Emergency", "red+bold"),
    "crit": ("Critical", "red+bold"),
}
RANKS = {level: rank for rank, level in enumerate(LEVELS)}


ONCE = {
    "RT_NO_STORECONFIGS_EXPORT": "Exported resources are ignored, because storeconfigs is off. Use"
    " --with-exported to keep them in the catalog, or --set storeconfigs=true to hide this warning",
    "RT_NO_STORECONFIGS": "Exported resources are not collected, because storeconfigs is off. Use"
    " --storedconfigs SOURCE to collect them from the catalogs of other nodes",
}
"""Code → text of a warning that a run prints once, however often it applies."""


class Printer:
    """Prints log entries of a level and above to standard error."""

    def __init__(self, level: str, paint: Paint) -> None:
        self.least = RANKS[level]
        self.paint = paint
        self.printed: set[str] = set()

    def __call__(self, entry: LogEntry) -> None:
        """Print one entry, if it is urgent enough."""
        if entry.code in ONCE:
            if entry.code in self.printed:
                return
            self.printed.add(entry.code)
            entry = replace(entry, message=ONCE[entry.code])
        if RANKS[entry.level] >= self.least:
            word, style = LEVELS[entry.level]
            line = f"{word}: {entry_text(entry)}"
            write_error((self.paint(style, line) if style else line) + "\n")


def warn_about_cache(printer: Printer) -> None:
    """Print that the cache on disk cannot be used; the processes that are forked then do not."""
    from bunraku.engine.compile import cache_warning

    entry = cache_warning()
    if entry is not None:
        printer(entry)


def entry_text(entry: LogEntry) -> str:
    """Return the scope, the message and the position as one text.

    >>> entry_text(LogEntry("warning", "too old", None, "site.pp", 3, None))
    'too old (file: site.pp, line: 3)'
    """
    text = "\n".join(map(visible, entry.message.split("\n")))
    if entry.scope is not None:
        text = f"Scope({visible(entry.scope)}): {text}"
    place = {"file": entry.file, "line": entry.line, "column": entry.column}
    known = ", ".join(f"{name}: {value}" for name, value in place.items() if value)
    return f"{text} ({known})" if known and entry.scope is None else text
