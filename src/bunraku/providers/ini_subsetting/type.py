"""The resource type ``ini_subsetting``."""

from __future__ import annotations

from typing import Any

from bunraku.providers.attributes import Ensure, Parameter
from bunraku.providers.errors import InvalidValue
from bunraku.providers.ini_setting.type import SECTION, SEPARATOR, SHOW_DIFF, ShownValue
from bunraku.providers.reading import absolute_path, boolean
from bunraku.providers.resource_type import ResourceType
from bunraku.types.ruby_semantics.values import to_s


def read_quote(value: Any) -> str:
    """Check a quotation mark, which may be empty."""
    if value not in ("", '"', "'"):
        raise InvalidValue(":quote_char valid values are '', '\"' and \"'\"")
    return to_s(value)


class IniSubsetting(ResourceType):
    """One of several values in a setting of an INI file, such as an option of a command line."""

    name = "ini_subsetting"
    module = "puppetlabs-inifile 5.4"
    providers = ("ruby",)
    attributes = (
        Ensure(default="present", about="Whether the subsetting exists."),
        ShownValue("value", read=to_s, about="The value of the subsetting."),
        Parameter("name", about="A name of the resource."),
        SECTION,
        Parameter("setting", read=to_s, about="The setting whose value contains the subsetting."),
        Parameter(
            "subsetting", read=to_s, default="", about="The name of the subsetting, such as `-Xmx`."
        ),
        Parameter(
            "subsetting_separator", text=True, default=" ", about="The text between subsettings."
        ),
        Parameter(
            "subsetting_key_val_separator",
            text=True,
            default="",
            about="The text between a subsetting and its value.",
        ),
        Parameter("path", read=absolute_path, about="The file."),
        SHOW_DIFF,
        SEPARATOR,
        Parameter(
            "quote_char",
            read=read_quote,
            default="",
            about="The quote around the value of the setting.",
        ),
        boolean(
            "use_exact_match",
            default=False,
            about="Whether a subsetting must have exactly the given name. Set it for subsettings without values.",
        ),
        Parameter(
            "insert_type",
            words=("start", "end", "before", "after", "index"),
            default="end",
            about="Where a new subsetting is put: at the start or end, before or after another one, or at an index.",
        ),
        Parameter("insert_value", about="The other subsetting, or the index, for `insert_type`."),
        boolean(
            "delete_if_empty",
            default=False,
            about="Whether the setting is removed with its last subsetting.",
        ),
    )


resource_type = IniSubsetting
