"""Real Facter beside bunraku: the external and custom facts of directories, with their messages."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

DRIVER = os.path.join(os.path.dirname(__file__), "facter.rb")


class Facts(NamedTuple):
    """Facts by name, and the warnings and errors that were logged."""

    values: dict[str, Any]
    messages: list[str]
    defined: int = 0
    """The number of facts, with those that have no value."""


@cache
def has_facter() -> bool:
    """Return whether Ruby can load Facter 4 here."""
    return runs("require 'facter'; exit Facter::VERSION.start_with?('4.')")


def runs(code: str) -> bool:
    """Return whether Ruby is installed and runs code without an error."""
    ruby = shutil.which("ruby")
    if ruby is None:
        return False
    return subprocess.run([ruby, "-e", code], check=False, capture_output=True).returncode == 0


def external_facts(directories: Sequence[str]) -> list[Facts | None]:
    """Return the external facts that Facter finds in each directory; None where Facter fails."""
    return asked([{"external": [directory]} for directory in directories])


def custom_facts(modules: Sequence[str]) -> list[Facts | None]:
    """Return the facts that the files of each module define in Facter; None where Facter fails."""
    requests = [
        {
            "custom": [f"{module}/lib/facter"],
            "external": [f"{module}/facts.d"],
            "libraries": [f"{module}/lib"],
        }
        for module in modules
    ]
    return asked(requests)


def asked(requests: Sequence[dict[str, Any]]) -> list[Facts | None]:
    """Return the answers of one Ruby process, which forks for each request."""
    text = "".join(f"{json.dumps(request)}\n" for request in requests)
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        ["ruby", DRIVER], input=text, capture_output=True, text=True, check=True, env=environment
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return [None if one is None else Facts(**one) for one in answers]
