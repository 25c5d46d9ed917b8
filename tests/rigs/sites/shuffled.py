"""Compile nodes one after the other in one process: ``shuffled.py ARGUMENTS NODE…``, ARGUMENTS as JSON.

It prints the JSON summary of each node on a line of its own.
"""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout

from bunraku.cli.main import main


def summary(arguments: list[str], node: str) -> str:
    """Return the summary of a node on one line."""
    output = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with redirect_stdout(output), redirect_stderr(io.TextIOWrapper(io.BytesIO(), "utf-8")):
        main([*arguments, "--match", node])
        output.flush()
    return json.dumps(json.loads(output.buffer.getvalue()))


if __name__ == "__main__":
    words, *nodes = sys.argv[1:]
    for one in nodes:
        print(summary(json.loads(words), one), flush=True)
