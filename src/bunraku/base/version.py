"""The version of the installed package, and the address of its documentation."""

from __future__ import annotations

DOCUMENTATION = "https://bunraku.readthedocs.io/en/latest/"
"""The site that ``make docs`` builds; ``Documentation`` in pyproject.toml is the same."""


def version() -> str:
    """Return the git tag that the installed package was built from, and the later commits.

    The build writes it into a module, for the package's metadata is slow to find and read.
    """
    try:
        from bunraku._version import VERSION
    except ModuleNotFoundError:  # running from the sources, nothing was built
        return "(not installed)"
    return VERSION
