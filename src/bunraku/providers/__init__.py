"""Resource types that can be applied: what each type means, and how a machine does it.

A folder holds one resource type: ``type.py`` describes it (attributes, checks, messages), each other
module is one way to manage it (a provider). ``docs/providers.md`` shows how to write one.
"""
