"""Serve catalogs and files to agents, as puppetserver does."""

from __future__ import annotations

import argparse
from importlib import import_module

from bunraku.cli.options.shared import add_output_options
from bunraku.cli.server.options import (
    add_code_options,
    add_directory_options,
    add_listening_options,
    add_work_options,
)

COMMAND = "server"
SETTINGS = True
"""Every setting of Puppet is an option."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku server``."""
    add_listening_options(parser)
    add_directory_options(parser)
    add_code_options(parser)
    add_work_options(parser)
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Serve until a signal comes."""
    code: int = import_module("bunraku.cli.server.serve").serve_site(options)
    return code
