"""Read values of known types from JSON documents, with errors that name the wrong value."""

from __future__ import annotations

from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.puppetdb.commands.failure import invalid
from bunraku.puppetdb.json_values import Json
from bunraku.puppetdb.timestamps import to_milliseconds


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
        unknown = sorted(self.values.keys() - set(names))
        if unknown:
            raise invalid(self.what, f"unknown key '{unknown[0]}'")

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

    def timestamp(self, name: str) -> int:
        """Return a point in time in milliseconds since 1970."""
        found = to_milliseconds(self.values.get(name))
        if found is None:
            raise self.wrong(name, "a timestamp")
        return found

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

    def documents(self, name: str, what: str) -> list[Document]:
        """Return a list of objects as documents."""
        value = self.values.get(name)
        if not isinstance(value, list):
            raise self.wrong(name, "an array of objects")
        return [document(what, item) for item in value]


def document(what: str, value: Json) -> Document:
    """Return a JSON object as a document."""
    if not isinstance(value, dict):
        raise invalid(what, "expected an object")
    return Document(what, value)
