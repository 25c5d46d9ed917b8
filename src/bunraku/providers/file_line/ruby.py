"""The provider of ``file_line``: it reads and rewrites whole files."""

from __future__ import annotations

import codecs
from collections.abc import Callable

from bunraku.base.errors import PuppetError
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.providers.rewriting import rewrite
from bunraku.types.ruby_semantics.values import to_s
from bunraku.values.regexp.regexp import Regexp, regexp_from_string

Matches = Callable[[str], bool]


class Ruby(Provider):
    """Changes lines of files; the name is that of Puppet's provider."""

    name = "ruby"

    def suitable(self) -> bool:
        """Return True: every machine has files."""
        return True

    # -- state -----------------------------------------------------------------------------------

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether ``present`` needs no change, or ``absent`` has lines to remove."""
        lines = self.lines(resource)
        present = any(bare(line) == resource["line"] for line in lines)
        if resource["match"] is None:
            return present
        matched = self.count(resource, lines) > 0
        if resource["ensure"] == "absent":
            return present or (matched and resource.is_true("match_for_absence"))
        if not matched:
            return present or not resource.is_true("append_on_no_match")
        if resource.is_true("replace_all_matches_not_matching_line"):
            return False
        return present or not resource.is_true("replace")

    def lines(self, resource: ManagedResource) -> list[str]:
        """Return the lines of the file with their ends; with ``noop``, an absent file has none."""
        try:
            content = self.host.read(resource["path"])
        except FileNotFoundError:
            if not resource.noop:
                raise
            return []
        encoding = encoding_of(resource)
        try:
            text = content.decode(encoding, "surrogateescape")
        except UnicodeError as error:
            raise ResourceFailure(f"{resource['path']} is not in {encoding}: {error}") from None
        return [f"{line}\n" for line in text.split("\n")[:-1]] + (
            [text.rpartition("\n")[2]] if not text.endswith("\n") and text else []
        )

    def count(self, resource: ManagedResource, lines: list[str]) -> int:
        """Return the number of lines that ``match`` matches, except lines that are already correct."""
        matches = pattern(resource, "match").matches
        skip = resource.is_true("replace_all_matches_not_matching_line")
        return sum(
            1 for line in lines if not (skip and bare(line) == resource["line"]) and matches(line)
        )

    # -- changes ---------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Add the line, or replace others with it."""
        lines = self.lines(resource)
        if resource["match"] is not None:
            number = self.count(resource, lines)
            if number > 0 and not resource.is_true("replace"):
                return
            self.check_number(resource, number)
            new = replaced_lines(resource, lines, number)
        elif resource["after"] is not None:
            new = self.added_after(resource, lines)
        else:
            new = [*lines, resource["line"]]
        self.write(resource, [ended(line) for line in new])

    def added_after(self, resource: ManagedResource, lines: list[str]) -> list[str]:
        """Return the lines with the new one after each match of ``after``, otherwise at the end."""
        matches = pattern(resource, "after").matches
        number = sum(map(matches, lines))
        if number > 1 and not resource.is_true("multiple"):
            raise ResourceFailure(
                f"{number} lines match pattern '{resource['after']}' in file '{resource['path']}'. "
                "One or no line must match the pattern."
            )
        new: list[str] = []
        for line in lines:
            new += [line, resource["line"]] if matches(line) else [line]
        return new if number else [*new, resource["line"]]

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the line, or the lines that ``match`` matches."""
        lines = self.lines(resource)
        if resource.is_true("match_for_absence") and resource["match"] is not None:
            self.check_number(resource, self.count(resource, lines))
            matches = pattern(resource, "match").matches
            kept = [line for line in lines if not matches(line)]
        else:
            kept = [line for line in lines if bare(line) != resource["line"]]
        self.write(resource, kept)

    def check_number(self, resource: ManagedResource, number: int) -> None:
        """Raise ResourceFailure if more lines match than may be changed."""
        if number > 1 and not resource.is_true("multiple"):
            path, match = resource["path"], resource["match"]
            raise ResourceFailure(f"More than one line in file '{path}' matches pattern '{match}'")

    def write(self, resource: ManagedResource, lines: list[str]) -> None:
        """Write the new lines of the file."""
        encoding = encoding_of(resource)
        try:
            content = "".join(lines).encode(encoding, "surrogateescape")
        except UnicodeError:
            raise ResourceFailure(f"the line has a character that {encoding} lacks") from None
        rewrite(self.host, resource["path"], content)


def replaced_lines(resource: ManagedResource, lines: list[str], number: int) -> list[str]:
    """Return the lines with each match replaced; without a match, insert the line after ``after``."""
    matches = pattern(resource, "match").matches
    after = pattern(resource, "after").matches if resource["after"] is not None else None
    new: list[str] = []
    for line in lines:
        new.append(resource["line"] if matches(line) else line)
        if number == 0 and after is not None and after(line):
            new.append(resource["line"])
            number = 1
    return new if number else [*new, resource["line"]]


def pattern(resource: ManagedResource, name: str) -> Regexp:
    """Return the regular expression of an attribute; raise ResourceFailure if it is invalid."""
    try:
        return regexp_from_string(to_s(resource[name]))
    except PuppetError as error:
        raise ResourceFailure(error.message) from None


def ended(line: str) -> str:
    """Return a line with its end; add a line feed if it has none."""
    return line if line.endswith("\n") else line + "\n"


def bare(line: str) -> str:
    """Return a line without its end.

    >>> bare("a\\r\\n"), bare("b")
    ('a', 'b')
    """
    return line.removesuffix("\n").removesuffix("\r")


def encoding_of(resource: ManagedResource) -> str:
    """Return Python's name of the file's encoding; raise ResourceFailure if it is unknown.

    Python also has encodings of bytes as bytes, such as base64, which are none of texts.
    """
    name = to_s(resource["encoding"]).rpartition(":")[2]
    try:
        "".encode(codecs.lookup(name).name)
    except (LookupError, ValueError):
        raise ResourceFailure(f"unknown encoding name - {name}") from None
    return name


provider = Ruby
