"""OpenVox 9: Puppet 8 without its deprecated features, with other defaults.

Two changes of this version are not here because a catalog is the same. Deferred values are in the
catalog as in Puppet 8; the agent calls their functions before it applies the catalog
(``preprocess_deferred``). The ``content`` of a file that looks like a checksum is content; Puppet 8
decides on the agent, too, whether to fetch a file of that checksum. The indirection ``hiera`` was
used by agents and servers only.
"""

from __future__ import annotations

from bunraku.base.lazy_imports import Imported
from bunraku.base.records import replace
from bunraku.dialects.puppet_8 import PUPPET_8, as_documented

PUPPET_9 = replace(
    PUPPET_8,
    name="9",
    version="9.0.0-beta2",
    runtime=replace(PUPPET_8.runtime, removed_types=frozenset({"zone"})),
    removed_settings=frozenset(
        {"configprint", "data_binding_terminus", "environment_data_provider", "pluginsync"}
    ),
    changed_settings={"preprocess_deferred": True, "reports": "none"},
    functions=Imported("bunraku.dialects.puppet_9_functions", "PUPPET_9"),
)

DIALECTS = {"puppet": PUPPET_9, "documents": as_documented(PUPPET_9)}
