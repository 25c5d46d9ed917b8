"""What an editor configures: section ``bunraku`` of its settings, and ``initializationOptions``.

Everything about a project is in ``bunraku.toml``, as for the commands.
"""

from __future__ import annotations

from collections.abc import Mapping

from bunraku.base.lazy_typing import Any
from bunraku.base.records import record
from bunraku.base.suggestions import suggestion

SECTION = "bunraku"
"""The section of the settings of an editor."""


@record(frozen=True)
class EditorOption:
    """An option of the editor: the type of its values in JSON, and its default."""

    kind: type
    default: Any
    meaning: str


OPTIONS: Mapping[str, EditorOption] = {
    "node": EditorOption(str, "", "the node whose values are shown"),
    "system": EditorOption(str, "", "the sample system whose facts are used without a node"),
    "lint": EditorOption(bool, True, "show the findings of bunraku lint"),
    "catalogs": EditorOption(
        str,
        "",
        "a PuppetDB, its database or a folder of catalogs, whose nodes are counted by class",
    ),
    "compileNodes": EditorOption(
        bool, False, "compile the nodes of the project in the background, to count them by class"
    ),
    "checkProject": EditorOption(bool, True, "check the whole project in the background"),
}
"""The options by name."""

OF_EXTENSIONS = frozenset({"path", "trace"})
"""Settings in the same section that the extension of an editor reads itself."""


def editor_options(given: Any) -> tuple[dict[str, Any], list[str]]:
    """Return the options with their values, and what is wrong with the settings.

    >>> editor_options({"nod": "web1"})[1]
    ["unknown setting 'bunraku.nod' (did you mean 'node'?)"]
    """
    found = {name: one.default for name, one in OPTIONS.items()}
    wrong: list[str] = []
    for name, value in given.items() if isinstance(given, dict) else ():
        option = OPTIONS.get(name)
        if name in OF_EXTENSIONS:
            continue
        if option is None:
            wrong.append(f"unknown setting '{SECTION}.{name}'{suggestion(name, OPTIONS)}")
        elif value is not None and not isinstance(value, option.kind):
            wrong.append(f"{SECTION}.{name}: expected a {NAMES[option.kind]}")
        elif value is not None:
            found[name] = value
    return found, wrong


NAMES = {str: "text", bool: "boolean"}
