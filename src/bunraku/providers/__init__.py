"""The resource types that bunraku can apply, and their providers.

A folder has one resource type: ``type.py`` describes it (attributes, checks, messages); each other
module is a provider, one way to manage it. ``docs/providers.md`` explains how to write one.
"""
