"""The destinations of messages that ``--logdest`` names."""

from __future__ import annotations

from contextlib import ExitStack

from bunraku.apply.destinations import UnknownDestination, destinations_of
from bunraku.apply.log import Destination
from bunraku.base.usage import UsageError

LOG_DESTINATIONS = """\
--logdest -l LIST: destinations of messages: console, syslog or absolute paths, separated by commas;
    files named .json and .jsonl get JSON; can be repeated (default: console)"""


def opened_destinations(names: str, console: Destination, stack: ExitStack) -> list[Destination]:
    """Return the destinations of messages; raise UsageError for one that cannot be used."""
    try:
        return destinations_of(names, console, stack)
    except UnknownDestination as error:
        raise UsageError(f"--logdest: {error}") from None
    except OSError as error:
        reason = error.strerror or error
        raise UsageError(f"--logdest: cannot write to {error.filename}: {reason}") from None
