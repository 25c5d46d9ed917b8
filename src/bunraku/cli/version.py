"""The version of this bunraku."""

from __future__ import annotations


def version() -> str:
    """The version of the installed package, which is the git tag that it was built from."""
    from importlib import metadata  # slow to import, and seldom asked for

    try:
        return metadata.version("bunraku")
    except metadata.PackageNotFoundError:
        return "(not installed)"
