"""Reboots by the program ``shutdown``."""

from __future__ import annotations

from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.types.ruby_semantics.values import to_s
from bunraku.values.ruby_semantics.numbers import to_i
from bunraku.world.host import Command

MINUTE = 60


class Posix(Provider):
    """Runs ``shutdown`` when everything else of the run is done."""

    name = "posix"
    programs = ("shutdown",)

    def reboot(self, resource: ManagedResource) -> None:
        """Let the machine reboot after the run, which ends now unless it is to be finished."""
        if resource["apply"] != "finished":
            self.run.is_stopping = True
        seconds = to_i(resource["timeout"])
        minutes = -(-seconds // MINUTE)
        if seconds % MINUTE:
            self.run.log(
                "warning",
                "Shutdown command on this system specifies time in minutes, "
                f"rounding {seconds} seconds up to {minutes} minutes.",
            )
        program = self.host.find_program("shutdown")
        line = f'{program} -r +{minutes} "{to_s(resource["message"])}" </dev/null >/dev/null 2>&1 &'
        self.run.log("debug", f"{line} is started at the end of the run")
        self.run.afterwards.append(Command(line))


provider = Posix
