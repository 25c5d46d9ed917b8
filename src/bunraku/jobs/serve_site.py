"""Start the server of ``bunraku server`` and stop it cleanly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial

from bunraku.base.usage import UsageError
from bunraku.jobs.serve_fronts import serve_with_fronts
from bunraku.jobs.serving.configuration import access_of, log_message, settings_of
from bunraku.jobs.serving.deployments import deployments_of, deploys_of
from bunraku.jobs.serving.options import COMMAND, ServerOptions
from bunraku.jobs.serving.parts import (
    THREADS,
    authority_with_upkeep,
    background_of,
    check_plain_address,
    compilers_of,
    plain_listeners,
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
    pid_file,
    report,
    server_function,
    trouble,
)
from bunraku.jobs.serving.reloading import Current
from bunraku.jobs.serving.systemd import inherited_socket, notify
from bunraku.server.assembly import files_of
from bunraku.server.flushes import Flushes
from bunraku.server.service import Service
from bunraku.server.settings import Settings
from bunraku.web.application import Application, Limits
from bunraku.web.listeners import Listener


def serve_site(options: ServerOptions, ready: Callable[[str], None]) -> None:
    """Serve until a signal comes; raise UsageError for options that cannot be used.

    ``ready`` is called with a sentence about the addresses when the server answers.
    """
    if options.fronts < 1:
        raise UsageError("--fronts: the number must be at least 1", COMMAND)
    if options.fronts > 1:
        serve_with_fronts(options, ready)
    else:
        serve_alone(options, ready)


def serve_alone(options: ServerOptions, ready: Callable[[str], None]) -> None:
    """Serve with one process that accepts connections and keeps what requests share."""
    serve = server_function(COMMAND)
    settings = settings_of(options)
    access = access_of(options)
    check_plain_address(options)
    inherited = inherited_socket()
    flushes = Flushes()
    with ExitStack() as open_things:
        deployments = open_things.enter_context(deployments_of(options.deploy_config))
        behind = background_of(open_things, options, settings)
        compilers = compilers_of(open_things, options, settings)
        deploys = deploys_of(options.deploy_config, deployments)
        authority, upkeep = authority_with_upkeep(open_things, options, settings)
        context = tls_context(options, settings)
        listening = site_socket(options, settings, inherited)
        listener = open_things.enter_context(Listener(listening, context))
        plain = [open_things.enter_context(one) for one in plain_listeners(options)]
        storage = storage_of(open_things, options, settings)
        log = open_things.enter_context(access_log(COMMAND, options.access_log))
        open_things.enter_context(pid_file(COMMAND, options.pid_file))
        files = files_of(settings, log_message)
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
            background=running_background(open_things, behind, flushes),
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
            partial(report_ready, settings, [listener.url, *(one.url for one in plain)], ready),
            server_limits(options),
            current.reload,
            partial(notify, "STOPPING=1"),
        )


def report_ready(
    settings: Settings, addresses: Sequence[str], ready: Callable[[str], None]
) -> None:
    """Say where the server answers."""
    urls, sentence = sentence_of(settings, addresses)
    ready(sentence)
    report_state(urls)
