"""Devices, sockets and named pipes where files are expected."""

from __future__ import annotations

from bunraku.base.file_reading import NotRegular
from bunraku.world.protocol import World


def is_special(path: str, world: World) -> bool:
    """Return whether a path leads to a device, a socket or a named pipe."""
    try:
        world.read(path)
    except NotRegular:
        return True
    except OSError:
        return False
    return not world.is_file(path)  # /dev/null


def is_present(path: str, world: World) -> bool:
    """Return whether something other than a directory has the name of a configuration file.

    Special files count, as with :func:`bunraku.base.file_reading.is_present`.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> world = DictionaryWorld({"/c/hiera.yaml": b"", "/c/data/a.yaml": b""})
    >>> [is_present(path, world) for path in ("/c/hiera.yaml", "/c/data", "/c/bunraku.toml")]
    [True, False, False]
    """
    return world.is_file(path) or is_special(path, world)
