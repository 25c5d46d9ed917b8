"""The planned change of a file as a unified diff."""

from __future__ import annotations

from bunraku.providers.errors import ResourceFailure
from bunraku.world.host import Command, CommandTimeout, Host

DIFF = "diff"
SAME, DIFFERENT = 0, 1
"""The exit codes of diff that are not errors."""
LONGEST = 60.0
"""Seconds that a diff may take."""


def difference(
    host: Host,
    path: str,
    *,
    content: bytes = b"",
    source: str | None = None,
    is_new: bool = False,
) -> str:
    """Return the difference between a file and its new content, or the content of ``source``.

    A file that ``is_new`` does not exist yet.

    No temporary file is written: ``diff`` reads the new content from its standard input.
    """
    old = "/dev/null" if is_new else path
    labels = ("--label", path, "--label", f"{path} (new)")
    output = compared(host, old, source or "-", content=content, labels=labels)
    try:
        output.encode()
    except UnicodeEncodeError:
        output = f"Binary files {path} and {path} (new) differ\n"
    return output


def compared(
    host: Host, old: str, new: str, *, content: bytes = b"", labels: tuple[str, ...] = ()
) -> str:
    """Return what the program diff prints for two files; ``-`` stands for ``content``."""
    if host.find_program(DIFF) is None:
        raise ResourceFailure("the program diff is not installed")
    words = (DIFF, "-u", *labels, old, new)
    try:
        done = host.execute(Command(words, content=content, timeout=LONGEST))
    except CommandTimeout:
        raise ResourceFailure("diff took too long") from None
    if done.code not in (SAME, DIFFERENT):
        raise ResourceFailure(done.errors.strip() or f"diff ended with {done.code}")
    return done.output
