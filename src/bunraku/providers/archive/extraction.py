"""Commands that extract archives: which one is for a file, and with which flags."""

from __future__ import annotations

import re
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.providers.errors import ResourceFailure
from bunraku.types.convert.sprintf import sprintf
from bunraku.types.ruby_semantics.values import inspect, to_s

Value = Any
UNSAFE = re.compile(r"([^A-Za-z0-9_\-.,:+/@\n])")
FORMATS: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...] = (
    (r"\.tar", (("tar", "xf", "tar"),)),
    (r"\.tgz|\.tar\.gz", (("tar", "xzf", "tar"),)),
    (r"\.tbz|\.tar\.bz2", (("tar", "xjf", "tar"),)),
    (r"\.txz|\.tar\.xz", (("unxz", "-dc", "unxz"), ("tar", "xf", "tar"))),
    (r"\.gz", (("gunzip", "-d", "gunzip"),)),
    (r"\.zip|\.war|\.jar", (("unzip", "-o", "zip"),)),
    (r"\.bz2", (("bunzip2", "-d", "bunzip2"),)),
    (r"\.tar\.Z", (("uncompress", "-c", ""), ("tar", "xf", "tar"))),
)
"""End of a name → the programs of a pipe: name, usual flags, and the key of other flags."""


def escaped(path: str) -> str:
    """Return a path as a word of a shell.

    >>> escaped("/srv/a b.zip")
    '/srv/a\\\\ b.zip'
    """
    return UNSAFE.sub(r"\\\1", path).replace("\n", "'\n'") or "''"


def extract_command(path: str, custom: str | None, flags: Value) -> str:
    """Return the command line that extracts an archive; ResourceFailure if there is none.

    >>> extract_command("/a.tar.xz", None, None)
    'unxz -dc /a.tar.xz | tar xf -'
    >>> extract_command("/a.zip", None, {"zip": "-q"}), extract_command("/a", "ar x %s", None)
    ('unzip -q /a.zip', 'ar x /a')
    """
    word = escaped(path)
    if custom is not None and "%s" in custom:
        try:
            return sprintf(custom, [word])
        except PuppetError as error:
            raise ResourceFailure(error.message) from None
    if custom is not None:
        return f"{custom} {'undef' if flags is None else to_s(flags)} {word}"
    programs = programs_for(path)
    first, *rest = (f"{name} {flags_of(usual, flags, key)}" for name, usual, key in programs)
    return " | ".join([f"{first} {word}", *(f"{one} -" for one in rest)])


def programs_for(path: str) -> tuple[tuple[str, str, str], ...]:
    """Return the programs that extract a file; ResourceFailure for an unknown kind."""
    for ending, programs in FORMATS:
        if re.search(rf"(?:{ending})$", path, re.MULTILINE):
            return programs
    raise ResourceFailure(f"Unknown filetype: {path}")


def flags_of(usual: str, flags: Value, key: str) -> str:
    """Return the flags of a program: its usual ones, or those of the resource.

    >>> (
    ...     flags_of("xf", None, "tar"),
    ...     flags_of("xf", "xpf", "tar"),
    ...     flags_of("xf", {"zip": "-q"}, "tar"),
    ... )
    ('xf', 'xpf', '')
    """
    if flags is None or not key:
        return usual
    if isinstance(flags, str):
        return flags
    if isinstance(flags, dict):
        return to_s(flags[key]) if flags.get(key) is not None else ""
    raise ResourceFailure(f"Invalid options for command {key}: {inspect(flags)}")
