"""What is installed in a directory of a project, by the record of the installation."""

from __future__ import annotations

from bunraku.deployment.installation import ModuleDirectories
from bunraku.deployment.layers import Layer
from bunraku.deployment.module_layers import remote_of
from bunraku.deployment.site_contents import open_store
from bunraku.jobs.module_contents import settings_of_base
from bunraku.project.declared_modules import (
    DeclaredModule,
    ForgeModule,
    GitModule,
    SubversionModule,
)
from bunraku.project.missing import version_asked_for


def installed_layer(root: str, directory: str) -> Layer | None:
    """Return what bunraku has installed in a directory; None if it has not, or something else is there now."""
    store = open_store(settings_of_base(None), link=True)
    live = ModuleDirectories(root, store).live(directory)
    return None if live is None else live.layers[0]


def is_in_layer(module: DeclaredModule, layer: Layer) -> bool:
    """Return whether a layer is what a module asks for. A branch is not: it can have moved since."""
    source = module.source
    if layer.remote != remote_of(source):
        return False
    if isinstance(source, GitModule):
        is_fixed = source.fixed or bool(version_asked_for(module))
        return source.ref == layer.revision or (is_fixed and source.ref == layer.version)
    if isinstance(source, SubversionModule):
        return source.revision == layer.revision
    return isinstance(source, ForgeModule) and source.version == layer.version
