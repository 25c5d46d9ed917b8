"""The version of this bunraku."""

from __future__ import annotations

from importlib import import_module


def version() -> str:
    """The git tag that the installed package was built from, and what was added since.

    The build writes it into a module, for the package's metadata is slow to find and read.
    """
    try:
        found: str = import_module("bunraku._version").VERSION
    except ModuleNotFoundError:  # the sources run where they are, nothing was built
        return "(not installed)"
    return found
