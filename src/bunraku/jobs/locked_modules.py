"""The modules of a Puppetfile in the versions of its lock file."""

from __future__ import annotations

from collections.abc import Sequence

from bunraku.base.records import replace
from bunraku.deployment import issues
from bunraku.deployment.lock_file import (
    LIBRARIAN,
    NAME,
    LockedModule,
    directory_in,
    lock_file_of,
    source_differences,
)
from bunraku.formats.failure import FormatError
from bunraku.formats.json import parse_json
from bunraku.project.declared_modules import (
    DeclaredModule,
    ForgeModule,
    GitModule,
    SubversionModule,
)
from bunraku.project.reading import text_of
from bunraku.world.protocol import World


def locked_modules(
    modules: Sequence[DeclaredModule], directory: str, world: World
) -> tuple[DeclaredModule, ...]:
    """Return modules with the versions of the lock file in a directory, and those that they need.

    A declaration that changed since then counts more than the lock file. The lock file of
    librarian-puppet has the same name and is not read. Raise LOCK_DAMAGED.
    """
    path = f"{directory}/{NAME}"
    text = text_of(world, path)
    if LIBRARIAN.match(text):
        return tuple(modules)
    try:
        lock = lock_file_of(path, parse_json(text))
    except FormatError as error:
        raise issues.LOCK_DAMAGED(path=path, reason=error.problem) from None
    locked = {one.directory: one for one in lock.modules}
    declared = [
        locked_module(one, locked.get(directory_in(one.directory, directory)), directory)
        for one in modules
    ]
    others = [needed_module(one, directory, path) for one in lock.modules if not one.declared]
    return (*declared, *others)


def locked_module(
    module: DeclaredModule, locked: LockedModule | None, directory: str
) -> DeclaredModule:
    """Return a module in the version that is locked, if that is one of what is declared."""
    if locked is None or any(source_differences(module, locked, directory)):
        return module
    source = module.source
    if isinstance(source, ForgeModule):
        return replace(module, source=ForgeModule(locked.version))
    if isinstance(source, GitModule):
        fixed = GitModule(
            source.remote,
            locked.commit,
            subdirectory=source.subdirectory,
            fixed=True,
            declared_ref=locked.ref,
        )
        return replace(module, source=fixed)
    if isinstance(source, SubversionModule):
        return replace(module, source=replace(source, revision=locked.commit))
    return module


def needed_module(locked: LockedModule, directory: str, path: str) -> DeclaredModule:
    """Return a module that is there only because others need it."""
    owner = locked.slug.partition("-")[0]
    place = (
        locked.directory if locked.directory.startswith("/") else f"{directory}/{locked.directory}"
    )
    return DeclaredModule(
        locked.slug, locked.name, owner, ForgeModule(locked.version), place, path, 1
    )
