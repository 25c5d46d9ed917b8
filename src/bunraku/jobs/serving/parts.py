"""The parts of ``bunraku server`` that its settings describe: addresses, PuppetDB, compiles in the background."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from socket import socket

from bunraku.base.usage import UsageError
from bunraku.ca.authority import Authority
from bunraku.ca.upkeep import Upkeep
from bunraku.jobs.serving.authority import authority_of
from bunraku.jobs.serving.configuration import log_message, tls_of
from bunraku.jobs.serving.options import COMMAND, ServerOptions
from bunraku.jobs.serving.process import listening_socket, log_line
from bunraku.jobs.serving.systemd import begin_watch, notify
from bunraku.puppetdb.client import server_url
from bunraku.puppetdb.databases.opening import open_database
from bunraku.puppetdb.server.starting import start as start_database
from bunraku.puppetdb.settings import PuppetDBSettings as DatabaseSettings
from bunraku.puppetdb.site.tls import tls_files
from bunraku.server.background import Background
from bunraku.server.compiling.compilers import Compilers
from bunraku.server.compiling.starting import background_process, compile_processes
from bunraku.server.flushes import Flushes
from bunraku.server.settings import MACHINE, Settings
from bunraku.server.storage import Embedded, Remote, Storage
from bunraku.web.listeners import Listener, is_loopback
from bunraku.web.server_limits import ServerLimits
from bunraku.web.tls import FollowingContext, TlsError
from bunraku.world.whole_files import make_folders

THREADS = 512
"""Requests that are worked on at the same time; most of them wait for a compile process."""
LONGEST_SILENCE = 300
"""Seconds after which a connection without requests is closed."""


def background_of(
    open_things: ExitStack, options: ServerOptions, settings: Settings
) -> Compilers | None:
    """Start the process that compiles in the background; None without one.

    It needs a second processor, stored catalogs, and the facts of a PuppetDB.
    """
    if not has_background(options):
        return None
    return open_things.enter_context(background_process(settings, log_line))


def compilers_of(
    open_things: ExitStack, options: ServerOptions, settings: Settings, path: str = ""
) -> Compilers:
    """Start the compile processes; ``path`` is their Unix socket, by default in a folder of their own."""
    return open_things.enter_context(
        compile_processes(
            settings,
            log_line,
            size=options.max_active_instances,
            most_jobs=options.max_requests_per_instance,
            path=path,
        )
    )


def authority_with_upkeep(
    open_things: ExitStack, options: ServerOptions, settings: Settings
) -> tuple[Authority | None, Upkeep | None]:
    """Return the certificate authority and what renews its lists; None for both without one."""
    if options.no_ca:
        return None, None
    authority = authority_of(settings, log_line)
    return authority, open_things.enter_context(Upkeep(authority, log_line))


def running_background(
    open_things: ExitStack, behind: Compilers | None, flushes: Flushes
) -> Background | None:
    """Start to compile in the background, by the process that was started for it; None without one."""
    if behind is None:
        return None
    background = Background(behind, flushes, log_message)
    open_things.enter_context(background.running())
    return background


def has_background(options: ServerOptions) -> bool:
    """Return whether catalogs are compiled in the background."""
    is_wanted = options.background_compiles and options.reuse_catalogs
    return is_wanted and options.puppetdb != "none" and (os.cpu_count() or 1) >= 2


def server_limits(options: ServerOptions) -> ServerLimits:
    """Return the limits of connections."""
    return ServerLimits(connections=options.max_connections, idle_seconds=LONGEST_SILENCE)


def sentence_of(settings: Settings, addresses: Sequence[str]) -> tuple[str, str]:
    """Return the addresses in words, and the sentence that says what is served there."""
    urls = " and ".join(addresses)
    return urls, f"{settings.certname} serves {settings.values['environmentpath']} on {urls}"


def report_state(urls: str) -> None:
    """Let systemd know that the server answers; call this in the event loop."""
    notify("READY=1", f"STATUS=serves on {urls}")
    begin_watch()


# -- the address -------------------------------------------------------------------------------------


def tls_context(options: ServerOptions, settings: Settings) -> FollowingContext:
    """Return the context of TLS; UsageError if one of its files cannot be used."""
    try:
        return FollowingContext.of(tls_of(options, settings), report_unused)
    except TlsError as error:
        raise UsageError(str(error), COMMAND) from None


def site_socket(options: ServerOptions, settings: Settings, inherited: socket | None) -> socket:
    """Open the socket, unless systemd has; UsageError if the address cannot be used."""
    if inherited is not None:
        return inherited
    host, port = options.listen or ("", int(settings.values["serverport"]))
    return listening_socket(COMMAND, "--listen", host, port)


def check_plain_address(options: ServerOptions) -> None:
    """Raise UsageError if other machines can reach an address without TLS that is for this one."""
    if options.listen_plain is None or options.allow_remote_http:
        return
    host = options.listen_plain[0]
    if not is_loopback(host):
        raise UsageError(
            f"--listen-plain: other machines can reach {host or 'all addresses'}, and HTTP has"
            " neither encryption nor certificates; use the address of this machine, or"
            " --allow-remote-http behind a firewall",
            COMMAND,
        )


def plain_listeners(options: ServerOptions) -> list[Listener]:
    """Open the socket without TLS, if there is one; UsageError if the address cannot be used."""
    if options.listen_plain is None:
        return []
    return [Listener(listening_socket(COMMAND, "--listen-plain", *options.listen_plain))]


def report_unused(error: TlsError) -> None:
    """Log that changed files of TLS cannot be used."""
    log_line(f"err: the changed files of TLS are not used: {error}")


# -- PuppetDB ----------------------------------------------------------------------------------------


def storage_of(
    open_things: ExitStack, options: ServerOptions, settings: Settings
) -> Storage | None:
    """Open the PuppetDB of the server."""
    if options.puppetdb == "none":
        return None
    if is_remote(options):
        return remote_storage(options, settings)
    path = database_of(options, settings)
    queue = f"{path}.queue"
    if "://" in path:
        queue = os.path.join(str(settings.values["vardir"]), "bunraku", "puppetdb.queue")
    prepare_folder(os.path.dirname(queue))
    database = open_database(path)
    open_things.callback(database.close)
    folders = (queue, f"{queue.removesuffix('.queue')}.discarded")
    service = start_database(open_things, database, DatabaseSettings(), folders, log_line)
    if service.intake is None:
        raise RuntimeError("the PuppetDB accepts no commands")
    return Embedded.of(path, service.intake)


def database_of(options: ServerOptions, settings: Settings) -> str:
    """Return the file or the URL of the database that the server keeps."""
    folder = os.path.join(str(settings.values["vardir"]), "bunraku")
    return options.puppetdb or os.path.join(folder, "puppetdb.sqlite")


def is_remote(options: ServerOptions) -> bool:
    """Return whether the PuppetDB is another server."""
    return options.puppetdb is not None and options.puppetdb.startswith(("http://", "https://"))


def remote_storage(options: ServerOptions, settings: Settings) -> Remote:
    """Return the PuppetDB that is another server."""
    return Remote(server_url(options.puppetdb or ""), MACHINE, tls_files(settings.given, MACHINE))


def prepare_folder(path: str) -> None:
    """Make a folder that only this user can read; UsageError if that fails."""
    try:
        make_folders(path, 0o750)
    except OSError as error:
        raise UsageError(f"cannot make {path}: {error.strerror}", COMMAND) from None
