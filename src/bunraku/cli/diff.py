"""Compare catalogs: two files, two folders of them, or two revisions of a control repository.

What does not matter is passed over: the order of resources, places in manifests, versions.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Any

from bunraku.catalog.compare import Difference, compare
from bunraku.cli import exits
from bunraku.cli.diff_text import FORMATS, Comparison
from bunraku.cli.facts_file import read_facts
from bunraku.cli.memory import limit_memory
from bunraku.cli.node_options import add_node_options, node_fields
from bunraku.cli.options import (
    COLOURS,
    UsageError,
    add_language_options,
    add_output_options,
    add_setting_options,
    read_text,
    settings,
    split_path,
)
from bunraku.cli.output import Paint, wants_colour, write
from bunraku.cli.progress import Progress
from bunraku.engine import Request
from bunraku.errors import PuppetError
from bunraku.facts.external import parse_yaml
from bunraku.fleet import FACTS_FILES, Outcome, facts_files
from bunraku.revisions import Revisions, compile_revisions

Compare = Callable[[dict[str, Any], dict[str, Any]], Difference]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``bunraku diff``."""
    parser.add_argument("old", metavar="A", help="a catalog, a folder of them, or a git revision")
    parser.add_argument("new", metavar="B", help="the same")
    parser.add_argument("--format", choices=list(FORMATS), default="text", help="(text)")
    parser.add_argument("--tags", action="store_true", help="tags of resources count")
    parser.add_argument("--no-edges", action="store_true", help="edges do not count")
    parser.add_argument(
        "--match",
        action="append",
        default=[],
        metavar="GLOB",
        help="only nodes with such names; may be repeated",
    )
    git = parser.add_argument_group("revisions of a repository")
    git.add_argument(
        "--repository", default=".", metavar="FOLDER", help="the control repository (.)"
    )
    git.add_argument(
        "--facts-folder", metavar="FOLDER", help="facts by node: NODE.yaml or NODE.json"
    )
    git.add_argument("--facts", metavar="FILE", help="facts that all nodes have")
    git.add_argument("--modulepath", default="", help="modules, in place of the repository's")
    git.add_argument("--jobs", type=int, metavar="N", help="processes (one for each processor)")
    add_language_options(git)
    add_setting_options(git)
    add_node_options(git)
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print what differs; the exit code is diff's: 0 same, 1 different, 2 trouble."""
    limit_memory()

    def compare_both(old: dict[str, Any], new: dict[str, Any]) -> Difference:
        return compare(old, new, tags=options.tags, edges=not options.no_edges)

    kinds = {kind_of(options.old), kind_of(options.new)}
    if len(kinds) > 1:
        raise UsageError(f"{options.old} and {options.new} are not of a kind")
    nodes = {"file": of_files, "folder": of_folders, "revision": of_revisions}[kinds.pop()](
        options, compare_both
    )
    paint = Paint(enabled=wants_colour(COLOURS[options.color], sys.stdout))
    write(FORMATS[options.format](nodes, paint))
    found = {one.status for one in nodes}
    if "failed" in found:
        return exits.TROUBLE
    return exits.FINDINGS if "differs" in found else exits.OK


def kind_of(text: str) -> str:
    """What an argument is."""
    if os.path.isdir(text):
        return "folder"
    return "file" if os.path.exists(text) or text == "-" else "revision"


def chosen(options: argparse.Namespace, node: str) -> bool:
    """Whether a node is among those that are asked for."""
    return not options.match or any(fnmatchcase(node, glob) for glob in options.match)


def read_catalog(path: str) -> dict[str, Any]:
    """The catalog in a file, JSON or YAML."""
    text = read_text(path)
    try:
        data = parse_yaml(text) if path.endswith((".yaml", ".yml")) else json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: {' '.join(str(error).split())}") from error
    if isinstance(data, dict) and isinstance(data.get("data"), dict):
        data = data["data"]  # as Puppet 3 and the catalogs of its cache have it
    found = data.get("resources") if isinstance(data, dict) else None
    if not isinstance(found, list) or not all(
        isinstance(one, dict) and "type" in one and "title" in one for one in found
    ):
        raise UsageError(f"{path} holds no catalog")
    return dict(data)


def of_files(options: argparse.Namespace, compare_both: Compare) -> list[Comparison]:
    """Two catalogs."""
    old, new = read_catalog(options.old), read_catalog(options.new)
    name = str(new.get("name") or options.new)
    return [Comparison(name, compare_both(old, new))]


def of_folders(options: argparse.Namespace, compare_both: Compare) -> list[Comparison]:
    """Two folders of catalogs, those of the same name beside each other."""
    old, new = catalog_files(options.old), catalog_files(options.new)
    nodes = []
    for node in sorted({*old, *new}):
        if not chosen(options, node):
            continue
        if node in old and node in new:
            difference = compare_both(read_catalog(old[node]), read_catalog(new[node]))
            nodes.append(Comparison(node, difference))
        else:
            nodes.append(Comparison(node, missing=options.old if node in old else options.new))
    if not nodes:
        raise UsageError("there are no catalogs to compare")
    return nodes


def catalog_files(folder: str) -> dict[str, str]:
    """The catalogs in a folder by node; they are named as facts files are."""
    try:
        return facts_files(folder)
    except OSError as error:
        raise UsageError(f"cannot read {folder}: {error.strerror}") from error


def of_revisions(options: argparse.Namespace, compare_both: Compare) -> list[Comparison]:
    """Two revisions of a repository, for the nodes whose facts are given."""
    if not options.facts_folder:
        raise UsageError(
            f"neither {options.old} nor {options.new} is a file; revisions want --facts-folder"
        )
    if options.jobs is not None and options.jobs < 1:
        raise UsageError("--jobs wants a number from 1")
    all_files = catalog_files(options.facts_folder)
    files = {node: path for node, path in all_files.items() if chosen(options, node)}
    if not files:
        names = ", ".join(f"NODE{extension}" for extension in FACTS_FILES)
        raise UsageError(f"no facts of any such node in {options.facts_folder} ({names})")
    name = options.environment or "production"
    revisions = Revisions(options.repository, options.old, options.new, name)
    try:
        with Progress(2 * len(files)) as progress:
            sides = compile_revisions(
                revisions,
                request_from(options),
                files,
                jobs=options.jobs,
                done=lambda outcome: progress.step(ok=outcome.ok),
            )
    except PuppetError as error:
        raise UsageError(str(error)) from error
    return [compared(old, new, options, compare_both) for old, new in zip(*sides, strict=True)]


def request_from(options: argparse.Namespace) -> Request:
    """What both revisions are asked for."""
    fields = node_fields(options, "", {})
    fields["facts"] = read_facts(options.facts) if options.facts else {}
    hiera_config = options.hiera_config
    return Request(
        **fields,
        settings=settings(options),
        modulepath=split_path(options.modulepath),
        language=options.language,
        follow=options.follow,
        hiera_config=hiera_config and os.path.abspath(hiera_config),
    )


def compared(
    old: Outcome, new: Outcome, options: argparse.Namespace, compare_both: Compare
) -> Comparison:
    """A node's outcomes compared."""
    findings = [
        (name, outcome.findings[0])
        for name, outcome in ((options.old, old), (options.new, new))
        if not outcome.ok
    ]
    if findings:
        return Comparison(old.node, findings=findings)
    return Comparison(old.node, compare_both(old.catalog.to_data(), new.catalog.to_data()))
