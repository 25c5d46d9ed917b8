"""Options of commands for the revisions of a repository, their nodes, and what counts as a difference."""

from __future__ import annotations

import argparse
import os

from bunraku.base.fences import fence
from bunraku.base.usage import UsageError
from bunraku.cli.options.context import context_of
from bunraku.cli.options.node import add_facts_source_option, add_node_options
from bunraku.cli.options.shared import (
    TakesOptions,
    add_language_options,
    add_option,
    add_options,
    add_setting_options,
    observer_of,
)
from bunraku.jobs.compare import CompareOptions
from bunraku.jobs.context import Context


def add_repository_options(parser: argparse.ArgumentParser) -> TakesOptions:
    """Add the options that name a repository, its nodes and how they are compiled; return their group."""
    git = parser.add_argument_group("revisions of a repository")
    git.add_argument(
        "--repository",
        metavar="DIR",
        help="control repository (default: the current directory)",
    )
    add_options(git, "facts_folder")
    add_option(git, "facts", "facts for all nodes")
    add_option(
        git,
        "modulepath",
        help="modules to use in place of the environment's; directories of the repository are read "
        "from each revision",
    )
    add_options(git, "installed_modules", "offline")
    add_language_options(git)
    add_setting_options(git)
    add_node_options(git)
    add_facts_source_option(git)
    return git


def add_comparison_options(parser: TakesOptions) -> None:
    """Add the options for what counts as a difference."""
    parser.add_argument("--tags", action="store_true", help="also compare resource tags")
    parser.add_argument(
        "--no-edges", dest="edges", action="store_false", help="do not compare edges"
    )
    parser.add_argument(
        "--compare-sources",
        dest="sources",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="compare the contents behind source => 'puppet:///…' in revisions (default)",
    )
    parser.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="PATTERN",
        help="leave out changes of Type[title] or Type[title]::parameters::NAME; '*' stands for "
        "any text; may be repeated",
    )
    parser.add_argument(
        "--ignore-attr",
        action="append",
        default=[],
        metavar="NAME",
        help="leave out changes of this parameter of any resource; may be repeated",
    )


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
