"""The log of r10k: lines on standard error, and the outputs of the setting ``logging.outputs``."""

from __future__ import annotations

import time
from collections.abc import Callable

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_typing import Any
from bunraku.base.records import record
from bunraku.deployment.credentials import without_password
from bunraku.deployment.log_levels import LEVEL_NAMES, level_number
from bunraku.deployment.r10k_issues import R10K_LOG_OUTPUT
from bunraku.deployment.r10k_settings import LoggingSettings, LogOutput

INFO, WARN, OFF = 4, 6, 9
COLOURS = ("", "36", "36", "32", "", "", "33", "31", "31")
PRIORITIES = (7, 7, 7, 7, 6, 6, 4, 3, 2)
"""The priorities of the system log by level: from 7, debug, to 2, critical; see syslog(3)."""
Write = Callable[[str], None]


def level_of(text: str | bool) -> int:
    """Return the number of a level; True is ``info``. Raise PuppetError for an unknown level."""
    number = INFO if text is True else level_number(str(text))
    if number is None:
        listed = ", ".join(f'"{name}"' for name in LEVEL_NAMES)
        raise R10K_LOG_OUTPUT(reason=f"Invalid log level '{text}'. Valid levels are [{listed}]")
    return number


@record(frozen=True)
class ExtraOutput:
    """An output beside standard error: its level, the levels that alone count, its function."""

    level: int
    only_at: tuple[int, ...]
    emit: Callable[[int, str], None]


class R10kLog:
    """Writes messages of a level and above, without passwords."""

    def __init__(self, write: Write, *, colour: bool = False) -> None:
        self.write = write
        self.colour = colour
        self.level = WARN
        self.on_standard_error = True
        self.extra: list[ExtraOutput] = []

    def configure(self, settings: LoggingSettings, output: Write) -> None:
        """Follow the settings; ``output`` writes to standard output. PuppetError if one is wrong."""
        if settings.level:
            self.level = level_of(settings.level)
        self.on_standard_error = not settings.disable_default_stderr
        self.extra = [self.extra_output(one, output) for one in settings.outputs]

    def extra_output(self, output: LogOutput, write: Write) -> ExtraOutput:
        """Return an output of the settings."""
        level = level_of(output.level) if output.level else self.level
        only_at = tuple([level_of(one) for one in output.only_at])
        return ExtraOutput(level, only_at, emitter(output, write, self.write))

    def say(self, level: str, message: str) -> None:
        """Write a message to each output for which it is urgent enough."""
        number = LEVEL_NAMES.index(level) + 1
        text = without_password(message)
        if self.on_standard_error and number >= self.level:
            self.write(self.line(number, text))
        for one in self.extra:
            if number in one.only_at if one.only_at else number >= one.level:
                one.emit(number, text)

    def line(self, number: int, text: str) -> str:
        """Return the line for standard error: with the time, if debugging messages are shown."""
        name = LEVEL_NAMES[number - 1].upper()
        if self.level < INFO:
            moment = time.strftime("%Y-%m-%d %H:%M:%S")
            line = f"[{moment} - {name}] {text}\n"
        else:
            line = f"{name}\t -> {text}\n"
        code = COLOURS[number] if self.colour else ""
        return f"\033[{code}m{line}\033[0m" if code else line


# -- outputs -----------------------------------------------------------------------------------------


def emitter(output: LogOutput, write: Write, write_error: Write) -> Callable[[int, str], None]:
    """Return the function of an output of the settings; PuppetError if it cannot be used."""
    try:
        match output.kind:
            case "stdout":
                return lambda number, text: write(entry_line(number, text) + "\n")
            case "stderr":
                return lambda number, text: write_error(entry_line(number, text) + "\n")
            case "file" | "rollingfile":
                return file_emitter(output)
            case "syslog":
                return syslog_emitter(output)
    except (OSError, ValueError) as error:
        raise refused_output(output, str(error)) from None
    raise R10K_LOG_OUTPUT(reason=f"Unable to find a {output.kind} outputter.")


def refused_output(output: LogOutput, reason: str) -> PuppetError:
    """Return the error for an output that cannot be opened."""
    return R10K_LOG_OUTPUT(reason=f"Cannot open the log output {output.kind}: {reason}")


def entry_line(number: int, text: str) -> str:
    """Return an entry in the format of log4r."""
    return f"{LEVEL_NAMES[number - 1].upper():>6} r10k: {text}"


def file_emitter(output: LogOutput) -> Callable[[int, str], None]:
    """Return a function that writes to a file, which is begun again unless ``trunc`` is false."""
    import logging.handlers  # slow to import; most settings have no such output

    path = str(output.parameters.get("filename", ""))
    handler: logging.FileHandler
    if output.kind == "rollingfile":
        size = integer_parameter(output.parameters, "maxsize", 0)
        backups = integer_parameter(output.parameters, "max_backups", 1)
        handler = logging.handlers.RotatingFileHandler(path, "a", size, backups, "utf-8")
    else:
        if output.parameters.get("trunc") is not False:
            logging.FileHandler(path, "w").close()
        handler = logging.FileHandler(path, "a", "utf-8", delay=True)

    def emit(number: int, text: str) -> None:
        message = entry_line(number, text)
        handler.emit(logging.LogRecord("r10k", logging.INFO, "", 0, message, None, None))
        handler.close()  # the next entry opens the file again

    return emit


def integer_parameter(parameters: Any, name: str, default: int) -> int:
    """Return a parameter that is a whole number."""
    value = parameters.get(name, default)
    return int(str(value))


def syslog_emitter(output: LogOutput) -> Callable[[int, str], None]:
    """Return a function that writes to the system log; raise ValueError on a system without one."""
    try:
        import syslog
    except ImportError:
        raise ValueError("this system has no system log") from None
    ident = str(output.parameters.get("ident", "r10k"))
    facility = str(output.parameters.get("facility", "LOG_USER")).upper()
    name = facility if facility.startswith("LOG_") else f"LOG_{facility}"
    if name not in dir(syslog):
        raise ValueError(f"the facility {facility} is unknown")
    syslog.openlog(ident, syslog.LOG_PID, getattr(syslog, name))
    return lambda level, text: syslog.syslog(PRIORITIES[level], text)
