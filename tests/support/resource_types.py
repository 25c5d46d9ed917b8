"""Resource types read from the text of a Ruby file."""

from __future__ import annotations

from collections.abc import Sequence

from bunraku.catalog.schema.model import ResourceTypeSchema
from bunraku.modules.files import FileTable
from bunraku.ruby.schema.libraries import Libraries
from bunraku.ruby.schema.schema import own_library, types_in
from bunraku.world.protocol import World


def read_resource_types(
    source: str, path: str, world: World | None = None, libraries: Sequence[str] = ()
) -> list[ResourceTypeSchema]:
    """The resource types that a text defines, in its order.

    ``world`` lets the reading follow ``require`` into ``libraries``, and see whether there are providers.
    """
    if world is None:
        return types_in(source, path, None)
    return types_in(source, path, Libraries(FileTable(world), libraries, own_library(path)))
