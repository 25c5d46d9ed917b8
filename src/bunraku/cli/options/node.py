"""Options about the node of a catalog: classifier, trusted data, the server's facts."""

from __future__ import annotations

import argparse

from bunraku.cli.options.shared import TakesOptions, group_of
from bunraku.modules.classifier import TERMINI


def add_node_options(parser: TakesOptions) -> None:
    """Add the options about the node, except its name and its facts."""
    parser = group_of(parser, "node")
    parser.add_argument(
        "--trusted", metavar="FILE", help="file with the node's trusted data, JSON or YAML"
    )
    parser.add_argument(
        "--server-facts", metavar="FILE", help="file with $server_facts, JSON or YAML"
    )
    parser.add_argument(
        "--node-terminus",
        choices=TERMINI,
        help="classify the node with a program (exec), a YAML file (yaml) or not at all (default: plain)",
    )
    parser.add_argument(
        "--external-nodes",
        metavar="CLASSIFIER",
        help="program for exec; YAML file or directory of NODE.yaml files for yaml",
    )
    parser.add_argument(
        "--storedconfigs",
        metavar="SOURCE",
        help="catalogs and facts of other nodes, for exported resources and PuppetDB queries: a "
        "directory or file, the URL, an export or a database of a PuppetDB",
    )
    parser.add_argument(
        "--include-legacy-facts",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="add (or drop) legacy facts such as osfamily",
    )


def add_facts_source_option(parser: TakesOptions) -> None:
    """Add the option about facts that are not in files of their own."""
    group_of(parser, "node").add_argument(
        "--facts-from",
        "--from-puppetdb",
        metavar="SOURCE",
        help="facts of nodes: the URL, an export or a database of a PuppetDB, or a directory or file "
        "with facts of nodes",
    )
