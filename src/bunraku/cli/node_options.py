"""Options that tell of the node a catalog is for: classifier, trusted data, the server's facts."""

from __future__ import annotations

import argparse
from typing import Any

from bunraku.cli.facts_file import read_facts
from bunraku.cli.options import TakesOptions
from bunraku.modules.classifier import TERMINI
from bunraku.modules.node import agent_facts, server_facts
from bunraku.world import Machine


def add_node_options(parser: TakesOptions) -> None:
    """What is known of the node beside its facts."""
    parser.add_argument("--trusted", metavar="FILE", help="the node's trusted data, JSON or YAML")
    parser.add_argument("--server-facts", metavar="FILE", help="$server_facts, JSON or YAML")
    parser.add_argument(
        "--node-terminus",
        choices=TERMINI,
        help="how the node is classified: by a program (exec), by a file (yaml), not (plain)",
    )
    parser.add_argument(
        "--external-nodes",
        metavar="CLASSIFIER",
        help="the program, or the YAML file or a folder of NODE.yaml",
    )
    parser.add_argument(
        "--storedconfigs",
        metavar="PATH",
        help="a folder or file of other nodes' catalogs and facts: what they export, and queries",
    )
    parser.add_argument(
        "--include-legacy-facts",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="add the flat facts of old (osfamily …) that follow from the others, or drop them",
    )


def node_fields(options: argparse.Namespace, node: str, facts: dict[str, Any]) -> dict[str, Any]:
    """Fields of the request to the engine: facts with those the agent sets, and the server's."""
    told = server_facts(Machine())
    if options.server_facts:
        told.update(read_facts(options.server_facts))
    return {
        "facts": {**agent_facts(node, options.environment), **facts},
        "trusted": read_facts(options.trusted) if options.trusted else None,
        "server_facts": told,
        "storedconfigs": options.storedconfigs,
    }
