"""Lay manifests out: indents, blanks, lines and columns, and nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from bunraku.base.errors import Diagnostic
from bunraku.base.file_reading import read_whole
from bunraku.base.records import field, record
from bunraku.base.source import Place, Source
from bunraku.base.usage import UsageError
from bunraku.checks.kinds import MANIFEST
from bunraku.jobs.checked_files import CheckedFiles, text_of
from bunraku.jobs.context import Context
from bunraku.jobs.validate import cannot_find
from bunraku.workbench.format.editorconfig import properties_of
from bunraku.workbench.format.format import Formatted, format_source
from bunraku.workbench.format.issues import FORMAT_CHANGES_CODE
from bunraku.workbench.format.pieces import Style
from bunraku.workbench.format.style import detected_step, style_of

ROOTS = (".git", "metadata.json", "environment.conf", "Puppetfile", "bunraku.toml")
"""Names in the directory of a project, whose manifests have one indent."""


@record()
class FormatOptions:
    """What is formatted: files and directories, by default the project.

    ``standard_input`` is the text of ``-`` among the files, ``standard_input_path`` the path that it
    has. ``exclude`` are patterns of files below the directories. ``ranges`` are lines of the only
    file. ``write`` replaces the files.
    """

    files: Sequence[str] = ()
    standard_input: str = ""
    standard_input_path: str = ""
    exclude: Sequence[str] = ()
    ranges: Sequence[range] | None = None
    write: bool = True


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
    result = FormatResult()
    styles = Styles()
    for source in sources(context, options):
        style = styles.of(source)
        result.outcomes.append(format_source(source, style, options.ranges))
    if options.write:
        write_changed(result.changed)
    return result


def sources(context: Context, options: FormatOptions) -> Iterator[Source]:
    """Yield the manifests to format."""
    files = CheckedFiles(context, options.exclude)
    names = options.files
    if not names:
        if context.project.kind == "none":
            raise UsageError(
                f"nothing to format: give files, directories or - ({context.project.reason})"
            )
        names = [os.path.relpath(context.project.root)]
    for name in names:
        if name == "-":
            yield Source(options.standard_input, options.standard_input_path or "-")
        elif os.path.isdir(name):
            for source, kind in files.below(name):
                if kind == MANIFEST:
                    yield source
        elif not os.path.exists(name):
            raise cannot_find(name)
        elif name.endswith(".pp"):
            yield Source(text_of(name), name, on_disk=True)
        else:
            raise UsageError(f"cannot format {name}: not a manifest (*.pp)")


class Styles:
    """The styles of files; those of a project are found once."""

    def __init__(self) -> None:
        self.texts: dict[str, str | None] = {}
        self.steps: dict[str, int] = {}

    def of(self, source: Source) -> Style:
        """Return the style of a file."""
        if source.path == "-":
            return Style(detected_step([source.text]))
        path = os.path.abspath(source.path)
        properties = properties_of(path, self.read)
        if "indent_size" in properties or properties.get("indent_style") == "tab":
            return style_of(properties, 2)
        return style_of(properties, self.step_of(root_of(os.path.dirname(path))))

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
    """Yield the texts of the manifests below a directory."""
    from bunraku.checks.files import FileWalk

    for path, kind in FileWalk().files(root):
        if kind == MANIFEST:
            yield text_of(path)


def root_of(directory: str) -> str:
    """Return the directory of the project around a directory; that of a repository, if there is one."""
    found = directory
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
