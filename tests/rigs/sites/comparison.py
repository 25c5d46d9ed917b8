"""How the catalogs of two programs differ: the first difference, in words that are equal for equal causes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

REWORDED = (
    (
        r"Undefined variable '.*'; \s+\(file & line not available\)",
        r"Undefined variable '.*' in a path of hiera.yaml is left empty",
    ),
    (
        r"This (?:method|function) is deprecated, please use .*",
        r"\w+\(\) is deprecated, .*|This (?:method|function) is deprecated, please use .*",
    ),
    (
        r"Undefined variable '.*'; .*\s+\(file & line not available\)",
        r"Undefined variable '.*'.*",
    ),
    (
        r"The argument signature \(String format, \[String timezone\]\) is deprecated for #strftime\..*",
        r"strftime\(String, …\) is deprecated: .*",
    ),
    (
        r"The string '1\d{9}' was automatically coerced to the numerical value 1\d{9}",
        r"The string 'now' was automatically coerced to the numerical value now",
    ),
    (
        r"The function 'hiera\w*' is deprecated in favor of using 'lookup'\..*",
        r"hiera\w*\(\) is deprecated: use lookup\(\)",
    ),
    (
        r"\w+ is a metaparam; this value will inherit to all contained resources in .*",
        r"'\$\w+' is also a metaparameter: .*",
    ),
    (
        r"Attempt to override an already evaluated resource, defined at .*, with new values.*",
        r"Attempt to override an already evaluated resource, .*",
    ),
    (
        r".*: Use of 'hiera\.yaml' version [34] is deprecated\. It should be converted to version 5.*",
        r".* uses version [34], which is deprecated: convert it to version 5",
    ),
    (
        r"Defining \"data_provider\": .* in metadata\.json is deprecated\..*",
        r"\"data_provider\": .* is deprecated: use a hiera\.yaml of version 5",
    ),
    (
        r"Using of legacy data provider function '.*'\. .*",
        r"The data function '.*' is deprecated: use it as a data_hash function in hiera\.yaml",
    ),
    (
        r"Module '.*': .* must use keys qualified with the name of the module(?:; got .*)?",
        r"Module '.*': ignoring keys that do not begin with its name.*",
    ),
    (r"The key '.*' is declared more than once.*", r"The hash already has the key '.*'"),
    (
        r"Calling function empty\(\) with Numeric value is deprecated\..*",
        r"Calling empty\(\) with a number is deprecated: it is never empty",
    ),
    (
        r".*: file does not contain a valid yaml hash",
        r".* does not contain a hash at the top level",
    ),
)
"""Messages of Puppet, and those of bunraku with more words."""
STACK = re.compile(r' at \["/.*\]:?\s+\(location: [^()]*\)', re.DOTALL)
"""The stack that ``deprecation()`` of stdlib adds to a message; bunraku reports the innermost place."""
OF_LOADING = re.compile(
    r"Unknown feature detected: .*|`[\w.]+` has no documentation, add it using a `desc` key"
    r"|Overwriting previous definition for function \w+"
)
"""Messages about a type of the Resource API or a function; Puppet logs them when a process loads it first."""
OF_FOREIGN_KEY = re.compile(
    r"Module '.*': .* must use keys qualified with the name of the module.*"
)
"""Puppet has this message for each key of a file; bunraku has one with all of them."""
NODE_OF_REGEXP = "__node_regexp__"
FIELDS = ("kind", "exported", "file", "line", "tags", "sensitive_parameters")


def reference(resource: Any) -> str:
    return f"{resource['type']}[{resource['title']}]"


def differences(theirs: Any, mine: Any, *, errors: bool = True) -> Iterator[str]:
    """Each difference between two answers, the most telling first; none where they are equal.

    ``errors`` compares the texts of errors, which contain their places; else only these.
    """
    if theirs["status"] != mine["status"]:
        yield f"error: {short(message(mine))}" if theirs["status"] == "ok" else "compiles"
        return
    if theirs["status"] != "ok":
        ours, other = (one["error"].get("text") if errors else place(one) for one in (mine, theirs))
        if ours != other:
            yield f"{'' if errors else 'place of the '}error: {short(str(ours))} for {short(str(other))}"
        return
    yield from of_resources(theirs["resources"], mine["resources"])
    yield from of_resources(theirs.get("virtual", []), mine.get("virtual", []), "virtual ")
    for name in ("classes", "edges", "relationships"):
        yield from of_lists(name, theirs.get(name, []), mine.get(name, []))
    if isinstance(theirs.get("version"), str) and theirs["version"] != mine["version"]:
        yield f"version: {mine['version']} for {theirs['version']}"
    yield from of_logs("notices", theirs["notices"], mine["notices"])
    yield from of_logs("logs", theirs["logs"], mine["logs"])


def in_terms_of_3(answer: Any, apart: Iterable[str] = ()) -> Any:
    """Return an answer with what Puppet 3 and later ones say alike: without warnings, and the line where a statement ends.

    Numbers are texts there (octal ones too), titles and tags, an array with one member is its member, parameters have no
    order. A node definition with a regular expression has another name. ``apart`` names parameters (``Cron.minute``) whose
    values differ: of fqdn_rand().
    """
    text = json.dumps(answer).replace(NODE_OF_REGEXP, "")
    found = {**json.loads(text), "logs": []}
    for part in ("resources", "virtual", "notices"):
        found[part] = [{**one, "line": None} for one in found.get(part, [])]
    for one in (*found["resources"], *found["virtual"]):
        one["tags"] = sorted({tag for tag in one.get("tags", []) if not tag.isdigit()})
        parameters = {
            name: value_of_3(value)
            for name, value in sorted(one.get("parameters", {}).items())
            if f"{one['type']}.{name}" not in apart
        }
        if one["title"].isdecimal() and parameters.get("name") == one["title"]:
            del parameters["name"]  # of a title that is a number
        one["parameters"] = parameters
    return found


def value_of_3(value: Any) -> Any:
    """Return the value of a parameter as Puppet 3 has it in a catalog."""
    if isinstance(value, list):
        members = list(map(value_of_3, value))
        return members[0] if len(members) == 1 else members
    if isinstance(value, dict):
        return {name: value_of_3(one) for name, one in value.items()}
    if isinstance(value, str) and re.fullmatch("0[0-7]+", value):
        return str(int(value, 8))
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def message(answer: Any) -> str:
    error = answer.get("error") or {}
    return f"{answer['status']}: {error.get('message')}"


def place(answer: Any) -> str:
    """The file of an error, and its line."""
    error = answer["error"]
    return f"{error.get('file')}:{error.get('line')}"


def of_resources(theirs: list[Any], mine: list[Any], word: str = "") -> Iterator[str]:
    """The differences between two lists of resources."""
    other, ours = ({reference(one): one for one in some} for some in (theirs, mine))
    for name in other.keys() - ours.keys():
        yield f"{word}missing: {kind_of(name)}"
    for name in ours.keys() - other.keys():
        yield f"{word}extra: {kind_of(name)}"
    for name, resource in other.items():
        if name in ours:
            yield from of_resource(word, resource, ours[name])
    if list(other) != list(ours) and other.keys() == ours.keys():
        first = next(a for a, b in zip(other, ours, strict=True) if a != b)
        yield f"{word}order, from {kind_of(first)} on"


def of_resource(word: str, theirs: Any, mine: Any) -> Iterator[str]:
    """The differences between two resources."""
    kind = theirs["type"]
    one, two = theirs.get("parameters", {}), mine.get("parameters", {})
    for name in [*one, *(name for name in two if name not in one)]:
        if name not in two or name not in one or exact(one[name]) != exact(two[name]):
            given = short(exact(two.get(name))), short(exact(one.get(name)))
            yield f"{word}parameter {kind}.{name}: {given[0]} for {given[1]}"
    if list(one) != list(two) and one.keys() == two.keys():
        yield f"{word}order of the parameters of {kind}"
    for name in FIELDS:
        if theirs.get(name) != mine.get(name):
            yield f"{word}{name} of {kind}: {against(theirs.get(name), mine.get(name))}"


def against(theirs: Any, mine: Any) -> str:
    """The members that only one of two lists has; other values beside each other."""
    if not (isinstance(theirs, list) and isinstance(mine, list)):
        return f"{mine} for {theirs}"
    less = [str(one) for one in theirs if one not in mine]
    more = [str(one) for one in mine if one not in theirs]
    return f"without {less[:3]}, with {more[:3]}"


def of_lists(name: str, theirs: list[Any], mine: list[Any]) -> Iterator[str]:
    """The first difference between two lists."""
    if theirs == mine:
        return
    other, ours = (list(map(json.dumps, some)) for some in (theirs, mine))
    missing = next((one for one in other if one not in set(ours)), None)
    extra = next((one for one in ours if one not in set(other)), None)
    if missing or extra:
        yield f"{name}: {kind_of(extra or 'nothing')} for {kind_of(missing or 'nothing')}"
    else:
        yield f"{name}: order"


def of_logs(name: str, theirs: list[Any], mine: list[Any]) -> Iterator[str]:
    """The first difference between two logs."""
    other, ours = (
        [logged(one) for one in once_for_keys(some) if not OF_LOADING.fullmatch(one["message"])]
        for some in (theirs, mine)
    )
    for index in range(max(len(other), len(ours))):
        one = other[index] if index < len(other) else None
        two = ours[index] if index < len(ours) else None
        if one != two and not (one and two and one[0] == two[0] and reworded(one[2], two[2])):
            shown = [some[index] if index < len(some) else None for some in (mine, theirs)]
            yield f"{name}: {short(json.dumps(shown[0]))} for {short(json.dumps(shown[1]))}"
            return


def once_for_keys(entries: list[Any]) -> Iterator[Any]:
    """A log with one message about the foreign keys of a file."""
    before = None
    for one in entries:
        if one["message"] != before or not OF_FOREIGN_KEY.fullmatch(one["message"]):
            yield one
        before = one["message"]


def reworded(theirs: str, mine: str) -> bool:
    """Whether bunraku has other words for a message."""
    return STACK.sub("", theirs) == mine or any(
        re.fullmatch(one, theirs, re.DOTALL) and re.fullmatch(two, mine) for one, two in REWORDED
    )


def logged(entry: Any) -> list[Any]:
    """The compared parts of a message; the column is more exact in bunraku."""
    return [entry.get(name) for name in ("level", "scope", "message", "file", "line")]


def exact(value: Any) -> str:
    return json.dumps(value)


def kind_of(name: str) -> str:
    """References without their titles."""
    return re.sub(r"\[[^]\[]*\]", "[…]", name) if len(name) > 60 else name


def short(text: str) -> str:
    """A text on one line, without the parts that differ between nodes."""
    line = " ".join(text.split())
    return line if len(line) <= 300 else line[:300] + "…"
