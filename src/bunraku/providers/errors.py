"""Failures of resources: while values are checked, and while they are applied."""

from __future__ import annotations


class InvalidValue(ValueError):
    """A value that an attribute does not accept; the text is Puppet's reason."""


class ResourceFailure(Exception):
    """A resource could not be read or changed; the text says why, in Puppet's words where it has some."""
