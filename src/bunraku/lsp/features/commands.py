"""Commands of the server: compile for a node, show a difference, explain a name.

Each runs a command of bunraku in a process of its own. The answer is its text; with ``show`` among the arguments the
client also gets it as a document, if it can show one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping

from bunraku.base.lazy_typing import Any
from bunraku.base.usage import UsageError
from bunraku.lsp.connection import INVALID_PARAMS, InvalidMessage
from bunraku.lsp.programs import BUNRAKU, LaterAnswer, ProgramOutcome
from bunraku.lsp.query import ClientQuery, Json, member
from bunraku.lsp.uris import path_uri, uri_path

Arguments = Mapping[str, Any]


def on_execute(query: ClientQuery) -> LaterAnswer:
    """Begin a command; the answer comes when it has ended."""
    name = member(query.params, "command")
    words_of = COMMANDS.get(name) if isinstance(name, str) else None
    if words_of is None:
        raise InvalidMessage(INVALID_PARAMS, f"unknown command {name}")
    given = query.params.get("arguments") or [{}]
    arguments = given[0] if isinstance(given, list) and given else None
    if not isinstance(arguments, dict):
        raise InvalidMessage(INVALID_PARAMS, "the first argument is not an object")
    title, *words = words_of(query, arguments)

    def answer(outcome: ProgramOutcome) -> Json:
        if outcome.code != 0:
            raise UsageError(outcome.errors.strip() or f"{name} ended with {outcome.code}")
        if arguments.get("show"):
            show_document(query, title, outcome.output)
        return {"title": title, "text": outcome.output}

    return LaterAnswer([*BUNRAKU, *words], folder_of(query, arguments), answer)


def show_document(query: ClientQuery, title: str, text: str) -> None:
    """Let the client show a text as a document, in a file that only this user can read."""
    session = query.session
    if session.capability("window", "showDocument", "support"):
        from bunraku.world.whole_files import KEY_MODE, write_whole

        name = "".join(one if one.isalnum() else "-" for one in title)
        path = os.path.join(session.directory, f"{name}.txt")
        write_whole(path, text.encode(), mode=KEY_MODE)
        session.request("window/showDocument", {"uri": path_uri(path), "takeFocus": True})


def folder_of(query: ClientQuery, arguments: Arguments) -> str:
    """Return the folder of a document, or the first one."""
    folders = query.session.host.folders
    path = uri_path(text_argument(arguments, "uri")) if "uri" in arguments else ""
    around = [one for one in folders if path.startswith(f"{one}/")] or folders[:1]
    if not around:
        raise InvalidMessage(INVALID_PARAMS, "the client has opened no folder")
    return max(around, key=len)


def text_argument(arguments: Arguments, name: str, default: str = "") -> str:
    """Return an argument that must be a text. Raises InvalidMessage."""
    value = arguments.get(name) or default
    if not isinstance(value, str):
        raise InvalidMessage(INVALID_PARAMS, f"{name} is not a text")
    return value


def node_words(query: ClientQuery, arguments: Arguments) -> Iterator[str]:
    """Yield the options for a node and a sample system: those of the arguments, or the chosen ones."""
    chosen = query.session.host.node
    for name, option in (("node", "--node"), ("system", "--os")):
        value = text_argument(arguments, name)
        if not value and chosen is not None and not {"node", "system"} & {*arguments}:
            value = chosen.name if name == "node" else chosen.system
        if value:
            yield f"{option}={value}"


def compile_words(query: ClientQuery, arguments: Arguments) -> list[str]:
    """Return the title and the words of ``bunraku compile``."""
    words = [*node_words(query, arguments)]
    title = f"catalog of {words[0].partition('=')[2]}" if words else "catalog"
    return [title, "compile", "--format=text", *words]


def difference_words(_query: ClientQuery, arguments: Arguments) -> list[str]:
    """Return the title and the words of ``bunraku diff``."""
    revision = text_argument(arguments, "revision", "HEAD")
    if revision.startswith("-"):
        raise InvalidMessage(INVALID_PARAMS, "revision is an option")
    node = text_argument(arguments, "node")
    match = [f"--match={node}"] if node else []
    return [f"difference to {revision}", "diff", "--format=text", "--exit-zero", *match, revision]


def explain_words(query: ClientQuery, arguments: Arguments) -> list[str]:
    """Return the title and the words of ``bunraku explain``."""
    subject = text_argument(arguments, "subject")
    if not subject or subject.startswith("-"):
        raise InvalidMessage(INVALID_PARAMS, "the arguments lack a subject")
    return [f"explain {subject}", "explain", *node_words(query, arguments), subject]


COMMANDS: Mapping[str, Callable[[ClientQuery, Arguments], list[str]]] = {
    "bunraku.compile": compile_words,
    "bunraku.difference": difference_words,
    "bunraku.explain": explain_words,
}
"""The commands, each with what returns a title and the words of a command of bunraku."""
