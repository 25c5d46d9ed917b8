"""A file server over a copy of the recorded site."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import parse_qsl

from bunraku.modules.environment import Environment, load_environment
from bunraku.server.files.environment import ServedEnvironments
from bunraku.server.files.interface import answer_files
from bunraku.server.files.settings import Files
from bunraku.web.compression import filled_pieces
from bunraku.web.http import Request
from bunraku.world.linux import LinuxHost
from bunraku.world.machine import Machine

HOST = LinuxHost()
MACHINE = Machine()
NODE = "plain8.auto.example.test"
TIME = re.compile(r"20\d\d-\d\d-\d\d \d\d:\d\d:\d\d \+0000")
EXPIRATION = re.compile(r"expiration: .*")
OWNERS = re.compile(r'"(owner|group)":\d+')
YAML_OWNERS = re.compile(r"(owner|group): \d+")


def files_of(environments: Path, **options) -> Files:
    """Return a file server of the environments in a directory."""
    root = environments.parents[1]

    def load(name: str) -> Environment:
        base = [str(root / "code/modules")]
        return load_environment(name, [str(environments)], MACHINE, base_modulepath=base)

    return Files(HOST, ServedEnvironments(load), bucket=str(root / "bucket"), **options)


def asked(
    target: str, method: str = "GET", *, body: bytes = b"", client=NODE, **headers
) -> Request:
    """Return a request; names of headers have ``_`` for a hyphen."""
    path, _, query = target.partition("?")
    pairs = parse_qsl(query, keep_blank_values=True, errors="replace")
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Request(method, path, dict(pairs), named, [body], client, pairs=pairs)


def got(files: Files, request: Request) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body of a response."""
    found = answer_files(files, request)
    body = b"".join(filled_pieces(found.body))
    return found.status, dict(found.headers), body


def metadata(files: Files, target: str, **options):
    """Return the JSON of a successful response."""
    status, _, body = got(files, asked(target, accept="application/json", **options))
    assert status == 200, body
    return json.loads(body)


def without_owners(text: str) -> str:
    """Return a body with root as the owner and group of all files, as in the records."""
    return YAML_OWNERS.sub(r"\1: 0", OWNERS.sub(r'"\1":0', text))


def normal(text: str, root: str) -> str:
    """Return a body without what differs from machine to machine; lists sorted by relative path."""
    text = text.replace(root, "$RIG").replace("java.lang.IllegalStateException: ", "")
    text = without_owners(EXPIRATION.sub("expiration: <time>", TIME.sub("<time>", text)))
    if text.startswith("["):
        rows = sorted(json.loads(text), key=lambda row: row["relative_path"])
        text = json.dumps(rows, separators=(",", ":"))
    return text
