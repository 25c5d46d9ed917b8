"""Options that choose the nodes of a job."""

from __future__ import annotations

import argparse

from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.cli.options.shared import TakesOptions, add_options

if TYPE_CHECKING:
    from bunraku.jobs.nodes import NodeOptions


def add_choice_of_nodes(parser: TakesOptions) -> None:
    """Add the options that choose nodes."""
    add_options(parser, "match", "os", "classes", "facterdb")


def chosen_nodes(options: argparse.Namespace) -> NodeOptions:
    """Return which nodes are compiled."""
    from bunraku.jobs.nodes import NodeOptions

    return NodeOptions(options.match, options.os, options.classes, options.facterdb)
