"""Serve an editor: the Language Server Protocol over standard streams or TCP."""

from __future__ import annotations

import argparse
import os

from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.cli import exits
from bunraku.cli.options.declarations import Rules
from bunraku.cli.output.files import write_file
from bunraku.cli.output.output import write, write_error

if TYPE_CHECKING:
    from bunraku.workbench.lint.run import LintSettings


OPTIONS = """
--stdio: serve the client at standard input and output (default)
--tcp PORT: serve the first client that connects to this port of 127.0.0.1; 0 chooses a free port
--index FILE: serve no client: write the index of this directory for code hosts (LSIF) to FILE, -
    for standard output
"""
RULES: Rules = {"tcp": {"type": int}}
SHOWS_WRONG_CONFIGURATION = True
"""An editor shows what is wrong with bunraku.toml; without a server it would show nothing."""


def run(options: argparse.Namespace) -> int:
    """Serve a client until it ends."""
    from bunraku.lsp.serve import serve_port, serve_streams

    if options.index:
        return write_index(options.index)
    if options.tcp is not None:
        return serve_port(options.tcp, lint_settings, print_place)
    return serve_streams(lint_settings)


def lint_settings() -> LintSettings:
    """Return the settings that ``bunraku lint`` has in this directory; raise UsageError."""
    from bunraku.cli.options.lint import configured_settings

    return configured_settings()


def write_index(path: str) -> int:
    """Write the index of this directory to a file or to standard output."""
    from bunraku.lsp.export import index_lines

    lines = index_lines(os.getcwd(), lambda text: write_error(f"warning: {text}\n"))
    if path == "-":
        for line in lines:
            write(line)
    else:
        write_file(path, "".join(lines))
    return exits.OK


def print_place(text: str) -> None:
    """Print where the server listens, at once."""
    write(f"{text}\n")
    write("")
