"""Folders, files that change on the disk, settings, and the index."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial

from bunraku.base.lazy_typing import Any
from bunraku.lsp.background import Step
from bunraku.lsp.features.diagnostics import publish_later
from bunraku.lsp.features.imports import import_steps
from bunraku.lsp.features.project_check import check_projects_later, forget_project
from bunraku.lsp.options import SECTION, editor_options
from bunraku.lsp.query import ClientQuery, member
from bunraku.lsp.session import ClientSession
from bunraku.lsp.uris import uri_path

CONFIGURES = frozenset(
    {
        *("bunraku.toml", "pyproject.toml", "environment.conf", "puppet.conf"),
        *(".fixtures.yml", "Puppetfile", "metadata.json", "hiera.yaml"),
    }
)
"""Files that decide what a project is."""
WATCHED = "**/*.{pp,epp,erb,rb,yaml,yml,eyaml,json,toml,conf}"
FIRST_DELAY = 0.2
"""Seconds in which the client opens its first document, whose findings come before the index."""
CREATED, DELETED = 1, 3
REST = 0.5
"""Seconds after an answer in which no names are read: someone types."""


def on_initialized(query: ClientQuery) -> None:
    """Begin: watch files, ask for settings, read the index."""
    session = query.session
    use_settings(session, session.given_options)
    if query.can("workspace", "didChangeWatchedFiles", "dynamicRegistration"):
        watchers = [{"globPattern": WATCHED}, {"globPattern": "**/Puppetfile"}]
        register(session, "workspace/didChangeWatchedFiles", {"watchers": watchers})
    if query.can("workspace", "didChangeConfiguration", "dynamicRegistration"):
        register(session, "workspace/didChangeConfiguration", {"section": SECTION})
    ask_for_settings(session)
    index_later(session, FIRST_DELAY)
    check_projects_later(session)
    session.background.add("imports", import_steps(), is_interruptible=False, priority=-1)


def register(session: ClientSession, method: str, options: dict[str, Any]) -> None:
    """Ask the client to send a notification."""
    registration = {"id": method, "method": method, "registerOptions": options}
    session.request("client/registerCapability", {"registrations": [registration]})


# -- settings ------------------------------------------------------------------------------------


def ask_for_settings(session: ClientSession) -> None:
    """Ask the client for its settings, if it can answer."""
    if session.capability("workspace", "configuration"):
        items = {"items": [{"section": SECTION}]}

        def take(answer: Any) -> None:
            if isinstance(answer, list) and answer and isinstance(answer[0], dict):
                use_settings(session, answer[0])

        session.request("workspace/configuration", items, take)


def on_settings(query: ClientQuery) -> None:
    """Use new settings: those of the message, or those that the client has."""
    settings = query.params.get("settings")
    found = settings.get(SECTION) if isinstance(settings, dict) else None
    if isinstance(found, dict):
        use_settings(query.session, found)
    else:
        ask_for_settings(query.session)


def use_settings(session: ClientSession, given: dict[str, Any]) -> None:
    """Use settings; the user learns what is wrong with them."""
    from bunraku.workbench.editor.node import ChosenNode

    session.options, wrong = editor_options(given)
    for text in wrong:
        session.show(text)
    chosen = ChosenNode(session.options["node"], session.options["system"])
    if chosen != (session.host.node or ChosenNode()):
        choose_node(session, chosen)
    check_open_documents(session)


def choose_node(session: ClientSession, chosen: Any) -> None:
    """Show the values of another node; the editor shows its name."""
    session.host.node = chosen if str(chosen) else None
    session.host.revision += 1
    session.notify("bunraku/nodeChanged", {"node": chosen.name, "system": chosen.system})
    for kind in ("inlayHint", "codeLens"):
        if session.capability("workspace", kind, "refreshSupport"):
            session.request(f"workspace/{kind}/refresh", None)


# -- files ---------------------------------------------------------------------------------------


def on_watched_files(query: ClientQuery) -> None:
    """Read files again that other programs have changed, made or removed."""
    session = query.session
    for change in member(query.params, "changes"):
        path, kind = uri_path(member(change, "uri")), member(change, "type")
        session.host.note_change(path)
        if os.path.basename(path) in CONFIGURES:
            session.host.forget_projects()
        elif kind == DELETED:
            session.host.note_change_below(path)
        elif kind == CREATED and os.path.isdir(path):
            session.host.begin_index()
    index_later(session)
    check_projects_later(session)
    check_open_documents(session)


def on_folders(query: ClientQuery) -> None:
    """Add and remove folders of the workspace."""
    host, event = query.session.host, member(query.params, "event")
    removed = {uri_path(member(one, "uri")) for one in event.get("removed") or ()}
    added = [uri_path(member(one, "uri")) for one in event.get("added") or ()]
    host.set_folders([*(one for one in host.folders if one not in removed), *added])
    for path in removed:
        forget_project(query.session, path)
    index_later(query.session)
    check_projects_later(query.session)
    check_open_documents(query.session)


def check_open_documents(session: ClientSession) -> None:
    """Check the open documents again."""
    for path in session.host.documents:
        publish_later(session, path)


# -- the index -----------------------------------------------------------------------------------


def index_later(session: ClientSession, delay: float = 0.0) -> None:
    """Read the index in the background; the client shows that if all files are read."""
    host = session.host
    if not host.is_up_to_date:
        is_short = host.is_indexed
        steps = index_steps(session) if is_short else steps_with_progress(session, "Indexing")
        session.background.add("index", steps, delay, is_interruptible=False)


def steps_with_progress(session: ClientSession, title: str) -> Iterator[Step]:
    """Yield the steps of the index; the client shows that it is made."""
    token = f"bunraku-index-{session.host.revision}"
    shows = session.capability("window", "workDoneProgress")
    if shows:
        session.request("window/workDoneProgress/create", {"token": token})
        report(session, token, {"kind": "begin", "title": title})
    yield from index_steps(session)
    if shows:
        report(session, token, {"kind": "end"})


def index_steps(session: ClientSession) -> Iterator[Step]:
    """Yield the steps of the index."""
    more = [True]
    while more[0]:
        yield partial(index_step, session, more)
    yield partial(read_names_later, session)


def index_step(session: ClientSession, more: list[bool]) -> None:
    """Do a part of the index; note whether more is left."""
    more[0] = session.host.index_step()


def read_names_later(session: ClientSession) -> None:
    """Read the names in all files when nothing else is to be done: then references are known at once."""
    session.background.add("names", session.host.mention_steps(), priority=-1, rest=REST)


def report(session: ClientSession, token: str, value: dict[str, Any]) -> None:
    """Send the progress of some work."""
    session.notify("$/progress", {"token": token, "value": value})
