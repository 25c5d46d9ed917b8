"""Options of commands that use the store of modules."""

from __future__ import annotations

import argparse

from bunraku.cli.options.shared import add_option


def add_store_options(parser: argparse.ArgumentParser, settings: str, *names: str) -> None:
    """Add the r10k.yaml, for which ``settings`` is the help, under more ``names``, and the store."""
    parser.add_argument(
        *names,
        "--config",
        dest="settings_file",  # bunraku.toml has a key 'config'
        default="",
        metavar="FILE",
        help=settings,
    )
    parser.add_argument("--cachedir", default="", metavar="DIRECTORY", help="the store to use")
    add_option(parser, "offline", "use what is in the store, and ask no server")
    parser.add_argument("-v", "--verbose", action="store_true", help="report each step")
