"""What a newer version of the language changes for manifests, and edits that keep their meaning."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from difflib import unified_diff
from typing import Any

from bunraku.base.file_reading import read_whole
from bunraku.base.records import record, replace
from bunraku.base.usage import UsageError
from bunraku.engine.parallel import Work, for_each
from bunraku.engine.request import Request
from bunraku.jobs.context import Context
from bunraku.jobs.executor import executor_of
from bunraku.jobs.facts_files import facts_in_option, node_name
from bunraku.jobs.nodes import nodes_with_facts, warn_about_cache
from bunraku.jobs.paths import near_path
from bunraku.migrate.run import K, Migration, R, migrate
from bunraku.migrate.versions import ImpossibleMigration, versions_of
from bunraku.world.whole_files import edit_whole

RUNS = 3
"""Compiles of each node: in the old language, and in the new one without the edits and with them."""


@record()
class MigrateOptions:
    """The versions, and the manifests: files, code, or the main manifest of the project.

    ``old`` is the version that they are written for, ``new`` the new one.
    """

    old: str | None = None
    new: str | None = None
    files: Sequence[str] = ()
    code: str | None = None


def migrate_manifests(context: Context, options: MigrateOptions) -> Migration:
    """Compile the manifests for all nodes in both versions, and return what differs.

    Raises UsageError for versions that do not follow each other, and without manifests.
    """
    warn_about_cache(context)
    try:
        old, new = versions_of(options.old, options.new)
    except ImpossibleMigration as error:
        raise UsageError(str(error)) from error
    made = requests_of(context, options)
    with executor_of(context) as executor:
        context.observer.begin(RUNS * len(made) if len(made) > 1 else 0)
        try:
            everywhere = Everywhere(context, executor)
            return migrate(made, old, context.limits, new, puppet_conf_of(context), everywhere)
        finally:
            context.observer.end()


@record(frozen=True)
class Everywhere:
    """Runs the compiles of a migration with an executor, or in processes."""

    context: Context
    executor: Executor | None

    def __call__(self, work: Work[K, R], tasks: Sequence[K]) -> list[R]:
        """Return the results of tasks in their order."""

        def done(_at: int, result: R) -> R:
            self.context.observer.step(ok=result.ok)
            return result

        jobs = self.context.options.jobs
        return for_each(work, tasks, executor=self.executor, jobs=jobs, done=done)


def puppet_conf_of(context: Context) -> str | None:
    """Return the path of the puppet.conf that is used: of the options, else of the project."""
    found = context.project.choices.get("settings")
    return context.options.config or (None if found is None else found.file)


def requests_of(context: Context, options: MigrateOptions) -> list[Request]:
    """Return one request for each node and manifest."""
    if options.code is not None and options.files:
        raise UsageError("give FILE or -e CODE, not both")
    for path in options.files:
        if not os.path.exists(path):
            raise UsageError(f"cannot find {path}{near_path(path)}")
    bases: list[dict[str, Any]] = [{"path": path} for path in options.files]
    if options.code is not None:
        bases = [{"code": options.code}]
    elif not options.files:
        if context.manifest is None and not context.has_environment:
            raise UsageError(
                f"nothing to migrate: give manifests or -e CODE, or run the command in a control "
                f"repository ({context.project.reason})"
            )
        bases = [{"path": context.manifest}]
    fields = {name: value for name, value in context.fields.items() if name != "language"}
    made = [Request(**base, **fields) for base in bases]
    return [replace(one, **known) for known in of_nodes(context) for one in made]


def of_nodes(context: Context) -> Iterator[dict[str, Any]]:
    """Yield the request fields of each node: the one of the options, else all that have facts files."""
    options = context.options
    if options.facts_from and not options.node:
        raise UsageError("--facts-from requires --node NAME")
    if options.node or not context.facts_folder:
        facts = context.facts(options.node)
        name = options.node or node_name(facts)
        yield {"node": name, **context.node_fields(name, facts)}
        return
    for name, path in nodes_with_facts(context).items():
        facts = {**context.facts_of_all, **facts_in_option(path)}
        yield {"node": name, **context.node_fields(name, facts)}


def patch_of(found: Migration) -> str:
    """Return the edits as a patch."""
    lines: list[str] = []
    for path, text in found.edited.items():
        name = os.path.relpath(path) if path else "-e"
        before = found.sources[path].text.splitlines(keepends=True)
        after = text.splitlines(keepends=True)
        lines += unified_diff(before, after, f"a/{name}", f"b/{name}")
    end = "\n\\ No newline at end of file\n"
    return "".join(line if line.endswith("\n") else line + end for line in lines)


def write_edits(found: Migration) -> None:
    """Write the edited files: all of them, or none if one cannot be written. Raises UsageError.

    A symbolic link stays one; the file that it leads to is edited.
    """
    new = {
        path: text.encode("utf-8", "surrogateescape")
        for path, text in found.edited.items()
        if path  # not code from the command line, which is printed
    }
    try:
        for path in new:
            if read_whole(path) != found.sources[path].text.encode("utf-8", "surrogateescape"):
                raise UsageError(f"{path} was changed by another program; run the command again")
        edit_whole(new)
    except OSError as error:
        changed = [path for path, content in new.items() if read_whole(path) == content]
        rest = (
            f"these files were changed: {', '.join(changed)}" if changed else "no file is changed"
        )
        raise UsageError(f"cannot write {error.filename}: {error.strerror}; {rest}") from error
