"""What the functions on the catalog refuse."""

from __future__ import annotations

from bunraku.base.errors import Issue

NO_ARGUMENTS = Issue("ILLEGAL_ARGUMENT_COUNT", "'{function}' expects at least 1 argument, got none")
EMPTY_CLASS_NAME = Issue("EMPTY_CLASS_NAME", "'{function}': a class name cannot be empty")
CLASS_NAME_UNDEF = Issue("CLASS_NAME_UNDEF", "'{function}': cannot use undef as a class name")
NOT_A_CLASS_NAME = Issue(
    "ILLEGAL_CLASS_NAME",
    "'{function}' expects the name of a class or a reference to one, got {kind}",
)
NOT_A_REFERENCE = Issue("ILLEGAL_REFERENCE", "'{function}' expects resource references, got {kind}")
NO_TITLE = Issue.general(
    "ILLEGAL_ARGUMENT", "'defined' expects a reference with a type or title, got {kind}"
)
FAILED = Issue.general("FAIL", "{text}")
NOT_ATTRIBUTES = Issue.general(
    "ILLEGAL_ARGUMENT", "The attributes of '{title}' must be a Hash, got {kind}"
)
NOT_WHEN_SCRIPTING = Issue(
    "CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING",
    "The function '{name}' requires a catalog; with the setting 'tasks' no catalog is compiled",
)
