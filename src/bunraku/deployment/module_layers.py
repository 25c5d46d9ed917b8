"""Modules and the layers that they become in an environment."""

from __future__ import annotations

from collections.abc import Mapping

from bunraku.deployment.credentials import public_address, without_credentials
from bunraku.deployment.layers import Layer
from bunraku.project.declared_modules import (
    DeclaredModule,
    ForgeModule,
    GitModule,
    LocalModule,
    ModuleSource,
    SubversionModule,
    TarballModule,
)

KINDS: Mapping[type[ModuleSource], str] = {
    ForgeModule: "forge",
    GitModule: "git",
    SubversionModule: "svn",
    TarballModule: "tarball",
    LocalModule: "local",
}
FULL_COMMIT = 40


def installed_version(module: DeclaredModule, previous: Layer | None) -> str:
    """Return the version that is there of a module from the same kind of source; empty without one."""
    same = previous is not None and previous.kind == KINDS[type(module.source)]
    return previous.version if same and previous is not None else ""


def remote_of(source: ModuleSource) -> str:
    """Return where a module comes from, without credentials."""
    if isinstance(source, GitModule):
        return without_credentials(source.remote)
    if isinstance(source, SubversionModule):
        return without_credentials(source.url)
    if isinstance(source, TarballModule):
        return public_address(source.source)
    return ""


def is_static(module: DeclaredModule, previous: Layer) -> bool:
    """Return whether the declared version of a module cannot change and is there already."""
    source = module.source
    if isinstance(source, ForgeModule):
        return source.version not in {"", "latest"} and source.version == previous.version
    if isinstance(source, GitModule):
        known = source.fixed or (
            len(source.ref) == FULL_COMMIT and not set(source.ref) - set("0123456789abcdef")
        )
        return known and source.ref == previous.version and previous.remote == remote_of(source)
    return False
