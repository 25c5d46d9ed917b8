"""What ``bunraku docs`` finds in comments."""

from __future__ import annotations

from bunraku.base.errors import Issue

UNREADABLE = Issue.own("DOCS_BROKEN_FILE", "The file has no documentation: {reason}")
UNREADABLE_DATA = Issue.own(
    "DOCS_UNREADABLE_DATA",
    "The site does not show which values data sets: hiera.yaml cannot be read",
    hint="'bunraku validate hiera.yaml' says why",
)
UNDOCUMENTED = Issue.own(
    "DOCS_UNDOCUMENTED",
    "The {kind} '{name}' has no documentation",
    hint="write a comment right above it: what it does, and a tag @summary",
)
NO_SUMMARY = Issue.own(
    "DOCS_NO_SUMMARY",
    "The {kind} '{name}' has no @summary",
    hint="add '@summary' with one line; lists of contents show it",
)
LONG_SUMMARY = Issue.own(
    "DOCS_LONG_SUMMARY",
    "The @summary of the {kind} '{name}' has {length} characters, more than the 140 that lists show",
)
UNDOCUMENTED_PARAMETER = Issue.own(
    "DOCS_UNDOCUMENTED_PARAMETER",
    "The {kind} '{parameter}' of the {owner} '{name}' has no documentation",
    hint="{advice}",
)
UNKNOWN_PARAMETER = Issue.own(
    "DOCS_UNKNOWN_PARAMETER",
    "The tag @{tag} names '{parameter}', but the {kind} '{name}' has no such parameter{near}",
)
REPEATED_PARAMETER = Issue.own(
    "DOCS_REPEATED_PARAMETER",
    "A second tag @param documents '{parameter}' of the {kind} '{name}'",
    hint="put both texts into one tag",
)
OTHER_TYPE = Issue.own(
    "DOCS_OTHER_TYPE",
    "The tag @{tag} gives the type {written}, but the code declares {declared}",
    hint="leave the type out; it comes from the code",
)
NO_RETURN = Issue.own(
    "DOCS_NO_RETURN",
    "The function '{name}' has no @return",
    hint="add '@return [Type] text' to the comment {where}",
)
UNKNOWN_TAG = Issue.own("DOCS_UNKNOWN_TAG", "The tag @{tag} does not exist{near}")
INVALID_TAG = Issue.own(
    "DOCS_INVALID_TAG",
    "The tag @{tag} is not complete",
    hint="it is left out; expected '{form}'",
)
MISPLACED_TAG = Issue.own(
    "DOCS_MISPLACED_TAG",
    "The tag @{tag} has no effect in the comment of the function '{name}'",
    hint="put it above the dispatch that it documents",
)
