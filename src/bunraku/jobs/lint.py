"""Check the style of manifests, as puppet-lint does, and correct it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence

from bunraku.base.records import field, record
from bunraku.base.source import Source
from bunraku.base.usage import UsageError
from bunraku.jobs.checked_files import CheckedFiles, text_of, unreadable_findings
from bunraku.jobs.context import Context
from bunraku.workbench.lint.findings import Outcome
from bunraku.workbench.lint.run import LintSettings, UnknownCheck, is_ignored, lint_source


@record()
class LintOptions:
    """What is checked: files and directories (default: this one), and with which checks.

    ``standard_input`` is the text of ``-`` among the files. ``fix`` writes the corrected files.
    """

    files: Sequence[str] = ()
    settings: LintSettings = field(default_factory=LintSettings)
    fix: bool = False
    standard_input: str = ""


@record()
class LintResult:
    """The outcomes of manifests in their order; ``several`` is whether more than one file was meant."""

    outcomes: list[Outcome] = field(default_factory=list)
    several: bool = False


def lint(context: Context, options: LintOptions) -> LintResult:
    """Return the findings.

    Raises UsageError for an unknown check, and for files that cannot be read or written.
    """
    try:
        chosen = options.settings.chosen()
    except UnknownCheck as error:
        raise UsageError(str(error)) from error
    result = LintResult()
    for source, is_readable in sources(context, options, result):
        if is_readable:
            outcome = lint_source(source, chosen, options.settings, fix=options.fix)
        else:
            outcome = Outcome(source, errors=unreadable_findings(source))
        result.outcomes.append(outcome)
    if options.fix:
        write_fixed(result.outcomes)
    return result


def sources(
    context: Context, options: LintOptions, result: LintResult
) -> Iterator[tuple[Source, bool]]:
    """Yield the manifests to check, and whether each can be read: of one that cannot, the text is the reason."""
    from bunraku.checks.kinds import MANIFEST

    for name in options.files or ["."]:
        mode = None if name == "-" else mode_of(name)
        if name == "-":
            yield Source(options.standard_input, name), True
        elif mode is None:
            from bunraku.jobs.paths import near_path

            raise UsageError(f"cannot find {name}{near_path(name)}")
        elif stat.S_ISDIR(mode):
            result.several = True
            for source, kind in CheckedFiles(context).below(name, {MANIFEST}):
                if not is_ignored(source.path, options.settings):
                    yield source, kind == MANIFEST
        elif not is_ignored(name, options.settings):
            result.several = result.several or len(options.files) > 1
            yield Source(text_of(name), name, on_disk=True), True


def mode_of(path: str) -> int | None:
    """Return the mode of a file or directory; None without one."""
    try:
        return os.stat(path).st_mode
    except (OSError, ValueError):
        return None


def write_fixed(outcomes: Sequence[Outcome]) -> None:
    """Write the corrected files: all of them, or none if one cannot be written."""
    from bunraku.workbench.lint import fixes

    try:
        fixes.write_fixed(outcomes)
    except OSError as error:
        raise UsageError(f"cannot write {error.filename}: {error.strerror}") from error
