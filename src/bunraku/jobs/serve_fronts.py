"""Serve a site with several front processes, and one process, the home, that keeps what they share.

The home is the process that was started. It has no connections of agents: they are accepted by the fronts,
which share the listening sockets. So a front that ends takes no waiting connection with it.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from socket import socket
from threading import Thread
from time import monotonic

from bunraku.base.errors import PuppetError
from bunraku.base.records import record, replace
from bunraku.base.usage import UsageError
from bunraku.jobs.serving.configuration import access_of, log_message, settings_of
from bunraku.jobs.serving.deployments import deployments_of, deploys_of
from bunraku.jobs.serving.options import COMMAND, ServerOptions
from bunraku.jobs.serving.parts import (
    THREADS,
    authority_with_upkeep,
    background_of,
    check_plain_address,
    compilers_of,
    database_of,
    has_background,
    is_remote,
    plain_listeners,
    remote_storage,
    report_state,
    running_background,
    sentence_of,
    server_limits,
    site_socket,
    storage_of,
    tls_context,
)
from bunraku.jobs.serving.process import (
    access_log,
    log_line,
    pid_file,
    report,
    server_function,
    trouble,
)
from bunraku.jobs.serving.reloading import Current
from bunraku.jobs.serving.systemd import inherited_socket, notify
from bunraku.server.assembly import files_of
from bunraku.server.compiling.compilers import Compilers
from bunraku.server.compiling.keeper import be_quiet, listening_socket
from bunraku.server.compiling.starting import short_name
from bunraku.server.flushes import FollowedFlushes, WrittenFlushes
from bunraku.server.fronts.client import Forwarding, HomeClient, HomeStorage
from bunraku.server.fronts.home import Home
from bunraku.server.fronts.keeper import FrontKeeper
from bunraku.server.fronts.notes import Notes
from bunraku.server.issues import FRONTS_LOST
from bunraku.server.service import Service
from bunraku.server.settings import Settings
from bunraku.server.storage import Storage
from bunraku.web.application import Application, Limits
from bunraku.web.listeners import Listener
from bunraku.world import processes
from bunraku.world.scratch import scratch_directory


@record(frozen=True)
class Places:
    """The Unix sockets of the compile processes and of the home, and the file of flushes."""

    compilers: str
    home: str
    flushes: str

    @staticmethod
    def below(folder: str) -> Places:
        """Return the places in a private folder."""
        return Places(*(os.path.join(folder, name) for name in ("compile", "home", "flushes")))


def serve_with_fronts(options: ServerOptions, ready: Callable[[str], None]) -> None:
    """Serve until a signal comes; see :func:`bunraku.jobs.serve_site.serve_site`."""
    server_function(COMMAND)
    settings = settings_of(options)
    access = access_of(options)
    check_plain_address(options)
    with access_log(COMMAND, options.access_log):
        inherited = inherited_socket()
    with ExitStack() as open_things:
        deployments = open_things.enter_context(deployments_of(options.deploy_config))
        behind = background_of(open_things, options, settings)
        places = open_things.enter_context(private_places())
        fronts = open_things.enter_context(front_processes(options, settings, inherited, places))
        compilers = compilers_of(open_things, options, settings, places.compilers)
        flushes = WrittenFlushes(places.flushes)
        authority, upkeep = authority_with_upkeep(open_things, options, settings)
        open_things.enter_context(pid_file(COMMAND, options.pid_file))
        service = Service(
            settings,
            access.rules,
            compilers,
            flushes,
            files_of(settings, log_message),
            authority,
            storage_of(open_things, options, settings),
            log_message,
            header_cert_info=access.header_cert_info,
            deploys=deploys_of(options.deploy_config, deployments),
            background=running_background(open_things, behind, flushes),
        )
        context = tls_context(options, settings)
        listener = open_things.enter_context(listening_socket(places.home))
        home = Home(listener)
        spread = partial(fronts.reload, home)
        current = Current(options, service, context, upkeep, spread=spread)
        open_things.enter_context(home.running(lambda: current.service, current.answer))
        asyncio.run(stand_by(fronts, home, current.reload, partial(ready, fronts.sentence)))


# -- the home ----------------------------------------------------------------------------------------


@contextmanager
def private_places() -> Iterator[Places]:
    """Make the folder of the sockets."""
    with scratch_directory() as folder, short_name(folder) as short:
        yield Places.below(short)


class Fronts:
    """The process that keeps the front processes, and what they serve."""

    def __init__(self, keeper: int, size: int, urls: str, sentence: str) -> None:
        self.keeper = keeper
        self.size = size
        self.urls = urls
        self.sentence = sentence
        self.is_stopping = False

    def has_ended(self) -> bool:
        """Return whether the process has ended."""
        return processes.has_ended(self.keeper)

    def stop(self) -> None:
        """Let the front processes complete their requests and end; the second time, interrupt them."""
        if not self.is_stopping:
            notify("STOPPING=1")
        self.is_stopping = True
        os.kill(self.keeper, signal.SIGTERM)

    def reload(self, home: Home, *, renewed: bool) -> None:
        """Let the front processes open their logs again or, if ``renewed``, read all again; wait for that."""
        begun = monotonic()
        os.kill(self.keeper, signal.SIGHUP if renewed else signal.SIGUSR1)
        home.await_configuration(begun)


@contextmanager
def front_processes(
    options: ServerOptions, settings: Settings, inherited: socket | None, places: Places
) -> Iterator[Fronts]:
    """Open the addresses and start the front processes; kill those that are left after the block.

    They wait until the socket of the home exists, and read keys after that.
    """
    with ExitStack() as sockets:
        tls = sockets.enter_context(Listener(site_socket(options, settings, inherited)))
        plain = [sockets.enter_context(one) for one in plain_listeners(options)]
        work = partial(serve_front, options, tls.socket, plain, places)
        keeper = processes.fork(
            lambda: FrontKeeper(options.fronts, work, log_line, sockets.close).keep()
        )
        urls, sentence = sentence_of(
            settings, [tls.url.replace("http:", "https:", 1), *(one.url for one in plain)]
        )
    try:
        yield Fronts(keeper, options.fronts, urls, sentence)
    finally:
        processes.end_group(keeper)


async def stand_by(
    fronts: Fronts, home: Home, reload: Callable[[], None], ready: Callable[[], None]
) -> None:
    """Wait until the front processes have ended after a signal to stop; FRONTS_LOST if they end before."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, fronts.stop)
    loop.add_signal_handler(signal.SIGHUP, partial(loop.run_in_executor, None, reload))

    def wait() -> None:
        os.waitid(os.P_PID, fronts.keeper, os.WEXITED | os.WNOWAIT)
        loop.call_soon_threadsafe(ended.set)

    Thread(target=wait, name="keeper of fronts", daemon=True).start()
    if await asyncio.to_thread(home.wait, fronts.size, fronts.has_ended):
        ready()
        report_state(fronts.urls)
    await ended.wait()
    if not fronts.is_stopping:
        raise FRONTS_LOST()


# -- a front process ---------------------------------------------------------------------------------


def serve_front(
    options: ServerOptions, listening: socket, plain: list[Listener], places: Places
) -> None:
    """Accept connections until SIGTERM; SIGHUP reads the configuration again."""
    be_quiet()
    os.environ.pop("NOTIFY_SOCKET", None)  # the home reports to systemd
    home = HomeClient(places.home)
    home.await_start()
    try:
        serve_from(options, listening, plain, places, home)
    except (UsageError, PuppetError, OSError) as error:
        log_line(f"err: a front process cannot serve: {error}")
        raise


def serve_from(
    options: ServerOptions,
    listening: socket,
    plain: list[Listener],
    places: Places,
    home: HomeClient,
) -> None:
    """Serve until a signal to stop comes."""
    serve = server_function(COMMAND)
    settings, access = settings_of(options), access_of(options)
    context = tls_context(options, settings)
    notes = Notes(home.line("notes"))
    with ExitStack() as open_things:
        log = open_things.enter_context(access_log(COMMAND, options.access_log))
        service = Service(
            settings,
            access.rules,
            Compilers(places.compilers, settings.seconds, settings.wait),
            FollowedFlushes(places.flushes),
            files_of(settings, log_message),
            None,
            front_storage(options, settings, home),
            log_message,
            counts=notes,
            header_cert_info=access.header_cert_info,
            background=notes if has_background(options) else None,
        )
        current = Current(options, service, context, None, log, say=lambda _text: None)
        application = Application(
            Forwarding(home, current.answer, notes.flush),
            Limits(threads=THREADS),
            report=partial(report, COMMAND, options.debug),
            visited=None if log is None else log.write,
            trouble=trouble,
        )
        limits = server_limits(options)
        share = -(-limits.connections // options.fronts)
        listeners = [Listener(listening, context), *plain]
        serve(
            application,
            listeners,
            notes.begin_sending,
            replace(limits, connections=share),
            partial(notes.follow, current.reload),
            logs=partial(notes.follow, current.reopen_log),
        )
        notes.close()


def front_storage(options: ServerOptions, settings: Settings, home: HomeClient) -> Storage | None:
    """Return where a front process stores facts, catalogs and reports."""
    if options.puppetdb == "none":
        return None
    if is_remote(options):
        return remote_storage(options, settings)
    return HomeStorage(database_of(options, settings), home)
