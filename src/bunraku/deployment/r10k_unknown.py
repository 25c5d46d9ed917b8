"""Settings in r10k.yaml that nothing knows: r10k ignores them, also where they are mistyped."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.lazy_typing import Any
from bunraku.base.suggestions import suggestion
from bunraku.deployment.r10k_file import (
    DEPLOY,
    FORGE,
    GIT,
    GLOBAL,
    GROUPS,
    LOGGING,
    REPOSITORY,
    setting_place,
)
from bunraku.deployment.r10k_issues import R10K_SETTING_MISTYPED, R10K_SETTING_UNKNOWN
from bunraku.deployment.site_contents import Log
from bunraku.formats.document import Document

TOP = frozenset({*GLOBAL, *GROUPS, "sources", "purgedirs"})
OF_GROUPS: Mapping[str, Collection[str]] = {
    "git": {*GIT, "repositories"},
    "forge": FORGE,
    "deploy": DEPLOY,
    "logging": LOGGING,
}
OF_SOURCES = frozenset(
    [
        *("type", "remote", "basedir", "prefix", "strip_component", "puppetfile_name"),
        *("invalid_branches", "ignore_branch_prefixes", "filter_command"),
        *("username", "password", "config", "command"),
    ]
)
Path = tuple[str | int, ...]


def refuse_mistyped(document: Document, log: Log) -> None:
    """Warn of settings that nothing knows; raise R10K_SETTING_MISTYPED for those that look mistyped."""
    findings = unknown_settings(document)
    errors = [one for one in findings if one.severity == "error"]
    if errors:
        raise PuppetError(errors[0], errors[1:])
    for finding in findings:
        log("warn", f"{finding.message} ({finding.place})")


def unknown_settings(document: Document) -> list[Diagnostic]:
    """Return an error for each setting that looks mistyped, and a warning for other unknown ones."""
    found = []
    for path, name, known in unknown_names(document.data):
        near = suggestion(name, known)
        shown = ".".join(map(str, path))
        place = setting_place(document, path)
        if near:
            found.append(R10K_SETTING_MISTYPED.diagnostic(place, "error", name=shown, near=near))
        else:
            found.append(R10K_SETTING_UNKNOWN.diagnostic(place, "warning", name=shown))
    return found


def unknown_names(data: Mapping[Any, Any]) -> Iterator[tuple[Path, str, Collection[str]]]:
    """Yield the paths of unknown settings, their names, and the names that would be known there."""
    yield from unknown_in(data, (), TOP)
    for group, known in OF_GROUPS.items():
        yield from unknown_in(data.get(group), (group,), known)
    git = data.get("git")
    repositories = git.get("repositories") if isinstance(git, Mapping) else None
    if isinstance(repositories, list):
        for number, one in enumerate(repositories):
            yield from unknown_in(one, ("git", "repositories", number), REPOSITORY)
    sources = data.get("sources")
    if isinstance(sources, Mapping):
        for source, one in sources.items():
            yield from unknown_in(one, ("sources", str(source)), OF_SOURCES)


def unknown_in(
    data: object, path: Sequence[str | int], known: Collection[str]
) -> Iterator[tuple[Path, str, Collection[str]]]:
    """Yield the names in a hash that are not known."""
    if isinstance(data, Mapping):
        for name in data:
            if str(name) not in known:
                yield (*path, str(name)), str(name), known
