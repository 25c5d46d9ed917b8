"""What the types of the module portage share: lines about packages in files below ``/etc/portage``."""

from __future__ import annotations

import posixpath
import re
from typing import Any, ClassVar

from bunraku.providers.attributes import ABSENT, Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue, ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import FilePart, LineType, ParsedFile
from bunraku.providers.portage_atoms import ONE_SLOT, PLAIN, VERSION, Atom, read_atom
from bunraku.providers.provider import State
from bunraku.providers.reading import munging
from bunraku.providers.ruby_classes import ruby_class
from bunraku.types.ruby_semantics.values import inspect, to_s

Value = Any
DIRECTORY = "/etc/portage"
NEW_DIRECTORY = 0o755
MODE = 0o644
SKIPPED = re.compile(r"\s*(#|$)")
WORDS = re.compile(r"(\S+)\s+(.*)")
SPACE = re.compile(r"\s")


# -- attributes ------------------------------------------------------------------------------------


def read_package(value: Value) -> Value:
    """Return the name of a package with its category."""
    if not isinstance(value, str) or PLAIN.search(value) is None:
        raise InvalidValue(
            "name must be a properly formatted atom, see portage(5) for more information"
        )
    return value


def read_version(value: Value) -> Value:
    """Return versions: a number, maybe after a comparison."""
    if not isinstance(value, str) or VERSION.search(value) is None:
        raise InvalidValue(f"'{to_s(value)}' must be a properly formatted version")
    return value


def read_slot(value: Value) -> Value:
    """Return a slot."""
    if not isinstance(value, str) or ONE_SLOT.search(value) is None:
        raise InvalidValue("slot must be a properly formatted slot")
    return value


class WordList(Property):
    """The words after a package, in their order; empty ones do not count."""

    def __init__(self, name: str, *, what: str | None = None, about: str) -> None:
        super().__init__(name, many=True, default=[], about=about)
        self.what = what

    def accept(self, value: Value, resource: ManagedResource) -> Value:
        """Return a word; raise InvalidValue if it has a space."""
        if self.what is not None and isinstance(value, str) and SPACE.search(value):
            raise InvalidValue(f"{self.what} cannot contain whitespace")
        return value

    def wanted(self, resource: ManagedResource, current: Value) -> Value:
        """Return the words."""
        given = resource[self.name]
        return None if given is None else [one for one in given if one != ""]

    def in_sync(self, resource: ManagedResource, current: Value) -> bool:
        """Return whether the words are the wanted ones."""
        return bool(current == self.wanted(resource, current))

    def shown(self, resource: ManagedResource, value: Value) -> str:
        """Return the words, separated by spaces."""
        return " ".join(map(to_s, value)) if isinstance(value, list) else to_s(value)


def portage_attributes(name: str, *words: WordList) -> tuple[Parameter, ...]:
    """Return the attributes of the type of a file; ``words`` are those after the package."""

    def read_target(value: Value) -> str:
        if not isinstance(value, str):
            reason = f"undefined method `match' for {inspect(value)}:{ruby_class(value)}"
            raise munging("target", value, reason)
        return value if "/" in value else f"{DIRECTORY}/{name}/{value}"

    return (
        Ensure(default="present", about="Whether the file has a line for the package."),
        Parameter("name", read=read_package, about="The package with its category."),
        Property(
            "version", read=read_version, about="The versions: a number, maybe after a comparison."
        ),
        Property("slot", read=read_slot, about="The slot."),
        *words,
        Property(
            "target",
            read=read_target,
            default=f"{DIRECTORY}/{name}/default",
            about=f"The file; a name without a slash is one in `{DIRECTORY}/{name}`.",
        ),
        Parameter("provider"),
    )


class PortageType(LineType):
    """A type of lines about packages."""

    module = "gentoo-portage 2.6"
    providers = ("parsed",)


# -- the provider ----------------------------------------------------------------------------------


class PortageLines(ParsedFile):
    """Reads and writes files of lines about packages; ``words`` is the property after the package."""

    name = "parsed"
    words: ClassVar[str | None] = None
    new_mode = MODE

    def parse(self, line: str) -> State | None:
        """Return the package of a line, with what the line says about it."""
        if SKIPPED.match(line):
            return None
        match = WORDS.match(line) if self.words is not None else None
        first = line.split(maxsplit=1)[0] if match is None else match[1]
        if not line.startswith(first):
            raise ResourceFailure(f"Could not match '{line}'")
        atom = read_atom(first)
        parts = {"name": atom.package, "version": atom.version, "slot": atom.slot}
        found = {name: value for name, value in parts.items() if value is not None}
        if match is not None and self.words is not None:
            return {**found, self.words: match[2].split()}
        return found

    def line(self, entry: FilePart) -> str:
        """Format a package with its words as a line."""
        parts = (entry.state.get(name) for name in ("version", "slot"))
        version, slot = (None if one in (None, ABSENT) else to_s(one) for one in parts)
        text = str(Atom(entry.name, version, slot))
        words = entry.state.get(self.words) if self.words is not None else None
        return text if not isinstance(words, list) else f"{text} {' '.join(map(to_s, words))}"

    def write_target(self, target: str, text: str, resource: ManagedResource) -> None:
        """Write a file, in a new directory if it has none; all can read it."""
        directory = posixpath.dirname(target)
        if self.host.status(directory, follow=True) is None:
            self.host.make_directory(directory, NEW_DIRECTORY)
        super().write_target(target, text, resource)
        self.host.set_mode(target, MODE)
