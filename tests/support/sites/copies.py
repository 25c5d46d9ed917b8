"""A copy of a site in which paths of its server point to folders that are here.

Functions read files of the server by absolute paths (keys, lists, secrets). A site that does so is copied,
and the paths in its manifests, functions, templates and data are replaced. Files that are nowhere are made
up: their only line is their name.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from support.sites.layout import MADE_UP

TEXTS = {".pp", ".rb", ".erb", ".epp", ".yaml", ".conf"}
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


def copied(
    checkout: Path,
    outside: Mapping[str, str],
    functions: Mapping[str, Any],
    modulepath: Sequence[str],
    content: str,
    scratch: Path,
) -> Path:
    """The folder with the copy; the checkout itself where nothing has to be replaced or added.

    ``functions`` maps the names of functions that query other machines to results for them.
    """
    if not outside and not functions and not any(checkout.glob(f"{FUNCTIONS}/*.rb")):
        return checkout
    wanted = f"{content} {sorted(outside.items())} {json.dumps(functions, sort_keys=True)}"
    digest = hashlib.sha256(wanted.encode()).hexdigest()[:12]
    target = scratch / "copies" / f"{checkout.name}-{digest}"
    if target.exists():
        return target
    unfinished = target.with_name(target.name + ".part")
    shutil.rmtree(unfinished, ignore_errors=True)
    ignored = shutil.ignore_patterns(".git")
    shutil.copytree(checkout, unfinished, symlinks=True, ignore=ignored)
    for path in texts(unfinished):
        replace_paths(path, outside)
    for path in sorted(unfinished.glob(f"{FUNCTIONS}/*.rb")):
        # Functions of the environment: the batch protocol knows modules only.
        write(unfinished / MODULE / FUNCTIONS / path.name, path.read_text("utf-8"))
    for name, value in functions.items():
        write_function(unfinished, modulepath, name, value)
    unfinished.rename(target)
    return target


def write_function(folder: Path, modulepath: Sequence[str], name: str, value: Any) -> None:
    """Write a function that returns a value, in place of the one of that name where it is in a module."""
    module, separator, rest = name.partition("::")
    text = FUNCTION.format(name=name, value=in_ruby(value))
    if not separator:
        write(folder / MODULE / FUNCTIONS / f"{name}.rb", text)
        return
    below = rest.replace("::", "/")
    for place in places_of(folder, modulepath, module):
        (place / "functions" / f"{below}.pp").unlink(missing_ok=True)
        write(place / FUNCTIONS / module / f"{below}.rb", text)


def places_of(folder: Path, modulepath: Sequence[str], module: str) -> list[Path]:
    """The folders of a module in the copy; one of a module from elsewhere is copied, and wins there."""
    found = [
        path
        for pattern in ("*", "*/*")
        for path in sorted(folder.glob(f"{pattern}/{module}"))
        if any((path / inner).exists() for inner in ("manifests", "lib", "functions"))
    ]
    for other in () if found else modulepath:
        if (Path(other) / module).is_dir():
            target = folder / MADE_UP / module
            shutil.copytree(Path(other) / module, target)
            return [target]
    return found


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


def missing_files(message: str, folders: list[str]) -> list[Path]:
    """The files below some folders that an error of Puppet's says are missing."""
    found = [path for paths in NOT_THERE.findall(message) for path in paths.split(", ")]
    found += NO_SUCH_FILE.findall(message)
    return [Path(path) for path in found if any(path.startswith(one + "/") for one in folders)]


def make_up(path: Path) -> None:
    """Make a file with its name as its only line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{path.name}\n", encoding="utf-8")
