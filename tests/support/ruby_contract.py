"""What Ruby code of modules may see and do: the cases, and how their results are compared.

Each ``tests/data/ruby_contract/GROUP.txt`` holds the cases of one subject. A case begins with ``## name``. Its files begin with ``--- path`` (below the module ``m``); the rest of a case is
the manifest. ``tests/record/record_ruby_contract.py`` asks real Puppet and writes the answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from support.recorded import recorded

FOLDER = Path(__file__).parents[1] / "data" / "ruby_contract"
ANSWERS = "ruby_contract"
"""The file of Puppet's answers in ``tests/data``."""
FACTS: dict[str, Any] = {
    "word": "fact",
    "list": ["x", {"a": "b"}],
    "os": {"name": "Debian", "family": "Debian"},
}
SETTINGS = {"strict": "warning", "strict_variables": False}
ANY = "any line"
SHARED = "shared"
"""The case whose files all cases of the group have."""


class Case(NamedTuple):
    """A manifest with the files of its module."""

    name: str
    files: dict[str, str]
    code: str


def groups() -> list[str]:
    """The names of the groups."""
    return sorted(path.stem for path in FOLDER.glob("*.txt"))


def cases(group: str) -> Iterator[Case]:
    """Yield the cases of a group."""
    text = (FOLDER / f"{group}.txt").read_text(encoding="utf-8")
    shared: dict[str, str] = {}
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        name, _, rest = part.partition("\n")
        code, *files = re.split(r"^--- ", rest, flags=re.MULTILINE)
        found = {}
        for file in files:
            path, _, content = file.partition("\n")
            found[path] = content
        if name == SHARED:
            shared = found
        else:
            yield Case(f"{group}: {name}", {**shared, **found}, code.strip())


def all_cases() -> list[Case]:
    """The cases of all groups."""
    return [case for group in groups() for case in cases(group)]


def answers() -> dict[str, Any]:
    """Puppet's answers by the names of cases."""
    found: dict[str, Any] = recorded(ANSWERS)
    return found


def write_files(case: Case, modules: Path) -> None:
    """Write the module of a case."""
    for path, content in case.files.items():
        file = modules / "m" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")


def request(case: Case, modules: Path) -> dict[str, Any]:
    """Return a case as a request of docs/protocol.md."""
    settings = dict(SETTINGS)
    if "hiera.yaml" in case.files:
        settings["hiera_config"] = str(modules / "m" / "hiera.yaml")
    return {
        "id": case.name,
        "code": case.code,
        "modulepath": [str(modules)],
        "facts": FACTS,
        "settings": settings,
    }


def outcome(answer: dict[str, Any]) -> dict[str, Any]:
    """Return what is compared of an answer: an error by its line only, a log entry by its level.

    An exception that is no StandardError ends Puppet without a line.
    """
    if answer["status"] != "ok":
        line = (answer.get("error") or {}).get("line")
        return {"error": ANY if answer["status"] == "crash" else line}
    found: dict[str, Any] = {"notices": [plain(one["message"]) for one in answer["notices"]]}
    levels = [one["level"] for one in answer["logs"] if one["level"] in {"warning", "err"}]
    if levels:
        found["logs"] = levels
    resources = [
        [f"{one['type']}[{one['title']}]", one["parameters"]]
        for one in answer["resources"]
        if one["parameters"]
    ]
    if resources:
        found["resources"] = resources
    return found


def plain(text: str) -> str:
    """Return a text without the addresses of objects."""
    return re.sub(r"(0x|:0x)[0-9a-fA-FX]+", "0x", text)


def in_ruby(case: Case) -> Case:
    """Return a case whose templates and functions cannot be translated to Python."""
    files = {path: untranslated(path, content) for path, content in case.files.items()}
    code = re.sub(r"inline_template\((['\"])", rf"\g<0>{IN_RUBY}", case.code)
    return Case(case.name, files, code)


def untranslated(path: str, content: str) -> str:
    """Return a file that does the same, and that only Ruby can run."""
    if path.endswith(".erb"):
        return IN_RUBY + content
    return f"nil; {content}" if path.startswith("lib/puppet/functions/") else content


IN_RUBY = "<% __method__ %>"
"""A tag that does nothing, and that is not translated."""
