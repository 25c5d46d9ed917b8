"""What the template functions refuse."""

from __future__ import annotations

from bunraku.errors import Issue

EPP_PARAMETERS = Issue("RUNTIME_ERROR", "{name} {text}")
INVALID_EPP = Issue("RUNTIME_ERROR", "{name}(): the EPP template is wrong: {text}")
TEMPLATE_NOT_FOUND = Issue("RUNTIME_ERROR", "Could not find template '{name}'")
NOT_A_STRING = Issue("RUNTIME_ERROR", "{name}() takes strings, not a value of type {actual}")
NOT_WHEN_SCRIPTING = Issue(
    "NOT_SUPPORTED_WHEN_SCRIPTING",
    "The function '{name}' needs a catalog, and code run with the setting 'tasks' makes none",
    hint="use an EPP template",
)
