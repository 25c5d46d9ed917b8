"""Check manifests, templates, Hiera data and configuration, module metadata and settings files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

from bunraku.base.errors import Diagnostic, in_order
from bunraku.base.file_reading import is_stream
from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.base.records import record
from bunraku.base.source import Source
from bunraku.base.usage import UsageError
from bunraku.checks.checker import EPP, MANIFEST, Checker
from bunraku.jobs.checked_files import CheckedFiles, text_of
from bunraku.jobs.context import Context

if TYPE_CHECKING:
    from bunraku.syntax.nodes import Program
    from bunraku.workbench.editor.project import EditedProject


@record()
class CheckedOptions:
    """What is checked: code, files and directories, or else the project.

    ``code`` is a manifest, or with ``epp`` a template, and so is ``standard_input``, the text of ``-``
    among the files. ``exclude`` are patterns of files below the directories.
    """

    files: Sequence[str] = ()
    code: str | None = None
    epp: bool = False
    standard_input: str = ""
    exclude: Sequence[str] = ()


def validate(context: Context, options: CheckedOptions) -> list[Diagnostic]:
    """Return the findings in everything that is named, file by file. Raises UsageError."""
    check = checker_of(context)
    findings: list[Diagnostic] = []
    for source, kind in sources(context, options, check):
        found = check(source, kind)
        if found:
            findings += in_order(found)
    return findings


def checker_of(
    context: Context | EditedProject, keep: Callable[[Program], None] | None = None
) -> Checker:
    """Return the checks of texts; ``keep`` is called with each manifest and template that parses."""
    return Checker(context.dialect, context.settings, context.limits, keep)


def sources(
    context: Context, options: CheckedOptions, check: Checker, job: str = "validate"
) -> Iterator[tuple[Source, str]]:
    """Yield each text to check, and its kind; ``job`` is the word for it in errors."""
    given = EPP if options.epp else MANIFEST
    files = CheckedFiles(context, options.exclude)
    names = options.files
    if options.code is not None:
        yield Source(options.code), given
    elif not names:
        if context.project.kind == "none":
            raise UsageError(
                f"nothing to {job}: give files, directories, - or -e CODE ({context.project.reason})"
            )
        names = [files.of_project(check, context.project)]
    for name in names:
        if name == "-":
            yield Source(options.standard_input, name), given
        elif os.path.isdir(name):
            yield from files.below(name)
        else:
            kind = given if is_stream(name) else kind_of_file(name)
            if not os.path.exists(name):
                raise cannot_find(name)
            yield Source(text_of(name), name, on_disk=True), kind


def kind_of_file(path: str) -> str:
    """Return the kind of a file; UsageError for a file that cannot be checked."""
    if path.endswith(".pp"):
        return MANIFEST
    from bunraku.checks.files import data_directories_around
    from bunraku.checks.kinds import KNOWN, kind_of

    kind = kind_of(path, tuple(data_directories_around(path)))
    if kind is not None:
        return kind
    if not os.path.exists(path):
        raise cannot_find(path)
    raise UsageError(f"cannot check {path}: unknown kind of file; known are {KNOWN}")


def cannot_find(path: str) -> UsageError:
    """Return the error for a path that does not exist."""
    from bunraku.jobs.paths import near_path

    return UsageError(f"cannot find {path}{near_path(path)}")
