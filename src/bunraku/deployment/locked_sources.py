"""Modules with exactly the sources that a lock file has for them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from bunraku.base.records import replace
from bunraku.deployment import issues
from bunraku.deployment.contents import Contents
from bunraku.deployment.lock_file import LockedModule, LockFile, differences
from bunraku.project.declared_modules import (
    DeclaredModule,
    ForgeModule,
    GitModule,
    ModuleSource,
    SubversionModule,
)


def check_declarations(
    lock: LockFile, declared: Sequence[DeclaredModule], root: str, path: str
) -> None:
    """Raise LOCK_STALE if modules are declared in another way than when a lock file was written."""
    sentences = differences(lock, declared, root)
    if sentences:
        text = "\n".join(f"  {one}" for one in sentences)
        raise issues.LOCK_STALE(path=path, sentences=text)


def absolute(locked: LockedModule, root: str) -> str:
    """Return the absolute directory of a locked module."""
    return os.path.join(root, locked.directory)


def locked_modules(
    lock: LockFile, declared: Sequence[DeclaredModule], root: str, path: str
) -> Iterator[DeclaredModule]:
    """Yield modules with exactly the sources that are locked, those of others as they are declared.

    Modules that are locked only because others need them follow.
    """
    locked = {absolute(one, root): one for one in lock.modules}
    for module in declared:
        one = locked.get(module.directory)
        yield module if one is None else replace(module, source=locked_source(module.source, one))
    for directory, one in locked.items():
        if not one.declared:
            owner = one.slug.partition("-")[0]
            source = ForgeModule(one.version)
            yield DeclaredModule(one.slug, one.name, owner, source, directory, path, 1)


def locked_source(source: ModuleSource, locked: LockedModule) -> ModuleSource:
    """Return the source of a module with what is locked of it; the address is the declared one."""
    if isinstance(source, ForgeModule):
        return ForgeModule(locked.version)
    if isinstance(source, GitModule):
        return replace(
            source,
            ref=locked.commit,
            control_branch=False,
            default_branch="",
            override_branch="",
            fixed=True,
        )
    if isinstance(source, SubversionModule):
        return replace(source, revision=locked.commit)
    return source


def check_digest(
    contents: Contents, module: DeclaredModule, version: str, digest: str, path: str
) -> None:
    """Raise LOCK_DIGEST unless the archive of a release is the locked one."""
    slug = f"{module.owner}-{module.name}"
    found = contents.forge.digest(slug, version)
    if found != digest:
        raise issues.LOCK_DIGEST(
            release=f"{slug}-{version}",
            url=contents.forge.url,
            found=found,
            expected=digest,
            path=path,
        )
