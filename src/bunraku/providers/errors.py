"""Failures of resources during the check of their values and during the run."""

from __future__ import annotations


class InvalidValue(ValueError):
    """A value that an attribute does not accept; the text is Puppet's reason."""


class InvalidSecret(InvalidValue):
    """A secret value that an attribute does not accept; no part of it is in the text."""


class ResourceFailure(Exception):
    """A resource could not be read or changed; the text is the reason, if possible Puppet's."""
