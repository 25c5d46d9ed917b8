"""``POST /pdb/cmd/v1``: accept a command and put it into the queue."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from time import time
from uuid import uuid4

from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.puppetdb.commands.metadata import Encoding, Metadata, file_part
from bunraku.puppetdb.commands.queue import Queue, Upload
from bunraku.puppetdb.commands.worker import CommandOutcome, Worker
from bunraku.puppetdb.json_values import Json, read_json
from bunraku.puppetdb.timestamps import to_milliseconds
from bunraku.web.http import Request, Response, json_response, text_response

PREFIX = "/pdb/cmd/v1"
LEAST_VERSIONS: Mapping[str, int] = {
    "configure expiration": 1,
    "deactivate node": 3,
    "replace catalog": 6,
    "replace catalog inputs": 1,
    "replace facts": 4,
    "store report": 5,
}
"""The oldest versions that are accepted."""
PARAMETERS = frozenset(
    [
        "checksum",
        "secondsToWaitForCompletion",
        "certname",
        "command",
        "version",
        "producer-timestamp",
    ]
)
ENCODINGS: Mapping[str, Encoding] = {"": "", "identity": "", "gzip": "gzip"}
INTEGER = re.compile(r"[+-]?\d{1,10}", re.ASCII)
LARGEST_VERSION = (1 << 31) - 1
SECONDS = re.compile(r"[+-]?\d{0,9}(\.\d{0,9})?", re.ASCII)
OLD_FORMAT = "Command was submitted without query parameters (old format)."
SAFE_TO_BUFFER = 64 * 1024 * 1024
"""The longest body in the old format, which is held in memory, if no limit is set."""


LONGEST_WAIT = 3600.0
"""Seconds after which a client that waits gets a response in any case."""


@record(frozen=True)
class Intake:
    """Where commands go; ``max_command_size`` is in bytes, 0 means no limit."""

    queue: Queue
    worker: Worker
    max_command_size: int = 0


@record(frozen=True)
class Accepted:
    """The parameters of a valid request."""

    command: str
    version: int
    certname: str
    producer_timestamp: int | None = None
    seconds: float = 0.0


@record(frozen=True)
class Renewal:
    """The hash of the content of a catalog that is not sent again, and the size of the whole payload."""

    content: str
    size: int


class Refusal(Exception):
    """Raised with the response to a request that is not accepted."""

    def __init__(self, response: Response) -> None:
        super().__init__(response.status)
        self.response = response


def answer_command(intake: Intake, request: Request) -> Response:
    """Return the response to a command: its UUID, when it is on disk or, if wanted, processed."""
    try:
        encoding = check_headers(request, intake.max_command_size)
        if "command" in request.parameters:
            accepted = read_parameters(request.parameters)
            body = request.body
        else:
            accepted, body = read_envelope(request, encoding, intake.max_command_size)
            encoding = ""
        return store(intake, accepted, encoding, body)
    except Refusal as refusal:
        return refusal.response


def check_headers(request: Request, limit: int) -> Encoding:
    """Return the encoding of the body; Refusal of one that is too large or has another type."""
    encoding = request.headers.get("content-encoding", "")
    if request.method == "POST":
        length = request.headers.get("x-uncompressed-length") or ""
        if not length.isdigit():
            length = request.headers.get("content-length", "")
        if limit and length.isdigit() and int(length) > limit:
            raise json_refusal(413, "Command rejected due to size exceeding max-command-size")
        if encoding not in ENCODINGS:
            raise json_refusal(415, f"content encoding {encoding} not supported")
        kind = request.headers.get("content-type", "application/json").split(";")[0].strip()
        if kind != "application/json":
            raise Refusal(text_response(415, f"content type {kind} not supported"))
    accepted = request.headers.get("accept", "*/*")
    if not any(name in accepted for name in ("application/json", "application/*", "*/*")):
        raise Refusal(text_response(406, "must accept application/json"))
    return ENCODINGS.get(encoding, "")


def read_parameters(parameters: Mapping[str, str]) -> Accepted:
    """Return the command that the parameters of a URL describe; Refusal if they are invalid."""
    values: dict[str, Json] = {**parameters}
    values["command"] = parameters["command"].replace("_", " ")
    version = parameters.get("version")
    if version is not None and INTEGER.fullmatch(version) and int(version) <= LARGEST_VERSION:
        values["version"] = int(version)
    else:
        values["version"] = version
    return checked(values)


def checked(values: Mapping[str, Json]) -> Accepted:
    """Return the command that parameters describe; Refusal if they are invalid."""
    command, certname, version = (values.get(key) for key in ("command", "certname", "version"))
    unknown = [name for name in values if name not in PARAMETERS]
    if certname is None:
        raise wrong(command, certname, "Command is missing required parameters: certname.")
    if unknown:
        raise wrong(command, certname, f"Command has invalid parameters: {', '.join(unknown)}.")
    if not isinstance(certname, str) or not certname.strip():
        raise wrong(command, certname, "Certname must be a non-empty string.")
    if not isinstance(command, str) or command not in LEAST_VERSIONS:
        names = ", ".join(LEAST_VERSIONS)
        raise wrong(command, certname, f"Command must be one of: {names}.")
    if isinstance(version, bool) or not isinstance(version, int) or version > LARGEST_VERSION:
        raise wrong(command, certname, "Version must be a valid integer.")
    least = LEAST_VERSIONS[command]
    if version < least:
        reason = f"Version {version} of command {shown(command)} is retired."
        raise wrong(command, certname, f"{reason} The minimum supported version is {least}.")
    return Accepted(
        command,
        version,
        certname,
        to_milliseconds(values.get("producer-timestamp")),
        seconds_of(values.get("secondsToWaitForCompletion")),
    )


def seconds_of(value: Json) -> float:
    """Return how long a client waits; Refusal if the parameter is not a number."""
    if value is None:
        return 0.0
    text = str(value)
    if not SECONDS.fullmatch(text) or not any(map(str.isdigit, text)):
        raise json_refusal(400, f"secondsToWaitForCompletion must be a number, not {shown(value)}")
    return float(text)


def read_envelope(
    request: Request, encoding: Encoding, limit: int
) -> tuple[Accepted, Iterable[bytes]]:
    """Return a command in the old format, an object with command, version and payload.

    Raise Refusal if it is invalid. PuppetDB takes no other parameters in this format.
    """
    pieces, size = [], 0
    for piece in request.body:
        size += len(piece)
        if size <= (limit or SAFE_TO_BUFFER):
            pieces.append(piece)
    if size > (limit or SAFE_TO_BUFFER):
        raise json_refusal(413, "Command size exceeds max-command-size")
    try:
        # PuppetDB does not decompress bodies in this format.
        body = read_json(b"".join(pieces)) if encoding != "gzip" else None
    except PuppetError:
        body = None
    values = body if isinstance(body, dict) else {}
    command, version, payload = (values.get(key) for key in ("command", "version", "payload"))
    if not all(value not in (None, False) for value in (command, version, payload)):
        reason = (
            "The request body must be a JSON map with required keys: command, version, payload."
        )
        raise wrong(command, certname_in(payload), f"{OLD_FORMAT} {reason}")
    if not isinstance(payload, dict):
        raise wrong(command, None, f"{OLD_FORMAT} The payload value must be a JSON map.")
    others = {key: value for key, value in values.items() if key != "payload" and value is not None}
    accepted = checked({**others, "certname": payload.get("certname")})
    return accepted, [json.dumps(payload, ensure_ascii=False).encode()]


def certname_in(payload: Json) -> Json:
    """Return the name of the node in a payload."""
    return payload.get("certname") if isinstance(payload, dict) else None


def store(
    intake: Intake, accepted: Accepted, encoding: Encoding, body: Iterable[bytes]
) -> Response:
    """Put a command into the queue and wait for it if the client does."""
    metadata = Metadata(
        command=accepted.command,
        version=accepted.version,
        node=file_part(accepted.certname),
        producer_timestamp=accepted.producer_timestamp,
        received=int(time() * 1000),
        encoding=encoding,
        uuid=str(uuid4()),
    )
    if accepted.seconds <= 0:
        put(intake, metadata, body)
        return json_response({"uuid": metadata.uuid})
    with intake.worker.expected(metadata.uuid) as waiter:
        put(intake, metadata, body)
        return answer_outcome(metadata.uuid, waiter.wait(min(accepted.seconds, LONGEST_WAIT)))


@record(frozen=True)
class Written:
    """A command that is written but not on disk; ``size`` is that of its payload as it arrived."""

    upload: Upload
    size: int

    @staticmethod
    def of(
        intake: Intake, metadata: Metadata, body: Iterable[bytes], renewal: Renewal | None = None
    ) -> Written:
        """Write a command; Refusal if it is too large or cannot be written.

        The rest of a body that is too large is read and dropped, because some clients cannot read a
        response before they have sent everything.
        """
        size = 0
        with stored_or_refused():
            upload = intake.queue.receive(metadata, "" if renewal is None else renewal.content)
            try:
                for piece in body:
                    size += len(piece)
                    if not intake.max_command_size or size <= intake.max_command_size:
                        upload.write(piece)
            except BaseException:
                upload.abort()
                raise
            if intake.max_command_size and size > intake.max_command_size:
                upload.abort()
                raise json_refusal(413, "Command size exceeds max-command-size")
            upload.finish()
        return Written(upload, size if renewal is None else renewal.size)

    def accept(self, intake: Intake) -> None:
        """Put the command on disk and into the queue; Refusal if that fails."""
        with stored_or_refused():
            self.upload.settle()
        metadata = self.upload.metadata
        intake.worker.counts.add(metadata.command, metadata.version, received=1, size=self.size)


def put(
    intake: Intake, metadata: Metadata, body: Iterable[bytes], renewal: Renewal | None = None
) -> None:
    """Put a command into the queue, on disk; Refusal if it is too large or cannot be stored."""
    Written.of(intake, metadata, body, renewal).accept(intake)


@contextmanager
def stored_or_refused() -> Iterator[None]:
    """Raise the error of a queue that cannot be written as Refusal."""
    try:
        yield
    except PuppetError as error:
        raise json_refusal(503, f"The command is not stored. {error}") from None


def answer_outcome(uuid: str, outcome: CommandOutcome | None) -> Response:
    """Return the response to a client that waited.

    PuppetDB lets a client wait for an invalid command until its timeout. Here the response comes at once, with
    the same status and keys, and with the reason.
    """
    if outcome is None:
        return json_response({"uuid": uuid, "processed": False, "timed_out": True}, 503)
    if outcome.error is None:
        return json_response({"uuid": uuid, "processed": True, "timed_out": False})
    done = outcome.attempted
    found: dict[str, str | bool] = {
        "uuid": uuid,
        "processed": done,
        "timed_out": not done,
        "error": outcome.error,
    }
    return json_response(found, 503)


def wrong(command: Json, certname: Json, reason: str) -> Refusal:
    """Return the refusal of an invalid command."""
    names = f"Command {shown(command)} for certname {shown(certname)} is invalid."
    return json_refusal(400, f"{names} {reason}")


def json_refusal(status: int, error: str) -> Refusal:
    """Return a refusal with an error in JSON."""
    return Refusal(json_response({"error": error}, status))


def shown(value: Json) -> str:
    """Return a value as PuppetDB's messages show it."""
    return "nil" if value is None else json.dumps(value, ensure_ascii=False)
