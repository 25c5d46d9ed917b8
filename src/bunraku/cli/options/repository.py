"""Options of commands for the revisions of a repository, their nodes, and what counts as a difference."""

from __future__ import annotations

import argparse
import os

from bunraku.base.fences import fence
from bunraku.base.usage import UsageError
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import Rules, table_group
from bunraku.cli.options.shared import observer_of
from bunraku.jobs.compare import CompareOptions
from bunraku.jobs.context import Context

REPOSITORY = f"""
[revisions of a repository]
--repository DIR: control repository (default: the current directory)
@facts_folder
@facts: facts for all nodes
@modulepath: modules to use in place of the environment's; directories of the repository are read from
    each revision
@installed_modules
@offline
{table_group("language")}
{table_group("environment and settings")}
{table_group("node")}
@facts_from
@jobs
@executor
"""
"""A repository, its nodes and how they are compiled."""
COMPARISON = """
--tags: also compare resource tags
--no-edges: do not compare edges
--[no-]compare-sources: compare the contents behind source => 'puppet:///…' in revisions (default)
--ignore PATTERN...: leave out changes of Type[title] or Type[title]::parameters::NAME; '*' stands
    for any text; may be repeated
--ignore-attr NAME...: leave out changes of this parameter of any resource; may be repeated
"""
"""What counts as a difference."""
COMPARISON_RULES: Rules = {
    "no_edges": {"action": "store_false", "dest": "edges"},
    "compare_sources": {"dest": "sources", "default": True},
}


def compare_options(options: argparse.Namespace) -> CompareOptions:
    """Return what counts as a difference."""
    return CompareOptions(
        options.tags,
        options.edges,
        options.ignore,
        options.ignore_attr,
        options.match,
        options.sources,
    )


def repository_context(options: argparse.Namespace) -> Context:
    """Return the context of the repository; UsageError if its directory does not exist."""
    directory = options.repository
    if directory is not None:
        if not os.path.isdir(directory):
            raise UsageError(f"--repository: cannot find the directory {directory}")
        fence(os.path.abspath(directory))
    return context_of(options, observer_of(options), below=True, directory=directory)
