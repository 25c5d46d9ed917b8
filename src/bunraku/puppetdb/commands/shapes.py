"""Read values of known types from JSON documents, with errors that name the wrong value."""

from __future__ import annotations

import re
from collections.abc import Collection
from collections.abc import Set as AbstractSet

from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.puppetdb.commands.failure import invalid, unstorable
from bunraku.puppetdb.json_values import Json
from bunraku.puppetdb.timestamps import to_milliseconds

UUID_DIGITS = re.compile("[0-9a-fA-F]{32}")
NOT_OF_UUID = str.maketrans("", "", "-{}")
"""Characters that PostgreSQL allows in a UUID besides its digits."""


@record(frozen=True)
class Document:
    """A JSON object of a command; ``what`` names it in errors: ``resource``, ``report``."""

    what: str
    values: dict[str, Json]

    def has(self, *names: str) -> None:
        """Refuse the document if it lacks one of the keys."""
        missing = [name for name in names if name not in self.values]
        if missing:
            raise invalid(self.what, f"missing required key '{missing[0]}'")

    def allows(self, *names: str) -> None:
        """Refuse the document if it has other keys."""
        unknown = self.values.keys() - set(names)
        if unknown:
            raise invalid(self.what, f"unknown key '{min(unknown)}'")

    def has_only(self, names: AbstractSet[str], optional: Collection[str] = ()) -> None:
        """Refuse the document if it lacks one of the keys or has others."""
        if self.values.keys() != names:
            self.has(*names)
            self.allows(*names, *optional)

    def wrong(self, name: str, expected: str) -> PuppetError:
        """Return the error of a key whose value has the wrong type."""
        return invalid(self.what, f"the value of '{name}' must be {expected}")

    def text(self, name: str) -> str:
        """Return a text."""
        value = self.values.get(name)
        if not isinstance(value, str):
            raise self.wrong(name, "a string")
        return value

    def optional_text(self, name: str) -> str | None:
        """Return a text; None if it is missing or null."""
        return None if self.values.get(name) is None else self.text(name)

    def flag(self, name: str) -> bool:
        """Return a Boolean."""
        value = self.values.get(name)
        if not isinstance(value, bool):
            raise self.wrong(name, "true or false")
        return value

    def optional_flag(self, name: str) -> bool | None:
        """Return a Boolean; None if it is missing or null."""
        return None if self.values.get(name) is None else self.flag(name)

    def integer(self, name: str) -> int:
        """Return a whole number that the database can hold."""
        value = self.values.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 1 << 63:
            raise self.wrong(name, "an integer")
        return value

    def optional_integer(self, name: str) -> int | None:
        """Return a whole number; None if it is missing or null."""
        return None if self.values.get(name) is None else self.integer(name)

    def number(self, name: str) -> int | float:
        """Return a number."""
        value = self.values.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.wrong(name, "a number")
        return value

    def timestamp(self, name: str) -> int:
        """Return a point in time, a text or a number, in milliseconds since 1970."""
        found = to_milliseconds(self.values.get(name))
        if found is None:
            raise self.wrong(name, "a timestamp")
        return found

    def time(self, name: str) -> int:
        """Return a point in time from a text, in milliseconds since 1970."""
        self.text(name)
        return self.timestamp(name)

    def optional_time(self, name: str, default: int) -> int:
        """Return a point in time; the default if it is missing or null."""
        return default if self.values.get(name) is None else self.time(name)

    def optional_uuid(self, name: str) -> str | None:
        """Return a UUID in its usual form; None if it is missing or null."""
        text = self.optional_text(name)
        if text is None:
            return None
        digits = text.translate(NOT_OF_UUID)
        if not UUID_DIGITS.fullmatch(digits):
            raise unstorable(self.what, f"the value of '{name}' must be a UUID")
        digits = digits.lower()
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts."""
        value = self.values.get(name)
        if not isinstance(value, list):
            raise self.wrong(name, "an array of strings")
        found = [item for item in value if isinstance(item, str)]
        if len(found) != len(value):
            raise self.wrong(name, "an array of strings")
        return tuple(found)

    def object(self, name: str) -> dict[str, Json]:
        """Return an object as it is."""
        value = self.values.get(name)
        if not isinstance(value, dict):
            raise self.wrong(name, "an object")
        return value

    def optional_object(self, name: str) -> dict[str, Json]:
        """Return an object; an empty one if it is missing or null."""
        return {} if self.values.get(name) is None else self.object(name)

    def objects(self, name: str) -> list[dict[str, Json]]:
        """Return a list of objects."""
        value = self.values.get(name)
        if not isinstance(value, list):
            raise self.wrong(name, "an array of objects")
        found = [item for item in value if isinstance(item, dict)]
        if len(found) != len(value):
            raise self.wrong(name, "an array of objects")
        return found

    def optional_objects(self, name: str) -> list[dict[str, Json]]:
        """Return a list of objects; an empty one if it is missing or null."""
        return [] if self.values.get(name) is None else self.objects(name)


def document(what: str, value: Json) -> Document:
    """Return a JSON object as a document."""
    if not isinstance(value, dict):
        raise invalid(what, "expected an object")
    return Document(what, value)
