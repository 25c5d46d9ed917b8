"""The IPv4 addresses of this machine's network interfaces, from the C library (``getifaddrs``)."""

from __future__ import annotations

import os
import sys

from bunraku.base.lazy_typing import Any

AF_INET = 2  # as on every Linux; the socket module is slow to import


def ipv4_addresses() -> list[tuple[str, str, str]]:
    """Return the interface, address and netmask of each IPv4 address, in system order."""
    import ctypes  # slow to import, and rarely needed

    if not sys.platform.startswith("linux"):
        raise OSError("the addresses of interfaces can be read on Linux only")

    class SocketAddress(ctypes.Structure):
        """A ``sockaddr_in`` in the layout of Linux."""

        _fields_ = (
            ("family", ctypes.c_ushort),
            ("port", ctypes.c_ushort),
            ("address", ctypes.c_ubyte * 4),
        )

    class InterfaceAddress(ctypes.Structure):
        """An element of the list that ``getifaddrs`` returns."""

    InterfaceAddress._fields_ = (
        ("next", ctypes.POINTER(InterfaceAddress)),
        ("name", ctypes.c_char_p),
        ("flags", ctypes.c_uint),
        ("address", ctypes.POINTER(SocketAddress)),
        ("netmask", ctypes.POINTER(SocketAddress)),
    )
    library = ctypes.CDLL(None, use_errno=True)
    first = ctypes.POINTER(InterfaceAddress)()
    if library.getifaddrs(ctypes.byref(first)) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    found = []
    try:
        entry = first
        while bool(entry):  # a null pointer is false
            one = entry.contents
            if one.address and one.address.contents.family == AF_INET and one.netmask:
                name = one.name.decode("utf-8", "surrogateescape")
                found.append((name, dotted(one.address), dotted(one.netmask)))
            entry = one.next
    finally:
        library.freeifaddrs(first)
    return found


def dotted(address: Any) -> str:
    """Format the address behind a pointer."""
    return ".".join(map(str, bytes(address.contents.address)))
