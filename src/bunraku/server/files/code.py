"""Versions of the code: the commands of a site that name the current one and print files of one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from bunraku.deployment.live_trees import deployed_codes, newest_code
from bunraku.modules.names import ENVIRONMENT_NAME
from bunraku.server.files import issues
from bunraku.server.files.contents import BINARY
from bunraku.server.files.settings import Files
from bunraku.web.http import Request, Response, text_response
from bunraku.world.host import Command, CommandTimeout, Finished, Host

Log: TypeAlias = "Callable[[str, str], None]"
CODE_ID = re.compile(r"[-_:;a-zA-Z0-9]*")
STATIC_PATH = re.compile(r"[^/]+/[-.\w]+/(files|tasks|scripts|lib)/.+", re.ASCII | re.DOTALL)
LONGEST = 60.0
"""Seconds that a command may take."""
TEXT = "text/plain"
INCOMPLETE = (
    "Error: A /static_file_content request requires an environment, a code-id, and a file-path"
)
OUTSIDE = (
    "Request Denied: A /static_file_content request must be a file within the files, lib, scripts,"
    " or tasks directory of a module."
)
NO_COMMAND = (
    'Cannot retrieve code content because the "versioned-code.code-content-command" setting is not'
    " present in configuration."
)
NOT_STORED = (
    "The store does not have {path} of the environment {environment} in the version {code_id}:"
    " only the last deployments of an environment are remembered"
)


class CommandFailed(Exception):
    """Raised for a command of the site that fails; the text is the reason."""


def check_commands(code_id: str | None, code_content: str | None) -> None:
    """Raise PuppetError if only one of the two commands is set: neither is of use alone."""
    if (code_id is None) != (code_content is None):
        name, missing = "code-id-command", "code-content-command"
        if code_id is None:
            name, missing = missing, name
        raise issues.LONE_CODE_COMMAND(name=name, missing=missing)


def current_code_id(host: Host, log: Log, command: str, environment: str) -> str:
    """Return the version of the code of an environment; raise CommandFailed for a malformed one.

    As in puppetserver, an empty output is a version, and errors that a successful command prints
    are only logged (OpenVox Server 8, ``versioned_code_core.clj``).
    """
    found = run(host, log, command, environment).output.rstrip("\r\n")
    if CODE_ID.fullmatch(found) is None:
        raise CommandFailed(invalid_code_id(found))
    return found


def invalid_code_id(code_id: str) -> str:
    """Return the sentence about a malformed version."""
    allowed = "alpha-numerics and '-', '_', ';', or ':'"
    return f"Invalid code-id '{code_id}'. Must contain only {allowed}"


def answer_static_content(files: Files, request: Request, path: str) -> Response:
    """Return a file in the version that a static catalog names."""
    environment = request.parameters.get("environment", "")
    code_id = request.parameters.get("code_id", "")
    if not environment or not code_id or not path:
        return refused(400, INCOMPLETE)
    if ENVIRONMENT_NAME.fullmatch(environment) is None:
        reason = f"The environment must be purely alphanumeric, not '{environment}'"
        return refused(400, reason)
    if CODE_ID.fullmatch(code_id) is None:
        return refused(400, invalid_code_id(code_id))
    if STATIC_PATH.fullmatch(path) is None:
        return refused(403, OUTSIDE)
    if files.code_content is None:
        return stored_content(files, environment, code_id, path)
    try:
        found = run(files.host, files.log, files.code_content, environment, code_id, path)
    except CommandFailed as error:
        return text_response(500, f"Internal Server Error: {error}")
    content = found.output.encode("utf-8", "surrogateescape")
    return Response(200, {"content-type": BINARY}, [content])


def stored_content(files: Files, environment: str, code_id: str, path: str) -> Response:
    """Return a file of an environment that bunraku has deployed, from the store.

    Raise STORE_FAILED and STORE_DAMAGED.
    """
    served = files.environment(environment)
    directory = None if served is None else served.directory
    if directory is None or newest_code(directory) is None:
        return text_response(500, f"Internal Server Error: {NO_COMMAND}")
    for code in deployed_codes(directory):
        if code.code_id == code_id and code.store:
            content = code.content(path)
            if content is not None:
                return Response(200, {"content-type": BINARY}, [content])
    text = NOT_STORED.format(path=path, environment=environment, code_id=code_id)
    return refused(404, text)


def refused(status: int, text: str) -> Response:
    """Return a refusal."""
    return Response(status, {"content-type": TEXT}, [text])


def run(host: Host, log: Log, command: str, *arguments: str) -> Finished:
    """Run a command of the site; raise CommandFailed unless it ends with exit code 0.

    ``log`` is called with a level and a sentence if the command prints errors all the same.
    """
    try:
        found = host.execute(Command((command, *arguments), timeout=LONGEST))
    except CommandTimeout:
        raise CommandFailed(f"'{command}' ran longer than {LONGEST:g} seconds") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        text = f"Running script generated an error. Command executed: '{command}', error generated"
        raise CommandFailed(f"{text}: '{reason}'") from None
    if found.code:
        text = f"Non-zero exit code returned while running '{command}'. exit-code: '{found.code}'"
        raise CommandFailed(f"{text}, stdout: '{found.output}', stderr: '{found.errors}'")
    if found.errors.strip():
        text = f"Error output generated while running '{command}'."
        log("err", f"{text} stderr: '{found.errors}'")
    return found
