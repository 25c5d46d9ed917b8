"""Configuration files, changed through the library Augeas."""

from __future__ import annotations

from bunraku.providers.augeas.session import AugeasSession
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.world.augeas import AugeasError


class Augeas(Provider):
    """Uses the library `libaugeas.so.0` and its lenses (on Debian, `libaugeas0` and `augeas-lenses`)."""

    name = "augeas"
    features = frozenset(["parse_commands", "need_to_run?", "execute_changes"])
    session: AugeasSession | None = None
    """The tree of the resource that is being applied."""

    def suitable(self) -> bool:
        """Return whether the library is installed."""
        return self.host.has_augeas()

    def needs_to_run(self, resource: ManagedResource) -> bool:
        """Return whether the changes of a resource are wanted and would change a file."""
        self.close()
        session = self.session = AugeasSession(resource)
        needed = False
        try:
            forced = resource["force"] not in (None, False)
            needed = session.is_wanted() and (forced or session.would_change())
        except AugeasError as error:
            raise ResourceFailure(str(error)) from None
        finally:
            if not needed or resource.noop:
                self.close()
        return needed

    def execute_changes(self, resource: ManagedResource) -> None:
        """Make the changes."""
        try:
            if self.session is None:
                self.session = AugeasSession(resource)
            self.session.execute()
        except AugeasError as error:
            raise ResourceFailure(str(error)) from None
        finally:
            self.close()

    def close(self) -> None:
        """Free the tree, if one is open."""
        if self.session is not None:
            self.session.close()
            self.session = None


provider = Augeas
