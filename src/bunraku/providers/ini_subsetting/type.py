"""The resource type ``ini_subsetting``."""

from __future__ import annotations

from typing import Any

from bunraku.providers.base import Ensure, Parameter, ResourceType
from bunraku.providers.errors import InvalidValue
from bunraku.providers.ini_setting.type import ShownValue, read_show_diff
from bunraku.providers.reading import absolute_path, boolean
from bunraku.types.ruby_semantics.values import to_s


def read_quote(value: Any) -> str:
    """Check a quotation mark, which may be empty."""
    if value not in ("", '"', "'"):
        raise InvalidValue(":quote_char valid values are '', '\"' and \"'\"")
    return str(value)


class IniSubsetting(ResourceType):
    """One of several values in a setting of an INI file, such as an option of a command line."""

    name = "ini_subsetting"
    providers = ("ruby",)
    attributes = (
        Ensure(default="present"),
        ShownValue("value", read=to_s),
        Parameter("name"),
        Parameter("section", read=to_s, default=""),
        Parameter("setting", read=to_s),
        Parameter("subsetting", read=to_s, default=""),
        Parameter("subsetting_separator", default=" "),
        Parameter("subsetting_key_val_separator", default=""),
        Parameter("path", read=absolute_path),
        Parameter("show_diff", read=read_show_diff, default="true"),
        Parameter("key_val_separator", default=" = "),
        Parameter("quote_char", read=read_quote, default=""),
        boolean("use_exact_match", default=False),
        Parameter("insert_type", words=("start", "end", "before", "after", "index"), default="end"),
        Parameter("insert_value"),
        boolean("delete_if_empty", default=False),
    )


resource_type = IniSubsetting
