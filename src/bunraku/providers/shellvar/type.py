"""The resource type ``shellvar``."""

from __future__ import annotations

import re
from typing import Any, cast

from bunraku.providers.attributes import ABSENT, Ensure, Parameter, Property, without_encoding
from bunraku.providers.lens_type import ABOUT_COMMENT, LensType
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.shellvar.augeas import ShellVariables
from bunraku.types.ruby_semantics.values import to_s

TITLE = re.compile(r"(\S+)\s+in\s+(\S+)")


def variable_of_title(resource: ManagedResource) -> str | None:
    """Return the variable in a title such as ``LANG in /etc/default/locale``."""
    words: list[str] = resource.title.split()
    return words[0] if words else None


def target_of_title(resource: ManagedResource) -> str | None:
    """Return the file in a title."""
    match = TITLE.fullmatch(resource.title)
    return None if match is None else match[2]


def variables_of(resource: ManagedResource) -> ShellVariables:
    """Return the provider of a resource."""
    return cast(ShellVariables, resource.provider)


def value_words(value: Any) -> list[str]:
    """Return the words of values; an unset variable has none."""
    return " ".join(one or "" for one in without_encoding(value)).split()


class ShellEnsure(Ensure):
    """Whether the variable is set, exported or unset."""

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the state is the wanted one."""
        wanted, provider = resource["ensure"], variables_of(resource)
        if wanted == ABSENT and resource.is_true("array_append") and provider.exists(resource):
            return True
        if current == "present":
            if wanted == "unset" and provider.is_unset(resource):
                return True
            if wanted == "exported" and provider.is_exported(resource):
                return True
        if wanted == "present" and (provider.is_unset(resource) or provider.is_exported(resource)):
            return False
        return super().in_sync(resource, current)

    def change(self, resource: ManagedResource, wanted: Any) -> None:
        """Set, export, unset or remove the variable."""
        provider = variables_of(resource)
        if wanted == "present" and provider.is_unset(resource):
            provider.set_again(resource)
        elif wanted == "present" and provider.is_exported(resource):
            provider.stop_exporting(resource)
        elif wanted in ("unset", "exported") and provider.exists(resource):
            if wanted == "unset":
                provider.unset(resource)
            else:
                provider.export(resource)
            if "value" in resource:
                VALUE.change(resource, resource["value"])
        else:
            super().change(resource, wanted)


class ShellValue(Property):
    """The value: one text, or several words."""

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the variable has the value, or with ``array_append`` its words."""
        wanted, found = resource["value"], value_words(current)
        if resource.is_true("array_append") and resource["ensure"] == ABSENT:
            return not set(found) & set(wanted)
        if resource.is_true("array_append"):
            return set(wanted) <= set(found)
        return bool(wanted == (found if len(wanted) > 1 else current))

    def change(self, resource: ManagedResource, wanted: Any) -> None:
        """Set the value; with ``array_append``, add its words or remove them."""
        if resource.is_true("array_append"):
            found = value_words(self.retrieve(resource))
            if resource["ensure"] == ABSENT:
                wanted = [word for word in found if word not in wanted]
            else:
                wanted = list(dict.fromkeys([*found, *wanted]))
        super().change(resource, wanted)


VALUE = ShellValue("value", many=True, read=to_s, about="The value; an array has several words.")


class Shellvar(LensType):
    """Variables in files of shell assignments, such as those in `/etc/default`.

    The title can have the variable and the file: `LANG in /etc/default/locale`.
    """

    name = "shellvar"
    module = "puppet-augeasproviders_shellvar 7.0"
    providers = ("augeas",)
    attributes = (
        ShellEnsure(
            ("present", ABSENT, "unset", "exported"),
            default=present_if_managed,
            about="Whether the variable is set, removed, unset by `unset`, or exported.",
        ),
        VALUE,
        Property("comment", about=ABOUT_COMMENT.replace("of the resource", "of the variable")),
        Parameter("name", about="A name of the resource."),
        Parameter("variable", default=variable_of_title, about="The variable."),
        Parameter(
            "quoted",
            words=("auto", "double", "single", "none", "false", "true"),
            read=lambda word: {"true": "auto", "false": "none"}.get(word, word),
            default="auto",
            about="The quotes of the value: `auto` (those that the file has, or double ones if they "
            "are needed), `double`, `single` or `none`.",
        ),
        Parameter(
            "array_type",
            words=("auto", "string", "array"),
            default="auto",
            about="Whether several words are one text or an array of the shell. With `auto`, they "
            "stay what they are.",
        ),
        Parameter(
            "array_append",
            words=("false", "true"),
            default="false",
            about="Whether the words are added to those of the file, or only removed from them.",
        ),
        Parameter("target", default=target_of_title, about="The file."),
        Parameter(
            "uncomment",
            words=("true", "false"),
            default="false",
            about="Whether a comment that has the variable is removed, and its value used.",
        ),
        Parameter("provider"),
    )


resource_type = Shellvar
