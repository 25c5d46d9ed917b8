"""Checks of the spaces and line ends around brackets, braces, arrows and names.

The rules are those of the plugin manifest_whitespace: each looks at the tokens beside one token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from bunraku.base.text_edits import Edit
from bunraku.workbench.lint.checks import classes
from bunraku.workbench.lint.declaration import Function, Problem, check
from bunraku.workbench.lint.manifest import COMMENT, Manifest
from bunraku.workbench.lint.spaced import (
    BLANKS,
    INDENT,
    LINE_END,
    NO_TOKEN,
    SPACES,
    Spaced,
    spaced,
)

PLUGIN = "puppet-lint-manifest_whitespace-check"
LATER_TYPES = frozenset(
    {"Binary", "Error", "Iterable", "Iterator", "RichData", "ScalarData", "SemVer", "SemVerRange"}
)
BUILT_IN = classes.BUILT_IN - LATER_TYPES
"""The types that puppet-lint 3 tells from references in its lexer."""
AT_LINE = frozenset({INDENT, LINE_END})
AFTER_CLOSING = frozenset({"]", ")", ";", ",", ":", ".", LINE_END, "DQMID", "DQPOST", "["})


def space_check(
    description: str, *, fixes: Literal["", "layout"] = "layout"
) -> Callable[[Function], Function]:
    """Return the decorator of a check of this plugin."""
    prefix = "manifest_whitespace_"
    return check(description, prefix=prefix, severity="error", fixes=fixes, plugin=PLUGIN)


def problem_at(found: Spaced, at: int, message: str, *edits: Edit) -> Problem:
    """Return a problem of one piece."""
    return Problem(found.starts[at], found.ends[at], message, edits)


def is_name(found: Spaced, at: int) -> bool:
    """Return whether a piece is a name for puppet-lint, which has a kind for fewer keywords."""
    return found.kind(at) in {"NAME", "WORD"}


def between(found: Spaced, first: int, last: int, text: str) -> tuple[Edit, ...]:
    """Return the edit that puts a text between two tokens, unless it stands there."""
    start, end = found.ends[first], found.starts[last]
    return () if found.text[start:end] == text else (Edit(start, end, text),)


def one_line_end(found: Spaced, first: int, last: int) -> str:
    """Return the spaces between two tokens without empty lines and blanks before line ends."""
    text = found.text[found.ends[first] : found.starts[last]]
    if not found.has_line_end(first, last):
        return ""
    return "\n" + text[text.rindex("\n") + 1 :] if "\n" in text else "\n"


# -- after arrows and before names ---------------------------------------------------------------


@space_check("One space is after each arrow of an attribute.")
def arrows_single_space_after(manifest: Manifest) -> Iterator[Problem]:
    """Report ``=>`` that other text than one space follows."""
    found = spaced(manifest)
    for at in found.of_kind("=>"):
        after = at + 1
        if found.kind(after) is NO_TOKEN or found.is_single_space(after):
            continue
        edits: tuple[Edit, ...] = ()
        if found.kind(after) is not LINE_END:
            edits = between(found, at, after + (found.kind(after) is BLANKS), " ")
        yield problem_at(found, after, "there should be a single space after an arrow", *edits)


def names_of_definitions(manifest: Manifest, found: Spaced) -> Iterator[tuple[int, int]]:
    """Yield the places of the keyword and the name of each class and defined type."""
    places = {token: at for at, token in enumerate(found.tokens) if token >= 0}
    for definition in manifest.definitions:
        yield places[definition.first], places[definition.name]


@space_check("One space is between inherits and the name of a class.")
def inherits_name_single_space_before(manifest: Manifest) -> Iterator[Problem]:
    """Report other text than one space after ``inherits``."""
    found = spaced(manifest)
    for at in found.of_kind("inherits"):
        name = at + 1
        while found.kind(name) is not NO_TOKEN and not is_name(found, name):
            name += 1
        if found.kind(name) is NO_TOKEN or found.one_space_between(at, name):
            continue
        message = "there should be a single space between the inherits statement and the name"
        yield problem_at(found, at + 1, message, *single_space_after(found, at))


def single_space_after(found: Spaced, at: int) -> tuple[Edit, ...]:
    """Return the edit that leaves one space after a token with blanks behind it."""
    return between(found, at, at + 2, " ") if found.kind(at + 1) is BLANKS else ()


@space_check("One space is between class or define and the name.")
def class_name_single_space_before(manifest: Manifest) -> Iterator[Problem]:
    """Report other text than one space before the name of a definition."""
    found = spaced(manifest)
    for at, name in names_of_definitions(manifest, found):
        if not found.one_space_between(at, name):
            message = (
                "there should be a single space between the class or defined resource statement "
                "and the name"
            )
            yield problem_at(found, at + 1, message, *single_space_after(found, at))


@space_check("One space is between the name of a definition and the next token.")
def class_name_single_space_after(manifest: Manifest) -> Iterator[Problem]:
    """Report other text than one space after the name of a definition."""
    found = spaced(manifest)
    for _, name in names_of_definitions(manifest, found):
        after = found.after(name)
        if not found.one_space_between(name, after):
            message = "there should be a single space between the class or resource name and the next item"
            yield problem_at(found, name, message, *between(found, name, after, " "))


# -- braces --------------------------------------------------------------------------------------


@space_check("One space or one line end is before a closing brace.")
def closing_brace_before(manifest: Manifest) -> Iterator[Problem]:
    """Report ``}`` after code, several spaces or an empty line."""
    found = spaced(manifest)
    for at in found.of_kind("}"):
        before = found.before(at)
        if before < 0 or found.kinds[at - 1] == "{" or is_closed_well(found, before, at):
            continue
        wanted = one_line_end(found, before, at) or ("" if found.kinds[before] == "{" else " ")
        message = "there should be a single space or newline before a closing brace"
        yield problem_at(found, before + 1, message, *between(found, before, at, wanted))


def is_closed_well(found: Spaced, before: int, at: int) -> bool:
    """Return whether one space, or one line end with an indent, is before a closing brace."""
    if found.kinds[before] != "{" and found.one_space_between(before, at):
        return True
    return is_on_next_line(found, before, at)


def is_on_next_line(found: Spaced, before: int, at: int) -> bool:
    """Return whether one line end, and nothing or an indent after it, is between two tokens."""
    last = found.kinds[at - 1]
    return (last is INDENT and before == at - 3) or (last is LINE_END and before == at - 2)


def closing_after(manifest: Manifest, bracket: str, name: str) -> Iterator[Problem]:
    """Report brackets or braces that code follows directly, or a space and punctuation."""
    found = spaced(manifest)
    message = (
        "there should be either a bracket, punctuation mark, closing quote or a newline after a "
        f"closing {name}, or whitespace and none of the aforementioned"
    )
    for at in found.of_kind(bracket):
        kind = found.kind(at + 1)
        if kind is NO_TOKEN or kind in AFTER_CLOSING:
            continue
        edits: tuple[Edit, ...] = ()
        if kind is BLANKS:
            if found.kind(found.after(at)) not in AFTER_CLOSING:
                continue
            if found.kind(at + 2) in AFTER_CLOSING:
                edits = between(found, at, at + 2, "")
        yield problem_at(found, at + 1, message, *edits)


@space_check("Punctuation is directly after a closing brace; other code has a space.")
def closing_brace_after(manifest: Manifest) -> Iterator[Problem]:
    """Report ``}`` that code follows directly, or a space and punctuation."""
    return closing_after(manifest, "}", "brace")


@space_check("One space is before an opening brace.")
def opening_brace_before(manifest: Manifest) -> Iterator[Problem]:
    """Report ``{`` after code, several spaces or a line end, other than in lists."""
    found = spaced(manifest)
    for at in found.of_kind("{"):
        before = found.before(at)
        if before < 0 or may_open(found, before, at):
            continue
        wanted = "" if found.kinds[before] in {"(", "["} else " "
        edits = between(found, before, at, wanted)
        yield problem_at(
            found, at, "there should be a single space before an opening brace", *edits
        )


def may_open(found: Spaced, before: int, at: int) -> bool:
    """Return whether an opening brace may be where it is; ``before`` is the last token before it."""
    kind = found.kinds[before]
    if kind in {COMMENT, ":"} or (kind == "," and found.kinds[at - 1] in AT_LINE):
        return True
    if kind in {"(", "["}:
        return before == at - 1 or found.has_line_end(before, at)
    if kind == "{" and found.has_line_end(before, at):
        return True
    return found.one_space_between(before, at)


@space_check("One space or one line end is after an opening brace.")
def opening_brace_after(manifest: Manifest) -> Iterator[Problem]:
    """Report ``{`` before code, several spaces or an empty line."""
    found = spaced(manifest)
    message = "there should be a single space or single newline after an opening brace"
    for at in found.of_kind("{"):
        after = at + 1
        kind = found.kind(after)
        if kind in {NO_TOKEN, "}", "[", "{"} or found.is_single_space(after):
            continue
        if kind is LINE_END:
            if found.kind(after + 1) is LINE_END:
                yield problem_at(found, after + 1, message, *without_empty_lines(found, after))
            continue
        edits = between(found, at, after + (kind is BLANKS), " ")
        yield problem_at(found, after, message, *edits)


def without_empty_lines(found: Spaced, at: int) -> tuple[Edit, ...]:
    """Return the edit that removes the line ends right after another."""
    last = at
    while found.kind(last + 1) is LINE_END:
        last += 1
    return (Edit(found.ends[at], found.ends[last], ""),)


# -- brackets ------------------------------------------------------------------------------------


@space_check("No space, or one line end, is before a closing bracket.")
def closing_bracket_before(manifest: Manifest) -> Iterator[Problem]:
    """Report ``]`` after spaces or an empty line."""
    found = spaced(manifest)
    for at in found.of_kind("]"):
        before = found.before(at)
        if before < 0 or before == at - 1 or is_on_next_line(found, before, at):
            continue
        message = "there should be no whitespace or a single newline before a closing bracket"
        edits = between(found, before, at, one_line_end(found, before, at))
        yield problem_at(found, before + 1, message, *edits)


@space_check("Punctuation is directly after a closing bracket; other code has a space.")
def closing_bracket_after(manifest: Manifest) -> Iterator[Problem]:
    """Report ``]`` that code follows directly, or a space and punctuation."""
    return closing_after(manifest, "]", "bracket")


@space_check("One space is before the bracket of an array.")
def opening_bracket_before(manifest: Manifest) -> Iterator[Problem]:
    """Report ``[`` after code, several spaces or a line end, other than in lists and indexes."""
    found = spaced(manifest)
    message = "there should be a single space before an opening bracket"
    for at in found.of_kind("["):
        before = found.before(at)
        if before < 0 or is_index(found, at) or may_open_array(manifest, found, before, at):
            continue
        edits: tuple[Edit, ...] = ()
        if found.kinds[before] not in {"CLASSREF", "VARIABLE"}:
            wanted = "" if found.kinds[before] in {"(", "[", "{"} else " "
            edits = between(found, before, at, wanted)
        yield problem_at(found, at, message, *edits)


def is_index(found: Spaced, at: int) -> bool:
    """Return whether a bracket is directly behind a type, a variable or a name."""
    return found.kinds[at - 1] in {"CLASSREF", "VARIABLE"} or is_name(found, at - 1)


def may_open_array(manifest: Manifest, found: Spaced, before: int, at: int) -> bool:
    """Return whether a bracket may be where it is; ``before`` is the last token before it."""
    kind, begins_line = found.kinds[before], found.kinds[at - 1] in AT_LINE
    if kind is COMMENT:
        return True
    if begins_line and (kind in {";", ",", ":", "]", "}"} or is_name(found, before)):
        return True
    is_type = kind == "CLASSREF" and manifest.values[found.tokens[before]] in BUILT_IN
    if kind in {"]", "}", ")", "(", "[", "{"} or is_type:
        if before == at - 1 or begins_line:
            return True
    elif kind not in {"CLASSREF", "VARIABLE"} and found.one_space_between(before, at):
        return True
    return kind == "{" and may_open_in_block(found, before, at)


def may_open_in_block(found: Spaced, brace: int, at: int) -> bool:
    """Return whether an array may be after the brace of a block: of a resource or of a lambda."""
    before = found.before(brace)
    if before < 0:
        return True
    is_block = is_name(found, before) or found.kinds[before] == "|"
    return is_block and found.one_space_between(brace, at)


@space_check("No space, or one line end, is after an opening bracket.")
def opening_bracket_after(manifest: Manifest) -> Iterator[Problem]:
    """Report ``[`` before spaces or an empty line."""
    found = spaced(manifest)
    message = "there should be no whitespace or a single newline after an opening bracket"
    for at in found.of_kind("["):
        kind = found.kind(at + 1)
        if kind is BLANKS:
            edits = between(found, at, at + 2, "")
            yield problem_at(found, at + 1, message, *edits)
        elif kind is LINE_END and found.kind(at + 2) is LINE_END:
            yield problem_at(found, at + 2, message, *without_empty_lines(found, at + 1))


# -- lines ---------------------------------------------------------------------------------------


@space_check("At most one empty line is between others.")
def two_empty_lines(manifest: Manifest) -> Iterator[Problem]:
    """Report each empty line after another."""
    found = spaced(manifest)
    ends = 0
    for at, kind in enumerate(found.kinds):
        if kind not in SPACES:
            ends = 0
        elif kind is LINE_END:
            ends += 1
            if ends > 2:
                edit = Edit(found.ends[at - 1], found.ends[at], "")
                message = "there should be no two consecutive empty lines"
                yield problem_at(found, at, message, edit)


@space_check("A manifest does not begin with an empty line.")
def newline_beginning_of_file(manifest: Manifest) -> Iterator[Problem]:
    """Report the line ends that a manifest begins with."""
    found = spaced(manifest)
    at = 0
    while found.kind(at) is LINE_END:
        edit = Edit(found.starts[at], found.ends[at], "")
        message = "there should not be a newline at the beginning of a manifest"
        yield problem_at(found, at, message, edit)
        at += 1


@space_check("A manifest ends with a line end.")
def missing_newline_end_of_file(manifest: Manifest) -> Iterator[Problem]:
    """Report the last token if no line end follows."""
    found = spaced(manifest)
    last = len(found.kinds) - 1
    if last >= 0 and found.kinds[last] is not LINE_END:
        end = found.ends[last]
        message = "there should be a single newline at the end of a manifest"
        yield problem_at(found, last, message, Edit(end, end, "\n"))


@space_check("A manifest does not end with an empty line.")
def double_newline_end_of_file(manifest: Manifest) -> Iterator[Problem]:
    """Report each line end at the end of a manifest that is right after another."""
    found = spaced(manifest)
    at = len(found.kinds) - 1
    while found.kind(at) is LINE_END and found.kind(at - 1) is LINE_END:
        edit = Edit(found.starts[at], found.ends[at], "")
        message = "there should be a single newline at the end of a manifest"
        yield problem_at(found, at, message, edit)
        at -= 1
