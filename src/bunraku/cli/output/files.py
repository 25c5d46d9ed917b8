"""Files that options name for the output of a command."""

from __future__ import annotations

import os
from collections.abc import Collection

from bunraku.base.usage import UsageError


def write_file(path: str, text: str, *, makes_folders: bool = False) -> None:
    """Write a file in one step, also the directories that it needs; UsageError if that fails."""
    from bunraku.world.whole_files import make_folders, write_whole

    try:
        if makes_folders:
            make_folders(os.path.dirname(path) or ".", 0o777)
        write_whole(path, text.encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from error


def report_of(text: str, formats: Collection[str]) -> tuple[str, str]:
    """Return format and file of ``--report FORMAT=FILE``; UsageError for another form.

    >>> report_of("json=result.json", ["json", "html"])
    ('json', 'result.json')
    """
    from bunraku.base.suggestions import suggestion

    form, equals, path = text.partition("=")
    if not equals or not path:
        raise UsageError(f"--report: expected FORMAT=FILE, not {text!r}")
    if form not in formats:
        near = suggestion(form, formats) or f"; expected one of {', '.join(formats)}"
        raise UsageError(f"--report: unknown format {form!r}{near}")
    return form, path
