"""Start the server of ``bunraku server`` and stop it cleanly."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from socket import socket

from bunraku.base.usage import UsageError
from bunraku.ca.upkeep import Upkeep
from bunraku.jobs.serving.authority import authority_of
from bunraku.jobs.serving.configuration import access_of, log_message, settings_of, tls_of
from bunraku.jobs.serving.deployments import deployments_of, deploys_of
from bunraku.jobs.serving.options import COMMAND, ServerOptions
from bunraku.jobs.serving.process import (
    access_log,
    listening_socket,
    log_line,
    pid_file,
    report,
    server_function,
    trouble,
)
from bunraku.jobs.serving.reloading import Current
from bunraku.jobs.serving.systemd import begin_watch, inherited_socket, notify
from bunraku.puppetdb.client import server_url
from bunraku.puppetdb.databases.opening import open_database
from bunraku.puppetdb.server.starting import start as start_database
from bunraku.puppetdb.settings import PuppetDBSettings as DatabaseSettings
from bunraku.puppetdb.site.tls import tls_files
from bunraku.server.assembly import files_of
from bunraku.server.background import Background
from bunraku.server.compiling.compilers import Compilers
from bunraku.server.compiling.starting import background_process, compile_processes
from bunraku.server.flushes import Flushes
from bunraku.server.service import Service
from bunraku.server.settings import MACHINE, Settings
from bunraku.server.storage import Embedded, Remote, Storage
from bunraku.web.application import Application, Limits
from bunraku.web.listeners import Listener, is_loopback
from bunraku.web.server_limits import ServerLimits
from bunraku.web.tls import FollowingContext, TlsError
from bunraku.world.whole_files import make_folders

PORT = 8140
THREADS = 512
"""Requests that are worked on at the same time; most of them wait for a compile process."""
LONGEST_SILENCE = 300
"""Seconds after which a connection without requests is closed."""


def serve_site(options: ServerOptions, ready: Callable[[str], None]) -> None:
    """Serve until a signal comes; raise UsageError for options that cannot be used.

    ``ready`` is called with a sentence about the addresses when the server answers.
    """
    serve = server_function(COMMAND)
    settings = settings_of(options)
    access = access_of(options)
    check_plain_address(options)
    inherited = inherited_socket()
    flushes = Flushes()
    with ExitStack() as open_things:
        deployments = open_things.enter_context(deployments_of(options.deploy_config))
        behind = background_of(open_things, options, settings)
        compilers = open_things.enter_context(
            compile_processes(
                settings,
                log_line,
                size=options.max_active_instances,
                most_jobs=options.max_requests_per_instance,
            )
        )
        deploys = deploys_of(options.deploy_config, deployments)
        authority = None if options.no_ca else authority_of(settings, log_line)
        upkeep = None
        if authority is not None:
            upkeep = open_things.enter_context(Upkeep(authority, log_line))
        context = tls_context(options, settings)
        listener = open_things.enter_context(listener_of(options, settings, inherited, context))
        plain = [open_things.enter_context(one) for one in plain_listeners(options)]
        storage = storage_of(open_things, options, settings)
        log = open_things.enter_context(access_log(COMMAND, options.access_log))
        open_things.enter_context(pid_file(COMMAND, options.pid_file))
        files = files_of(settings, log_message)
        background = None
        if behind is not None:
            background = Background(behind, flushes, log_message)
            open_things.enter_context(background.running())
        service = Service(
            settings,
            access.rules,
            compilers,
            flushes,
            files,
            authority,
            storage,
            log_message,
            header_cert_info=access.header_cert_info,
            deploys=deploys,
            background=background,
        )
        current = Current(options, service, context, upkeep, log)
        application = Application(
            current.answer,
            Limits(threads=THREADS),
            report=partial(report, COMMAND, options.debug),
            visited=None if log is None else log.write,
            trouble=trouble,
        )
        serve(
            application,
            [listener, *plain],
            partial(report_ready, settings, [listener, *plain], ready),
            server_limits(options),
            current.reload,
            partial(notify, "STOPPING=1"),
        )


def background_of(
    open_things: ExitStack, options: ServerOptions, settings: Settings
) -> Compilers | None:
    """Start the process that compiles in the background; None without one.

    It needs a second processor, stored catalogs, and the facts of a PuppetDB.
    """
    is_wanted = options.background_compiles and options.reuse_catalogs
    if not is_wanted or options.puppetdb == "none" or (os.cpu_count() or 1) < 2:
        return None
    return open_things.enter_context(background_process(settings, log_line))


def server_limits(options: ServerOptions) -> ServerLimits:
    """Return the limits of connections."""
    return ServerLimits(connections=options.max_connections, idle_seconds=LONGEST_SILENCE)


def report_ready(
    settings: Settings, listeners: Sequence[Listener], ready: Callable[[str], None]
) -> None:
    """Say where the server answers."""
    urls = " and ".join(one.url for one in listeners)
    ready(f"{settings.certname} serves {settings.values['environmentpath']} on {urls}")
    notify("READY=1", f"STATUS=serves on {urls}")
    begin_watch()


# -- the address -------------------------------------------------------------------------------------


def tls_context(options: ServerOptions, settings: Settings) -> FollowingContext:
    """Return the context of TLS; UsageError if one of its files cannot be used."""
    try:
        return FollowingContext.of(tls_of(options, settings), report_unused)
    except TlsError as error:
        raise UsageError(str(error), COMMAND) from None


def listener_of(
    options: ServerOptions,
    settings: Settings,
    inherited: socket | None,
    context: FollowingContext,
) -> Listener:
    """Open the socket, unless systemd has; UsageError if the address cannot be used."""
    if inherited is None:
        host, port = options.listen or ("", int(settings.values["serverport"]))
        inherited = listening_socket(COMMAND, "--listen", host, port)
    return Listener(inherited, context)


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
    source = options.puppetdb
    if source == "none":
        return None
    if source is not None and source.startswith(("http://", "https://")):
        return Remote(server_url(source), MACHINE, tls_files(settings.given, MACHINE))
    path = source or os.path.join(str(settings.values["vardir"]), "bunraku", "puppetdb.sqlite")
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


def prepare_folder(path: str) -> None:
    """Make a folder that only this user can read; UsageError if that fails."""
    try:
        make_folders(path, 0o750)
    except OSError as error:
        raise UsageError(f"cannot make {path}: {error.strerror}", COMMAND) from None
