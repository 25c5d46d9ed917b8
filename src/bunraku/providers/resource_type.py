"""The base class of resource types: their attributes, providers, relationships and states."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

from bunraku.base.metaparameters import METAPARAMETER_NAMES
from bunraku.catalog.schema.builtin import builtin_resource_type, vendored_resource_type
from bunraku.providers.attributes import ABSENT, Parameter, Property
from bunraku.providers.errors import InvalidValue, ResourceFailure
from bunraku.providers.provider import Provider, State

if TYPE_CHECKING:
    from bunraku.providers.managed_resource import ManagedResource
    from bunraku.providers.run import Run

Value = Any
Reference = tuple[str, str]
"""The name of a type in lower case, and a title."""


class ResourceType:
    """A resource type; one object serves all resources of a run.

    ``attributes`` are in the order in which properties are changed. ``providers`` lists the modules
    of the type's folder, the preferred one first; without providers, the type does the work itself.
    """

    name: ClassVar[str]
    module: ClassVar[str] = ""
    """The module with the type, and the release whose behaviour this one has; empty for Puppet's own."""
    attributes: ClassVar[Sequence[Parameter]]
    namevar: ClassVar[str] = "name"
    named_by: ClassVar[tuple[str, ...]] = ()
    """The attributes that name a resource together, in alphabetical order; empty if the namevar does."""
    providers: ClassVar[tuple[str, ...]] = ()
    other_providers: ClassVar[tuple[str, ...]] = ()
    """The names of the module's providers that bunraku lacks."""
    refreshable: bool = False
    """Whether the type reacts to a refresh."""
    refreshes_itself: bool = False
    """Whether each change of a resource also triggers its refresh."""
    reads_ensure: ClassVar[bool] = True
    """Whether ``ensure`` is read even if a resource does not set it; absent resources stay absent."""
    named_only: ClassVar[bool] = False
    """Whether resources of the type are found by name only: the list of all is empty."""
    secret_together: ClassVar[tuple[frozenset[str], ...]] = ()
    """Groups of attributes that are all secret if one of them is."""
    depth_first: bool = False
    """Whether generated resources come before the resource that generates them."""
    is_native: ClassVar[bool] = True
    """Whether bunraku's own code manages the resources."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.host = run.host
        self.by_name = {attribute.name: attribute for attribute in self.attributes}
        self.with_defaults = [one for one in self.attributes if one.default is not None]
        self.names = (self.namevar, "name")
        """The attributes that name a resource, the first that is set."""
        self.made: dict[str, Provider] = {}

    # -- providers -------------------------------------------------------------------------------

    def provider_named(self, name: str) -> Provider:
        """Return the provider with a name, one object for each run."""
        if name not in self.made:
            self.made[name] = self.run.types.provider(self.name, name)(self.run)
        return self.made[name]

    def default_provider(self) -> Provider | None:
        """Return the first provider that works on this machine; None if none does."""
        candidates = map(self.provider_named, self.providers)
        return next((provider for provider in candidates if provider.suitable()), None)

    def provider_for(self, resource: ManagedResource) -> Provider | None:
        """Return the provider for a resource that names none; None if none works on this machine."""
        return self.default_provider()

    def known_providers(self) -> Sequence[str]:
        """Return the names of Puppet's providers of the type, including those that bunraku lacks."""
        schema = builtin_resource_type(self.name) or vendored_resource_type(self.name)
        return schema.providers if schema is not None else self.other_providers

    def suitable(self, resource: ManagedResource) -> bool:
        """Return whether a resource can be managed on this machine at the moment."""
        if resource.made_provider is None and self.providers:
            resource.made_provider = self.provider_for(resource)
            return resource.made_provider is not None
        return resource.made_provider is None or resource.made_provider.suitable()

    # -- checks and relationships ----------------------------------------------------------------

    def canonical_name(self, name: str) -> str:
        """Return the form of a name under which other resources find the resource."""
        return name

    def shown_title(self, title: str, parameters: Mapping[str, Value]) -> str:
        """Return the title of a resource in messages and reports."""
        return title

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for values that exclude or contradict each other."""

    def check_audit(self, resource: ManagedResource) -> None:
        """Raise InvalidValue if an attribute that is to be audited does not exist."""
        for name in resource.audit:
            if name not in self.by_name and name not in METAPARAMETER_NAMES:
                text = f"Cannot audit {name}: not a valid attribute for {resource.reference}"
                raise InvalidValue(text)

    def requires(self, resource: ManagedResource) -> Iterable[Reference]:
        """Yield the resources that must come before this one, if the catalog has them."""
        return ()

    def precedes(self, resource: ManagedResource) -> Iterable[Reference]:
        """Yield the resources that must come after this one, if the catalog has them."""
        return ()

    def subscribes(self, resource: ManagedResource) -> Iterable[Reference]:
        """Yield the resources that come before this one, and refresh it, if the catalog has them."""
        return ()

    def notifies(self, resource: ManagedResource) -> Iterable[Reference]:
        """Yield the resources that come after this one, and that it refreshes."""
        return ()

    # -- generated resources ---------------------------------------------------------------------

    def generate(self, resource: ManagedResource) -> list[ManagedResource]:
        """Return the resources that a resource adds to the catalog before the run.

        The deferred values that this needs are computed here.
        """
        return []

    def children(self, resource: ManagedResource) -> list[ManagedResource]:
        """Return the resources that a resource adds when it is applied, sorted by title."""
        return []

    # -- state -----------------------------------------------------------------------------------

    def retrieve(self, resource: ManagedResource) -> State:
        """Return the current state of ``ensure`` and of the managed and audited properties."""
        found: State = {}
        ensure = self.by_name.get("ensure")
        if isinstance(ensure, Property) and (
            self.reads_ensure or ensure.name in resource or ensure.name in resource.audit
        ):
            found["ensure"] = ensure.retrieve(resource)
        present = self.present(found)
        for attribute in resource.properties():
            if attribute is not ensure:
                found[attribute.name] = attribute.retrieve(resource) if present else ABSENT
        return found

    def present(self, state: State) -> bool:
        """Return whether a resource with this state exists."""
        return bool(state.get("ensure") != ABSENT)

    def flush(self, resource: ManagedResource) -> None:
        """Complete the changes of a resource; called once after the last change."""
        if resource.has_provider:
            resource.provider.flush(resource)

    def refresh(self, resource: ManagedResource) -> None:
        """React to a change of a resource that notifies this one."""

    # -- listing ---------------------------------------------------------------------------------

    def purged_values(self, state: State) -> dict[str, Value]:
        """Return the parameters that locate an unmanaged resource so that it can be removed."""
        return {"target": state["target"]} if "target" in state else {}

    def instances(self) -> Iterator[tuple[str, str, State]]:
        """Yield name, provider and state of every resource of the type on the machine.

        The default provider comes first. A name that several providers list is the first one's, and
        providers of the same source are one. Raises ResourceFailure if nothing can be listed.
        """
        if self.named_only:
            return
        if not self.providers:
            raise ResourceFailure(f"{self.name} has no providers that list what is on the machine")
        default = self.default_provider()
        others = (one for one in map(self.provider_named, self.providers) if one.suitable())
        sources: set[str] = set()
        seen: set[str] = set()
        for provider in chain([] if default is None else [default], others):
            source = provider.source or provider.name
            if source in sources:
                continue
            sources.add(source)
            for title, state in provider.instances(None).items():
                if title not in seen:
                    seen.add(title)
                    yield title, provider.name, state

    def shown_state(self, resource: ManagedResource, state: State) -> State:
        """Return a state as ``bunraku resource`` shows it."""
        return state
