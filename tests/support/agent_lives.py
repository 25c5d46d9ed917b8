"""The life of a node with the real agent and with ours, step by step, to compare what they print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from bunraku.base.records import field, record
from support.real_agent import Run, Site

PUPPET = ("puppet",)
BUNRAKU = (sys.executable, "-m", "bunraku")
DIRECTORIES = ("conf", "code", "var", "ssl", "public", "run", "log")
OPTIONS_OF_BUNRAKU = frozenset({"confdir", "vardir", "ssldir", "server", "serverport", "certname"})


@record(frozen=True)
class Step:
    """A call: the command with its own words, and settings.

    ``before`` changes something, with the site and the node's name, before the call.
    """

    name: str
    words: str
    settings: Mapping[str, object] = field(default_factory=dict)
    node: str = "plain"
    before: Callable[[Site, str], object] | None = None


class Life:
    """A node of an agent; its names end in ``letter``."""

    def __init__(self, command: Sequence[str], letter: str, site: Site, home: Path) -> None:
        self.command = command
        self.letter = letter
        self.site = site
        self.home = home

    def node(self, step: Step) -> str:
        """Return the name of the node in a step."""
        domain = "example.test" if step.node == "waiting" else "auto.example.test"
        return f"{step.node}{self.letter}.{domain}"

    def words(self, step: Step) -> list[str]:
        """Return the words of a step's call."""
        home = self.home / step.node
        settings: dict[str, object] = {
            **{f"{name}dir": home / name for name in DIRECTORIES},
            "server": "localhost",
            "serverport": self.site.port,
            "certname": self.node(step),
            "keylength": 2048,
            **step.settings,
        }
        found = step.words.split()
        settings = {
            name: str(one).replace("SERVER", f"localhost:{self.site.port}")
            for name, one in settings.items()
        }
        if self.command == PUPPET:
            own = (
                f"--{name}" if one == "true" else f"--{name}={one}"
                for name, one in settings.items()
            )
            return [*found, "--color=false", *own]
        found.append("--no-project")
        for name, one in settings.items():
            own = name in OPTIONS_OF_BUNRAKU
            found += [f"--{name}={one}"] if own else ["--set", f"{name}={one}"]
        return found

    def take(self, step: Step) -> Run:
        """Make the call of a step; return its exit code and its output."""
        if step.before is not None:
            step.before(self.site, self.node(step))
        done = subprocess.run(
            [*self.command, *self.words(step)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            check=False,
            env={**os.environ, "FACTER_demo_target": str(self.home), "LC_ALL": "C.UTF-8"},
        )
        return Run(done.returncode, self.normal(step, done.stdout))

    def normal(self, step: Step, text: str) -> str:
        """Return an output without names, places, times, digests and numbers of versions."""
        replacements = {
            re.escape(str(self.home / step.node)): "HOME",
            re.escape(str(self.site.root)): "SITE",
            re.escape(self.node(step)): "NODE",
            rf"localhost:{self.site.port}": "SERVER",
            r"\b[0-9A-F]{2}(:[0-9A-F]{2}){15,}": "DIGEST",
            r"[0-9.]+ seconds": "N seconds",
            r"configuration version '[^']*'": "configuration version 'N'",
            r"Wrapped exception:\n.*\n": "",
            r" \(Connection refused.*": " (Connection refused)",
            "puppet agent --enable": "bunraku agent --enable",
            r"(?m)^Error: Could not (run|prepare for execution|parse application options): ": "Error: ",
            # Ours shows the code of an error and a hint.
            r"(?m)^error: (.*?)( \[[A-Z_]+\])?$": r"Error: \1",
            r"(?m)^  hint: .*\n": "",
            # Facter's, without the right to read the environment of process 1.
            r"(?m)^Error: Facter: .*\n": "",
            # Puppet 8 and ours say it, Puppet 7 does not.
            r"(?m)^Notice: Requesting catalog from .*\n": "",
            # Ours writes the public key, too.
            r"(?m)^Notice: Removed public key .*\n": "",
            # Puppet ignores that a server refuses a report with 404.
            r"(?m)^Error: Could not send report: Error 404 .*\n": "",
            # Puppet ends without an error of its own.
            r"(?m)^Error: The certificate for 'NODE' has not yet been signed\n": "",
            # Puppet logs the errors of a certificate twice.
            r"(?m)^(Error: .*\n)\1": r"\1",
        }
        for pattern, new in replacements.items():
            text = re.sub(pattern, new, text)
        return text
