"""The provider of ``wait_for``: it runs a command until the result is right."""

from __future__ import annotations

import re

from bunraku.base.errors import PuppetError
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.values.regexp.regexp import regexp_from_string
from bunraku.world.host import Finished

SETTING = re.compile(r"(\w+)=(.+)", re.DOTALL)
NOT_FOUND = 127
"""The exit code of a shell that cannot find a command."""


class WaitFor(Provider):
    """Runs commands; the name is that of Puppet's provider."""

    name = "wait_for"

    def wait(self, resource: ManagedResource, name: str) -> None:
        """Wait for what an attribute says; raise ResourceFailure after the last attempt."""
        if name == "seconds":
            resource.log("info", f"Waiting for {resource['seconds']} seconds...", name)
            self.host.sleep(resource["seconds"])
            return
        tries, pause = resource["max_retries"], resource["polling_frequency"]
        for number in range(1, tries + 1):
            if tries > 1:
                resource.log("debug", f"Wait_for try {number}/{tries}", name)
            done = self.query(resource)
            if is_right(resource, name, done):
                return
            if pause > 0 and tries > 1:
                resource.log("debug", f"Sleeping for {pause} seconds between tries", name)
                self.host.sleep(pause)
        if name == "exit_code":
            raise ResourceFailure(f"Exit status {done.code} after max_retries")
        raise ResourceFailure("Did not match regex after max_retries")

    def query(self, resource: ManagedResource) -> Finished:
        """Run the command once; raise ResourceFailure if it does not exist."""
        self.variables = {}
        for setting in resource["environment"] or ():
            parts = SETTING.fullmatch(setting)
            if parts is None:
                shown = inspect(setting)
                resource.log("warning", f"Cannot understand environment setting {shown}")
            else:
                self.variables[parts[1]] = parts[2]
        done = self.attempt(resource["query"])
        if done.code == NOT_FOUND:
            raise ResourceFailure(done.output)
        return done


def is_right(resource: ManagedResource, name: str, done: Finished) -> bool:
    """Return whether the result of a command ends the wait."""
    if name == "exit_code":
        return done.code in resource["exit_code"]
    try:
        return regexp_from_string(to_s(resource["regex"])).matches(done.output)
    except PuppetError as error:
        raise ResourceFailure(error.message) from None


provider = WaitFor
