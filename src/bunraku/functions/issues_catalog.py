"""What the functions on the catalog refuse."""

from __future__ import annotations

from bunraku.errors import Issue

NO_ARGUMENTS = Issue("ILLEGAL_ARGUMENT_COUNT", "'{function}' expects at least 1 argument, got none")
EMPTY_CLASS_NAME = Issue("EMPTY_CLASS_NAME", "'{function}': a class name cannot be empty")
CLASS_NAME_UNDEF = Issue("CLASS_NAME_UNDEF", "'{function}': cannot use undef as a class name")
NOT_A_CLASS_NAME = Issue(
    "ILLEGAL_CLASS_NAME", "'{function}': a class is given by name or reference, not by {kind}"
)
NOT_A_REFERENCE = Issue("ILLEGAL_REFERENCE", "'{function}' takes resource references, not {kind}")
NO_TITLE = Issue("RUNTIME_ERROR", "'defined': {kind} could be anything; name a type or a title")
FAILED = Issue("RUNTIME_ERROR", "{text}")
NOT_ATTRIBUTES = Issue("RUNTIME_ERROR", "The attributes of '{title}' must be a Hash, not {kind}")
NOT_WHEN_SCRIPTING = Issue(
    "CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING",
    "The function '{name}' needs a catalog, and code run with the setting 'tasks' makes none",
)
