"""Programs with errors: the question about one, for bunraku and for a real Puppet."""

from __future__ import annotations

from typing import Any

SETTINGS = {"strict": "error", "strict_variables": True}
NODE = "testnode.example.com"


def request(code: str) -> dict[str, Any]:
    """Return the question about a program; ``catalog`` of bunraku has the texts of Puppet."""
    return {
        "id": code,
        "do": "catalog",
        "code": code,
        "as_file": True,
        "settings": SETTINGS,
        "facts": {"os": {"family": "Debian"}},
    }
