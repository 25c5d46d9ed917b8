"""Start the server of ``bunraku puppetdb`` and stop it cleanly."""

from __future__ import annotations

import argparse
import os
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib import import_module
from socket import gaierror, socket
from time import strftime
from typing import TextIO

from bunraku.base.errors import PuppetError
from bunraku.base.records import replace
from bunraku.cli import exits
from bunraku.cli.exits import UsageError
from bunraku.cli.options.shared import read_text
from bunraku.cli.output.output import write, write_error
from bunraku.cli.puppetdb.access_log import AccessLog
from bunraku.cli.report.excerpt import visible
from bunraku.puppetdb.blocklist import Blocklist
from bunraku.puppetdb.blocklist import names_in as names_of_facts
from bunraku.puppetdb.commands.process import Options
from bunraku.puppetdb.commands.queue import Queue
from bunraku.puppetdb.commands.worker import Worker
from bunraku.puppetdb.databases.database import Database
from bunraku.puppetdb.databases.opening import open_database
from bunraku.puppetdb.server.commands import Intake
from bunraku.puppetdb.server.interface import answer
from bunraku.puppetdb.server.service import Service
from bunraku.puppetdb.settings import Settings
from bunraku.puppetdb.storage.cleaner import Cleaner
from bunraku.web.application import Application
from bunraku.web.http import Request
from bunraku.web.listeners import Listener, is_loopback, open_socket
from bunraku.web.tls import Tls, TlsError
from bunraku.world.whole_files import write_whole

COMMAND = "puppetdb"
Serve = Callable[[Application, Sequence[Listener], Callable[[], None]], None]


def say_nothing(listeners: Sequence[Listener]) -> None:
    """Print nothing before the server is ready."""


def serve_database(
    options: argparse.Namespace, introduce: Callable[[Sequence[Listener]], None] = say_nothing
) -> int:
    """Serve a database until a signal comes; raise UsageError for options that cannot be used.

    ``introduce`` is called with the open sockets before the line that says that the server answers.
    """
    serve = server_function()
    settings = settings_of(options)
    allowed = names_in(options.certificate_allowlist)
    with ExitStack() as open_things:
        listeners = [open_things.enter_context(one) for one in listeners_of(options)]
        log = open_things.enter_context(access_log(options.access_log))
        database = open_database(options.database)
        open_things.callback(database.close)
        service = started(open_things, database, settings, folders_of(options))
        open_things.enter_context(pid_file(options.pid_file))
        application = Application(
            partial(answer, replace(service, allowed=allowed)),
            report=partial(report, options.debug),
            visited=None if log is None else log.write,
        )
        introduce(listeners)
        serve(application, listeners, partial(report_ready, database.name, listeners))
    return exits.OK


def started(
    open_things: ExitStack, database: Database, settings: Settings, folders: tuple[str, str]
) -> Service:
    """Return a service whose threads run until the stack is closed."""
    queue = Queue(*folders)
    open_things.callback(queue.close)
    limits = Options(
        settings.max_command_size, settings.resource_events_ttl, settings.facts_blocklist
    )
    worker = Worker(database, queue, log_line, limits)
    worker.start()
    open_things.callback(worker.stop)
    cleaner = Cleaner(database, settings, log_line)
    cleaner.start()
    open_things.callback(cleaner.stop)
    intake = Intake(queue, worker, settings.max_command_size)
    return Service(database, settings, intake=intake, cleaner=cleaner)


def folders_of(options: argparse.Namespace) -> tuple[str, str]:
    """Return the folders of queued and of discarded commands."""
    if options.queue is not None:
        return options.queue, f"{options.queue}.discarded"
    if "://" in options.database:
        raise UsageError("--queue DIR is required with a database that is not a file", COMMAND)
    return f"{options.database}.queue", f"{options.database}.discarded"


def log_line(text: str) -> None:
    """Print a sentence of a thread."""
    write_error(f"{strftime('%Y-%m-%d %H:%M:%S')} {visible(text)}\n")


def server_function() -> Serve:
    """Return the function that serves; UsageError without the packages that it needs."""
    try:
        found: Serve = import_module("bunraku.web.server").serve
    except ModuleNotFoundError as error:
        raise UsageError(
            f"the Python package '{error.name}' is missing; install it with"
            " \"pip install 'bunraku[server]'\"",
            COMMAND,
        ) from None
    return found


def settings_of(options: argparse.Namespace) -> Settings:
    """Return the settings that the options give."""
    events = options.resource_events_ttl
    if events is not None and options.report_ttl and events > options.report_ttl:
        raise UsageError("--resource-events-ttl must not be longer than --report-ttl", COMMAND)
    return Settings(
        node_ttl=options.node_ttl,
        node_purge_ttl=options.node_purge_ttl,
        report_ttl=options.report_ttl,
        resource_events_ttl=events,
        gc_interval=options.gc_interval,
        max_command_size=options.max_command_size,
        query_timeout_default=options.query_timeout_default,
        query_timeout_max=options.query_timeout_max,
        facts_blocklist=blocklist_of(options),
    )


def blocklist_of(options: argparse.Namespace) -> Blocklist | None:
    """Return the facts that are not stored; UsageError for an invalid regular expression."""
    names = names_of_facts(options.facts_blocklist)
    try:
        return (
            Blocklist(names, options.facts_blocklist_type == "regex").compile() if names else None
        )
    except PuppetError as error:
        raise UsageError(f"--facts-blocklist: {error}", COMMAND) from None


# -- addresses ---------------------------------------------------------------------------------------


def listeners_of(options: argparse.Namespace) -> Iterator[Listener]:
    """Yield the open sockets."""
    if options.listen is None and options.ssl_listen is None:
        raise UsageError("--listen none requires --ssl-listen", COMMAND)
    if options.listen is not None:
        host, port = options.listen
        if not options.allow_remote_http and not is_loopback(host):
            raise UsageError(
                f"--listen: other machines can reach {host or 'all addresses'}, and HTTP has neither"
                " encryption nor certificates; use --ssl-listen, or --allow-remote-http behind a"
                " firewall",
                COMMAND,
            )
        yield Listener(opened("--listen", host, port))
    if options.ssl_listen is not None:
        try:
            context = tls_of(options).context()
        except TlsError as error:
            raise UsageError(f"--ssl-listen: {error}", COMMAND) from None
        yield Listener(opened("--ssl-listen", *options.ssl_listen), context)


def opened(option: str, host: str, port: int) -> socket:
    """Return a socket that listens; UsageError if the address cannot be used."""
    try:
        return open_socket(host, port)
    except gaierror as error:
        raise UsageError(f"{option}: unknown host {host!r}: {error.strerror}", COMMAND) from None
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise UsageError(f"{option}: cannot listen on {host}:{port}: {reason}", COMMAND) from None


def tls_of(options: argparse.Namespace) -> Tls:
    """Return the files of TLS."""
    given = {
        "--ssl-cert": options.ssl_cert,
        "--ssl-key": options.ssl_key,
        "--ssl-ca-cert": options.ssl_ca_cert or options.client_auth == "none",
    }
    missing = [name for name, value in given.items() if not value]
    if missing:
        raise UsageError(f"--ssl-listen requires {' and '.join(missing)}", COMMAND)
    return Tls(
        options.ssl_cert,
        options.ssl_key,
        options.ssl_ca_cert,
        options.ssl_crl_path,
        options.client_auth,
    )


# -- files and messages ------------------------------------------------------------------------------


def names_in(path: str | None) -> frozenset[str] | None:
    """Return the lines of an allow list; None without one."""
    if path is None:
        return None
    return frozenset(line.strip() for line in read_text(path).splitlines() if line.strip())


@contextmanager
def access_log(path: str | None) -> Iterator[AccessLog | None]:
    """Open the access log; yield None without one."""
    if path is None or path == "-":
        yield None if path is None else AccessLog(write_error)
        return
    with open_log(path) as stream:
        yield AccessLog(stream.write)


def open_log(path: str) -> TextIO:
    """Return a file to whose end lines are written at once."""
    try:
        return open(path, "a", encoding="utf-8", buffering=1)
    except OSError as error:
        raise UsageError(f"--access-log: cannot write {path}: {error.strerror}", COMMAND) from None


@contextmanager
def pid_file(path: str | None) -> Iterator[None]:
    """Write the process id to a file; remove the file at the end."""
    if path is None:
        yield
        return
    try:
        write_whole(path, f"{os.getpid()}\n".encode())
    except OSError as error:
        raise UsageError(f"--pid-file: cannot write {path}: {error.strerror}", COMMAND) from None
    try:
        yield
    finally:
        os.unlink(path)


def report_ready(database: str, listeners: Sequence[Listener]) -> None:
    """Print the line that says where the server answers."""
    write(f"PuppetDB on {' and '.join(one.url for one in listeners)}, database {database}\n")
    write("")


def report(debug: bool, request: Request, error: Exception) -> None:
    """Print an unexpected exception; the client gets status 500 without details."""
    if debug:
        write_error("".join(traceback.format_exception(error)))
    text = " ".join(str(error).split())[:500]
    write_error(
        f"bunraku puppetdb: internal error in {request.method} {request.path}:"
        f" {type(error).__name__}: {text}\n"
    )
