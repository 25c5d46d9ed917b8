"""The version of this bunraku."""

from __future__ import annotations

from importlib import metadata


def version() -> str:
    """The version of the installed package, which is the git tag that it was built from."""
    try:
        return metadata.version("bunraku")
    except metadata.PackageNotFoundError:
        return "(not installed)"
