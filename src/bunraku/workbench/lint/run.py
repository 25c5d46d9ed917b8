"""Run the checks of a lint over manifests, and correct what they report."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from fnmatch import fnmatchcase
from importlib import import_module

from bunraku.base.errors import Diagnostic, Severity
from bunraku.base.file_reading import read_whole
from bunraku.base.records import field, record, replace
from bunraku.base.source import Source
from bunraku.base.suggestions import suggestion
from bunraku.project.model import Project
from bunraku.workbench.control_comments import ControlComments, control_comments
from bunraku.workbench.lint.manifest import Manifest
from bunraku.workbench.lint.registry import Check, Problem, checks

SYNTAX = "syntax"
IGNORED_PATHS = ("vendor/**/*.pp",)
"""The default of ``--ignore-paths``."""


class UnknownCheck(ValueError):
    """A name that no check has; the text has a suggestion."""


@record(frozen=True)
class Settings:
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


@record(frozen=True)
class Finding:
    """A problem with its check; ``reason`` is that of a control comment that suppresses it."""

    check: str
    severity: Severity
    problem: Problem
    reason: str | None = None


@record()
class Outcome:
    """The findings of a manifest; ``fixed`` is its text after the edits, None without any.

    ``corrected`` are the findings whose edits are in ``fixed``.
    """

    source: Source
    findings: list[Finding] = field(default_factory=list)
    comments: ControlComments = field(default_factory=ControlComments)
    corrected: list[Finding] = field(default_factory=list)
    fixed: str | None = None
    errors: list[Diagnostic] = field(default_factory=list)

    def diagnostics(self, *, ignored: bool = False) -> Iterator[Diagnostic]:
        """Yield the findings that remain, by their place; ``ignored`` adds the suppressed ones."""
        yield from self.errors
        for one in sorted(self.findings, key=lambda item: item.problem.start):
            if self.remains(one) or (ignored and one.reason is not None):
                yield as_diagnostic(self.source, one)

    def remains(self, finding: Finding) -> bool:
        """Return whether a finding is neither suppressed nor corrected."""
        return finding.reason is None and finding not in self.corrected

    def fails(self, severities: Container[str]) -> bool:
        """Return whether a syntax error or a finding of some severities remains."""
        found = (one for one in self.findings if one.severity in severities)
        return bool(self.errors) or any(map(self.remains, found))


def as_diagnostic(source: Source, finding: Finding) -> Diagnostic:
    """Return a finding in the form that all tools share."""
    problem = finding.problem
    place = source.span(problem.start, max(problem.end, problem.start)).place
    if finding.reason is not None:
        return Diagnostic(finding.check, problem.message, place, "ignore", finding.reason or None)
    return Diagnostic(finding.check, problem.message, place, finding.severity)


def lint(
    project: Project, files: Iterable[str] | None = None, settings: Settings | None = None
) -> list[Diagnostic]:
    """Return what the checks find in the manifests of a project, or in some of its files.

    Without ``files``, what the project excludes is skipped. The code of a finding is the name of its check. Raise UnknownCheck for names in the settings
    that no check has, and OSError for files that cannot be read.
    """
    settings = settings or Settings()
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
    excluded = [(project.root, pattern) for pattern in project.value("exclude", ())]
    walk = import_module("bunraku.checks.files").Walk(excluded)
    manifest = import_module("bunraku.checks.kinds").MANIFEST
    for path, kind in walk.files(project.root):
        if kind == manifest:
            yield path


def is_ignored(path: str, settings: Settings) -> bool:
    """Return whether a pattern of ``--ignore-paths`` fits a path.

    >>> is_ignored("vendor/x/a.pp", Settings()), is_ignored("manifests/init.pp", Settings())
    (True, False)
    """
    return any(fnmatchcase(path, pattern) for pattern in settings.ignore_paths)


def lint_source(
    source: Source, chosen: Iterable[Check], settings: Settings, *, fix: bool = False
) -> Outcome:
    """Return what some checks find in a manifest; with ``fix``, the corrected text, too."""
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
            reason = None
            if check.name in outcome.comments.reasons:
                line = source.line(problem.start)
                reason = outcome.comments.reason(check.name, line)
            outcome.findings.append(Finding(check.name, check.severity, problem, reason))
    if fix:
        import_module("bunraku.workbench.lint.fixes").correct(manifest, outcome)
    return outcome


def as_syntax_error(error: Diagnostic) -> Diagnostic:
    """Return an error of the parser as a finding of the check ``syntax``."""
    message = error.message.removeprefix("Syntax error: ")
    return replace(error, code=SYNTAX, message=f"Syntax error: {message}")
