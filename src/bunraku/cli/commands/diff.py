"""Compare catalogs: two files, two directories, git revisions, or the working tree.

The order of resources, places in manifests and versions are not compared.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.file_reading import LARGEST_CATALOG
from bunraku.base.usage import UsageError
from bunraku.catalog.document import read_catalog
from bunraku.cli import exits
from bunraku.cli.diff.groups import Comparison, Report
from bunraku.cli.diff.repository import (
    add_match_option,
    add_repository_options,
    catalog_files,
    chosen,
    root_and_nodes,
)
from bunraku.cli.diff.revisions import (
    Compare,
    add_comparison_options,
    compare_states,
    comparer,
    wrong_revision,
)
from bunraku.cli.diff.text import FORMATS
from bunraku.cli.options.facts_file import wrong_input
from bunraku.cli.options.shared import (
    COLOURS,
    add_limit_options,
    add_output_options,
    add_process_options,
    paint_for,
    read_text,
)
from bunraku.cli.output.output import Paint, wants_colour, write, write_error
from bunraku.cli.report.findings import text_report
from bunraku.engine.revisions import states_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku diff``."""
    parser.add_argument(
        "sides",
        nargs="*",
        metavar="A",
        help="two catalogs, two directories of catalogs, two git revisions (A B, A..B, or A...B "
        "from their last common commit), or one revision to compare with the working tree "
        "(default: HEAD)",
    )
    parser.add_argument(
        "--format", choices=list(FORMATS), default="text", help="output format (default: text)"
    )
    add_comparison_options(parser)
    parser.add_argument(
        "--exit-zero", action="store_true", help="exit with 0 even if catalogs differ"
    )
    add_match_option(parser)
    add_process_options(add_repository_options(parser))
    add_limit_options(parser, "catalog or comparison")
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print the differences; the exit code is diff's: 0 same, 1 different, 2 trouble."""
    try:
        report = COMPARISONS[kind_of_all(options.sides)](options, comparer(options))
    except PuppetError as error:
        write_error(text_report(error, paint_for(options)))
        return exits.TROUBLE
    paint = Paint(enabled=wants_colour(COLOURS[options.color], sys.stdout))
    write(FORMATS[options.format](report, paint))
    found = {one.status for one in report.nodes}
    if "failed" in found:
        return exits.TROUBLE
    return exits.FINDINGS if "differs" in found and not options.exit_zero else exits.OK


def kind_of_all(sides: list[str]) -> str:
    """Return the kind of the arguments; all must be of one kind."""
    if len(sides) > 2:
        raise UsageError(f"diff compares two sides, not {len(sides)}")
    kinds = [kind_of(side) for side in sides]
    if len(set(kinds)) > 1:
        names = {"file": "a file", "directory": "a directory", "revision": "a git revision"}
        old, new = (f"{side!r} ({names[kind]})" for side, kind in zip(sides, kinds, strict=True))
        hint = ""
        if "revision" in kinds:
            name = sides[kinds.index("revision")]
            hint = f"; to compare a revision with the working tree: bunraku diff {name}"
        raise UsageError(f"cannot compare {old} with {new}{hint}")
    if len(sides) == 1 and kinds != ["revision"]:
        raise UsageError(f"give a second {kinds[0]} to compare {sides[0]} with")
    return kinds[0] if kinds else "revision"


def kind_of(text: str) -> str:
    """Return the kind of an argument."""
    if os.path.isdir(text):
        return "directory"
    return "file" if os.path.exists(text) or text == "-" else "revision"


def read_side(path: str) -> Mapping[str, Any]:
    """Return the catalog in a file, JSON or YAML; UsageError, with the place, for anything else."""
    try:
        return read_catalog(read_text(path, LARGEST_CATALOG), path, None if path != "-" else "JSON")
    except PuppetError as error:
        raise wrong_input(error) from error


def of_files(options: argparse.Namespace, compare_both: Compare) -> Report:
    """Compare two catalogs."""
    names = options.sides
    old, new = map(read_side, names)
    node = str(new.get("name") or names[1])
    return Report(names[0], names[1], [Comparison(node, compare_both(old, new))])


def of_directories(options: argparse.Namespace, compare_both: Compare) -> Report:
    """Compare two directories of catalogs, by the names of the files."""
    names = options.sides
    old, new = map(catalog_files, names)
    nodes = []
    for node in sorted({*old, *new}):
        if not chosen(options, node):
            continue
        if node in old and node in new:
            difference = compare_both(read_side(old[node]), read_side(new[node]))
            nodes.append(Comparison(node, difference))
        else:
            nodes.append(Comparison(node, missing=names[0] if node in old else names[1]))
    if not nodes:
        raise UsageError(f"no catalogs to compare in {names[0]} and {names[1]}")
    return Report(names[0], names[1], nodes)


def of_revisions(options: argparse.Namespace, compare_both: Compare) -> Report:
    """Compare two states of a repository, for the nodes whose facts are given."""
    root, files = root_and_nodes(options)
    try:
        states = states_of(root, options.sides)
    except PuppetError as error:
        raise wrong_revision(error) from error
    return compare_states(options, root, states, files, compare_both)


COMPARISONS = {"file": of_files, "directory": of_directories, "revision": of_revisions}
