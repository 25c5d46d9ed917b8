"""Tell what changes when manifests of Puppet 3 or 7 are compiled by Puppet 8, and mend it."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from typing import Any

from bunraku.cli import exits
from bunraku.cli.compile import node_name
from bunraku.cli.facts_file import read_facts
from bunraku.cli.memory import limit_memory
from bunraku.cli.migrate_text import FORMATS
from bunraku.cli.node_options import add_node_options, node_fields
from bunraku.cli.options import (
    COLOURS,
    UsageError,
    add_output_options,
    add_setting_options,
    read_text,
    settings,
    split_path,
)
from bunraku.cli.output import Paint, wants_colour, write, write_error
from bunraku.engine import Request
from bunraku.fleet import facts_files
from bunraku.migrate.run import Migration, migrate
from bunraku.records import replace

INTERMIXED = True


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``bunraku migrate``."""
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="manifests, or a folder of them that is one"
    )
    parser.add_argument("-e", "--execute", metavar="CODE", help="look at this code")
    parser.add_argument(
        "--from",
        dest="old",
        choices=("3.8", "3.0", "7"),
        default="3.8",
        help="the language of the manifests (3.8)",
    )
    parser.add_argument("--to", choices=("8",), default="8", help="the language wanted (8)")
    parser.add_argument("--modulepath", default="", help="folders of modules, joined by colons")
    parser.add_argument("--facts", metavar="FILE", help="the node's facts, JSON or YAML")
    parser.add_argument("--node", "--certname", metavar="NAME", help="the node's certname")
    parser.add_argument(
        "--facts-folder", metavar="FOLDER", help="many nodes: facts as NODE.yaml or NODE.json"
    )
    parser.add_argument("--format", choices=list(FORMATS), default="text", help="(text)")
    parser.add_argument(
        "--fix", action="store_true", help="make the edits that keep the meaning for certain"
    )
    add_setting_options(parser)
    add_node_options(parser)
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print what changes; the exit code is 0 when nothing does, 1 when something does, 2 for trouble."""
    limit_memory()
    found = migrate(requests(options), options.old)
    if options.fix:
        write_edited(found)
    paint = Paint(enabled=wants_colour(COLOURS[options.color], sys.stdout))
    write(FORMATS[options.format](found, paint, fixed=options.fix))
    if found.failed:
        return exits.TROUBLE
    return exits.FINDINGS if found.changed else exits.OK


def requests(options: argparse.Namespace) -> list[Request]:
    """One for each node and manifest."""
    if (options.execute is None) == (not options.files) and not options.environmentpath:
        raise UsageError("migrate wants manifests or -e CODE")
    bases: list[dict[str, Any]] = [{"path": path} for path in options.files]
    for path in options.files:
        if not os.path.exists(path):
            raise UsageError(f"there is no {path}")
    if options.execute is not None:
        bases = [{"code": options.execute}]
    made = [
        Request(
            **base,
            settings=settings(options),
            modulepath=split_path(options.modulepath),
            hiera_config=options.hiera_config,
        )
        for base in bases or [{}]
    ]
    return [replace(one, **fields) for fields in of_nodes(options) for one in made]


def of_nodes(options: argparse.Namespace) -> list[dict[str, Any]]:
    """What is known of each node."""
    common = read_facts(options.facts) if options.facts else {}
    if not options.facts_folder:
        name = options.node or node_name(common)
        return [{"node": name, **node_fields(options, name, common)}]
    try:
        files = facts_files(options.facts_folder)
    except OSError as error:
        raise UsageError(f"cannot read {options.facts_folder}: {error.strerror}") from error
    if not files:
        raise UsageError(f"there are no facts in {options.facts_folder}")
    return [
        {"node": name, **node_fields(options, name, {**common, **read_facts(path)})}
        for name, path in sorted(files.items())
    ]


def write_edited(found: Migration) -> None:
    """Write the edited files: each as a whole or not at all."""
    for path, text in found.edited.items():
        if not path:
            continue  # code from the command line: it is printed
        if read_text(path) != found.sources[path].text:
            raise UsageError(f"{path} has changed meanwhile")
        replace_file(path, text.encode("utf-8", "surrogateescape"))
        count = sum(1 for item in found.findings if item.fixed and item.span.source.path == path)
        write_error(f"{path}: {count} {'edits' if count != 1 else 'edit'} made\n")


def replace_file(path: str, content: bytes) -> None:
    """Put new content in place of a file's, in one step; its mode stays."""
    real = os.path.realpath(path)
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(real), prefix=".bunraku-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, os.stat(real).st_mode)
        os.replace(temporary, real)
    except OSError as error:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
