"""Gems of a Ruby that RVM installed."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, Words, successful
from bunraku.providers.rvm_system_ruby.rvm import RVM
from bunraku.providers.secrets import passwords_in
from bunraku.types.ruby_semantics.values import to_s
from bunraku.values.ruby_semantics.numbers import to_i
from bunraku.world.host import Finished

GEM = re.compile(r"^(\S+)\s+\((\d+.*)\)")
OTHER_LINE = re.compile(r"\*\*\*|\s|$|.*gem: not found")
"""The lines of ``gem list`` that are not about a gem."""
WITHOUT_RDOC = 3
"""The major version of RubyGems that no longer has the options ``--no-rdoc`` and ``--no-ri``."""


class RvmGems(Provider):
    """Runs ``gem`` in the environment of a Ruby."""

    name = "gem"

    def suitable(self) -> bool:
        """Return whether RVM is installed."""
        return self.host.is_executable(RVM)

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Do nothing: gems are read when they are compared."""

    def gem(self, resource: ManagedResource, *words: str) -> Finished:
        """Run gem; a proxy with a password is only in its environment, such a source in a file."""
        proxy = resource["proxy_url"]
        self.variables = {"http_proxy": proxy, "https_proxy": proxy} if "@" in proxy else {}
        command = (RVM, to_s(resource["ruby_version"]), "do", "gem", *words)
        source = resource["source"]
        if words[0] != "install" or source is None or not any(passwords_in(source)):
            return self.attempt(command)
        settings = f":sources: [{json.dumps(source)}]\n".encode()
        with self.host.temporary_file(settings) as path:
            self.variables["GEMRC"] = path
            return self.attempt(command)

    def gem_or_failure(self, resource: ManagedResource, *words: str) -> Finished:
        """Run gem; ResourceFailure unless it exits with 0."""
        shown: Words = (RVM, to_s(resource["ruby_version"]), "do", "gem", *words)
        return successful(shown, self.gem(resource, *words))

    def proxy_options(self, resource: ManagedResource) -> tuple[str, ...]:
        """Return the options for a proxy without a password."""
        proxy = resource["proxy_url"]
        return ("--http-proxy", proxy) if proxy and "@" not in proxy else ()

    # -- reading ---------------------------------------------------------------------------------

    def versions(self, resource: ManagedResource, where: str) -> list[str]:
        """Return the versions of a gem, the newest first; none if gem fails."""
        words = ("list", where, f"^{resource['name']}$", *self.proxy_options(resource))
        done = self.gem(resource, *words)
        if done.code != 0:
            self.run.log("debug", f"`rvmcmd` command failed with {done.output.strip()}")
            return []
        for line in done.output.replace("default: ", "").splitlines():
            found = GEM.match(line)
            if found is not None:
                return re.split(r",\s*", found[2])
            if OTHER_LINE.match(line) is None:
                self.run.log("warning", f"Could not match {line}")
        return []

    def latest(self, resource: ManagedResource) -> str:
        """Return the latest version of a gem."""
        found = self.versions(resource, "--remote")
        if not found:
            reason = "undefined method `[]' for nil:NilClass"
            raise ResourceFailure(f"Could not get latest version: {reason}")
        return found[0]

    # -- changing --------------------------------------------------------------------------------

    def install(self, resource: ManagedResource, version: str | None = None) -> None:
        """Install a gem, in a version or the latest one."""
        words = ["install", *(() if version is None else ("-v", version))]
        words += self.proxy_options(resource)
        words += self.source_words(resource)
        if resource["withopts"] is not None:
            words += ["--", to_s(resource["withopts"])]
        output = self.gem_or_failure(resource, *words).output
        if "ERROR" in output:
            raise ResourceFailure(f"Could not install: {output.rstrip()}")

    def source_words(self, resource: ManagedResource) -> list[str]:
        """Return the words that say which gem is installed, and from where."""
        source = resource["source"]
        if source is None:
            version = self.gem_or_failure(resource, "-v").output
            old = to_i(version.strip().splitlines()[-1]) < WITHOUT_RDOC
            return [*(("--no-rdoc", "--no-ri") if old else ("--no-document",)), resource["name"]]
        parts = urlsplit(source)
        if not parts.scheme:
            return [source]
        if "file" in parts.scheme:
            return [parts.path]
        if parts.scheme == "puppet":
            raise ResourceFailure("puppet:// URLs are not supported as gem sources")
        secret = any(passwords_in(source))
        return [*(() if secret else ("--source", source)), resource["name"]]

    def destroy(self, resource: ManagedResource) -> None:
        """Remove all versions of a gem."""
        self.gem_or_failure(resource, "uninstall", "-x", "-a", resource["name"])


provider = RvmGems
