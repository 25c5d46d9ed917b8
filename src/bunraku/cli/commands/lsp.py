"""Serve an editor: the Language Server Protocol over standard streams or TCP."""

from __future__ import annotations

import argparse

from bunraku.cli.output.output import write


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku lsp``."""
    parser.add_argument(
        "--stdio",
        action="store_true",
        help="serve the client at standard input and output (default)",
    )
    parser.add_argument(
        "--tcp",
        type=int,
        metavar="PORT",
        help="serve the first client that connects to this port of 127.0.0.1; 0 chooses a free port",
    )


def run(options: argparse.Namespace) -> int:
    """Serve a client until it ends."""
    from bunraku.lsp.serve import serve_port, serve_streams

    if options.tcp is not None:
        return serve_port(options.tcp, print_place)
    return serve_streams()


def print_place(text: str) -> None:
    """Print where the server listens, at once."""
    write(f"{text}\n")
    write("")
