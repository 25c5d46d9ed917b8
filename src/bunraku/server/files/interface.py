"""The routes of the file server: which function answers a request."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from bunraku.modules.names import ENVIRONMENT_NAME
from bunraku.providers.errors import ResourceFailure
from bunraku.server.failures import RESOURCE_NOT_FOUND, Refused, failure, no_route
from bunraku.server.files.bucket import answer_bucket
from bunraku.server.files.code import answer_static_content
from bunraku.server.files.contents import require_binary, served_content
from bunraku.server.files.documents import rendered
from bunraku.server.files.environment import Served
from bunraku.server.files.listings import listed
from bunraku.server.files.metadata import Metadata, described
from bunraku.server.files.mounts import Key, find, search
from bunraku.server.files.names import decoded_path
from bunraku.server.files.options import find_options, search_options
from bunraku.server.files.settings import Files
from bunraku.web.http import Request, Response

Part: TypeAlias = Callable[[Files, Request, str], Response]
PREFIX = "/puppet/v3"
READING = frozenset({"GET", "HEAD"})


def answer_files(files: Files, request: Request) -> Response:
    """Return the response to a request for files; no error of a file leaves this function."""
    try:
        path = decoded_path(request.path)
        for name, part in PARTS.items():
            if path.startswith(f"{PREFIX}/{name}/"):
                return part(files, request, path.removeprefix(f"{PREFIX}/{name}/"))
        return no_route(path)
    except Refused as refused:
        return refused.response
    except ResourceFailure as error:
        return failure(500, str(error))
    except OSError as error:
        named = "" if error.filename is None else f" - {shown(error.filename)}"
        return failure(500, f"{error.strerror or error}{named}")


def shown(name: str | bytes | int) -> str:
    """Return the name of a file in an error."""
    return name.decode("utf-8", "surrogateescape") if isinstance(name, bytes) else str(name)


# -- parts -----------------------------------------------------------------------------------------


def answer_metadata(files: Files, request: Request, name: str) -> Response:
    """Return the description of a file."""
    if request.method not in READING:
        return no_route(f"{PREFIX}/file_metadata/{name}")
    key = requested_key(files, request, name)
    path = find(key)
    found = None if path is None else described(key, path, find_options(request, files.digest))
    if found is None:
        raise Refused(404, f"Could not find file_metadata {name}", RESOURCE_NOT_FOUND)
    return rendered(request, found)


def answer_metadatas(files: Files, request: Request, name: str) -> Response:
    """Return the descriptions of a directory and its entries."""
    if request.method not in READING:
        return no_route(f"{PREFIX}/file_metadatas/{name}")
    while True:  # until no switch of the environment was in the middle of a listing
        key = requested_key(files, request, name)
        try:
            listing = listing_of(files, request, key)
        except (Refused, ResourceFailure, OSError):
            if key.served.is_current():
                raise
        else:
            if key.served.is_current():
                return rendered(request, listing)


def listing_of(files: Files, request: Request, key: Key) -> list[Metadata]:
    """Return the descriptions of a directory and its entries; Refused for an unknown one."""
    roots = search(key)
    if roots is None:
        text = f"Could not find instances in file_metadata with '{key.name}'"
        raise Refused(404, text, RESOURCE_NOT_FOUND)
    options = search_options(request, files.digest, is_empty=not roots)
    return listed(key, roots, options)


def answer_content(files: Files, request: Request, name: str) -> Response:
    """Return the content of a file; links are followed."""
    if request.method not in READING:
        return no_route(f"{PREFIX}/file_content/{name}")
    path = find(requested_key(files, request, name, "file_content"))
    if path is None:
        raise Refused(404, f"Could not find file_content {name}", RESOURCE_NOT_FOUND)
    require_binary(request)
    return served_content(files.host, path, request)


def answer_backup(files: Files, request: Request, name: str) -> Response:
    """Return the response of the filebucket."""
    environment_of(files, request)
    require_name(request, name)
    return answer_bucket(files, request, name)


def answer_static(files: Files, request: Request, name: str) -> Response:
    """Return a file in the version of a static catalog."""
    if request.method not in READING:
        return no_route(f"{PREFIX}/static_file_content/{name}")
    return answer_static_content(files, request, name)


PARTS: dict[str, Part] = {
    "file_metadata": answer_metadata,
    "file_metadatas": answer_metadatas,
    "file_content": answer_content,
    "file_bucket_file": answer_backup,
    "static_file_content": answer_static,
}
"""Names after the prefix → the functions that answer."""


# -- requests --------------------------------------------------------------------------------------


def requested_key(files: Files, request: Request, name: str, kind: str = "file_metadata") -> Key:
    """Return what a request asks for; Refused without a name or a known environment."""
    served = environment_of(files, request)
    require_name(request, name)
    return Key(files, served, name, request.client, kind)


def environment_of(files: Files, request: Request) -> Served:
    """Return the environment of a request; Refused if there is none."""
    name = request.parameters.get("environment")
    if name is None:
        raise Refused(400, "An environment parameter must be specified")
    if ENVIRONMENT_NAME.fullmatch(name) is None:
        raise Refused(400, f"The environment must be purely alphanumeric, not '{name}'")
    found = files.environment(name)
    if found is None:
        raise Refused(404, f"Could not find environment '{name}'")
    return found


def require_name(request: Request, name: str) -> None:
    """Raise Refused for a request that names no file."""
    if not name:
        raise Refused(400, f"No request key specified in {decoded_path(request.path)}")
