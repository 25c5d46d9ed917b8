"""Options that choose the nodes of a job."""

from __future__ import annotations

import argparse

from bunraku.base.lazy_typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bunraku.jobs.nodes import NodeOptions


def chosen_nodes(options: argparse.Namespace) -> NodeOptions:
    """Return which nodes are compiled."""
    from bunraku.jobs.nodes import NodeOptions

    return NodeOptions(options.match, options.os, options.classes, options.facterdb)
