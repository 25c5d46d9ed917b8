"""Options of commands for the revisions of a repository, and what they name: nodes, and requests."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from fnmatch import fnmatchcase

from bunraku.base.errors import PuppetError
from bunraku.base.fences import fence
from bunraku.base.usage import UsageError
from bunraku.cli.options.facts_file import read_facts, wrong_input
from bunraku.cli.options.node import add_facts_source_option, add_node_options, node_fields
from bunraku.cli.options.project import ProjectOptions, place_in
from bunraku.cli.options.shared import (
    TakesOptions,
    add_language_options,
    add_setting_options,
    settings,
)
from bunraku.engine.request import Request, nodes_from
from bunraku.facts.documents import FACTS_EXTENSIONS, facts_files
from bunraku.modules.settings import resolve
from bunraku.project.detect import find_project, project_at
from bunraku.project.model import MODULE, NOTHING, Project
from bunraku.world.machine import Machine
from bunraku.world.protocol import World


def add_match_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--match``, which selects nodes."""
    parser.add_argument(
        "--match",
        action="append",
        default=[],
        metavar="GLOB",
        help="only nodes whose names match; may be repeated",
    )


def add_repository_options(parser: argparse.ArgumentParser) -> TakesOptions:
    """Add the options that name a repository, its nodes and how they are compiled; return their group."""
    git = parser.add_argument_group("revisions of a repository")
    git.add_argument(
        "--repository",
        default=".",
        metavar="DIR",
        help="control repository (default: the current directory)",
    )
    git.add_argument("--facts-folder", metavar="DIR", help="facts by node: NODE.yaml or NODE.json")
    git.add_argument("--facts", metavar="FILE", help="facts for all nodes")
    git.add_argument(
        "--modulepath",
        default="",
        help="modules to use in place of the environment's; directories of the repository are read from "
        "each revision",
    )
    add_language_options(git)
    add_setting_options(git)
    add_node_options(git)
    add_facts_source_option(git)
    return git


def root_and_nodes(options: argparse.Namespace) -> tuple[str, Mapping[str, str | None]]:
    """Return the directory to compile, and the facts files by node; None for facts of ``--facts-from``.

    Raises UsageError if no node has facts.
    """
    return repository_place(options).project.root, nodes_of(options)


def nodes_of(options: argparse.Namespace) -> Mapping[str, str | None]:
    """Return the facts files by node; None for facts of ``--facts-from``. Raises UsageError without any."""
    if not options.facts_folder and not options.facts_from:
        raise UsageError(
            f"{missing_sides(options)}--facts-folder DIR or --facts-from SOURCE is required for revisions"
        )
    all_files = facts_by_node(options)
    files = {node: path for node, path in all_files.items() if chosen(options, node)}
    if not files and options.facts_from:
        raise UsageError(f"no nodes match {' or '.join(options.match)}")
    if not files:
        names = ", ".join(f"NODE{extension}" for extension in FACTS_EXTENSIONS)
        which = f" that match {' or '.join(options.match)}" if options.match else ""
        raise UsageError(f"no facts files ({names}){which} in {options.facts_folder}")
    return files


def chosen(options: argparse.Namespace, node: str) -> bool:
    """Return whether ``--match`` selects a node."""
    return not options.match or any(fnmatchcase(node, glob) for glob in options.match)


def catalog_files(directory: str) -> dict[str, str]:
    """Return the catalogs in a directory by node; they are named as facts files are."""
    try:
        return facts_files(directory)
    except OSError as error:
        raise UsageError(f"cannot read {directory}: {error.strerror}") from error


def facts_by_node(options: argparse.Namespace) -> Mapping[str, str | None]:
    """Return the facts files by node; None for nodes whose facts are those of ``--facts-from``."""
    if not options.facts_from:
        return catalog_files(options.facts_folder)
    request = Request(facts_from=options.facts_from, settings=settings(options))
    try:
        return dict.fromkeys(nodes_from(request))
    except PuppetError as error:
        raise wrong_input(error) from error


def missing_sides(options: argparse.Namespace) -> str:
    """Return a note about arguments that may be mistyped file names."""
    if not options.sides:
        return ""
    names = " and ".join(options.sides)
    verb = "is not a file" if len(options.sides) == 1 else "are not files"
    return f"{names} {verb}, so taken as git revisions; "


def repository_place(options: argparse.Namespace) -> ProjectOptions:
    """Return the project of the directory to compare, as the working tree shows it.

    The project's configuration gives the facts directory where no option does.
    """
    start = os.path.abspath(options.repository)
    if not os.path.isdir(start):
        raise UsageError(f"--repository: cannot find the directory {options.repository}")
    fence(start)
    if options.no_project or "environmentpath" in settings(options):
        project = Project(NOTHING, start)
    else:
        project = find_project(start, Machine(), settings(options), below=True)
    if project.kind == NOTHING:
        project = Project(NOTHING, start, reason=project.reason)
    place = place_in(options, project)
    if options.facts_folder and options.facts_from:
        raise UsageError("give --facts-from or --facts-folder, not both")
    if not options.facts_from:
        options.facts_folder = options.facts_folder or place.facts_folder
    options.facts = options.facts or place.common_facts
    return place


def request_for(options: argparse.Namespace, directory: str, world: World) -> Request:
    """Return the request for a directory of one side."""
    project = None
    if not options.no_project and "environmentpath" not in settings(options):
        project = project_at(directory, world, resolve(settings(options)))
    place = place_in(options, project or Project(NOTHING, directory))
    if place.project.kind == MODULE:
        raise UsageError(
            f"{options.repository} is the module {place.project.name!r}; revisions of a control "
            "repository can be compared"
        )
    if place.manifest is None and not place.has_environment:
        place.fields["environment_directory"] = directory
    fields = node_fields(options, "", {})
    fields["facts"] = read_facts(options.facts) if options.facts else {}
    return Request(path=place.manifest, **fields, **place.fields)
