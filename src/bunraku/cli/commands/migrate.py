"""Report the differences when a newer version compiles manifests of an older one, and edit them."""

from __future__ import annotations

import argparse
import sys

from bunraku.base.excerpt import visible
from bunraku.cli import exits
from bunraku.cli.migration.page import as_html
from bunraku.cli.migration.text import as_json, as_sarif, as_text
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import (
    FACTS_SOURCE,
    GENERAL,
    NODE,
    SETTINGS,
    Rules,
    choice,
    limits,
)
from bunraku.cli.options.shared import observer_of, paint_for
from bunraku.cli.output.output import write, write_error
from bunraku.jobs.migrate import MigrateOptions, migrate_manifests, patch_of, write_edits
from bunraku.migrate.run import Migration
from bunraku.migrate.versions import ALL_OLD_VERSIONS, NAMES

INTERMIXED = True
OTHER_VERSION = "hint: the old language is {old}; for manifests of Puppet 4 to 7, use --from 7\n"
FORMATS = {"text": as_text, "json": as_json, "sarif": as_sarif, "html": as_html}


OPTIONS = f"""
files [FILE]...: manifest files, or a directory used as the main manifest; without FILE and -e, the
    main manifest of the project in which the command runs
-e --execute CODE: migrate this code
--from: the version that the manifests are written for (default: 3.8; with --to 9: 8)
--to: the new version (default: 8; with --from 8: 9)
@modulepath
@facts
@node
@facts_folder: many nodes: facts as NODE.yaml or NODE.json
--format: output format (default: text)
--fix: apply the edits that are safe (behaviour-preserving)
--diff: print the edits of --fix without writing them
--force: with --fix: write the edits although a catalog changes or does not compile with them
{SETTINGS}
{NODE}
{FACTS_SOURCE}
[options]
@jobs
@executor
{limits()}
{GENERAL}
"""
RULES: Rules = {
    "from": {"dest": "old", "choices": ALL_OLD_VERSIONS},
    "to": {"dest": "new", "choices": tuple(NAMES)},
    "format": choice(*FORMATS),
}
DEFAULTS = {"language": None, "follow": "puppet"}
"""Options of a compile that a migration sets itself."""


def run(options: argparse.Namespace) -> int:
    """Print the differences; exit with 0 if nothing is left to do, 1 for findings, 2 for trouble."""
    context = context_of(
        options, observer_of(options), below=not options.files and options.execute is None
    )
    chosen = MigrateOptions(options.old, options.new, options.files, options.execute)
    found = migrate_manifests(context, chosen)
    reasons = found.refutations()
    if reasons and found.edited:
        write_error(refused_text(reasons, options))
    if options.diff:
        write(patch_of(found))
        return exit_code(found, fixed=False)
    fixed = options.fix and (options.force or not reasons)
    paint = paint_for(options, sys.stdout)
    if fixed:
        write_edits(found)
    write(FORMATS[options.format](found, paint, fixed=fixed))
    if found.failed and options.old is None:
        write_error(OTHER_VERSION.format(old=found.old))
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
