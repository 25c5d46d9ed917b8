"""Start the server of ``bunraku puppetdb`` and stop it cleanly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial

from bunraku.base.errors import PuppetError
from bunraku.base.records import replace
from bunraku.base.usage import UsageError
from bunraku.jobs.checked_files import text_of
from bunraku.jobs.serving.access_log import AccessLog
from bunraku.jobs.serving.options import DatabaseOptions
from bunraku.jobs.serving.process import (
    access_log,
    listening_socket,
    log_line,
    pid_file,
    report,
    server_function,
)
from bunraku.jobs.serving.systemd import begin_watch, notify, notify_reloading
from bunraku.puppetdb.blocklist import Blocklist
from bunraku.puppetdb.blocklist import names_in as names_of_facts
from bunraku.puppetdb.databases.opening import open_database
from bunraku.puppetdb.server.interface import answer
from bunraku.puppetdb.server.starting import start
from bunraku.puppetdb.settings import PuppetDBSettings
from bunraku.web.application import Application
from bunraku.web.listeners import Listener, is_loopback
from bunraku.web.tls import Tls, TlsError

COMMAND = "puppetdb"


def serve_database(
    options: DatabaseOptions,
    ready: Callable[[str], None],
    introduce: Callable[[Sequence[Listener]], None] = lambda _listeners: None,
) -> None:
    """Serve a database until a signal comes; raise UsageError for options that cannot be used.

    ``introduce`` is called with the open sockets, then ``ready`` with a sentence about the addresses.
    """
    serve = server_function(COMMAND)
    settings = database_settings(options)
    allowed = names_in(options.certificate_allowlist)
    with ExitStack() as open_things:
        listeners = [open_things.enter_context(one) for one in listeners_of(options)]
        log = open_things.enter_context(access_log(COMMAND, options.access_log))
        database = open_database(options.database)
        open_things.callback(database.close)
        service = start(open_things, database, settings, folders_of(options), log_line)
        open_things.enter_context(pid_file(COMMAND, options.pid_file))
        application = Application(
            partial(answer, replace(service, allowed=allowed)),
            report=partial(report, COMMAND, options.debug),
            visited=None if log is None else log.write,
        )
        introduce(listeners)
        serve(
            application,
            listeners,
            partial(report_ready, database.name, listeners, ready),
            reload=partial(reload, log),
            stopping=partial(notify, "STOPPING=1"),
        )


def reload(log: AccessLog | None) -> None:
    """Open the access log again; everything else needs a restart."""
    notify_reloading()
    if log is not None:
        try:
            log.reopen()
        except OSError as error:
            log_line(f"err: the access log is not opened again: {error}")
    notify("READY=1")


def folders_of(options: DatabaseOptions) -> tuple[str, str]:
    """Return the folders of queued and of discarded commands."""
    if options.queue is not None:
        return options.queue, f"{options.queue}.discarded"
    if "://" in options.database:
        raise UsageError("--queue DIR is required with a database that is not a file", COMMAND)
    return f"{options.database}.queue", f"{options.database}.discarded"


def database_settings(options: DatabaseOptions) -> PuppetDBSettings:
    """Return the settings that the options give."""
    events = options.resource_events_ttl
    if events is not None and options.report_ttl and events > options.report_ttl:
        raise UsageError("--resource-events-ttl must not be longer than --report-ttl", COMMAND)
    return PuppetDBSettings(
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


def blocklist_of(options: DatabaseOptions) -> Blocklist | None:
    """Return the facts that are not stored; UsageError for an invalid regular expression."""
    names = names_of_facts(options.facts_blocklist)
    try:
        return (
            Blocklist(names, options.facts_blocklist_type == "regex").compile() if names else None
        )
    except PuppetError as error:
        raise UsageError(f"--facts-blocklist: {error}", COMMAND) from None


# -- addresses ---------------------------------------------------------------------------------------


def listeners_of(options: DatabaseOptions) -> Iterator[Listener]:
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
        yield Listener(listening_socket(COMMAND, "--listen", host, port))
    if options.ssl_listen is not None:
        try:
            context = tls_of(options).context()
        except TlsError as error:
            raise UsageError(f"--ssl-listen: {error}", COMMAND) from None
        yield Listener(listening_socket(COMMAND, "--ssl-listen", *options.ssl_listen), context)


def tls_of(options: DatabaseOptions) -> Tls:
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
    return frozenset(line.strip() for line in text_of(path).splitlines() if line.strip())


def report_ready(
    database: str, listeners: Sequence[Listener], ready: Callable[[str], None]
) -> None:
    """Say where the server answers."""
    urls = " and ".join(one.url for one in listeners)
    ready(f"PuppetDB on {urls}, database {database}")
    notify("READY=1", f"STATUS=serves on {urls}")
    begin_watch()
