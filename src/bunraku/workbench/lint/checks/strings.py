"""Checks of strings and of the variables in them."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.text_edits import Edit
from bunraku.workbench.lint.declaration import Problem, check
from bunraku.workbench.lint.manifest import Manifest

ESCAPES = ("\\$", '\\"', "\\'", "'", "\r", "\t", "\\t", "\\s", "\n", "\\n", "\\\\")
"""What keeps a string in double quotes, as written."""


@check("Strings without variables and escapes are in single quotes.", fixes="layout")
def double_quoted_strings(manifest: Manifest) -> Iterator[Problem]:
    """Report strings in double quotes that mean the same in single quotes."""
    text, starts = manifest.text, manifest.starts
    # The text of an empty heredoc can begin at the end of the manifest.
    for at in [at for at in manifest.of_kind("STRING") if text.startswith('"', starts[at])]:
        content = manifest.content(at)
        # puppet-lint counts a run of as many spaces as the column as a line break.
        if " " * manifest.column(at) in content or any(one in content for one in ESCAPES):
            continue
        start, end = manifest.starts[at], manifest.ends[at]
        yield Problem(
            start,
            end,
            "double quoted string containing no variables",
            (Edit(start, start + 1, "'"), Edit(end - 1, end, "'")),
        )


@check("A string is more than one variable.", fixes="tree")
def only_variable_string(manifest: Manifest) -> Iterator[Problem]:
    """Report strings that consist of one variable."""
    for at in manifest.of_kind("DQPRE"):
        if manifest.values[at] or manifest.content(at):
            continue
        if manifest.text[manifest.starts[at]] != '"':
            continue
        if manifest.kind(at + 1) != "VARIABLE":
            continue
        last = at + 2
        while manifest.kind(last) == "[":
            last += 3
        if manifest.kind(last) != "DQPOST" or manifest.written(last) != '"':
            continue
        if manifest.kind(manifest.code_after(last)) == "=>":
            continue
        first, end = manifest.starts[at + 1], manifest.ends[last - 1]
        inner = manifest.text[first:end]
        edit = Edit(manifest.starts[at], manifest.ends[last], "$" + inner.removeprefix("$"))
        yield Problem(first, end, "string containing only a variable", (edit,))


@check("The path of a puppet:// URL begins with modules/.", fixes="tree")
def puppet_url_without_modules(manifest: Manifest) -> Iterator[Problem]:
    """Report URLs of the scheme puppet whose path does not begin with ``modules/``."""
    if "puppet://" not in manifest.text:
        return
    for at in manifest.of_kind("STRING", "DQPRE"):
        if manifest.text[manifest.starts[at]] not in "'\"":
            continue
        content = manifest.content(at)
        if not content.startswith("puppet://"):
            continue
        _, slash, path = content.removeprefix("puppet://").partition("/")
        if path.startswith("modules/"):
            continue
        place = manifest.starts[at] + 1 + len(content) - len(path)
        edits = (Edit(place, place, "modules/"),) if slash else ()
        yield Problem(
            manifest.starts[at], manifest.ends[at], "puppet:// URL without modules/ found", edits
        )


@check("Booleans are not in quotes.", fixes="tree", enabled=False)
def quoted_booleans(manifest: Manifest) -> Iterator[Problem]:
    """Report the strings 'true' and 'false'."""
    for at in manifest.of_kind("STRING"):
        if manifest.values[at] in ("true", "false"):
            start, end = manifest.starts[at], manifest.ends[at]
            edit = Edit(start, end, manifest.values[at])
            yield Problem(start, end, "quoted boolean value found", (edit,))


@check("Strings in single quotes have no ${…}, which would be plain text.", severity="error")
def single_quote_string_with_variables(manifest: Manifest) -> Iterator[Problem]:
    """Report ``${`` in strings in single quotes, other than templates."""
    values = manifest.values
    for at in [at for at in manifest.of_kind("STRING") if "${" in values[at]]:
        if not manifest.is_single_quoted(at):
            continue
        if "${" not in manifest.content(at) or is_template(manifest, at):
            continue
        yield Problem(
            manifest.starts[at],
            manifest.ends[at],
            "single quoted string containing a variable found",
        )


def is_template(manifest: Manifest, at: int) -> bool:
    """Return whether a string is the first argument of ``inline_template`` or ``inline_epp``."""
    before = at - 2 if manifest.kind(at - 1) == "(" else at - 1
    return before >= 0 and manifest.values[before] in ("inline_template", "inline_epp")


@check("Variables in strings are in braces.", fixes="layout")
def variables_not_enclosed(manifest: Manifest) -> Iterator[Problem]:
    """Report ``$name`` in strings."""
    for at in sorted(manifest.unenclosed):
        start, end = manifest.starts[at], manifest.ends[at]
        edit = Edit(start, end, "${" + manifest.written(at)[1:] + "}")
        yield Problem(start, end, "variable not enclosed in {}", (edit,))
