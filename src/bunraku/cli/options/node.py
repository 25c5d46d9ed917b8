"""Options about the node of a catalog: classifier, trusted data, the server's facts."""

from __future__ import annotations

import argparse

from bunraku.cli.options.shared import (
    TakesOptions,
    add_group,
    add_language_options,
    add_limit_options,
    add_options,
    add_output_options,
    add_setting_options,
    group_of,
)


def add_node_options(parser: TakesOptions) -> None:
    """Add the options about the node, except its name and its facts."""
    add_group(parser, "node")


def add_facts_source_option(parser: TakesOptions) -> None:
    """Add the option about facts that are not in files of their own."""
    add_options(group_of(parser, "node"), "facts_from")


def add_compile_options(parser: argparse.ArgumentParser, unit: str = "catalog") -> None:
    """Add the options for the language, settings, the node, limits and output of a compile."""
    add_language_options(parser)
    add_setting_options(parser)
    add_node_options(parser)
    add_facts_source_option(parser)
    add_limit_options(parser, unit)
    add_output_options(parser)
