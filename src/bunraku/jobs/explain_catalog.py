"""Ask a running server why the last catalog of a node was compiled, or what a reused one depends on."""

from __future__ import annotations

import json
from typing import Any

from bunraku.base.usage import UsageError
from bunraku.jobs.serving.configuration import settings_of, tls_of
from bunraku.jobs.serving.options import COMMAND, ServerOptions
from bunraku.modules.names import node_name_problem
from bunraku.puppetdb.client import connection_failure
from bunraku.web.requests import HttpRequest, TlsFiles
from bunraku.world.machine import Machine

PATH = "/puppet-admin-api/v1/catalog-explanations"
SECONDS = 30.0
LARGEST = 1 << 20
LONGEST = 200
"""Characters of a refusal that an error shows."""


def explained(options: ServerOptions, node: str) -> dict[str, Any]:
    """Return the explanation of a node's last catalog; UsageError if the server does not give it.

    The certificate of the server itself is used, which may administer it.
    """
    problem = node_name_problem(node)
    if not node or problem is not None:
        raise UsageError(f"{node!r} is not the name of a node: {problem or 'it is empty'}", COMMAND)
    settings = settings_of(options)
    files = tls_of(options, settings)
    port = options.listen[1] if options.listen else int(settings.values["serverport"])
    url = f"https://{settings.certname}:{port}"
    tls = TlsFiles(files.ca_cert, files.cert, files.key)
    request = HttpRequest("GET", f"{url}{PATH}/{node}", tls=tls, seconds=SECONDS)
    try:
        with Machine().http(request) as response:
            text = response.read(LARGEST).decode("utf-8", "replace")
    except OSError as error:
        raise UsageError(f"{url}: {connection_failure(error)}", COMMAND) from None
    if response.status == 403:
        raise UsageError(
            f"{url}: the rules of access (auth.conf) do not allow {settings.certname} to ask (403)",
            COMMAND,
        )
    if response.status != 200:
        raise UsageError(f"{url}: {' '.join(text.split())[:LONGEST]}", COMMAND)
    found: dict[str, Any] = json.loads(text)
    return found


def explanation_text(found: dict[str, Any]) -> str:
    """Return an explanation as text.

    >>> about = {
    ...     "node": "a",
    ...     "environment": "b",
    ...     "time": "c",
    ...     "reason": "d",
    ...     "depends": {"keys": 1},
    ... }
    >>> print(explanation_text({**about, "reused": False}), end="")
    a (environment b, c): compiled, because d
    It depends on 1 key.
    """
    what = "reused" if found["reused"] else f"compiled, because {found['reason']}"
    first = f"{found['node']} (environment {found['environment']}, {found['time']}): {what}\n"
    counts = [
        f"{number:,} {name if number != 1 else SINGULAR[name]}"
        for name, number in found["depends"].items()
    ]
    return first + (f"It depends on {', '.join(counts)}.\n" if counts else "")


SINGULAR = {
    "directories": "directory",
    "facts": "fact",
    "files": "file",
    "keys": "key",
    "programs": "program",
    "queries": "query",
    "times": "time",
    "variables": "variable",
}
"""What a catalog may depend on: the name of several, and of one."""
