"""Options about the node of a catalog: classifier, trusted data, the server's facts."""

from __future__ import annotations

from bunraku.cli.options.shared import TakesOptions, add_group, add_options, group_of


def add_node_options(parser: TakesOptions) -> None:
    """Add the options about the node, except its name and its facts."""
    add_group(parser, "node")


def add_facts_source_option(parser: TakesOptions) -> None:
    """Add the option about facts that are not in files of their own."""
    add_options(group_of(parser, "node"), "facts_from")
