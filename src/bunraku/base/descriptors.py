"""Writing to file descriptors."""

from __future__ import annotations

import os


def write_all(descriptor: int, content: bytes) -> None:
    """Write all bytes, and wait where the descriptor takes no more for the moment. Raise OSError."""
    view = memoryview(content)
    while view:
        try:
            view = view[os.write(descriptor, view) :]
        except BlockingIOError:  # another program made the pipe non-blocking
            import select  # rarely needed

            select.select([], [descriptor], [])
