"""Options about the node of a catalog: classifier, trusted data, the server's facts."""

from __future__ import annotations

import argparse
import os
from typing import Any

from bunraku.base.usage import UsageError
from bunraku.cli.options.facts_file import read_facts
from bunraku.cli.options.project import ProjectOptions
from bunraku.cli.options.shared import TakesOptions, group_of
from bunraku.engine.request import Request
from bunraku.modules.classifier import TERMINI
from bunraku.modules.node import agent_facts, server_facts
from bunraku.world.machine import Machine


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


def node_fields(options: argparse.Namespace, node: str, facts: dict[str, Any]) -> dict[str, Any]:
    """Return the request fields of a node: its facts, the agent's and the server's."""
    told = server_facts(Machine())
    if options.server_facts:
        told.update(read_facts(options.server_facts))
    return {
        "facts": {**facts, **agent_facts(node, options.environment), **facts},
        "trusted": read_facts(options.trusted) if options.trusted else None,
        "server_facts": told,
        "adds_versions": True,
        "storedconfigs": options.storedconfigs,
        "facts_from": facts_source(options),
    }


def facts_source(options: argparse.Namespace) -> str | None:
    """Return the source of facts that the options name; not all commands have the option."""
    found: str | None = getattr(options, "facts_from", None)
    return found


def request_for_node(
    options: argparse.Namespace, place: ProjectOptions, facts: dict[str, Any], **more: Any
) -> Request:
    """Return the request for the node that the options or the facts name."""
    if facts_source(options) and not (options.node or getattr(options, "nodes", False)):
        raise UsageError("--facts-from requires --node NAME")
    node = options.node or node_name(facts)
    return Request(node=node, **node_fields(options, node, facts), **place.fields, **more)


def node_name(facts: dict[str, Any]) -> str:
    """Return the certname as Puppet finds it: from the facts, else this machine's name.

    >>> node_name({"networking": {"fqdn": "web.example.com"}})
    'web.example.com'
    """
    networking = facts.get("networking")
    fqdn = networking.get("fqdn") if isinstance(networking, dict) else None
    return str(facts.get("clientcert") or fqdn or facts.get("fqdn") or os.uname().nodename).lower()
