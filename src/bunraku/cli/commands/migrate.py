"""Report the differences when a newer version compiles manifests of an older one, and edit them."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import Executor
from difflib import unified_diff
from typing import Any

from bunraku.base.records import record, replace
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.migration.page import as_html
from bunraku.cli.migration.text import as_json, as_sarif, as_text
from bunraku.cli.nodes.executor import executor_of
from bunraku.cli.nodes.progress import Progress
from bunraku.cli.options.facts_file import read_facts
from bunraku.cli.options.node import (
    add_facts_source_option,
    add_node_options,
    facts_source,
    node_fields,
    node_name,
)
from bunraku.cli.options.project import ProjectOptions, facts_file, near_path, place_of
from bunraku.cli.options.shared import (
    COLOURS,
    add_limit_options,
    add_modulepath_option,
    add_output_options,
    add_process_options,
    add_setting_options,
    limits_of,
    node_argument,
    paint_for,
    read_text,
)
from bunraku.cli.output.output import Paint, wants_colour, write, write_error
from bunraku.cli.report.excerpt import visible
from bunraku.cli.report.log import Printer, warn_about_cache
from bunraku.engine.parallel import Work, for_each
from bunraku.engine.request import Request
from bunraku.facts.documents import facts_files
from bunraku.migrate.run import K, Migration, R, migrate
from bunraku.migrate.versions import ALL_OLD_VERSIONS, NAMES, ImpossibleMigration, versions_of
from bunraku.world.whole_files import edit_whole

INTERMIXED = True
FORMATS = {"text": as_text, "json": as_json, "sarif": as_sarif, "html": as_html}


RUNS = 3
"""Compiles of each node: in the old language, and in the new one without the edits and with them."""


@record(frozen=True)
class Everywhere:
    """Runs the compiles of a migration with an executor, or in processes."""

    executor: Executor | None
    jobs: int | None
    progress: Progress

    def __call__(self, work: Work[K, R], tasks: Sequence[K]) -> list[R]:
        """Return the results of tasks in their order."""

        def done(_at: int, result: R) -> R:
            self.progress.step(ok=result.ok)
            return result

        return for_each(work, tasks, executor=self.executor, jobs=self.jobs, done=done)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``bunraku migrate``."""
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="manifest files, or a directory used as the main manifest; without FILE and -e, the main "
        "manifest of the project in which the command runs",
    )
    parser.add_argument("-e", "--execute", metavar="CODE", help="migrate this code")
    parser.add_argument(
        "--from",
        dest="old",
        choices=ALL_OLD_VERSIONS,
        help="the version that the manifests are written for (default: 3.8; with --to 9: 8)",
    )
    parser.add_argument(
        "--to",
        dest="new",
        choices=tuple(NAMES),
        help="the new version (default: 8; with --from 8: 9)",
    )
    add_modulepath_option(parser)
    parser.add_argument("--facts", metavar="FILE", help="the node's facts, JSON or YAML")
    parser.add_argument(
        "--node", "--certname", type=node_argument, metavar="NAME", help="the node's certname"
    )
    parser.add_argument(
        "--facts-folder", metavar="DIR", help="many nodes: facts as NODE.yaml or NODE.json"
    )
    parser.add_argument(
        "--format", choices=list(FORMATS), default="text", help="output format (default: text)"
    )
    parser.add_argument(
        "--fix", action="store_true", help="apply the edits that are safe (behaviour-preserving)"
    )
    parser.add_argument(
        "--diff", action="store_true", help="print the edits of --fix without writing them"
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="with --fix: write the edits although a catalog changes or does not compile with them",
    )
    add_setting_options(parser)
    add_node_options(parser)
    add_facts_source_option(parser)
    add_process_options(parser)
    add_limit_options(parser)
    parser.set_defaults(language=None, follow="puppet")
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print the differences; exit with 0 if nothing is left to do, 1 for findings, 2 for trouble."""
    warn_about_cache(Printer("warning", paint_for(options)))
    try:
        old, new = versions_of(options.old, options.new)
    except ImpossibleMigration as error:
        raise UsageError(str(error)) from error
    place = place_of(options, below=not options.files and options.execute is None)
    made = requests(options, place)
    total = RUNS * len(made) if len(made) > 1 else 0
    with executor_of(options) as executor, Progress(total) as progress:
        found = migrate(
            made,
            old,
            limits_of(options),
            new,
            puppet_conf_of(options, place),
            Everywhere(executor, options.jobs, progress),
        )
    reasons = found.refutations()
    if reasons and found.edited:
        write_error(refused_text(reasons, options))
    if options.diff:
        write(patch(found))
        return exit_code(found, fixed=False)
    fixed = options.fix and (options.force or not reasons)
    paint = Paint(enabled=wants_colour(COLOURS[options.color], sys.stdout))
    if fixed:
        write_edited(found)
    write(FORMATS[options.format](found, paint, fixed=fixed))
    return exit_code(found, fixed=fixed)


def exit_code(found: Migration, *, fixed: bool) -> int:
    """Return the exit code; findings whose edits were written and suffice do not count."""
    if found.failed:
        return exits.TROUBLE
    if fixed and found.fixed:
        return exits.OK
    return exits.FINDINGS if found.changed else exits.OK


def refused_text(reasons: list[str], options: argparse.Namespace) -> str:
    """Return the message about edits that fail verification, which comes first."""
    shown = "".join(f"  {visible(reason)}\n" for reason in reasons[:MOST_REASONS])
    more = len(reasons) - MOST_REASONS
    rest = f"  and {more} more nodes\n" if more > 0 else ""
    if options.fix and options.force:
        head = "warning: the edits are written although they failed verification (--force):\n"
    elif options.fix:
        head = "error: no file is changed, because the edits failed verification:\n"
    else:
        head = "warning: the edits failed verification, so --fix would change no file:\n"
    hint = (
        ""
        if options.force
        else "  hint: correct the findings without an edit first, or use --force\n"
    )
    return f"{head}{shown}{rest}{hint}"


MOST_REASONS = 10


def patch(found: Migration) -> str:
    """Return the edits as a patch."""
    lines: list[str] = []
    for path, text in found.edited.items():
        name = os.path.relpath(path) if path else "-e"
        before = found.sources[path].text.splitlines(keepends=True)
        after = text.splitlines(keepends=True)
        lines += unified_diff(before, after, f"a/{name}", f"b/{name}")
    end = "\n\\ No newline at end of file\n"
    return "".join(line if line.endswith("\n") else line + end for line in lines)


def puppet_conf_of(options: argparse.Namespace, place: ProjectOptions) -> str | None:
    """Return the path of the puppet.conf that is used: of the options, else of the project."""
    given = options.config or getattr(options.configured.get("config"), "value", None)
    found = place.project.choices.get("settings")
    return given or (None if found is None else found.file)


def requests(options: argparse.Namespace, place: ProjectOptions) -> list[Request]:
    """Return one request for each node and manifest."""
    if options.execute is not None and options.files:
        raise UsageError("give FILE or -e CODE, not both")
    for path in options.files:
        if not os.path.exists(path):
            raise UsageError(f"cannot find {path}{near_path(path)}")
    options.facts_folder = options.facts_folder or place.facts_folder
    bases: list[dict[str, Any]] = [{"path": path} for path in options.files]
    if options.execute is not None:
        bases = [{"code": options.execute}]
    elif not options.files:
        if place.manifest is None and not place.has_environment:
            raise UsageError(
                f"nothing to migrate: give manifests or -e CODE, or run the command in a control "
                f"repository ({place.project.reason})"
            )
        bases = [{"path": place.manifest}]
    fields = {name: value for name, value in place.fields.items() if name != "language"}
    made = [Request(**base, **fields) for base in bases]
    return [replace(one, **known) for known in of_nodes(options) for one in made]


def of_nodes(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Return the facts of each node."""
    if facts_source(options) and not options.node:
        raise UsageError("--facts-from requires --node NAME")
    common = read_facts(options.facts) if options.facts else {}
    if options.node and options.facts_folder:
        path = facts_file(options.facts_folder, options.node)
        common.update(read_facts(path) if path else {})
    if options.node or not options.facts_folder:
        name = options.node or node_name(common)
        return [{"node": name, **node_fields(options, name, common)}]
    try:
        files = facts_files(options.facts_folder)
    except OSError as error:
        raise UsageError(f"cannot read {options.facts_folder}: {error.strerror}") from error
    if not files:
        raise UsageError(f"no facts files (NODE.yaml, NODE.json) in {options.facts_folder}")
    return [
        {"node": name, **node_fields(options, name, {**common, **read_facts(path)})}
        for name, path in sorted(files.items())
    ]


def write_edited(found: Migration) -> None:
    """Write the edited files: all of them, or none if one cannot be written.

    A symbolic link stays one; the file that it leads to is edited.
    """
    new = {}
    for path, text in found.edited.items():
        if not path:
            continue  # code from the command line, which is printed
        if read_text(path) != found.sources[path].text:
            raise UsageError(f"{path} was changed by another program; run the command again")
        new[path] = text.encode("utf-8", "surrogateescape")
    try:
        edit_whole(new)
    except OSError as error:
        changed = [path for path, text in found.edited.items() if path and read_text(path) == text]
        rest = (
            f"these files were changed: {', '.join(changed)}" if changed else "no file is changed"
        )
        raise UsageError(f"cannot write {error.filename}: {error.strerror}; {rest}") from error
