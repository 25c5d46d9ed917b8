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
    if host.find_program(DIFF) is None:
        raise ResourceFailure("the program diff is not installed")
    old = "/dev/null" if is_new else path
    words = (DIFF, "-u", "--label", path, "--label", f"{path} (new)", old, source or "-")
    try:
        done = host.execute(Command(words, content=content, timeout=LONGEST))
    except CommandTimeout:
        raise ResourceFailure("diff took too long") from None
    if done.code not in (SAME, DIFFERENT):
        raise ResourceFailure(done.errors.strip() or f"diff ended with {done.code}")
    output = done.output
    try:
        output.encode()
    except UnicodeEncodeError:
        output = f"Binary files {path} and {path} (new) differ\n"
    return output
