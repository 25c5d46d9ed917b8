"""An agent: runs under its lock, once or in intervals, with a certificate that it looks after."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bunraku.agent.http import Servers, servers_of
from bunraku.agent.life import Life
from bunraku.agent.locks import Disabling
from bunraku.agent.run.sequence import run_once
from bunraku.agent.run.state import Choices, RunState
from bunraku.agent.settings import AgentSettings
from bunraku.agent.splay import splay_seconds
from bunraku.apply.issues import RUN_IN_PROGRESS
from bunraku.apply.log import Destination, RunLog
from bunraku.apply.records import Records
from bunraku.base.errors import PuppetError
from bunraku.world.host import Host

NAME = "bunraku agent"
CLIENT = "Puppet configuration client"
"""What Puppet's messages call a run."""


class Agent:
    """The agent of a node. ``say`` prints a line for the person who waits for a certificate.

    ``version`` is the version of Puppet that the agent emulates.
    """

    def __init__(
        self,
        settings: AgentSettings,
        host: Host,
        version: str,
        destinations: Sequence[Destination],
        choices: Choices,
        say: Callable[[str], None],
    ) -> None:
        self.settings = settings
        self.host = host
        self.destinations = destinations
        self.choices = choices
        self.log = RunLog(choices.level, host.now, destinations)
        servers = servers_of(settings, host, version, self.log)
        self.life = Life(settings, host, servers, self.log, say)
        self.records = Records(host, settings.directories, reports=settings.flag("report"))
        self.disabling = Disabling(settings, self.records)

    def run(self, *, wait_for_certificate: float, once: bool, splay: bool) -> int | None:
        """Run once; return the code for ``--detailed-exitcodes``, None if no catalog was applied.

        Raise PuppetError if the certificate is not signed within ``wait_for_certificate`` seconds.
        """
        if self.is_disabled():
            return None
        if splay:
            self.splay()
            if self.is_disabled():
                return None
        try:
            servers = self.life.ensure(wait=wait_for_certificate, once=once)
            return self.locked_run(servers)
        finally:
            self.life.servers.client.close()

    def is_disabled(self) -> bool:
        """Return whether runs are disabled, after a message about it."""
        reason = self.disabling.reason()
        if reason is not None:
            self.log(
                "notice",
                f"Skipping run of {CLIENT}; administratively disabled (Reason: '{reason}');\n"
                f"Use '{NAME} --enable' to re-enable.",
            )
        return reason is not None

    def splay(self) -> None:
        """Sleep for a random time within the setting splaylimit."""
        seconds = splay_seconds(self.settings.number("splaylimit"))
        self.log("info", f"Sleeping for {seconds:.0f} seconds (splay is enabled)")
        self.host.sleep(seconds)

    def locked_run(self, servers: Servers) -> int | None:
        """Run under the lock of runs; wait for it as long as the settings allow."""
        pause = self.settings.number("waitforlock")
        deadline = self.host.monotonic() + self.settings.number("maxwaitforlock")
        while True:
            try:
                with self.records.locked():
                    if self.is_disabled():
                        return None
                    return self.one_run(servers)
            except PuppetError as error:
                if not error.is_a(RUN_IN_PROGRESS):
                    raise
                if pause < 1:
                    path = self.records.directories.lock
                    text = f"Run of {CLIENT} already in progress; skipping  ({path} exists)"
                    self.log("notice", text)
                    return None
            if self.host.monotonic() >= deadline:
                text = "Exiting now because the maxwaitforlock timeout has been exceeded."
                self.log("notice", text)
                return None
            text = "Another puppet instance is already running; --waitforlock flag used, waiting"
            self.log("info", f"{text} for running instance to finish.")
            self.log("info", f"Will try again in {pause:g} seconds.")
            self.host.sleep(pause)

    def one_run(self, servers: Servers) -> int | None:
        """Run, the lock being held."""
        state = RunState(self.settings, servers, self.records, self.destinations, self.choices)
        return run_once(state)
