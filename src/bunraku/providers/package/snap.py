"""Snaps, by the interface of their daemon; a version is a channel."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.package.provider import (
    COMMON_FEATURES,
    MISSING,
    PackageProvider,
    flags,
    version_of,
)
from bunraku.providers.provider import State
from bunraku.types.ruby_semantics.values import inspect

SNAP = "/usr/bin/snap"
SOCKET = "/run/snapd.socket"
SNAPS = "/v2/snaps"
CHANGES = "/v2/changes"
USUAL_CHANNEL = "latest/stable"
CONFINEMENTS = ("classic", "devmode", "jailmode")
"""Options of ``install`` and ``refresh``."""
FOUND, NONE_FOUND = 200, 404
UNFINISHED = frozenset({"Do", "Doing", "Undoing", "Undo"})
FAILED = frozenset({"Abort", "Hold", "Error"})
PAUSE = 1
"""The seconds between two questions about a change."""


class Snap(PackageProvider):
    """Installs snaps; ``ensure`` or the install option ``channel`` sets the channel."""

    name = "snap"
    programs: ClassVar[tuple[str, ...]] = (SNAP,)
    can_purge: ClassVar[bool] = True
    features: ClassVar[frozenset[str]] = COMMON_FEATURES | {
        "versionable",
        "install_options",
        "purgeable",
    }

    def suitable(self) -> bool:
        """Return whether the daemon listens."""
        return super().suitable() and self.host.status(SOCKET) is not None

    def ask(self, method: str, target: str, content: Mapping[str, Any] | None = None) -> Any:
        """Return the answer of the daemon."""
        body = b"" if content is None else json.dumps(content).encode()
        try:
            try:
                answer = self.host.ask_socket(SOCKET, method, target, body)
            except OSError:
                if method != "GET":
                    raise
                answer = self.host.ask_socket(SOCKET, method, target, body)  # it may have restarted
            return json.loads(answer)
        except (OSError, ValueError) as error:
            raise ResourceFailure(f"The daemon of snap did not answer: {error}") from None

    # -- states ----------------------------------------------------------------------------------

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return all snaps with their channels."""
        found = self.ask("GET", SNAPS)
        code = found["status-code"]
        if code not in (FOUND, NONE_FOUND):
            raise ResourceFailure(f"Could not find installed snaps (code: {code})")
        snaps = found["result"] if code == FOUND else []
        return {one["name"]: {"ensure": one.get("tracking-channel", "")} for one in snaps}

    def surely_missing(self, resource: ManagedResource) -> bool:
        """Return True: the daemon lists all snaps."""
        return True

    def latest(self, resource: ManagedResource) -> Any:
        """Raise ResourceFailure: the daemon itself updates the snaps of a channel."""
        raise ResourceFailure("Don't use ensure => latest, instead define which channel to use")

    # -- changes ---------------------------------------------------------------------------------

    def channel(self, resource: ManagedResource) -> str:
        """Return the wanted channel."""
        version = version_of(resource)
        if version is not None:
            return version
        options = flags(resource["install_options"])
        found = next((one.split("=")[-1] for one in options if "channel" in one), None)
        if found is None:
            return USUAL_CHANNEL
        text = "Install option 'channel' is deprecated, use ensure => '{0}' instead."
        self.run.log("warning", text.format(found))
        return found

    def change(self, resource: ManagedResource, action: str, *options: str) -> None:
        """Request a change, and wait until it is done."""
        content: dict[str, Any] = {"action": action, "channel": self.channel(resource)}
        content |= dict.fromkeys(options, True)
        answer = self.ask("POST", f"{SNAPS}/{resource.name}", content)
        if answer["type"] == "error":
            raise ResourceFailure(f"Request failed with {answer['result']['message']}")
        while True:
            found = self.ask("GET", f"{CHANGES}/{answer['change']}")
            status = found["result"]["status"]
            if status == "Done":
                return
            if status in FAILED:
                raise ResourceFailure(f"Error while executing the request {inspect(found)}")
            if status not in UNFINISHED:
                raise ResourceFailure(f"Unknown status {inspect(found)}")
            self.host.sleep(PAUSE)

    def install(self, resource: ManagedResource) -> None:
        """Install a snap, or let it follow another channel."""
        options = [one.removeprefix("--") for one in flags(resource["install_options"])]
        chosen = [one for one in CONFINEMENTS if one in options]
        is_new = self.state(resource)["ensure"] in MISSING
        self.change(resource, "install" if is_new else "refresh", *chosen)

    def uninstall(self, resource: ManagedResource) -> None:
        """Remove a snap; the daemon saves its data."""
        self.change(resource, "remove")

    def purge(self, resource: ManagedResource) -> None:
        """Remove a snap with its data."""
        self.change(resource, "remove", "purge")


provider = Snap
