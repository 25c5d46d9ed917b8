"""What a client asks to compile: the arguments of ``launch`` become a request."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import Any

from bunraku.base.records import record
from bunraku.base.suggestions import suggestion
from bunraku.base.usage import UsageError
from bunraku.engine.request import Request
from bunraku.jobs.compile import CodeOrManifest, compile_request
from bunraku.jobs.facts_files import facts_on
from bunraku.jobs.project_context import KEYWORDS, context_in

CAPITAL = re.compile(r"(?<=[a-z0-9])([A-Z])")
WORDS = {
    "program": "the manifest, or a directory of manifests",
    "code": "code instead of a manifest, as compile -e",
    "cwd": "the directory in which the compile runs",
    "os": "the operating system whose facts the node has, such as debian-12",
    "facterdb": "the directory facts of FacterDB",
    "stop_on_entry": "whether to stop at the first statement",
    "no_debug": "whether to run without stopping",
}
"""Arguments beside the options of a compile → their meaning."""
OTHER_NAMES = {"manifest": "program", "execute": "code", "file": "program", "directory": "cwd"}
OF_CLIENTS = frozenset(
    {
        *(
            "name",
            "type",
            "request",
            "pre_launch_task",
            "post_debug_task",
            "presentation",
            "console",
        ),
        *(
            "internal_console_options",
            "debug_server",
            "server_ready_action",
            "suppress_multiple_session_warning",
        ),
        *("debug_adapter_executable", "restart", "env", "windows", "linux", "osx"),
    }
)
"""Arguments that clients use themselves, or send with every launch."""


@record(frozen=True)
class Launch:
    """A compile to debug."""

    request: Request
    stop_on_entry: bool
    no_debug: bool


def read_launch(arguments: Mapping[str, Any], note: Callable[[str], None]) -> Launch:
    """Return the compile that a client asks for; ``note`` gets notes for the user.

    Names may be written as in ``bunraku.toml`` (``facts_folder``) or as clients do (``factsFolder``). Raises
    UsageError and PuppetError.
    """
    given: dict[str, Any] = {}
    for written, value in arguments.items():
        plain = CAPITAL.sub(r"_\1", written).lower().replace("-", "_")
        name = OTHER_NAMES.get(plain, plain)
        if name in WORDS or name in KEYWORDS:
            given[name] = value
        elif name not in OF_CLIENTS and not written.startswith("__"):
            known = (*WORDS, *KEYWORDS)
            note(f"unknown argument {written!r} of launch{suggestion(name, known)}\n")
    words = {name: given.pop(name, None) for name in WORDS}
    enter_directory(words["cwd"])
    try:
        context = context_in(".", below=True, **given)
    except (TypeError, ValueError) as error:
        raise UsageError(str(error)) from None
    systems = words["os"]
    request = compile_request(
        context,
        CodeOrManifest(words["code"] or None, words["program"] or None),
        system_facts=facts_on(
            [systems] if isinstance(systems, str) else systems or [],
            words["facterdb"],
            context.options.node,
            context.options.environment,
        ),
    )
    return Launch(request, bool(words["stop_on_entry"]), bool(words["no_debug"]))


def enter_directory(path: object) -> None:
    """Change to the directory of a launch."""
    if not path:
        return
    try:
        os.chdir(str(path))
    except OSError as error:
        raise UsageError(f"cwd: cannot use {path}: {error.strerror or error}") from None
