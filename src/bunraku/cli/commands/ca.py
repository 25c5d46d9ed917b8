"""Manage the certificate authority in puppetserver's directory layout: sign, revoke, set up."""

from __future__ import annotations

import argparse

from bunraku.base.usage import package_missing
from bunraku.cli.options.ca import AUTHORITY, AUTHORITY_RULES, COMMAND, ca_options

SETTINGS = True
"""Every setting of Puppet is an option."""
OPTIONS = AUTHORITY
RULES = AUTHORITY_RULES


def run(options: argparse.Namespace) -> int:
    """Do the action and return its exit code; UsageError for wrong settings."""
    chosen = ca_options(options)
    try:
        from bunraku.cli.ca.actions import perform, site_of
    except ModuleNotFoundError as error:
        raise package_missing(error, "cryptography", COMMAND) from None
    return perform(site_of(chosen), chosen)
