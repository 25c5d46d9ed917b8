"""The options of a module in a Puppetfile, by the rules of r10k 5 (``lib/r10k/module/*.rb``).

r10k 5 takes the first kind that fits: git, Subversion, local, Forge, archive. Options that a kind
does not know are warnings, errors for archives, and nothing for local modules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from posixpath import isabs, join, normpath

from bunraku.base.errors import Diagnostic, Issue, Severity
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record
from bunraku.base.source import Place
from bunraku.base.suggestions import suggestion
from bunraku.project import issues
from bunraku.project.declared_modules import (
    DeclaredModule,
    ForgeModule,
    GitModule,
    LocalModule,
    ModuleSource,
    SubversionModule,
    TarballModule,
)
from bunraku.project.ruby_literals import Literal, Symbol
from bunraku.values.version import is_version

TITLE = lazy_pattern(r"(?:(\w+)[-/])?(\w+)\n?\Z", re.ASCII)
CONTROL_BRANCH = Symbol("control_branch")
LATEST = Symbol("latest")
OF_ALL = ("install_path", "exclude_spec")
"""Options of all kinds of modules."""
GIT: Mapping[str, str] = {
    "git": "remote",
    "source": "remote",
    "ref": "ref",
    "version": "ref",
    "branch": "ref",
    "tag": "ref",
    "commit": "ref",
    "default_branch": "default_branch",
    "default_branch_override": "override_branch",
    "path": "subdirectory",
    "type": "",
}
"""Option of a git module → its meaning; ``path`` is an option of bunraku alone."""
SUBVERSION: Mapping[str, str] = {
    "svn": "url",
    "source": "url",
    "rev": "revision",
    "revision": "revision",
    "version": "revision",
    "username": "username",
    "password": "password",
    "type": "",
}
FORGE: Mapping[str, str] = {"version": "version", "source": "", "type": ""}
TARBALL: Mapping[str, str] = {
    "source": "source",
    "version": "sha256",
    "checksum": "sha256",
    "type": "",
}


KINDS: Mapping[str, Mapping[str, str]] = {
    "git": GIT,
    "svn": SUBVERSION,
    "local": {},
    "forge": FORGE,
    "tarball": TARBALL,
}
"""Kinds of modules in r10k's order."""
NAMES = {
    "git": "git",
    "svn": "Subversion",
    "local": "local",
    "forge": "Forge",
    "tarball": "tarball",
}
OF_REVISIONS = frozenset({"ref", "default_branch", "override_branch", "revision", "sha256"})
"""Meanings of options that r10k puts into commands as text: symbols and numbers are texts there."""


@record(frozen=True)
class Option:
    """An option with its value; ``name`` is empty for a key that is not a symbol.

    ``place`` returns its place, which only a report of a mistake needs.
    """

    name: str
    value: Literal
    place: Callable[[], Place]


class ModuleOptions:
    """The options of one module, which begins at ``start``; what is wrong with them goes to ``report``.

    ``place`` returns the place of the module as reports have it.
    """

    def __init__(
        self,
        title: str,
        options: Sequence[Option],
        start: Place,
        place: Callable[[], Place],
        report: Callable[[Diagnostic], None],
    ) -> None:
        self.title = title
        self.given = options
        self.options = {one.name: one for one in options if one.name}
        self.start = start
        self.place = place
        self.report = report
        self.is_whole = True

    def module(self, root: str, moduledir: str) -> DeclaredModule | None:
        """Return the module; None if it cannot be installed."""
        directory = self.directory(root, moduledir)
        kind = self.kind()
        found = TITLE.match(self.title)
        if found is None:
            self.refuse(issues.MODULE_NAME, self.place)
        elif kind == "forge" and not found[1]:
            self.refuse(issues.FORGE_MODULE_NAME, self.place)
        source = self.source(kind)
        if found is None or source is None or not self.is_whole:
            return None
        return DeclaredModule(
            title=self.title.rstrip("\n"),
            name=found[2],
            owner=found[1] or "",
            source=source,
            directory=resolved(directory, found[2]),
            path=self.start.file or "",
            line=self.start.line or 1,
            column=self.start.column or 1,
            exclude_spec=self.excludes_spec(),
        )

    def refuse(
        self,
        issue: Issue,
        place: Callable[[], Place],
        severity: Severity = "error",
        **words: object,
    ) -> None:
        """Report what is wrong with the module."""
        self.is_whole = self.is_whole and severity != "error"
        self.report(issue.diagnostic(place(), severity, module=self.title, **words))

    def value(self, name: str) -> Literal:
        """Return the value of an option; None without one."""
        option = self.options.get(name)
        return None if option is None else option.value

    def kind(self) -> str:
        """Return the kind of the module; empty if the options name none."""
        given = self.value("type")
        named = given.name if isinstance(given, Symbol) else given
        for kind in KINDS:
            if named == kind or (kind in ("git", "svn") and kind in self.options):
                return kind
            if kind == "local" and self.value("local") not in (None, False):
                return kind
        self.refuse(issues.MODULE_SOURCE, self.place)
        return ""

    def source(self, kind: str) -> ModuleSource | None:
        """Return where the module comes from; None if the options do not say it."""
        if kind == "local":
            return LocalModule()
        if not kind:
            return None
        values = self.values(kind)
        if kind == "forge":
            return ForgeModule(self.version(values.get("version")))
        texts = {meaning: self.text(meaning, option) for meaning, option in values.items()}
        address = {"git": "remote", "svn": "url", "tarball": "source"}[kind]
        if not texts.get(address):
            if self.is_whole:
                self.refuse(issues.MODULE_ADDRESS, self.place, kind=NAMES[kind])
            return None
        if kind == "svn":
            if bool(texts.get("username")) != bool(texts.get("password")):
                self.refuse(issues.MODULE_LOGIN, self.place)
            return SubversionModule(**texts)
        if kind == "tarball":
            return TarballModule(**texts)
        return self.git_module(**texts)

    def git_module(self, remote: str, ref: str = "", **texts: str) -> GitModule:
        """Return where a git module comes from; its branch may be that of the control repository."""
        follows = any(self.value(name) == CONTROL_BRANCH for name in GIT if GIT[name] == "ref")
        if follows and ref == CONTROL_BRANCH.name:
            return GitModule(remote, "", True, fixed=False, **texts)
        fixed = not {"tag", "commit"}.isdisjoint(self.options) and "type" not in self.options
        return GitModule(remote, ref, False, fixed=fixed, **texts)

    def values(self, kind: str) -> dict[str, Option]:
        """Return the options of a kind by their meanings; the last one of a meaning counts, as in r10k."""
        meanings = KINDS[kind]
        found: dict[str, Option] = {}
        for option in [*(one for one in self.given if not one.name), *self.options.values()]:
            if option.name in OF_ALL:
                continue
            meaning = meanings.get(option.name)
            if meaning is None:
                self.unknown(option, kind)
            elif meaning:
                if meaning in found:
                    self.refuse(
                        issues.MODULE_OPTIONS_CONFLICT,
                        option.place,
                        "warning",
                        first=found[meaning].name,
                        second=option.name,
                    )
                found[meaning] = option
        return found

    def unknown(self, option: Option, kind: str) -> None:
        """Report an option that a kind of modules does not have."""
        severity: Severity = "error" if kind == "tarball" else "warning"
        if not option.name:
            self.refuse(issues.MODULE_OPTION_KEY, option.place, severity)
            return
        self.refuse(
            issues.MODULE_OPTION,
            option.place,
            severity,
            option=option.name,
            kind=NAMES[kind],
            near=suggestion(option.name, [*KINDS[kind], *OF_ALL]),
        )

    def text(self, meaning: str, option: Option) -> str:
        """Return the value of an option as text; empty for nil."""
        value = option.value
        if value is None:
            return ""
        if meaning in OF_REVISIONS and isinstance(value, Symbol):
            return value.name
        if (
            meaning in OF_REVISIONS
            and isinstance(value, (int, float))
            and value not in (True, False)
        ):
            return str(value)
        if not isinstance(value, str):
            self.refuse(issues.MODULE_OPTION_VALUE, option.place, option=option.name)
            return ""
        if meaning != "subdirectory":
            return value
        path = normpath(value)
        if isabs(path) or path.startswith(".."):
            self.refuse(issues.MODULE_SUBDIRECTORY, option.place, path=value)
        return "" if path == "." else path

    def version(self, option: Option | None) -> str:
        """Return the version of a Forge module."""
        value = None if option is None else option.value
        if option is None or value is None:
            return ""
        if value == LATEST:
            return LATEST.name
        if not isinstance(value, str) or not is_version(value):
            shown = value.name if isinstance(value, Symbol) else value
            self.refuse(issues.MODULE_VERSION, option.place, version=shown)
            return ""
        return value.rstrip("\n")

    def directory(self, root: str, moduledir: str) -> str:
        """Return the directory where the module is installed, which is inside of ``root`` if named."""
        option = self.options.get("install_path")
        if option is None or option.value in (None, False):
            return moduledir
        if not isinstance(option.value, str):
            self.refuse(issues.MODULE_OPTION_VALUE, option.place, option=option.name)
            return moduledir
        path = resolved(root, option.value)
        if not f"{path}/".startswith(f"{root.rstrip('/')}/"):
            self.refuse(issues.MODULE_INSTALL_PATH, option.place, path=path, root=root)
        return path

    @property
    def names_directory(self) -> bool:
        """Whether the module has a directory of its own, outside of ``moduledir``."""
        option = self.options.get("install_path")
        return option is not None and option.value not in (None, False)

    def excludes_spec(self) -> bool | None:
        """Return whether ``spec`` is left out; None where the module does not say."""
        if "exclude_spec" not in self.options:
            return None
        return self.value("exclude_spec") not in (None, False)


def resolved(base: str, path: str) -> str:
    """Return a path without ``.`` and ``..``; a relative one is below ``base``.

    >>> resolved("/c", "a/../b/"), resolved("/c", "/d"), resolved("/c", "")
    ('/c/b', '/d', '/c')
    """
    return normpath(join(base, path))
