"""Modules and environments in archives: from a URL or a file, with a verified digest."""

from __future__ import annotations

import os
from hashlib import sha256

from bunraku.base.file_reading import open_regular
from bunraku.deployment import issues
from bunraku.deployment.archives import unpack
from bunraku.deployment.credentials import public_address
from bunraku.deployment.forge_connection import LONGEST_TRANSFER, blocks_of
from bunraku.project.declared_modules import TarballModule
from bunraku.web.client import BLOCK, exchange
from bunraku.web.requests import HttpRequest
from bunraku.world import linked_files

LARGEST = 2 << 30
"""Bytes of the largest archive that is downloaded."""
SECONDS = 60.0


def unpack_tarball(source: TarballModule, directory: str) -> str:
    """Write the files of an archive to an empty directory; return its SHA-256 digest. Raise TARBALL_FAILED."""
    shown = public_address(source.source)
    archive = f"{directory}.tar.gz"
    try:
        digest = fetch(source.source, archive)
        if source.sha256 and digest != source.sha256.lower():
            reason = f"its SHA-256 digest is {digest}, not {source.sha256}"
            raise issues.TARBALL_FAILED(source=shown, reason=reason)
        with linked_files.replaced_directory(directory):
            unpack(archive, directory, stripped=False)
        return digest
    except OSError as error:
        reason = error.strerror or str(error)
        raise issues.TARBALL_FAILED(source=shown, reason=reason) from None
    finally:
        linked_files.remove_tree(archive)


def fetch(source: str, target: str) -> str:
    """Copy an archive to a file and return its SHA-256 digest. Raise OSError, TARBALL_FAILED."""
    digest = sha256()
    with linked_files.new_file(target) as write:
        if source.startswith(("http://", "https://")):
            with exchange(
                HttpRequest("GET", source, seconds=SECONDS, longest=LONGEST_TRANSFER)
            ) as answer:
                if answer.status != 200:
                    reason = f"HTTP {answer.status}"
                    raise issues.TARBALL_FAILED(source=public_address(source), reason=reason)
                for block in blocks_of(answer, LARGEST):
                    digest.update(block)
                    write(block)
        else:
            path = source.removeprefix("file://")
            with open_regular(os.path.expanduser(path)) as file:
                while block := file.read(BLOCK):
                    digest.update(block)
                    write(block)
    return digest.hexdigest()
