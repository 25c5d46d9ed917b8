"""Show the last run of ``bunraku apply``: its changes, failures and slowest resources."""

from __future__ import annotations

import argparse

from bunraku.apply.last_run import last_run_text
from bunraku.base.excerpt import visible
from bunraku.base.file_reading import LARGEST_CATALOG, read_whole
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.apply import STATE
from bunraku.cli.options.declarations import GENERAL
from bunraku.cli.output.output import write
from bunraku.formats.failure import FormatError
from bunraku.formats.yaml import load_plain
from bunraku.jobs.apply import directories_for
from bunraku.world.linux import LinuxHost

OPTIONS = f"""
file [FILE]: a report (default: the last run's)
{STATE}
{GENERAL}
"""


def run(options: argparse.Namespace) -> int:
    """Print the report; raise UsageError if there is none."""
    path = options.file or directories_for(options.statedir, options.vardir, {}, LinuxHost()).report
    try:
        report = load_plain(read_whole(path, LARGEST_CATALOG))
        text = last_run_text(report)
    except OSError as error:
        raise UsageError(f"cannot read the report {path}: {error.strerror}") from None
    except (FormatError, KeyError, TypeError, ValueError):
        raise UsageError(f"{path} is not a report in Puppet's format 12") from None
    write("".join(visible(line) + "\n" for line in text.splitlines()))
    return exits.OK
