"""What the types for the policy of SELinux have in common."""

from __future__ import annotations

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.provider import Provider


def run_quietly(provider: Provider, *words: str, prefix: str = "") -> None:
    """Run a program; raise ResourceFailure with the first line that it prints if it fails."""
    done = provider.attempt(words)
    if done.code == 0:
        return
    if not done.output.strip():
        raise ResourceFailure(f"{prefix}{words[0]} failed with exit code {done.code}")
    raise ResourceFailure(prefix + done.output.splitlines()[0])
