"""Errors of resources that cannot be applied."""

from __future__ import annotations

from bunraku.base.errors import Issue

INVALID_VALUE = Issue("INVALID_RESOURCE_VALUE", "Parameter {name} failed on {resource}: {reason}")
INVALID_RESOURCE = Issue("INVALID_RESOURCE", "Validation of {resource} failed: {reason}")
NO_PROVIDER_OF_TYPE = Issue(
    "UNSUPPORTED_RESOURCE_TYPE",
    "bunraku cannot apply {what}: {reason}",
    hint="{hint}",
)
UNKNOWN_RESOURCE_TYPE = Issue(
    "UNKNOWN_RESOURCE_TO_SHOW", "Could not find type {type}{near}", hint="--types lists the types"
)
UNKNOWN_ATTRIBUTE = Issue("UNKNOWN_ATTRIBUTE", "{type} has no parameter named '{name}'{near}")
UNREADABLE_RESOURCES = Issue("UNREADABLE_RESOURCES", "Could not read {type} resources: {reason}")
INSTALLED_PUPPET_REFUSES = Issue("INSTALLED_PUPPET_REFUSES", "{reason}")
INSTALLED_PUPPET_FAILED = Issue(
    "INSTALLED_PUPPET_FAILED",
    "the installed Puppet does not answer: {reason}",
    hint="--no-ruby-providers applies catalogs without the installed Puppet",
)
UNKNOWN_FILEBUCKET = Issue(
    "UNKNOWN_FILEBUCKET", "Could not find filebucket {name} specified in backup"
)
INVALID_PROVIDER_FILE = Issue(
    "INVALID_PROVIDER_FILE",
    "{path} does not describe a resource type: {reason}",
    hint="docs/providers.md has an example",
)
