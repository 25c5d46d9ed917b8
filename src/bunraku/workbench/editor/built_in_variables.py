"""The variables that Puppet sets."""

from __future__ import annotations

from types import MappingProxyType

BUILT_IN_VARIABLES = MappingProxyType(
    {
        "facts": "The facts of the node, as a hash.",
        "trusted": "What the certificate of the node says: a hash with authenticated, certname, domain, extensions, external and hostname.",
        "server_facts": "What the server says of itself: a hash with environment, servername, serverip and serverversion.",
        "environment": "The name of the node's environment.",
        "module_name": "The name of the module that has this code.",
        "caller_module_name": "The name of the module that declares this class or defined type.",
        "title": "The title of the resource, or the name of the class.",
        "name": "The name of the resource: its title, unless the attribute name is set.",
        "clientcert": "The certificate name of the node, as its agent says.",
        "clientnoop": "Whether the agent runs with noop.",
        "clientversion": "The version of Puppet on the node.",
        "servername": "The name of the server.",
        "serverip": "The IPv4 address of the server.",
        "serverversion": "The version of Puppet on the server.",
    }
)
"""Name → what the value is. Code can have variables of its own by most of these names."""
OF_RESOURCES = ("title", "name")
"""Those that only classes and defined types have."""
RESERVED_VARIABLES = frozenset(
    {*OF_RESOURCES, "facts", "trusted", "server_facts", "module_name", "environment"}
)
"""Those that always are Puppet's."""
