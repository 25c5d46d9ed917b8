"""Manage the certificate authority in puppetserver's directory layout: sign, revoke, set up."""

from __future__ import annotations

import argparse

from bunraku.base.usage import UsageError
from bunraku.cli.options.ca import COMMAND, add_options, ca_options
from bunraku.cli.options.shared import add_output_options

SETTINGS = True
"""Every setting of Puppet is an option."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku ca``."""
    add_options(parser)
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Do the action and return its exit code; UsageError for wrong settings."""
    chosen = ca_options(options)
    try:
        from bunraku.cli.ca.actions import perform, site_of
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "cryptography":
            raise
        raise UsageError(
            "the package cryptography is not installed: pip install cryptography", COMMAND
        ) from None
    return perform(site_of(chosen), chosen)
