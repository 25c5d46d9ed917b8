"""Writing to standard output and error: bytes as they came, colour only where it is seen."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from bunraku.base.descriptors import write_to
from bunraku.base.encoding import encode
from bunraku.base.lazy_typing import TextIO
from bunraku.base.standard_streams import ReaderGone, StreamError, discard

CODES = {"red": "31", "yellow": "33", "green": "32", "cyan": "36", "bold": "1", "dim": "2"}
STYLES = {"+": "green", "-": "red", "@": "cyan"}
"""The sign at the beginning of a line of a diff → its colour."""


def write(text: str) -> None:
    """Write text to standard output as UTF-8, regardless of the stream's encoding.

    Raise StreamError if that fails, and ReaderGone if the reader closed the pipe.
    """
    try:
        write_to(sys.stdout, encode(text))
    except BrokenPipeError:
        raise ReaderGone from None
    except (OSError, ValueError) as error:
        raise StreamError(1, error) from None


def write_error(text: str) -> None:
    """Write text to standard error; ignore errors."""
    try:
        write_to(sys.stderr, encode(text))
    except (OSError, ValueError):
        discard(sys.stderr)


def wants_colour(choice: str, stream: TextIO, environment: Mapping[str, str] | None = None) -> bool:
    """Return whether to colour: by option, by NO_COLOR and FORCE_COLOR, or for a terminal.

    >>> wants_colour("auto", sys.stderr, {"NO_COLOR": "1", "FORCE_COLOR": "1"})
    False
    >>> wants_colour("always", sys.stderr, {"NO_COLOR": "1"})
    True
    """
    environment = os.environ if environment is None else environment
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR") or environment.get("CLICOLOR_FORCE"):
        return True
    return environment.get("TERM") != "dumb" and stream.isatty()


class Paint:
    """Puts colour around text, or not.

    >>> Paint(enabled=False)("red", "wrong")
    'wrong'
    """

    def __init__(self, *, enabled: bool) -> None:
        self.enabled = enabled

    def __call__(self, style: str, text: str) -> str:
        """Return ``text`` in a style of ``CODES``; several are joined by ``+``."""
        if not self.enabled or not text:
            return text
        codes = ";".join(CODES[name] for name in style.split("+"))
        return f"\x1b[{codes}m{text}\x1b[0m"
