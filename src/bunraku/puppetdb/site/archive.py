"""The export of a PuppetDB: a compressed tar file of commands' payloads."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from io import BytesIO

from bunraku.base.source import Place
from bunraku.formats.document import Document, read_document
from bunraku.puppetdb.site import issues
from bunraku.world.protocol import World

ENDINGS = (".tar.gz", ".tgz")
FOLDERS = frozenset(["catalogs", "facts"])
"""The folders of the archive whose files a compile uses; others have reports and states of nodes."""


def is_archive(path: str) -> bool:
    """Return whether the name of a file is that of an archive."""
    return path.endswith(ENDINGS)


def archived_documents(path: str, world: World) -> Iterator[Document]:
    """Yield the catalogs and facts in an archive; PuppetError if it cannot be read."""
    on_disk = world.disk_path(path)
    try:
        content = None if on_disk is not None else BytesIO(world.read(path))
        with tarfile.open(on_disk, "r|gz", content) as archive:
            for member in archive:
                parts = member.name.split("/")
                if member.isfile() and len(parts) > 1 and parts[-2] in FOLDERS:
                    file = archive.extractfile(member)
                    if file is not None:
                        name = f"{path}/{member.name}"
                        yield read_document(file.read(), name, issues.BROKEN, "JSON")
    except (OSError, EOFError, tarfile.TarError) as error:
        failure = issues.BROKEN(reason=f"not a compressed tar file: {error}")
        raise failure.at(Place(path)) from None
