"""The resource type ``wait_for``."""

from __future__ import annotations

import re
from typing import Any

from bunraku.providers.attributes import Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import boolean, munging, one_text
from bunraku.providers.resource_type import ResourceType
from bunraku.providers.ruby_classes import implicit_class
from bunraku.providers.wait_for.wait_for import WaitFor as Waiting
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.values.ruby_semantics.numbers import has_to_i, parse_float, to_i

Value = Any
NOT_RUN = "notrun"
SETTING = re.compile(r"\w+=")
WAITS = ("exit_code", "regex", "seconds")


def waiting(resource: ManagedResource) -> Waiting:
    """Return the provider of a resource."""
    assert isinstance(resource.provider, Waiting)
    return resource.provider


class Awaited(Property):
    """What is waited for; the state is ``notrun`` if the resource must wait."""

    def retrieve(self, resource: ManagedResource) -> Value:
        """Return ``notrun`` unless the resource waits for a refresh only."""
        return resource[self.name] if resource.is_true("refreshonly") else NOT_RUN

    def change(self, resource: ManagedResource, wanted: Value) -> None:
        """Wait."""
        waiting(resource).wait(resource, self.name)


def read_number(value: Value) -> int:
    """Return a whole number, 0 for text that is not one."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InvalidValue(f"expected a number, got {to_s(value)}")
    return to_i(value)


def read_environment(value: Value) -> list[str]:
    """Return settings of environment variables."""
    settings = [to_s(one) for one in (value if isinstance(value, list) else [value])]
    for one in settings:
        if SETTING.search(one) is None:
            raise InvalidValue(f"Invalid environment setting '{one}'")
    return settings


def read_timeout(value: Value) -> Value:
    """Return a time limit; the module has none, whatever the value is."""
    first = (value[0] if value else None) if isinstance(value, list) else value
    if first is not None and not has_to_i(first):
        raise munging("timeout", value, f"undefined method `to_f' for {inspect(first)}")
    number = first if isinstance(first, int | float) else to_i(first)
    if number < 0:
        raise munging("timeout", value, "The timeout cannot be a negative number")
    return value


def read_tries(value: Value) -> int:
    """Return a number of attempts."""
    if isinstance(value, str) and not value.isdecimal():
        raise munging("max_retries", value, "Tries must be an integer")
    if value is None or not has_to_i(value):
        raise munging("max_retries", value, f"undefined method `<' for {inspect(value)}")
    if int(value) < 1:
        raise munging("max_retries", value, "Tries must be an integer >= 1")
    return int(value)


def read_pause(value: Value) -> float:
    """Return the seconds between two attempts."""
    number = parse_float(value) if isinstance(value, str) else value
    if number is None:
        reason = f"invalid value for Float(): {inspect(value)}"
        raise munging("polling_frequency", value, reason)
    if isinstance(number, bool) or not isinstance(number, int | float):
        reason = f"can't convert {implicit_class(number)} into Float"
        raise munging("polling_frequency", value, reason)
    if number < 0:
        reason = "polling_frequency cannot be a negative number"
        raise munging("polling_frequency", value, reason)
    return float(number)


class WaitFor(ResourceType):
    """Waits until a command succeeds or prints something, or for some seconds."""

    name = "wait_for"
    module = "heini-wait_for 2.2"
    namevar = "query"
    providers = ("wait_for",)
    refreshable = True
    attributes = (
        Awaited(
            "exit_code",
            read=read_number,
            many=True,
            about="The exit codes of the command that end the wait.",
        ),
        Awaited(
            "regex",
            read=one_text("Regex"),
            about="A regular expression; the wait ends when the output of the command matches.",
        ),
        Awaited("seconds", read=read_number, about="Wait for this number of seconds."),
        Parameter("query", read=one_text("Command"), about="The command."),
        Parameter(
            "environment",
            read=read_environment,
            about="Environment variables of the command, as `NAME=VALUE`.",
        ),
        Parameter(
            "timeout",
            read=read_timeout,
            default=300,
            about="A time limit in seconds, which the module does not apply either.",
        ),
        Parameter("max_retries", read=read_tries, default=119, about="The number of attempts."),
        Parameter(
            "polling_frequency",
            read=read_pause,
            default=0.5,
            about="The seconds between two attempts.",
        ),
        boolean("refreshonly", about="Whether the resource waits only when it is refreshed."),
    )

    def check(self, resource: ManagedResource) -> None:
        """Refuse a resource that waits for nothing, or for several things."""
        wanted = [name for name in WAITS if resource[name] is not None]
        if not wanted:
            raise InvalidValue("Exactly one of regex, seconds or exit_code is required.")
        if len(wanted) > 1:
            raise InvalidValue("Attributes regex, seconds and exit_code are mutually exclusive.")

    def refresh(self, resource: ManagedResource) -> None:
        """Wait once more."""
        for name in WAITS:
            if resource[name] is not None:
                waiting(resource).wait(resource, name)


resource_type = WaitFor
