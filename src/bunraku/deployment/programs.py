"""Programs that the settings of a deployment name: filters, lists of environments, hooks, ``svn``."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from subprocess import CompletedProcess

from bunraku.world import processes


def run_program(
    command: Sequence[str],
    variables: Mapping[str, str] | None = None,
    content: bytes | None = None,
    seconds: float = 0,
) -> CompletedProcess[bytes]:
    """Run a program with more environment variables.

    Raise OSError if it cannot be started, and ``subprocess.TimeoutExpired`` if it takes longer than
    ``seconds``; 0 means no limit.
    """
    environment = {**os.environ, **variables} if variables else None
    return processes.run(list(command), environment=environment, content=content, seconds=seconds)
