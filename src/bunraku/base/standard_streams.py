"""Standard input, output and error, which can be closed, full, or without a reader.

A closed one is a descriptor that the next file to be opened would get, and with it text that is not
meant for that file.
"""

from __future__ import annotations

import errno
import os
import sys

from bunraku.base.descriptors import write_all
from bunraku.base.lazy_typing import TextIO
from bunraku.base.usage import UsageError

NAMES = ("standard input", "standard output", "standard error")


class StreamError(UsageError):
    """A standard stream that cannot be read or written, with the reason: exit code 2."""

    def __init__(self, number: int, error: OSError | ValueError) -> None:
        self.number = number
        verb = "write to" if number else "read"
        super().__init__(f"cannot {verb} {NAMES[number]}: {reason_of(error)}")


class ReaderGone(Exception):
    """The program that reads standard output has ended: exit code 141 and no message."""


def reason_of(error: OSError | ValueError) -> str:
    """Return why a stream cannot be used.

    >>> reason_of(OSError(errno.EBADF, "Bad file descriptor")), reason_of(OSError(28, "Disk full"))
    ('it is closed', 'Disk full')
    """
    if isinstance(error, OSError) and error.errno != errno.EBADF:
        return error.strerror or str(error)
    return "it is closed"  # a closed file object raises ValueError


def occupy_closed_streams() -> None:
    """Let a closed standard stream be /dev/null, opened so that its use fails as if it were closed.

    The programs that are started inherit it. ``sys.stdin``, ``sys.stdout`` and ``sys.stderr`` are
    never None afterwards.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is not None:
            continue
        # The lowest number that is free: the stream's own, unless a file has got it already.
        handle = os.open(os.devnull, os.O_RDONLY if number else os.O_WRONLY)
        os.set_inheritable(handle, handle == number)
        mode = "w" if number else "r"
        stream = open(handle, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 (it stays open)
        setattr(sys, name, stream)


def write_descriptor(number: int, content: bytes) -> None:
    """Write bytes to the descriptor of a standard stream; StreamError, ReaderGone."""
    try:
        write_all(number, content)
    except BrokenPipeError:
        raise ReaderGone from None
    except OSError as error:
        raise StreamError(number, error) from None


def read_descriptor(number: int, size: int) -> bytes:
    """Read some bytes from the descriptor of a standard stream; StreamError."""
    try:
        return os.read(number, size)
    except OSError as error:
        raise StreamError(number, error) from None


def read_standard_input(most: int) -> bytes:
    """Read standard input to its end; StreamError, also for more than ``most`` bytes."""
    try:
        content = sys.stdin.buffer.read(most + 1)
    except (OSError, ValueError) as error:
        raise StreamError(0, error) from None
    if len(content) > most:
        raise StreamError(0, OSError(errno.EFBIG, f"it is larger than {most >> 20} MiB"))
    return content


def discard(stream: TextIO) -> None:
    """Send the buffer of a stream, and all later output, to /dev/null.

    Python writes it at its end, and would complain of the error that is known already.
    """
    try:
        handle = os.open(os.devnull, os.O_WRONLY | getattr(os, "O_CLOEXEC", 0))
        os.dup2(handle, stream.fileno())
        os.close(handle)
        stream.flush()
    except (OSError, ValueError, AttributeError):  # a stream without a descriptor
        return
