"""Variables in files of shell assignments."""

from __future__ import annotations

import re
from typing import Any

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.lens_file import (
    LensProvider,
    binary,
    is_empty,
    quote,
    unquoted,
    without_name,
)
from bunraku.providers.managed_resource import ManagedResource
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.augeas import AugeasTree

WORDS_LENS = "Shellvars_list.lns"
QUOTED_TEXT = re.compile(r"^([\"'])(.*)\1$", re.MULTILINE | re.DOTALL)
EMPTY_UNSET = "$target/@unset[count(*)=0]"


class ShellVariables(LensProvider):
    """Changes files through Augeas."""

    lens = "Shellvars.lns"
    free_labels = True

    def path(self, resource: ManagedResource) -> str:
        """Return the path of the assignment, or of the name after ``unset``."""
        return f"{assignment(resource)}|{unset_name(resource)}"

    # -- state -----------------------------------------------------------------------------------

    def is_unset(self, resource: ManagedResource) -> bool:
        """Return whether the file unsets the variable."""
        return bool(self.open(resource).match(unset_name(resource)))

    def is_exported(self, resource: ManagedResource) -> bool:
        """Return whether the file exports the variable."""
        return bool(self.open(resource).match(f"{assignment(resource)}/export"))

    def get(self, resource: ManagedResource, name: str) -> Any:
        """Return the values without quotes, or the comment."""
        tree = self.open(resource)
        if name == "comment":
            return binary(without_name(tree.get(comment_path(resource)), resource["variable"]))
        if is_array(tree, resource):
            return [binary(tree.get(path)) for path in tree.match("$resource/*")]
        value = tree.get("$resource")
        match = None if value is None else QUOTED_TEXT.search(value)
        return [binary(value if match is None else match[2])]

    # -- changes ---------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Add the variable, preferably after a comment that has it."""
        tree, name = self.change(resource), resource["variable"]
        commented = tree.match(f"$target/#comment[.=~regexp('{name}([^a-z.].*)?')]")
        old = commented_words(tree.get(commented[0])) if commented else []
        if old is None:
            return
        is_unset = resource["ensure"] == "unset"
        if commented:
            tree.insert(commented[0], "@unset" if is_unset else name, before=False)
            if resource.is_true("uncomment"):
                tree.remove(commented[0])
        if is_unset:
            tree.set(f"{EMPTY_UNSET}/1", name)
        else:
            set_words(tree, resource, wanted_words(resource, old))
            if resource["ensure"] == "exported":
                tree.set(f"{assignment(resource)}/export", None)
        if resource["comment"] is not None:
            tree = self.change(resource)
            tree.insert("$resource/.." if is_unset else "$resource", "#comment", before=True)
            tree.set("$target/#comment[.='']", f"{name}: {to_s(resource['comment'])}")

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the variable and its comment."""
        tree = self.change(resource)
        tree.remove(comment_path(resource))
        tree.remove(assignment(resource))
        remove_unset(tree, resource)

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Change the values, or the comment."""
        tree = self.change(resource)
        if name == "value":
            set_words(tree, resource, value)
            return
        path = comment_path(resource)
        if is_empty(value):
            tree.remove(path)
            return
        if not tree.match(path):
            tree.insert(assignment(resource), "#comment", before=True)
        tree.set(above(resource), f"{resource['variable']}: {to_s(resource['comment'])}")

    def export(self, resource: ManagedResource) -> None:
        """Export the variable."""
        tree = self.change(resource)
        if tree.match(unset_entry(resource)):
            self.set_again(resource)
        path = assignment(resource)
        if is_array(tree, resource):
            tree.insert(f"{path}/1", "export", before=True)
        else:
            tree.set(f"{path}/export", None)

    def unset(self, resource: ManagedResource) -> None:
        """Replace the assignment by ``unset``."""
        tree, path = self.change(resource), assignment(resource)
        tree.insert(path, "@unset", before=False)
        tree.set(f"{EMPTY_UNSET}/1", resource["variable"])
        tree.remove(path)

    def stop_exporting(self, resource: ManagedResource) -> None:
        """Set the variable without exporting it."""
        tree = self.change(resource)
        tree.remove(f"{assignment(resource)}/export")
        set_words(tree, resource, resource["value"])

    def set_again(self, resource: ManagedResource) -> None:
        """Replace ``unset`` by an assignment."""
        tree = self.change(resource)
        tree.insert(unset_entry(resource), resource["variable"], before=False)
        set_words(tree, resource, resource["value"])
        remove_unset(tree, resource)


# -- paths -----------------------------------------------------------------------------------------


def assignment(resource: ManagedResource) -> str:
    """Return the path of the assignment."""
    return f"$target/{resource['variable']}"


def unset_name(resource: ManagedResource) -> str:
    """Return the path of the variable's name after ``unset``."""
    return f"$target/@unset/*[.='{resource['variable']}']"


def unset_entry(resource: ManagedResource) -> str:
    """Return the path of the command ``unset`` that has the variable."""
    return f"$target/@unset[*='{resource['variable']}']"


def above(resource: ManagedResource) -> str:
    """Return the path of a comment directly above the variable."""
    name = resource["variable"]
    label = f"@unset[*='{name}']" if resource["ensure"] == "unset" else name
    return f"$target/#comment[following-sibling::*[1][self::{label}]]"


def comment_path(resource: ManagedResource) -> str:
    """Return the path of the variable's own comment."""
    return f"{above(resource)}[. =~ regexp('{resource['variable']}:.*')]"


def remove_unset(tree: AugeasTree, resource: ManagedResource) -> None:
    """Remove the variable from ``unset``."""
    tree.remove(unset_name(resource))
    tree.remove(EMPTY_UNSET)


# -- values ----------------------------------------------------------------------------------------


def is_array(tree: AugeasTree, resource: ManagedResource) -> bool:
    """Return whether the file has an array of the shell."""
    return bool(tree.match(f"{assignment(resource)}/1"))


def commented_words(comment: str | None) -> list[str] | None:
    """Return the words of the value in a comment; None if the value is missing.

    >>> commented_words('LANG="a b"'), commented_words("LANG="), commented_words("LANG is set")
    (['a', 'b'], None, ['LANG', 'is', 'set'])
    """
    text = comment or ""
    if "=" not in text:
        return unquoted(text).split()
    parts = text.rstrip("=").split("=")
    return unquoted(parts[1]).split() if len(parts) > 1 else None


def wanted_words(resource: ManagedResource, commented: list[str]) -> list[str] | None:
    """Return the values of a new variable; a comment may have some of them."""
    wanted: list[str] | None = resource["value"]
    if not resource.is_true("uncomment"):
        return wanted
    if wanted is None:
        return commented
    return (
        list(dict.fromkeys([*commented, *wanted])) if resource.is_true("array_append") else wanted
    )


def set_words(tree: AugeasTree, resource: ManagedResource, words: list[str] | None) -> None:
    """Set the values of the assignment, as a text or as an array of the shell."""
    if words is None:
        raise ResourceFailure("undefined method `size' for nil:NilClass")
    path, kind = assignment(resource), resource["array_type"]
    if kind == "auto":
        kind = "array" if is_array(tree, resource) else "string"
    tree.remove(f"{path}/*[label()=~regexp('^[0-9]+$')]")
    if kind == "array":
        for number, word in enumerate(words):
            tree.set(f"{path}/{number}", quoted(resource, word, None))
        return
    old = tree.get(path)
    text = spaced_words(tree, resource, words, old) if len(words) > 1 else None
    if text is None:
        text = quoted(resource, " ".join(words), old)
    tree.set(path, text)


def quoted(resource: ManagedResource, value: str, old: str | None) -> str:
    """Return a value in the quotes that the resource wants."""
    mark = quote(value, resource["quoted"], old)
    return f"{mark}{value}{mark}"


def spaced_words(
    tree: AugeasTree, resource: ManagedResource, words: list[str], old: str | None
) -> str | None:
    """Return words with the spaces between the old ones; None if the old value is no list."""
    name = resource["variable"]
    original = f"{name}={old or ''}\n"
    if not tree.parse(WORDS_LENS, original, "/parsed"):
        return None
    tree.remove(f"/parsed/{name}/value")
    tree.set(f"/parsed/{name}/quote", quote(" ".join(words), resource["quoted"], old))
    for word in words:
        tree.set(f"/parsed/{name}/value[last()+1]", word)
    text = tree.text(WORDS_LENS, original, "/parsed")
    tree.remove("/parsed")
    if text is None:
        raise ResourceFailure("undefined method `sub' for nil:NilClass")
    return text.replace(f"{name}=", "", 1).removesuffix("\n")


provider = ShellVariables
