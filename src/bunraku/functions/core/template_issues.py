"""What the template functions refuse."""

from __future__ import annotations

from bunraku.base.errors import Issue

EPP_PARAMETERS = Issue.general("INVALID_TEMPLATE_PARAMETERS", "{name} {text}")
INVALID_EPP = Issue.general("INVALID_TEMPLATE", "{name}(): invalid EPP template: {text}")
TEMPLATE_NOT_FOUND = Issue.general("TEMPLATE_NOT_FOUND", "Could not find template '{name}'")
NOT_A_STRING = Issue.general(
    "ILLEGAL_ARGUMENT", "{name}() expects strings, got a value of type {actual}"
)
NOT_WHEN_SCRIPTING = Issue(
    "NOT_SUPPORTED_WHEN_SCRIPTING",
    "The function '{name}' requires a catalog; with the setting 'tasks' no catalog is compiled",
    hint="use an EPP template",
)
