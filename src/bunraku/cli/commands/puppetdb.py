"""Serve PuppetDB's commands and queries from an SQLite file or PostgreSQL."""

from __future__ import annotations

import argparse

from bunraku.cli.options.shared import UsageError, add_output_options
from bunraku.cli.puppetdb.options import add_server_options, add_storage_options
from bunraku.cli.puppetdb.serve import serve_database


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku puppetdb``."""
    add_server_options(parser)
    add_storage_options(parser)
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Serve until a signal comes; UsageError without a database."""
    if options.database is None:
        raise UsageError("--database FILE is required (see 'bunraku puppetdb --help')", "puppetdb")
    return serve_database(options)
