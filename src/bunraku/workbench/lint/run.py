"""Run the checks of a lint over manifests, and correct what they report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from bunraku.base.errors import Diagnostic
from bunraku.base.file_reading import read_whole
from bunraku.base.records import record, replace
from bunraku.base.source import Source
from bunraku.base.suggestions import suggestion
from bunraku.project.model import Project
from bunraku.workbench.control_comments import control_comments
from bunraku.workbench.lint.declaration import Check
from bunraku.workbench.lint.findings import Finding, Outcome
from bunraku.workbench.lint.manifest import Manifest
from bunraku.workbench.lint.registry import checks

SYNTAX = "syntax"
IGNORED_PATHS = ("vendor/**/*.pp",)
"""The default of ``--ignore-paths``."""


MOST_PASSES = 10
"""The passes of corrections after the first one; some corrections lead to others."""


class UnknownCheck(ValueError):
    """A name that no check has; the text has a suggestion."""


@record(frozen=True)
class LintSettings:
    """The checks that run, and how.

    ``enabled`` and ``disabled`` change the defaults; ``only`` replaces them. ``relative`` compares
    the layout of a module from its root; ``plugins`` runs their checks, too.
    """

    only: tuple[str, ...] | None = None
    enabled: tuple[str, ...] = ()
    disabled: tuple[str, ...] = ()
    relative: bool = False
    ignore_paths: tuple[str, ...] = IGNORED_PATHS
    top_scope_variables: tuple[str, ...] = ()
    plugins: bool = False

    def chosen(self) -> list[Check]:
        """Return the checks that run; raise UnknownCheck for a name that none has."""
        known = checks()
        for name in (*(self.only or ()), *self.enabled, *self.disabled):
            if name not in known:
                raise UnknownCheck(f"unknown check '{name}'{suggestion(name, known)}")
        found = []
        for name, one in known.items():
            by_default = one.enabled and (self.plugins or not one.plugin)
            if self.only is not None:
                by_default = name in self.only
            if (by_default or name in self.enabled) and name not in self.disabled:
                found.append(one)
        return found


def lint(
    project: Project, files: Iterable[str] | None = None, settings: LintSettings | None = None
) -> list[Diagnostic]:
    """Return what the checks find in the manifests of a project, or in some of its files.

    Without ``files``, what the project excludes is skipped. The code of a finding is the name of its check. Raise UnknownCheck for names in the settings
    that no check has, and OSError for files that cannot be read.
    """
    settings = settings or LintSettings()
    chosen = settings.chosen()
    found: list[Diagnostic] = []
    for path in manifests(project) if files is None else files:
        if path.endswith(".pp") and not is_ignored(path, settings):
            text = read_whole(path).decode("utf-8", "surrogateescape")
            outcome = lint_source(Source(text, path, on_disk=True), chosen, settings)
            found += outcome.diagnostics()
    return found


def manifests(project: Project) -> Iterator[str]:
    """Yield the paths of the manifests of a project, other than those that it excludes."""
    from bunraku.checks.files import FileWalk
    from bunraku.checks.kinds import MANIFEST
    from bunraku.project.puppetfile import installed_directories
    from bunraku.world.machine import Machine

    patterns = [*project.value("exclude", ()), *installed_directories(project, Machine())]
    excluded = [(project.root, pattern) for pattern in patterns]
    for path, kind in FileWalk(excluded).files(project.root):
        if kind == MANIFEST:
            yield path


def is_ignored(path: str, settings: LintSettings) -> bool:
    """Return whether a pattern of ``--ignore-paths`` fits a path.

    >>> settings = LintSettings()
    >>> is_ignored("vendor/x/a.pp", settings), is_ignored("manifests/init.pp", settings)
    (True, False)
    """
    return any(fnmatchcase(path, pattern) for pattern in settings.ignore_paths)


def lint_source(
    source: Source, chosen: Iterable[Check], settings: LintSettings, *, fix: bool = False
) -> Outcome:
    """Return what some checks find in a manifest; with ``fix``, the corrected text, too.

    Corrections that overlap others follow in further passes, each over the text of the one before.
    """
    outcome = lint_once(source, chosen, settings, fix=fix)
    text = outcome.fixed
    for _ in range(MOST_PASSES):
        if text is None:
            break
        again = lint_once(Source(text, source.path), chosen, settings, fix=True)
        text = again.fixed
        if text is not None:
            outcome.continue_with(again)
    return outcome


def lint_once(
    source: Source, chosen: Iterable[Check], settings: LintSettings, *, fix: bool
) -> Outcome:
    """Return what some checks find in one pass over a manifest."""
    manifest = Manifest(source, source.path)
    manifest.options = {
        "relative": settings.relative,
        "top_scope_variables": settings.top_scope_variables,
    }
    outcome = Outcome(source)
    outcome.comments = control_comments(source, manifest.tokens.comment_runs)
    errors = [one for one in manifest.result.diagnostics if one.severity == "error"]
    if errors:
        outcome.errors = [as_syntax_error(one) for one in errors]
    for check in chosen:
        for problem in check.function(manifest):
            if not check.plugin and manifest.is_in_index(problem.start, problem.end):
                continue
            reason = None
            if check.name in outcome.comments.reasons:
                line = source.line(problem.start)
                reason = outcome.comments.reason(check.name, line)
            outcome.findings.append(Finding(check.name, check.severity, problem, reason))
    if fix:
        from bunraku.workbench.lint.fixes import correct

        correct(manifest, outcome)
    return outcome


def as_syntax_error(error: Diagnostic) -> Diagnostic:
    """Return an error of the parser as a finding of the check ``syntax``."""
    message = error.message.removeprefix("Syntax error: ")
    return replace(error, code=SYNTAX, message=f"Syntax error: {message}")
