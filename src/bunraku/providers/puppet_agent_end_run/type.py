"""The resource type ``puppet_agent_end_run`` of the module puppet_agent."""

from __future__ import annotations

from typing import Any

from bunraku.providers.attributes import Parameter, Property
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.puppet_agent_end_run.puppet_agent_end_run import EndOfRun
from bunraku.providers.reading import Truth
from bunraku.providers.resource_type import ResourceType


class EndRun(Property):
    """Whether the run ends if the agent has another version; it always counts as in sync."""

    def accept(self, value: Any, resource: ManagedResource) -> Any:
        """Return the Boolean; the words true, false, yes and no are accepted, too."""
        return Truth(self.name).accept(value, resource) == "true"

    def retrieve(self, resource: ManagedResource) -> Any:
        """Return False: the run has not ended."""
        return False

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """End the run if the agent is to be updated, and return True."""
        provider = resource.provider
        assert isinstance(provider, EndOfRun)
        if resource[self.name] is True:
            provider.stop(resource)
        return True


class PuppetAgentEndRun(ResourceType):
    """Ends of runs that updated the package of Puppet's agent; the next run applies the rest."""

    name = "puppet_agent_end_run"
    module = "puppetlabs-puppet_agent 4.28"
    providers = ("puppet_agent_end_run",)
    named_only = True
    attributes = (
        EndRun("end_run", default=True, about="Whether the run ends."),
        Parameter(
            "name", about="The wanted version of the package puppet-agent, `latest` or `present`."
        ),
    )


resource_type = PuppetAgentEndRun
