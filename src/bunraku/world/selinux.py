"""The labels that the policy of SELinux has for paths, through the C library libselinux."""

from __future__ import annotations

import os

NAME = "libselinux.so.1"


def default_context(path: str, mode: int) -> str | None:
    """Return the context of the policy for a path and its mode, with the bits of the kind of file.

    None if the library is not installed or the policy does not mention the path.
    """
    from ctypes import CDLL, POINTER, byref, c_char_p, c_int, c_uint, c_void_p, string_at

    try:
        library = CDLL(NAME)
    except OSError:
        return None
    find, free = library.matchpathcon, library.freecon
    find.argtypes, find.restype = (c_char_p, c_uint, POINTER(c_void_p)), c_int
    free.argtypes, free.restype = (c_void_p,), None
    found = c_void_p()
    if find(os.fsencode(path), mode, byref(found)) != 0 or found.value is None:
        return None
    try:
        return string_at(found.value).decode("utf-8", "surrogateescape")
    finally:
        free(found)
