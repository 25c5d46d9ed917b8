"""Files, YAML and JSON in translated functions.

The results of parsers are shared by all readers of the same content, so they cannot be changed in
place: a function that does goes to Ruby, as does every text that versions of Ruby's parsers read
differently.
"""

from __future__ import annotations

import math
import posixpath
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.formats import yaml
from bunraku.formats.failure import FormatError
from bunraku.formats.json import parse_json as read_json
from bunraku.ruby.run.calls import current_call
from bunraku.ruby.values.objects import HASHES, LISTS, Array, Hash, NeedsRuby, checked, unknown
from bunraku.ruby.values.texts import string
from bunraku.values.keys import from_key
from bunraku.values.ruby_object import Symbol
from bunraku.world.protocol import World

Value = Any
TAG = lazy_pattern(r"(?:^|[\s\[{,:-])!")
DEEPEST_JSON = 99


def world() -> World:
    """Return the machine of the compile."""
    return current_call().compilation.world


def path_of(value: Value, what: str) -> str:
    """Return a path that Ruby accepts: not empty and without NUL."""
    found = string(value, what)
    if not found or "\0" in found:
        raise unknown(what, value)
    return found


# -- File ------------------------------------------------------------------------------------------


def exists(path: Value) -> bool:
    """Implement ``File.exist?``."""
    found, here = path_of(path, "File.exist?"), world()
    return here.is_file(found) or is_other(found) or here.is_directory(found)


def is_other(path: str) -> bool:
    """Return whether no :class:`World` can read a path: devices, sockets."""
    if path.startswith(("/dev/", "/proc/", "/sys/", "/run/")):
        raise NeedsRuby("a file of the system")
    return False


def is_file(path: Value) -> bool:
    """Implement ``File.file?``."""
    return world().is_file(path_of(path, "File.file?"))


def is_directory(path: Value) -> bool:
    """Implement ``File.directory?``."""
    return world().is_directory(path_of(path, "File.directory?"))


def read(path: Value) -> str:
    """Implement ``File.read`` of text."""
    found = path_of(path, "File.read")
    is_other(found)
    try:
        return world().read(found).decode()
    except (OSError, UnicodeDecodeError):
        raise NeedsRuby("a file that cannot be read as text") from None


def joined(*parts: Value) -> str:
    """Implement ``File.join`` of texts and arrays of texts: one slash between two parts."""
    names = [joined(*part) if part.__class__ in LISTS else part for part in parts]
    if not names:
        return ""
    found = string(names[0], "File.join")
    for name in names[1:]:
        right = string(name, "File.join")
        if right.startswith("/"):
            found = found.rstrip("/") + right
        elif found.endswith("/"):
            found += right
        else:
            found = f"{found}/{right}"
    return found


def base_name(path: Value, suffix: Value = "") -> str:
    """Implement ``File.basename``."""
    found, ending = path_of(path, "File.basename"), string(suffix, "File.basename")
    if ending == ".*" or found.endswith("/"):
        raise unknown("File.basename", path, suffix)
    name = found.rpartition("/")[2]
    return name.removesuffix(ending) if ending and name != ending else name


def directory_name(path: Value) -> str:
    """Implement ``File.dirname`` of a path without redundant slashes."""
    found = path_of(path, "File.dirname")
    if found.endswith("/") or "//" in found:
        raise unknown("File.dirname", path)
    folder, slash, _ = found.rpartition("/")
    return folder or (slash or ".")


def extension(path: Value) -> str:
    """Implement ``File.extname`` of common names.

    >>> extension("/a.b/c.rb"), extension("/a.b/c")
    ('.rb', '')
    """
    name = path_of(path, "File.extname").rpartition("/")[2]
    stem, dot, ending = name.rpartition(".")
    if not dot:
        return ""
    if not ending or not stem.strip("."):
        raise unknown("File.extname", path)
    return dot + ending if dot else ""


def expanded(path: Value) -> str:
    """Implement ``File.expand_path`` of an absolute path."""
    found = path_of(path, "File.expand_path")
    if not found.startswith("/") or found.startswith("//"):
        raise unknown("File.expand_path", path)
    return posixpath.normpath(found)


# -- YAML ------------------------------------------------------------------------------------------


def load_yaml(value: Value, aliases: bool) -> Value:
    """Implement ``YAML.load`` and ``safe_load`` of a text."""
    found = string(value, "YAML.load")
    return checked_yaml(found.encode(), aliases)


def load_yaml_file(value: Value, aliases: bool) -> Value:
    """Implement ``YAML.load_file`` and ``safe_load_file``."""
    path = path_of(value, "YAML.load_file")
    is_other(path)
    files = current_call().compilation.environment.files
    kind = f"ruby yaml {aliases}"
    try:
        return files.made(path, kind, lambda content: checked_yaml(content, aliases))
    except OSError:
        raise NeedsRuby("a file that cannot be read") from None


def checked_yaml(content: bytes, aliases: bool) -> Value:
    """Return the data of a YAML text, if all of Ruby's parsers agree on it."""
    try:
        found = content.decode()
        value = yaml.load(content)
    except (yaml.YamlError, UnicodeDecodeError) as error:
        raise NeedsRuby(str(error)) from None
    if value.__class__ not in (dict, list) or found.startswith("\ufeff"):
        raise NeedsRuby("YAML that is neither hash nor array")
    if TAG.search(found) or (not aliases and "&" in found and "*" in found):
        raise NeedsRuby("YAML with tags or aliases")
    check_yaml(value)
    return value


def check_yaml(value: Value) -> None:
    """Refuse symbols, and texts that are none."""
    kind = value.__class__
    if kind is dict:
        for key, item in value.items():
            if key.__class__ is not str:
                check_yaml(from_key(key))
            check_yaml(item)
    elif kind is list:
        for item in value:
            check_yaml(item)
    elif kind is str:
        if not value.isascii():
            checked(value)
    elif kind is yaml.Symbol:
        raise NeedsRuby("YAML with symbols")


def keys_to_text(value: Value) -> Value:
    """Implement ``symkeys_to_string`` of data without symbols."""
    if value.__class__ in LISTS:
        items = [keys_to_text(item) for item in value]
        return value if value.__class__ is list else Array(items)
    if value.__class__ in HASHES:
        made = Hash()
        for key, item in value.items():
            if from_key(key).__class__ is Symbol:
                raise unknown("symkeys_to_string", value)
            made[key] = keys_to_text(item)
        return value if value.__class__ is dict else made
    return value


# -- JSON ------------------------------------------------------------------------------------------


def parse_json(value: Value) -> Value:
    """Implement ``JSON.parse`` without options."""
    found = string(value, "JSON.parse")
    try:
        made = read_json(found)
    except FormatError as error:
        raise NeedsRuby(error.problem) from None
    check_json(made, DEEPEST_JSON)
    return made


def check_json(value: Value, depth: int) -> None:
    """Refuse text that Ruby reads differently."""
    kind = value.__class__
    if kind is dict or kind is list:
        if depth == 0:
            raise NeedsRuby("JSON that nests deeply")
        if kind is dict:
            for key in value:
                checked(key)
        for item in value.values() if kind is dict else value:
            check_json(item, depth - 1)
    elif kind is str:
        checked(value)
    elif kind is float and math.isinf(value):
        raise NeedsRuby("a large number in JSON")
