"""Options of the commands that apply a catalog or show its changes."""

from __future__ import annotations

import argparse

from bunraku.cli.options.node import add_node_options
from bunraku.cli.options.shared import (
    add_custom_fact_options,
    add_language_options,
    add_limit_options,
    add_modulepath_option,
    add_output_options,
    add_setting_options,
    node_argument,
)


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that ``bunraku apply`` and ``bunraku plan`` share."""
    parser.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        help="a manifest, a directory of manifests, or - (standard input)",
    )
    parser.add_argument("-e", "--execute", metavar="CODE", help="apply this code")
    parser.add_argument(
        "--catalog", metavar="FILE", help="apply this catalog (JSON); - is standard input"
    )
    parser.add_argument(
        "--show-diff",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="log the differences in files",
    )
    parser.add_argument(
        "--tags", metavar="TAGS", help="apply only resources with one of these comma-separated tags"
    )
    parser.add_argument(
        "--skip-tags", metavar="TAGS", help="skip resources with one of these comma-separated tags"
    )
    parser.add_argument(
        "--ignoreschedules", action="store_true", help="ignore the schedules of resources"
    )
    parser.add_argument(
        "--preprocess-deferred",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="call deferred functions before the run, as Puppet 7 and OpenVox 9 do (default: the "
        "setting preprocess_deferred, which is true for --language 9)",
    )
    parser.add_argument(
        "--ruby-providers",
        action="store_true",
        help="let an installed Puppet manage resources of types that bunraku cannot apply",
    )
    parser.add_argument("--facts", metavar="FILE", help="a file with additional facts")
    add_custom_fact_options(parser)
    parser.add_argument(
        "--node", "--certname", type=node_argument, metavar="NAME", help="the node's certname"
    )
    add_state_options(parser)
    parser.add_argument("-v", "--verbose", action="store_true", help="log messages of level info")
    add_modulepath_option(parser)
    add_language_options(parser)
    add_setting_options(parser)
    add_node_options(parser)
    add_limit_options(parser)
    add_output_options(parser)


def add_state_options(parser: argparse.ArgumentParser) -> None:
    """Add the options about the directories in which runs keep their state."""
    parser.add_argument(
        "--statedir",
        metavar="DIR",
        help="directory for state and report (default: depends on the user)",
    )
    parser.add_argument("--vardir", metavar="DIR", help="directory for all files that runs keep")


def words(text: str | None) -> tuple[str, ...]:
    """Return the words of a comma-separated list.

    >>> words("web, db"), words(None)
    (('web', 'db'), ())
    """
    return tuple(word for word in (text or "").replace(" ", "").split(",") if word)
