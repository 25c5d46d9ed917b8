"""Sockets of servers."""

from __future__ import annotations

import socket

from bunraku.web.listeners import open_socket


def test_connections_send_at_once() -> None:
    """Without this, each response takes 40 ms longer."""
    with (
        open_socket("127.0.0.1", 0) as listening,
        socket.create_connection(listening.getsockname()),
    ):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
