"""The resource type ``cron``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bunraku.providers.attributes import ABSENT, Ensure, Parameter, Property
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import LineType, present_if_managed
from bunraku.providers.reading import munging, one_text
from bunraku.providers.resource_type import Reference
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.types.text.display import literal

STEPS = re.compile(r"\*/[0-9]+|[0-9]+-[0-9]+(?:/[0-9]+)?")
SETTING = re.compile(r"^\s*(\w+)\s*=\s*(.*)\s*$", re.MULTILINE)
DAYS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
MONTHS = (
    *("", "january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
SPECIALS = (
    *("reboot", "yearly", "annually", "monthly", "weekly"),
    *("daily", "midnight", "hourly", ABSENT),
)


class Time(Property):
    """The values of a time field of a job, or ``absent`` for all."""

    def __init__(
        self, name: str, lowest: int, highest: int, words: tuple[str, ...] = (), *, about: str = ""
    ) -> None:
        super().__init__(name, many=True, read=self.read_time, about=about)
        self.lowest = lowest
        self.highest = highest
        self.names = words

    def read_time(self, value: Any) -> Any:
        """Return a number, a range or a step as text, or ``absent``."""
        text = to_s(value)
        if text in (ABSENT, "*"):
            return ABSENT
        if STEPS.fullmatch(text):
            return text
        if text.isdigit():
            if self.lowest <= int(text) <= self.highest:
                return text
        elif len(text) == 3:
            for number, name in enumerate(self.names):
                if name[:3] == text.lower():
                    return str(number)
        elif text and text.lower() in self.names:
            return str(self.names.index(text.lower()))
        raise munging(self.name, value, f"{text} is not a valid {self.name}")

    def wanted(self, resource: ManagedResource, current: Any) -> Any:
        """Return the values, or ``absent``."""
        given = resource[self.name]
        return ABSENT if given and given[0] == ABSENT else given

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the job has the same values in the same order."""
        return bool(current == self.wanted(resource, current))


class Environment(Property):
    """The variables set above a job."""

    def wanted(self, resource: ManagedResource, current: Any) -> Any:
        """Return the settings of variables, or ``absent``."""
        given = resource["environment"]
        return ABSENT if given == [ABSENT] else given

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the job has the same settings, in any order."""
        wanted = self.wanted(resource, current)
        if isinstance(current, list) and isinstance(wanted, list):
            return sorted(current) == sorted(wanted)
        return bool(current == wanted)

    def shown_wanted(self, resource: ManagedResource, value: Any) -> str:
        """Format the settings, separated by commas."""
        return ",".join(value) if isinstance(value, list) else literal(value)


def read_special(value: Any) -> str:
    """Check the word that stands for a time, such as ``daily``."""
    if value not in SPECIALS:
        raise InvalidValue(f"Invalid special schedule {inspect(value)}")
    return to_s(value)


def read_setting(value: Any) -> str:
    """Check the setting of a variable."""
    if value != ABSENT and not SETTING.search(to_s(value)):
        raise InvalidValue(f"Invalid environment setting {inspect(value)}")
    return to_s(value)


def default_target(resource: ManagedResource) -> str:
    """Return the user of a job; by default, the user that runs bunraku."""
    if resource["user"]:
        return to_s(resource["user"])
    host = resource.run.host
    account = host.user(host.effective_user())
    return "root" if account is None else account.name


TIMES = (
    Time("minute", 0, 59, about="The minutes at which the job runs, 0 to 59."),
    Time("hour", 0, 23, about="The hours at which the job runs, 0 to 23."),
    Time("weekday", 0, 7, DAYS, about="The days of the week, 0 to 7 or names; 0 and 7 are Sunday."),
    Time("month", 1, 12, MONTHS, about="The months, 1 to 12 or names."),
    Time("monthday", 1, 31, about="The days of the month, 1 to 31."),
)


class Cron(LineType):
    """Jobs in the crontab of a user. A comment above a job contains its name."""

    name = "cron"
    module = "puppetlabs-cron_core 1.1"
    providers = ("crontab",)
    attributes = (
        Ensure(default=present_if_managed, about="Whether the job exists."),
        Property(
            "command",
            read=lambda value: one_text("command")(value).strip(),
            about="The command line that cron runs.",
        ),
        Property(
            "special",
            read=read_special,
            about="A name instead of times, such as `reboot` or `daily`.",
        ),
        *TIMES,
        Environment(
            "environment",
            many=True,
            read=read_setting,
            about="Variables for the job, as `NAME=value`.",
        ),
        Parameter("name", about="A unique name; a comment above the job contains it."),
        Property("user", about="The owner of the crontab. The job runs as this user."),
        Property(
            "target",
            text=True,
            default=default_target,
            about="The crontab that holds the job. Default: that of `user`.",
        ),
    )

    def check(self, resource: ManagedResource) -> None:
        """Raise InvalidValue for a job that sets both ``special`` and time fields."""
        if resource["special"] in (None, ABSENT):
            return
        for name in ("minute", "hour", "weekday", "monthday", "month"):
            if resource[name] is not None and resource[name] != [ABSENT]:
                raise InvalidValue(
                    f"{resource.reference} cannot specify both a special schedule "
                    f"and a value for {name}"
                )

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the user."""
        if resource["user"]:
            yield "user", to_s(resource["user"])


resource_type = Cron
