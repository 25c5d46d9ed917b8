"""The kinds of values of r10k's settings, with the texts that r10k has for wrong ones."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from bunraku.base.lazy_typing import Any
from bunraku.deployment.credentials import without_password
from bunraku.deployment.log_levels import LEVEL_NAMES, level_number
from bunraku.formats.shape import kind_of

Read = Callable[[str, Any], Any]
"""Reads the value of a setting of a name."""
RUBY_CLASSES = {
    type(None): "NilClass",
    str: "String",
    int: "Integer",
    float: "Float",
    list: "Array",
    dict: "Hash",
}


class RefusedSetting(Exception):
    """The value of a setting is not acceptable.

    ``checked`` says whether r10k checks it (exit code 8); at others it crashes (exit code 1).
    """

    def __init__(self, reason: str, *, checked: bool = True) -> None:
        super().__init__(reason)
        self.checked = checked


def ruby_class(value: Any) -> str:
    """Return the name of Ruby's class of a value."""
    if isinstance(value, bool):
        return "TrueClass" if value else "FalseClass"
    return RUBY_CLASSES.get(type(value), type(value).__name__)


def listed(names: Sequence[str], mark: str = '"') -> str:
    """Return names as Ruby shows an array: of strings, or of symbols with ``mark=":"``."""
    after = mark if mark == '"' else ""
    return "[" + ", ".join(f"{mark}{name}{after}" for name in names) + "]"


def read_text(name: str, value: Any) -> str:
    """Read text; numbers are accepted as they are written."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        reason = f"The {name} setting should be a string, not {kind_of(value)}"
        raise RefusedSetting(reason, checked=False)
    return str(value)


def read_texts(name: str, value: Any) -> tuple[str, ...]:
    """Read a list of texts; one text is a list of one."""
    values = value if isinstance(value, list) else [value]
    return tuple([read_text(name, one) for one in values])


def read_word(name: str, value: Any) -> str:
    """Read a word, which may be a symbol of Ruby: with a colon before it."""
    return read_text(name, value).removeprefix(":")


def read_url(name: str, value: Any) -> str:
    """Read a URL. A URL with a password is never shown."""
    text = read_text(name, value)
    if any(letter.isspace() for letter in text) or not has_valid_host(text):
        shown = without_password(text)
        raise RefusedSetting(
            f"Setting {name} requires a URL but '{shown}' could not be parsed as a URL"
        )
    return text


def has_valid_host(url: str) -> bool:
    """Return whether Python can split a URL: brackets and letters beyond ASCII may forbid it."""
    if url.isascii() and not set(url) & set("[]"):
        return True
    from urllib.parse import urlsplit  # slow to import

    try:
        urlsplit(url)
    except ValueError:
        return False
    return True


def read_boolean(name: str, value: Any) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise RefusedSetting(f"`{name}` can only be a boolean value, not '{value}'")
    return value


def read_truth(_name: str, value: Any) -> bool:
    """Read a value that is true only as ``true``."""
    return str(value).lower() == "true" if isinstance(value, bool) else value == "true"


def read_write_lock(_name: str, value: Any) -> str | None:
    """Read the reason of a write lock; false is none."""
    if value is False:
        return None
    if not isinstance(value, str):
        raise RefusedSetting(
            "The write_lock setting should be a string containing the reason for the write lock,"
            f" not a {ruby_class(value)}"
        )
    return value


def read_pool_size(name: str, value: Any) -> int:
    """Read a number of workers."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise RefusedSetting(f"The {name} setting should be an integer, not a {ruby_class(value)}")
    if value <= 0:
        raise RefusedSetting(f"The {name} setting should be greater than zero.")
    return value


def read_command(name: str, value: Any) -> tuple[str, ...]:
    """Read a program with its arguments; false is none."""
    if value is False:
        return ()
    if not isinstance(value, list):
        raise RefusedSetting(
            f"The {name} setting should be an array of strings, not a {ruby_class(value)}"
        )
    return read_texts(name, value)


def read_provider(name: str, value: Any) -> str:
    """Read the name of a git provider."""
    known = ("shellgit", "rugged")
    text = read_word(name, value)
    if text not in known:
        raise RefusedSetting(f"Setting {name} should be one of {listed(known, ':')}, not '{text}'")
    return text


def read_levels(name: str, value: Any) -> tuple[str, ...]:
    """Read levels of purging; false is none."""
    known = ("deployment", "environment", "puppetfile")
    levels = tuple([level.removeprefix(":") for level in read_texts(name, value)])
    unknown = [level for level in levels if level not in known]
    if unknown:
        raise RefusedSetting(
            f"Setting {name} may only contain {listed(known, ':')}; the disallowed values"
            f" {listed(unknown, ':')} were present"
        )
    return levels


def read_log_level(name: str, value: Any) -> str:
    """Read a level of the log."""
    text = read_word(name, value)
    if level_number(text) is None:
        raise RefusedSetting(
            f"`{name}` must be a valid log level. Valid levels are {listed(LEVEL_NAMES)}"
        )
    return text


def read_outputs(name: str, value: Any) -> list[Any]:
    """Read the list of log outputs."""
    if not isinstance(value, list):
        raise RefusedSetting(
            f"The `{name}` setting should be an array of outputs, not a {ruby_class(value)}"
        )
    return value


def read_executable(_name: str, value: Any) -> str:
    """Read the path of a program."""
    path = read_text(_name, value)
    if not (os.path.isfile(path) and os.access(path, os.X_OK)):
        raise RefusedSetting(f"The specified puppet executable {path} is not executable")
    return path


def read_readable(_name: str, value: Any) -> str:
    """Read the path of a file that can be read."""
    path = read_text(_name, value)
    if not os.access(path, os.R_OK):
        raise RefusedSetting(f"The specified puppet.conf {path} is not readable")
    return path
