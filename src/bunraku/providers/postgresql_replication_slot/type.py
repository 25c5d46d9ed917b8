"""The resource type ``postgresql_replication_slot``."""

from __future__ import annotations

from bunraku.providers.attributes import Ensure, Parameter
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.resource_type import ResourceType


class PostgresqlReplicationSlot(ResourceType):
    """Replication slots for standbys of the local PostgreSQL server, as the user `postgres`."""

    name = "postgresql_replication_slot"
    module = "puppetlabs-postgresql 10.6"
    providers = ("ruby",)
    attributes = (
        Ensure(default=present_if_managed, about="Whether the slot exists."),
        Parameter("name", pattern="^[a-z0-9_]+$", about="The name of the slot."),
    )


resource_type = PostgresqlReplicationSlot
