"""Rubies that RVM installs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.types.ruby_semantics.values import to_s

RVM = "/usr/local/rvm/bin/rvm"


class Rvm(Provider):
    """Runs ``rvm``; it finds its files by HOME."""

    name = "rvm"

    def __init__(self, run: Any) -> None:
        super().__init__(run)
        self.variables = {"HOME": self.host.environment_variable("HOME")}

    def suitable(self) -> bool:
        """Return whether RVM is installed."""
        return self.host.is_executable(RVM)

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Do nothing: the Rubies are read when they are compared."""

    def lists(self, resource: ManagedResource, kind: str, what: str) -> bool:
        """Return whether a list of RVM has the name of a Ruby."""
        try:
            lines = self.execute(RVM, "list", kind).output.split("\n")
        except ResourceFailure as failure:
            raise ResourceFailure(f"Could not list {what}: {failure}") from None
        return any(resource.name in line for line in lines)

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the Ruby is installed."""
        return self.lists(resource, "strings", "RVMs")

    def get(self, resource: ManagedResource, name: str) -> Any:
        """Return whether the Ruby is the default one."""
        return self.lists(resource, "default", "default RVM")

    def create(self, resource: ManagedResource) -> None:
        """Install or mount the Ruby, and make it the default one if that is wanted."""
        if resource["mount_from"] is not None:
            self.execute(RVM, "mount", resource["mount_from"])
        else:
            self.install(resource)
        if resource["default_use"]:
            self.set(resource, "default_use", True)

    def install(self, resource: ManagedResource) -> None:
        """Install the Ruby. A proxy with a password is only in the environment of the program."""
        given, proxy = resource["build_opts"], resource["proxy_url"]
        options = [to_s(one) for one in (given if isinstance(given, list) else [given])]
        if resource["autolib_mode"] is not None:
            options.append(f"--autolibs {resource['autolib_mode']}")
        if proxy and "@" not in proxy:
            options[:0] = ["--proxy", proxy]
        before = self.variables
        no_proxy = resource["no_proxy"]
        self.variables = {**before, "http_proxy": proxy, "https_proxy": proxy, "no_proxy": no_proxy}
        try:
            self.execute(RVM, "install", resource.name, *options)
        finally:
            self.variables = before

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the Ruby."""
        self.execute(RVM, "uninstall", resource.name)

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Make the Ruby the default one."""
        self.execute(RVM, "alias", "create", "default", resource.name)


provider = Rvm
