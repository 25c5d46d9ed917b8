"""The resource type ``hocon_setting``."""

from __future__ import annotations

from typing import Any

from bunraku.providers.attributes import Ensure, Parameter, Property, ruby_text
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import absolute_path, munging, refused_by_check
from bunraku.providers.resource_type import ResourceType
from bunraku.providers.ruby_classes import ruby_class
from bunraku.types.ruby_semantics.values import inspect, to_s, unique
from bunraku.values.ruby_semantics.collections import flatten, same
from bunraku.values.ruby_semantics.numbers import parse_float, parse_integer

CLASSES: dict[str, tuple[type, ...]] = {
    "boolean": (bool,),
    "string": (str,),
    "text": (str,),
    "array": (list,),
    "hash": (dict,),
}
KINDS = "'boolean', 'string', 'text', 'number', 'array', or 'hash'"
MISSING = "value is a required parameter unless ensuring a setting is absent."


def number_in(value: Any) -> int | float | None:
    """Return a number, also one that is a text in Ruby's spelling; None for other values."""
    if isinstance(value, str):
        number = parse_integer(value)
        return parse_float(value) if number is None else number
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def read_hocon_value(value: Any, resource: ManagedResource) -> Any:
    """Return a value whose class is that of ``type``; texts of numbers become numbers."""
    kind = resource["type"]
    given = resource.original["value"]
    given = given if isinstance(given, list) else [given]
    judged = given if len(given) > 1 or kind == "array" else given[0]
    if kind not in (None, "array_element"):
        check_hocon_kind(kind, judged)
    if kind == "number" and isinstance(value, str):
        number = number_in(value)
        if number is None:
            raise munging("value", value, f"invalid value for Float(): {inspect(value)}")
        return number
    return value


def check_hocon_kind(kind: Any, value: Any) -> None:
    """Raise InvalidValue for a value that is not of a kind."""
    classes = CLASSES.get(kind) if isinstance(kind, str) else None
    if kind == "number":
        is_right = number_in(value) is not None
    elif classes is not None:
        is_right = isinstance(value, classes)
    else:
        reason = f"Type was specified as {to_s(kind)}, but should have been one of {KINDS}"
        raise refused_by_check("value", reason)
    if not is_right:
        reason = f"Type specified as '{kind}' but was {ruby_class(value)}"
        if kind in ("string", "text"):
            reason = f"Type specified as {kind} but was {ruby_class(value)}"
        raise refused_by_check("value", reason)


class HoconKind(Property):
    """The kind of the value, which is always in sync."""

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return True: only values are compared."""
        return True


class HoconValue(Property):
    """The value, or the elements that an array must have."""

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the value is the wanted one, or has the wanted elements."""
        wanted = resource[self.name]
        if resource["type"] == "array_element":
            elements = flatten(current)
            return all(any(same(one, other) for other in elements) for one in wanted)
        if resource["type"] == "array":
            return same(current, wanted)
        return not wanted or (
            isinstance(current, list)
            and len(current) == len(wanted)
            and all(map(is_wanted, current, wanted))
        )

    def described(self, resource: ManagedResource, current: Any, wanted: Any) -> str:
        """Return the message of a change; for elements, the array before and after it."""
        if resource["type"] != "array_element":
            return super().described(resource, current, wanted)
        before = flatten([current])
        after = unique([*before, *flatten(wanted)])
        return f"value changed [{listed(before)}] to [{listed(after)}]"


def is_wanted(current: Any, wanted: Any) -> bool:
    """Return whether a value is the wanted one, or its text is."""
    return same(current, wanted) or same(current, ruby_text(wanted))


def listed(values: list[Any]) -> str:
    """Return values with commas between them."""
    return ", ".join(map(ruby_text, values))


class HoconSetting(ResourceType):
    """Settings of HOCON files, as those of the Puppet server. Comments and other settings stay as they are.

    The title is the setting unless `setting` is set. As in the module, a value of the type `text` that
    is an object or an array is written in each run, and an array of one element needs the type `array`.
    Values can come from files that the file includes at its top level.
    """

    name = "hocon_setting"
    module = "puppetlabs-hocon 2.0"
    providers = ("ruby",)
    namevar = "setting"
    attributes = (
        Ensure(default="present", about="Whether the setting exists."),
        Parameter(
            "setting",
            text=True,
            about="The path of the setting, with dots between the names: `http-client.ssl-protocols`.",
        ),
        Parameter(
            "path", read=absolute_path, about="The file. A `.json` file must be strict JSON."
        ),
        HoconKind(
            "type",
            about="The kind of the value: `boolean`, `string`, `number`, `array`, `hash`, `text` (HOCON "
            "that is written as it is), or `array_element` (elements that the array must have).",
        ),
        HoconValue(
            "value",
            many=True,
            read_for=read_hocon_value,
            about="The value. It is required unless `ensure` is `absent`.",
        ),
    )

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue if the file or the value is missing."""
        text = "" if resource["path"] is not None else "path is a required parameter. "
        if "value" not in resource and resource["ensure"] != "absent":
            text += MISSING
        if text:
            raise InvalidValue(text)


resource_type = HoconSetting
