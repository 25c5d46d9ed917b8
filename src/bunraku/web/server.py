"""A server for an application: sockets, TLS, a clean stop."""

from __future__ import annotations

import asyncio
import logging
import resource
import signal
from asyncio.sslproto import SSLProtocol
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import uvicorn

from bunraku.base.records import replace
from bunraku.web.application import Application
from bunraku.web.listeners import Listener
from bunraku.web.protocol import connections
from bunraku.web.server_limits import ServerLimits

RESERVE = 2048
"""Descriptors for files, the database and the threads that answer requests."""
TLS_BUFFER = 32 * 1024
"""Bytes that asyncio reads at once from a connection with TLS; a record has 16 KiB at most.

asyncio keeps a buffer of 256 KiB for each connection, also for one that is idle: 10,000 of them had
3 GB. It has no other way to choose the size.
"""
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def do_nothing() -> None:
    """Do nothing."""


def serve(
    application: Application,
    listeners: Sequence[Listener],
    ready: Callable[[], None],
    limits: ServerLimits | None = None,
    reload: Callable[[], None] | None = None,
    stopping: Callable[[], None] = do_nothing,
    logs: Callable[[], None] | None = None,
) -> None:
    """Serve until SIGINT, SIGTERM or SIGHUP; ``ready`` is called when requests are accepted.

    Requests that have begun are completed; a second signal interrupts them. With ``reload``, SIGHUP
    calls this function in a thread instead, and SIGUSR1 calls ``logs``. ``stopping`` is called at the first
    signal to stop.
    """
    limits = limits or ServerLimits()
    asyncio.run(run(application, listeners, ready, limits, reload, stopping, logs))


async def run(
    application: Application,
    listeners: Sequence[Listener],
    ready: Callable[[], None],
    limits: ServerLimits,
    reload: Callable[[], None] | None = None,
    stopping: Callable[[], None] = do_nothing,
    logs: Callable[[], None] | None = None,
) -> None:
    """Serve until a signal comes."""
    SSLProtocol.max_size = TLS_BUFFER
    limits = replace(limits, connections=possible_connections(limits.connections))
    servers = [uvicorn_server(application, listener, limits) for listener in listeners]
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(partial(note, application))
    for number in STOP_SIGNALS:
        loop.add_signal_handler(number, partial(stop, application, servers, stopping))
    for number, function in ((signal.SIGHUP, reload), (signal.SIGUSR1, logs)):
        if function is not None:
            loop.add_signal_handler(number, partial(loop.run_in_executor, None, function))
    try:
        for server, listener in zip(servers, listeners, strict=True):
            await server.startup(sockets=[listener.socket])
        ready()
        await asyncio.gather(*[server.main_loop() for server in servers])
        for server, listener in zip(servers, listeners, strict=True):
            await server.shutdown(sockets=[listener.socket])
    finally:
        await asyncio.to_thread(application.close)


def possible_connections(wanted: int) -> int:
    """Return how many connections can be open, after raising the limit of open files for them.

    A part of the limit is kept for files: without a descriptor the server could not answer anyone.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + RESERVE
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return wanted
    soft = needed if hard == resource.RLIM_INFINITY else min(hard, needed)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return min(wanted, max(soft - RESERVE, soft // 2))


def note(
    application: Application, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]
) -> None:
    """Report what the event loop could not do, such as to accept a connection."""
    application.trouble(str(context.get("message")), context.get("exception"))


def stop(
    application: Application, servers: Sequence[uvicorn.Server], stopping: Callable[[], None]
) -> None:
    """Stop the servers; at the second call, interrupt their requests."""
    if all(server.should_exit for server in servers):
        application.interrupt()
    else:
        stopping()
    for server in servers:
        server.force_exit = server.should_exit
        server.should_exit = True


def uvicorn_server(
    application: Application, listener: Listener, limits: ServerLimits
) -> uvicorn.Server:
    """Return a server for a socket; it does not handle signals and writes no log."""
    context = listener.context
    config = uvicorn.Config(
        application,
        loop="asyncio",
        http=connections(limits),
        ws="none",
        lifespan="off",
        log_config=None,
        log_level=logging.CRITICAL + 1,
        access_log=False,
        interface="asgi3",
        proxy_headers=False,
        server_header=False,
        limit_concurrency=limits.connections,
        timeout_keep_alive=limits.idle_seconds,
        timeout_graceful_shutdown=limits.stop_seconds,
        h11_max_incomplete_event_size=limits.header_bytes,
        ssl_context_factory=None if context is None else lambda *_: context,
    )
    config.load()
    server = uvicorn.Server(config)
    server.lifespan = config.lifespan_class(config)
    return server
