"""A sentence for each attribute that all resource types have."""

from __future__ import annotations

ABOUT_METAPARAMETERS = {
    "noop": "Report what would be changed, and change nothing.",
    "schedule": "The schedule resource that says when the resource is managed.",
    "audit": "Attributes whose changes are reported.",
    "loglevel": "The level of the messages about changes.",
    "alias": "Another name for the resource.",
    "tag": "Tags of the resource, besides those that it has anyway.",
    "require": "Resources that are applied before this one.",
    "subscribe": "Resources that are applied before this one and refresh it when they change.",
    "before": "Resources that are applied after this one.",
    "notify": "Resources that are applied after this one and are refreshed when it changes.",
    "stage": "The run stage of a class.",
}
PROVIDER = "The provider to use. Default: the first of the list that works on the machine."
