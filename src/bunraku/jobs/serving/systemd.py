"""The protocols of systemd: sockets that it has opened, messages about the state, its unit files."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from time import CLOCK_MONOTONIC, clock_gettime_ns

from bunraku.administration.units import quoted
from bunraku.base.usage import UsageError
from bunraku.jobs.serving.process import log_line

COMMAND = "server"
FIRST_DESCRIPTOR = 3
OF_SOCKETS = ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES")
VARIABLES = frozenset({*OF_SOCKETS, "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC"})
"""The variables of systemd for this process, which other programs do not get."""
MILLION = 1_000_000
SERVICE = """\
[Unit]
Description=bunraku server
After=network-online.target
Wants=network-online.target

[Service]
Type=notify
NotifyAccess=main
ExecStart={program} server --access-log /var/log/puppetlabs/puppetserver/access.log
ExecReload=/bin/sh -c 'kill -HUP $MAINPID'
LogsDirectory=puppetlabs/puppetserver
KillMode=mixed
TimeoutStartSec=180
TimeoutStopSec=60
WatchdogSec=60
Restart=on-failure
LimitNOFILE=65536

[Install]
WantedBy=multi-user.target
"""
SOCKET = """\
[Unit]
Description=bunraku server, its port

[Socket]
ListenStream=8140
Backlog=1024
NoDelay=true

[Install]
WantedBy=sockets.target
"""


# -- units -------------------------------------------------------------------------------------------


def service_unit() -> str:
    """Return the unit of the server, with the program that runs now."""
    return SERVICE.format(program=" ".join(map(quoted, program_words())))


def socket_unit() -> str:
    """Return the unit of the server's port."""
    return SOCKET


def program_words() -> list[str]:
    """Return the command that starts this program again, with absolute paths."""
    script = os.path.abspath(sys.argv[0])
    if os.path.basename(script) == "bunraku" and os.access(script, os.X_OK):
        return [script]
    return [sys.executable, "-m", "bunraku"]


# -- sockets -----------------------------------------------------------------------------------------


def inherited_socket() -> socket.socket | None:
    """Return the listening socket that systemd has opened; None without one.

    Its variables are removed from the environment, as programs of the site must not use them (see
    sd_listen_fds(3)). UsageError for several sockets, and for one that cannot be used.
    """
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return None
    count = os.environ.get("LISTEN_FDS", "")
    for name in OF_SOCKETS:
        os.environ.pop(name, None)
    if count != "1":
        raise UsageError(
            f"systemd has passed {count or 'no'} sockets; use one ListenStream", COMMAND
        )
    try:
        os.set_inheritable(FIRST_DESCRIPTOR, False)
        found = socket.socket(fileno=FIRST_DESCRIPTOR)
        listens = found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
    except OSError as error:
        raise UsageError(
            f"the socket of systemd cannot be used: {error.strerror}", COMMAND
        ) from None
    if found.family not in {socket.AF_INET, socket.AF_INET6} or not listens:
        raise UsageError("the socket of systemd is not one that listens for TCP", COMMAND)
    found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return found


# -- messages ----------------------------------------------------------------------------------------


def notify(*states: str) -> None:
    """Send a message about the state, if systemd wants one; see sd_notify(3)."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    if address.startswith("@"):
        address = f"\0{address[1:]}"
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
            channel.sendto("\n".join(states).encode(), address)
    except OSError as error:
        log_line(f"warning: cannot send {states[0]} to systemd: {error.strerror}")


def notify_reloading() -> None:
    """Report that the configuration is read again, with the time that ``Type=notify-reload`` needs."""
    notify("RELOADING=1", f"MONOTONIC_USEC={clock_gettime_ns(CLOCK_MONOTONIC) // 1000}")


def begin_watch() -> None:
    """Tell the watchdog from now on that the event loop of this thread is alive."""
    interval = watchdog_interval()
    if interval is not None:
        beat(asyncio.get_running_loop(), interval)


def beat(loop: asyncio.AbstractEventLoop, interval: float) -> None:
    """Send a sign of life, and the next one after the interval."""
    notify("WATCHDOG=1")
    loop.call_later(interval, beat, loop, interval)


def watchdog_interval() -> float | None:
    """Return the seconds between two signs of life; None without a watchdog.

    It is half of the time after which systemd ends the service, as sd_watchdog_enabled(3) advises.
    """
    if os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    text = os.environ.get("WATCHDOG_USEC", "")
    return int(text) / MILLION / 2 if text.isdecimal() and int(text) else None
