"""The configuration of deployments over HTTP: a private file, for it has secrets."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.private_folder import is_trusted
from bunraku.base.records import field, record
from bunraku.formats.document import read_document
from bunraku.formats.shape import TEXT, TEXTS, Fields
from bunraku.server.issues import INVALID_DEPLOYS
from bunraku.web.requests import TlsFiles

SHAPE = Fields(
    {
        "r10k": TEXT,
        "secrets": TEXTS,
        "tokens": TEXTS,
        "flush": TEXTS,
        **dict.fromkeys(("cacert", "cert", "key"), TEXT),
    },
    required=("r10k",),
    closed=True,
)
SHORTEST = 16
"""Characters of a secret: who knows the address may guess."""


@record(frozen=True)
class DeployConfiguration:
    """What starts deployments, and how.

    ``r10k`` is the path of the r10k.yaml, ``secrets`` are those of webhooks, ``tokens`` those of programs.
    ``flush`` are the URLs of servers that are flushed after a deployment, with the files ``tls``.
    """

    r10k: str
    secrets: tuple[str, ...] = field(default=(), shown=False)
    tokens: tuple[str, ...] = field(default=(), shown=False)
    flush: tuple[str, ...] = ()
    tls: TlsFiles = TlsFiles()


def read_deploy_configuration(path: str) -> DeployConfiguration:
    """Return the configuration in a YAML file that only its owner can read; raise PuppetError."""
    document = read_document(private_content(path), path, INVALID_DEPLOYS, "YAML")
    data: Mapping[str, Any] = document.data
    document.check(SHAPE, INVALID_DEPLOYS)
    for name in ("secrets", "tokens"):
        if any(len(one) < SHORTEST or not one.isascii() for one in data.get(name) or ()):
            raise refused(path, f"{name}: each needs {SHORTEST} ASCII characters or more")
    if not data.get("secrets") and not data.get("tokens"):
        raise refused(
            path, "it has neither secrets nor tokens, so nothing could start a deployment"
        )
    return DeployConfiguration(
        os.path.abspath(data["r10k"]),
        tuple(data.get("secrets") or ()),
        tuple(data.get("tokens") or ()),
        tuple(data.get("flush") or ()),
        TlsFiles(data.get("cacert"), data.get("cert"), data.get("key")),
    )


def private_content(path: str) -> bytes:
    """Return the content of a file; raise PuppetError if other users can read or change it."""
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            if not is_trusted(status) or status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise refused(path, "other users can read it, and it has secrets").hinted(
                    f"chmod 600 {path}"
                )
            return file.read()
    except OSError as error:
        raise refused(path, error.strerror or str(error)) from None


def refused(path: str, reason: str) -> PuppetError:
    """Return the error for a configuration that cannot be used."""
    return INVALID_DEPLOYS(path=path, reason=reason)
