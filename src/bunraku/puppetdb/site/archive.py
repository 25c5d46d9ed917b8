"""The export of a PuppetDB: a compressed tar file of commands' payloads."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from io import BytesIO
from typing import BinaryIO

from bunraku.base.errors import PuppetError
from bunraku.base.source import Place
from bunraku.formats.document import Document, read_document
from bunraku.puppetdb.archive import COMMANDS, archived_commands
from bunraku.puppetdb.commands.process import Change, prepare
from bunraku.puppetdb.site import issues
from bunraku.world.protocol import World

ENDINGS = (".tar.gz", ".tgz")
FOLDERS = frozenset(["catalogs", "facts"])
"""The folders of the archive whose files every compile uses."""
OTHER_FOLDERS = frozenset(COMMANDS) - FOLDERS
"""The folders that only queries read: reports, inputs of catalogs, states of nodes."""


def is_archive(path: str) -> bool:
    """Return whether the name of a file is that of an archive."""
    return path.endswith(ENDINGS)


def archived_documents(path: str, world: World) -> Iterator[Document]:
    """Yield the catalogs and facts in an archive; PuppetError if it cannot be read."""
    try:
        with opened(path, world) as file, tarfile.open(fileobj=file, mode="r|gz") as archive:
            for member in archive:
                parts = member.name.split("/")
                if member.isfile() and len(parts) > 1 and parts[-2] in FOLDERS:
                    content = archive.extractfile(member)
                    if content is not None:
                        name = f"{path}/{member.name}"
                        yield read_document(content.read(), name, issues.BROKEN, "JSON")
    except (OSError, EOFError, tarfile.TarError) as error:
        failure = issues.BROKEN(reason=f"not a compressed tar file: {error}")
        raise failure.at(Place(path)) from None


def other_changes(path: str, world: World) -> Iterator[Change]:
    """Yield how the other commands in an archive change a database; PuppetError if one is invalid.

    The time of their arrival is the beginning of 1970.
    """
    try:
        with opened(path, world) as file:
            for command in archived_commands(file, 0, OTHER_FOLDERS):
                try:
                    yield prepare(command)
                except PuppetError as error:
                    reason = f"{command.name} of {command.certname}: {error.message}"
                    raise issues.BROKEN(reason=reason).at(Place(path)) from None
    except OSError as error:
        raise issues.BROKEN(reason=str(error)).at(Place(path)) from None


def opened(path: str, world: World) -> BinaryIO:
    """Return a file of the world, open for reading. Raise OSError."""
    on_disk = world.disk_path(path)
    return BytesIO(world.read(path)) if on_disk is None else open(on_disk, "rb")
