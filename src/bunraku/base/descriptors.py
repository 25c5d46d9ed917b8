"""Writing to file descriptors."""

from __future__ import annotations

import os

from bunraku.base.lazy_typing import TextIO


def write_all(descriptor: int, content: bytes | memoryview) -> None:
    """Write all bytes, and wait where the descriptor takes no more for the moment. Raise OSError."""
    view = memoryview(content)
    while view:
        try:
            view = view[os.write(descriptor, view) :]
        except BlockingIOError:  # another program made the pipe non-blocking
            import select  # rarely needed

            select.select([], [descriptor], [])


def write_to(stream: TextIO, content: bytes) -> None:
    """Write bytes to a stream immediately, after its buffered data.

    Raises OSError, and ValueError for a closed file object.
    """
    stream.flush()
    try:
        number = stream.fileno()
    except (OSError, AttributeError):  # the stream of a program that calls the command, in memory
        buffer = getattr(stream, "buffer", None)
        if buffer is None:
            stream.write(content.decode("utf-8", "replace"))
        else:
            buffer.write(content)
        stream.flush()
    else:
        write_all(number, content)
