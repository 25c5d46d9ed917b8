"""Modules of a project for people and for programs."""

from __future__ import annotations

from bunraku.base.excerpt import visible
from bunraku.base.paths import relative
from bunraku.deployment.installation import (
    FAILED,
    INSTALLED,
    KEPT,
    UNCHANGED,
    UPDATED,
    ModuleResult,
)
from bunraku.deployment.layers import Layer
from bunraku.jobs.modules import InstallResult

MOST = 5


def install_text(result: InstallResult) -> str:
    """Return a line for each module that is not unchanged, notes, and a line about all."""
    rows = [
        (one.module.name, outcome_text(one)) for one in result.modules if one.outcome != UNCHANGED
    ]
    rows += [(one.link.name, "link made") for one in result.links if one.outcome == INSTALLED]
    rows += [
        (one.link.name, f"kept: {one.path} is not a link")
        for one in result.links
        if one.outcome == KEPT
    ]
    width = max((len(name) for name, _text in rows), default=0)
    lines = [f"{name:{width}}  {text}" for name, text in rows]
    lines += [f"{relative(path)}: removed, nothing declares it" for path in result.removed]
    if result.strays:
        names = ", ".join(map(relative, result.strays[:MOST])) + (
            ", …" * (len(result.strays) > MOST)
        )
        lines.append(f"note: nothing declares {names}; --purge removes what nothing declares")
    lines.append(count_text(result))
    return "".join(f"{visible(line)}\n" for line in lines)


def outcome_text(one: ModuleResult) -> str:
    """Return what became of a module, in words."""
    if one.outcome == FAILED:
        return "failed" if one.before is None else f"failed, {version_text(one.before)} stays"
    if one.outcome == KEPT:
        files = ", ".join(one.edited[:MOST]) + (", …" * (len(one.edited) > MOST))
        detail = f" ({files})" if files else ""
        there = f" at {version_text(one.before)}" if one.before and one.is_behind else ""
        return f"kept{there}: {one.reason}{detail}; --force overwrites it"
    now = version_text(one.layer)
    if one.outcome == UPDATED and one.before is not None and one.before != one.layer:
        return f"{version_text(one.before)} → {now}"
    if one.outcome == UPDATED and one.before is not None:
        return f"restored {now}"
    return f"installed {now}"


def version_text(layer: Layer | None) -> str:
    """Return the version of what is installed; that of git with its commit."""
    if layer is None:
        return ""
    if layer.kind != "git" or layer.revision.startswith(layer.version):
        return layer.version[:12] if layer.kind == "git" else layer.version
    return f"{layer.version} ({layer.revision[:7]})"


def count_text(result: InstallResult) -> str:
    """Return a line about all modules."""
    counts = [
        (sum(1 for one in result.modules if one.outcome in outcomes), text)
        for outcomes, text in (
            ({INSTALLED, UPDATED}, "installed"),
            ({UNCHANGED}, "unchanged"),
            ({KEPT}, "kept"),
            ({FAILED}, "failed"),
        )
    ]
    total = len(result.modules)
    listed = ", ".join(f"{count} {text}" for count, text in counts if count)
    return f"{total} {'module' if total == 1 else 'modules'}{': ' if listed else ''}{listed}"
