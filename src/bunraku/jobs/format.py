"""Lay manifests out: indents, blanks, lines and columns, and nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.file_reading import read_whole, text_on_disk
from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.base.records import field, record
from bunraku.base.source import Place, Source
from bunraku.base.usage import UsageError
from bunraku.checks.kinds import EPP, MANIFEST, UNREADABLE
from bunraku.engine.parallel import Work, for_each
from bunraku.jobs.checked_files import CheckedFiles, text_of, unreadable_findings
from bunraku.jobs.context import Context
from bunraku.jobs.validate import cannot_find
from bunraku.limits.limits import Limits
from bunraku.workbench.format.editorconfig import properties_of
from bunraku.workbench.format.format import Formatted, format_source
from bunraku.workbench.format.issues import FORMAT_CHANGES_CODE, NOT_FORMATTED
from bunraku.workbench.format.pieces import Style
from bunraku.workbench.format.style import detected_step, style_of

if TYPE_CHECKING:
    from bunraku.workbench.ci.change import Change

TOGETHER = 32
"""The number of files that a process formats for one task."""
WORTH_PROCESSES = 4
"""The number of tasks from which on several processes are faster than one."""
TEMPLATE = ".epp"
ENOUGH = 60
"""The number of manifests that show what most of a project have: those of one directory may differ."""
ROOTS = (".git", "metadata.json", "environment.conf", "Puppetfile", "bunraku.toml")
"""Names in the directory of a project, whose manifests have one indent."""


@record()
class FormatOptions:
    """What is formatted: files and directories, by default the project.

    ``standard_input`` is the text of ``-`` among the files, ``standard_input_path`` the path that it
    has. ``exclude`` are patterns of files below the directories. ``ranges`` are lines of the only
    file; with ``changed``, a revision, only what differs from it is formatted. ``write`` replaces
    the files.
    """

    files: Sequence[str] = ()
    standard_input: str = ""
    standard_input_path: str = ""
    exclude: Sequence[str] = ()
    ranges: Sequence[range] | None = None
    changed: str | None = None
    write: bool = True


@record()
class FormatTask:
    """Texts to format together: each with its style, and the lines that are chosen."""

    node: str
    parts: list[tuple[Source, Style, Sequence[range] | None]]
    share: str | None = None
    limits: Limits | None = None


@record()
class FormatResult:
    """The texts before and after, in the order of the files."""

    outcomes: list[Formatted] = field(default_factory=list)

    @property
    def changed(self) -> list[Formatted]:
        """The files that change."""
        return [one for one in self.outcomes if one.is_changed]

    @property
    def errors(self) -> list[Diagnostic]:
        """The errors in the syntax of files, which are left as they are."""
        return [error for one in self.outcomes for error in one.errors]

    @property
    def problems(self) -> list[Diagnostic]:
        """The files that bunraku cannot format without a change of the code, which it leaves, too."""
        return [
            FORMAT_CHANGES_CODE.diagnostic(reason=one.problem).at(Place(one.source.path))
            for one in self.outcomes
            if one.problem
        ]


def format_files(context: Context, options: FormatOptions) -> FormatResult:
    """Return the formatted texts, and write them. Raises UsageError."""
    jobs = context.options.jobs
    if jobs is not None and jobs < 1:
        raise UsageError("--jobs must be at least 1")
    unreadable: list[Source] = []
    tasks = list(tasks_of(list(parts_to_format(context, options, unreadable))))
    if jobs is None and len(tasks) < WORTH_PROCESSES:
        jobs = 1
    work = Work(formatted_parts, failed_parts)
    found = for_each(work, tasks, executor=None, jobs=jobs, done=lambda _, one: one)
    result = FormatResult(list(chain.from_iterable(found)))
    result.outcomes += [Formatted(one, one.text, unreadable_findings(one)) for one in unreadable]
    if options.write:
        write_changed(result.changed)
    return result


def tasks_of(
    parts: Sequence[tuple[Source, Style, Sequence[range] | None]],
) -> Iterator[FormatTask]:
    """Yield the tasks for some texts, of which one process formats several at a time."""
    for first in range(0, len(parts), TOGETHER):
        some = list(parts[first : first + TOGETHER])
        yield FormatTask(some[0][0].path, some)


def formatted_parts(task: FormatTask) -> list[Formatted]:
    """Return the formatted texts of a task."""
    return [format_source(*part) for part in task.parts]


def failed_parts(task: FormatTask, errors: list[Diagnostic]) -> list[Formatted]:
    """Return the texts of a task that was not completed."""
    reason = errors[0].message
    return [Formatted(source, source.text, problem=reason) for source, _, _ in task.parts]


def parts_to_format(
    context: Context, options: FormatOptions, unreadable: list[Source]
) -> Iterator[tuple[Source, Style, Sequence[range] | None]]:
    """Yield the manifests to format, each with its style and the chosen lines of it; note what cannot be read."""
    styles = Styles(context)
    change = None if options.changed is None else change_since(options.changed)
    for source, directory in sources(context, options, unreadable):
        if change is None:
            yield source, styles.of(source, directory), options.ranges
        elif change.touches(source.path):
            yield source, styles.of(source, directory), chosen_lines(change, source.path)


def change_since(name: str) -> Change:
    """Return what differs from a revision of the repository of this directory. Raises UsageError."""
    from bunraku.engine.revisions import revision
    from bunraku.jobs.compare import wrong_revision
    from bunraku.workbench.ci.change import Change

    try:
        return Change(os.getcwd(), str(revision(os.getcwd(), name).commit))
    except PuppetError as error:
        raise wrong_revision(error) from error


def chosen_lines(change: Change, path: str) -> Sequence[range] | None:
    """Return the lines of a file that a change adds or replaces; None if it is new."""
    name = change.name_of(path)
    return None if name in change.new else change.lines[name]


def layout_findings(context: Context, change: Change, exclude: Sequence[str]) -> list[Diagnostic]:
    """Return a warning for each file whose changed parts are not formatted, for ``ci``."""
    styles = Styles(context)
    found: list[Diagnostic] = []
    for source, directory in sources(context, FormatOptions(exclude=exclude), []):
        if change.tracks(source.path) and change.touches(source.path):
            chosen = chosen_lines(change, source.path)
            one = format_source(source, styles.of(source, directory), chosen)
            if one.is_changed:
                line = first_difference(source.text, one.text)
                found.append(NOT_FORMATTED.diagnostic(Place(source.path, line), "warning"))
    return found


def first_difference(before: str, after: str) -> int:
    """Return the number of the first line that two texts do not have in common.

    >>> first_difference("a\\nb\\n", "a\\nc\\n")
    2
    """
    pairs = zip(before.split("\n"), after.split("\n"), strict=False)
    return next((number for number, (old, new) in enumerate(pairs, 1) if old != new), 1)


def sources(
    context: Context, options: FormatOptions, unreadable: list[Source]
) -> Iterator[tuple[Source, str | None]]:
    """Yield the manifests and templates to format, each with the directory that was named for it.

    Those that cannot be read are added to ``unreadable``, with the reason as their text.
    """
    files = CheckedFiles(context, options.exclude)
    configured = context.options.configured.get("fmt")
    if configured is not None:
        base = os.path.dirname(configured.file or "")
        files.exclude += [(base, pattern) for pattern in configured.value.get("exclude", ())]
    names = options.files
    if not names:
        if context.project.kind == "none":
            raise UsageError(
                f"nothing to format: give files, directories or - ({context.project.reason})"
            )
        names = [os.path.relpath(context.project.root)]
    for name in names:
        if name == "-":
            path = options.standard_input_path
            is_template = path.endswith(TEMPLATE)
            source = Source(options.standard_input, path or "-", is_template=is_template)
            yield source, None
        elif os.path.isdir(name):
            for source, kind in files.below(name, {MANIFEST, EPP}):
                if kind == UNREADABLE:
                    unreadable.append(source)
                else:
                    is_template = kind == EPP
                    text, path = source.text, source.path
                    yield Source(text, path, on_disk=True, is_template=is_template), name
        elif not os.path.exists(name):
            raise cannot_find(name)
        elif name.endswith((".pp", TEMPLATE)):
            is_template = name.endswith(TEMPLATE)
            source = Source(text_of(name), name, on_disk=True, is_template=is_template)
            yield source, None
        else:
            raise UsageError(
                f"cannot format {name}: neither a manifest (*.pp) nor a template (*.epp)"
            )


class Styles:
    """The styles of files; those of a project are found once."""

    def __init__(self, context: Context) -> None:
        configured = context.options.configured.get("fmt")
        self.configured = None if configured is None else configured.value.get("indent")
        self.texts: dict[str, str | None] = {}
        self.steps: dict[str, int] = {}

    def of(self, source: Source, directory: str | None) -> Style:
        """Return the style of a file; ``directory`` was named to format all below it.

        Without a directory and a project, the file itself shows its indent.
        """
        if self.configured is not None:
            return Style(self.configured)
        if source.path == "-":
            return Style(detected_step([source.text]))
        path = os.path.abspath(source.path)
        properties = properties_of(path, self.read)
        if "indent_size" in properties or properties.get("indent_style") == "tab":
            return style_of(properties, 2)
        root = root_of(os.path.dirname(path)) or directory
        step = detected_step([source.text]) if root is None else self.step_of(root)
        return style_of(properties, step)

    def read(self, path: str) -> str | None:
        """Return the text of a configuration; None without one."""
        if path not in self.texts:
            self.texts[path] = text_of(path) if os.path.isfile(path) else None
        return self.texts[path]

    def step_of(self, root: str) -> int:
        """Return the indent of most manifests below a directory."""
        if root not in self.steps:
            self.steps[root] = detected_step(texts_below(root))
        return self.steps[root]


def texts_below(root: str) -> Iterator[str]:
    """Yield the texts of the manifests below a directory that can be read: of many, some from all over it."""
    from bunraku.checks.files import FileWalk

    paths: list[str] = []
    with suppress(OSError):  # a directory that is gone
        paths += [path for path, kind in FileWalk().files(root) if kind == MANIFEST]
    for path in paths[:: len(paths) // ENOUGH + 1]:
        with suppress(OSError):
            yield text_on_disk(path)


def root_of(directory: str) -> str | None:
    """Return the directory of the project around a directory; that of a repository, if there is one."""
    found = None
    above = directory
    while True:
        if os.path.exists(os.path.join(above, ROOTS[0])):
            return above
        if any(os.path.exists(os.path.join(above, name)) for name in ROOTS):
            found = above
        if above == os.path.dirname(above):
            return found
        above = os.path.dirname(above)


def write_changed(outcomes: Sequence[Formatted]) -> None:
    """Write the changed files: all of them, or none if one cannot be written. Raises UsageError."""
    from bunraku.world.whole_files import edit_whole

    new: dict[str, bytes] = {}
    try:
        for one in outcomes:
            path = one.source.path
            if one.source.on_disk:
                if read_whole(path) != one.source.text.encode("utf-8", "surrogateescape"):
                    raise UsageError(
                        f"{path} was changed by another program; run the command again"
                    )
                new[path] = one.text.encode("utf-8", "surrogateescape")
        edit_whole(new)
    except OSError as error:
        raise UsageError(f"cannot write {error.filename}: {error.strerror}") from error
