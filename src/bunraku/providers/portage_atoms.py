"""Atoms of Portage, which name packages of Gentoo: a package, maybe with versions and a slot."""

from __future__ import annotations

import re

from bunraku.base.records import record
from bunraku.providers.attributes import AS_IN_RUBY
from bunraku.providers.errors import ResourceFailure

PACKAGE = r"([\w+][\w+.-]*/[\w+][\w+-]*?)"
COMPARISON = r"([<>=~]|[<>]=)"
NUMBERS = r"(?:cvs\.)?\d+(?:\.\d+)*[a-z]?(?:_(?:pre|p|beta|alpha|rc)\d*)*(?:-r\d+)?"
SLOT = r"([\w+./*=-]+)"
PLAIN = re.compile(rf"^{PACKAGE}$", AS_IN_RUBY)
VERSIONED = re.compile(rf"^{COMPARISON}{PACKAGE}-({NUMBERS})(?::{SLOT})?$", AS_IN_RUBY)
ANY_ENDING = re.compile(rf"^(=?){PACKAGE}-({NUMBERS}\*)(?::{SLOT})?$", AS_IN_RUBY)
SLOTTED = re.compile(rf"^{PACKAGE}:{SLOT}$", AS_IN_RUBY)
VERSION = re.compile(rf"^({COMPARISON}?)({NUMBERS})$|^(=?)({NUMBERS}\*)$", AS_IN_RUBY)
ONE_SLOT = re.compile(rf"^{SLOT}$", AS_IN_RUBY)


@record(frozen=True)
class Atom:
    """A package, the versions with a comparison that are meant, and the slot; None for all."""

    package: str
    version: str | None = None
    slot: str | None = None

    def __str__(self) -> str:
        version = None if self.version is None else VERSION.search(self.version)
        if self.version is not None and version is None:
            raise ResourceFailure(f"{self.version} is not a valid compare version")
        text = self.package
        if version is not None:
            compared, _, number, ending, numbers = version.groups()
            comparison = (compared or "=") if number is not None else ending
            text = f"{comparison}{self.package}-{number or numbers}"
        return text if self.slot is None else f"{text}:{self.slot}"


def read_atom(text: str) -> Atom:
    """Return the parts of an atom; ResourceFailure for other text.

    >>> read_atom(">=app-admin/puppet-7.1:0"), str(Atom("dev-lang/ruby", "3.1"))
    (Atom(package='app-admin/puppet', version='>=7.1', slot='0'), '=dev-lang/ruby-3.1')
    """
    if match := PLAIN.search(text):
        return Atom(match[1])
    if match := VERSIONED.search(text) or ANY_ENDING.search(text):
        return Atom(match[2], match[1] + match[3], match[4])
    if match := SLOTTED.search(text):
        return Atom(match[1], slot=match[2])
    raise ResourceFailure(f"{text} is not a valid atom")
