"""Administration: export, cleaning and deletion of nodes, below ``/pdb/admin``."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from time import time
from uuid import uuid4

from bunraku.base.errors import PuppetError
from bunraku.puppetdb.archive import archived_commands, exported_pieces
from bunraku.puppetdb.commands.metadata import Metadata, file_part
from bunraku.puppetdb.json_values import Json, read_json
from bunraku.puppetdb.server.commands import Refusal, put
from bunraku.puppetdb.server.meta import DASHBOARD
from bunraku.puppetdb.server.service import Service
from bunraku.puppetdb.server.summary_stats import summary_stats
from bunraku.puppetdb.storage.expiry import OTHER, STEPS, delete_node
from bunraku.puppetdb.timestamps import to_text
from bunraku.web.http import Request, Response, json_response, redirect, text_response

PREFIX = "/pdb/admin"
LONGEST_COMMAND = 1024 * 1024
LONGEST_HEAD = 2 * 1024 * 1024
"""Bytes within which the head of a part must end, with the piece that it ends in."""
END_OF_HEAD = b"\r\n\r\n"


def answer_admin(service: Service, request: Request) -> Response:
    """Return the response to a request below ``/pdb/admin``."""
    match request.path.removeprefix(f"{PREFIX}/v1/"), request.method:
        case "archive", "GET":
            return answer_archive(service, request)
        case "archive", "POST":
            return answer_upload(service, request)
        case "cmd", "POST":
            return answer_command(service, request)
        case "summary-stats", _:
            return json_response(summary_stats(service.database))
    return redirect(DASHBOARD)


def answer_archive(service: Service, request: Request) -> Response:
    """Return an archive of all active nodes."""
    if request.parameters.get("anonymization_profile") not in {None, "none"}:
        return text_response(400, "Exports cannot be anonymized")
    now = to_text(int(time() * 1000))
    headers = {
        "content-type": "application/octet-stream",
        "content-disposition": f"attachment; filename=puppetdb-export-{now}.tgz",
    }
    return Response(200, headers, exported_pieces(service.database))


def answer_upload(service: Service, request: Request) -> Response:
    """Put the commands of an archive into the queue; the archive is a part of a form."""
    intake = service.intake
    if intake is None:
        return text_response(503, "This server does not accept commands")
    upload = Upload(request.body)
    if request.headers.get("content-type", "").startswith("multipart/"):
        upload.skip_head()
    received = int(time() * 1000)
    try:
        for command in archived_commands(upload, received):
            metadata = Metadata(
                command=command.name,
                version=command.version,
                node=file_part(command.certname),
                producer_timestamp=None,
                received=received,
                encoding="",
                uuid=str(uuid4()),
            )
            put(intake, metadata, [command.payload])
    except PuppetError as error:
        return refused(error.message)
    except Refusal as refusal:
        return refusal.response
    return json_response({"ok": True})


class Upload(io.RawIOBase):
    """The body of a request as a file that is read once, forwards."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        super().__init__()
        self.pieces = iter(pieces)
        self.left = b""

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def read(self, size: int = -1, /) -> bytes:
        """Return some of the next bytes, at most ``size``; none at the end."""
        while not self.left:
            piece = next(self.pieces, None)
            if piece is None:
                return b""
            self.left = piece
        found, self.left = (self.left, b"") if size < 0 else (self.left[:size], self.left[size:])
        return found

    def skip_head(self) -> None:
        """Skip the head of the first part of a form; an archive notes its own end."""
        head = b""
        while END_OF_HEAD not in head and len(head) < LONGEST_HEAD:
            piece = self.read()
            if not piece:
                return
            head += piece
        self.left = head.partition(END_OF_HEAD)[2] + self.left


def answer_command(service: Service, request: Request) -> Response:
    """Carry out the command in the body."""
    body = request.read(LONGEST_COMMAND)
    try:
        value = read_json(body)
    except PuppetError as error:
        return refused(error.message)
    command = value if isinstance(value, dict) else {}
    payload = command.get("payload")
    if command.get("command") == "clean" and command.get("version") == 1:
        return clean(service, payload)
    if command.get("command") == "delete" and command.get("version") == 1:
        certname = payload.get("certname") if isinstance(payload, dict) else None
        if isinstance(certname, str):
            service.database.write(lambda connection: delete_node(connection, certname))
            return json_response({"deleted": certname})
        return refused("delete requires an object with 'certname'")
    shown = json.dumps(body.decode("utf-8", "replace"), ensure_ascii=False)
    reason = "Valid commands types are: 'clean' and 'delete'"
    return refused(f"Invalid command {shown}: {reason}")


def clean(service: Service, payload: Json) -> Response:
    """Carry out steps of cleaning; no names of steps mean all."""
    names = payload if isinstance(payload, list) else [None]
    steps = [one[0] if isinstance(one, list) and one else one for one in names]
    known = {*STEPS, OTHER}
    unknown = [one for one in steps if not isinstance(one, str) or one not in known]
    if unknown:
        return refused(f"clean requires a list of {', '.join(sorted(known))}")
    cleaner = service.cleaner
    if cleaner is None:
        return text_response(503, "This server does not clean the database")
    if cleaner.one_at_a_time.locked():
        message = "Another cleanup is already in progress"
        return json_response({"kind": "conflict", "msg": message, "details": None}, 409)
    cleaner.run(*[str(one) for one in steps])
    return json_response({"ok": True})


def refused(message: str) -> Response:
    """Return a refusal with an error in JSON."""
    return json_response({"error": message}, 400)
