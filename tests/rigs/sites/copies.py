"""A copy of a site in which paths of its server point to folders that are here.

Functions read files of the server by absolute paths (keys, lists, secrets). A site that does so is copied,
and the paths in its manifests, functions, templates and data are replaced. Files that are nowhere are made
up: their only line is their name.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rigs.sites.layout import MADE_UP

TEXTS = {".pp", ".rb", ".erb", ".epp", ".yaml", ".eyaml", ".conf"}
NOT_THERE = re.compile(r"Could not find any files from ([^\s(]+(?:, [^\s(]+)*)")
NO_SUCH_FILE = re.compile(r"No such file or directory @ rb_sysopen - ([^\s(]+)")


MODULE = f"{MADE_UP}/made_up"
FUNCTIONS = "lib/puppet/functions"
FUNCTION = """Puppet::Functions.create_function(:'{name}') do
  dispatch :answer do
    optional_repeated_param 'Any', :arguments
  end

  def answer(*arguments)
    {value}
  end
end
"""


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def in_ruby(value: Any) -> str:
    """A value of JSON as a literal of Ruby."""
    if value is None:
        return "nil"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{in_ruby(k)} => {in_ruby(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(in_ruby, value)) + "]"
    return json.dumps(value).replace("#", r"\#")


def texts(folder: Path) -> Iterator[Path]:
    """The files in which paths are replaced."""
    for place, _, names in os.walk(folder):
        for name in names:
            path = Path(place, name)
            if path.suffix in TEXTS and not path.is_symlink():
                yield path


def replace_paths(path: Path, outside: Mapping[str, str]) -> None:
    """Replace the paths of the server in a file."""
    text = path.read_bytes()
    changed = text
    for server, here in outside.items():
        changed = re.sub(re.escape(server.encode()) + rb"(?![\w-])", here.encode(), changed)
    if changed != text:
        path.write_bytes(changed)


def missing_files(message: str, outside: Path, more: Mapping[str, str]) -> list[Path]:
    """Return the files outside of the repository that an error of Puppet's says are missing.

    ``more`` maps a pattern of other errors, whose first group is a file, to its directory on the server.
    """
    found = [path for paths in NOT_THERE.findall(message) for path in paths.split(", ")]
    found += NO_SUCH_FILE.findall(message)
    for pattern, folder in more.items():
        found += [f"{outside}{folder}/{name}" for name in re.findall(pattern, message)]
    return [Path(path) for path in found if path.startswith(f"{outside}/")]


def make_up(path: Path) -> None:
    """Make a file with its name as its only line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{path.name}\n", encoding="utf-8")
