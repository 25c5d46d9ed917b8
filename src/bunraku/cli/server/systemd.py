"""The protocols of systemd: sockets that it has opened, and messages about the state."""

from __future__ import annotations

import os
import socket

FIRST_DESCRIPTOR = 3


def inherited_socket() -> socket.socket | None:
    """Return the listening socket that systemd has opened; None without one."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return None
    if os.environ.get("LISTEN_FDS") != "1":
        return None
    found = socket.socket(fileno=FIRST_DESCRIPTOR)
    found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return found


def notify(state: str) -> None:
    """Send a message about the state, if systemd wants one."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    if address.startswith("@"):
        address = f"\0{address[1:]}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
        channel.sendto(state.encode(), address)
