"""Options of commands, declared as the help shows them.

Each line has the names, the form of the value, and the meaning behind a colon; indented lines continue it::

    files [FILE]...: manifests; - reads standard input
    -e --execute CODE: check this code
    --ignore CODE...: do not report this rule; can be repeated
    --[no-]cycles: make dependency cycles errors
    --all: also files that did not change
    --edit
    @modulepath
    @facts: facts for all nodes
    [many nodes]

A name without dashes is an argument. ``[FORM]`` may be absent, ``FORM...`` is there once or more, and an option
that is repeated is a list. An option without a form and without rules is a switch, with ``[no-]`` one with an
opposite. One without a meaning is not in the help. ``@`` is an option of the table (``project.options``), with its
own meaning or with another one. A line in brackets begins a group of the help; ``[options]`` are those of no group.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping

from bunraku.base.lazy_typing import Any
from bunraku.cli.options.shared import TakesOptions, add_option
from bunraku.project.options import TABLE, Table

Rules = Mapping[str, Mapping[str, Any]]
"""Name of an option → further arguments of ``add_argument``."""

CONTINUED = re.compile(r"\n +")
REPEATED = "..."
TEXT = {"default": ""}
"""The rule of an option that is an empty text by default."""
UNSET = {"action": "store_true", "default": None}
"""The rule of a switch that is None by default."""
DATA_FORMATS = {"choices": ("text", "json"), "default": "text"}
"""The rule of ``--format`` for people and for programs."""


def choice(*words: str) -> dict[str, Any]:
    """Return the rule of an option that takes one of some words, by default the first."""
    return {"choices": words, "default": words[0]}


def declare(parser: argparse.ArgumentParser, text: str, rules: Rules, table: Table = TABLE) -> None:
    """Add the options of a text to a parser.

    >>> parser = argparse.ArgumentParser()
    >>> declare(parser, "files [FILE]...: files\\n--jobs N: processes", {"jobs": {"type": int}})
    >>> parser.parse_args(["a", "b", "--jobs", "2"])
    Namespace(files=['a', 'b'], jobs=2)
    """
    target: TakesOptions = parser
    for line in filter(None, CONTINUED.sub(" ", text).split("\n")):
        if line.startswith("["):
            title = line[1:-1]
            target = parser if title == "options" else parser.add_argument_group(title)
        elif line.startswith("@"):
            name, _, meaning = line[1:].partition(": ")
            own = {"help": meaning} if meaning else {}
            add_option(target, name, table, **{**own, **rules.get(name, {})})
        else:
            declare_option(target, line, rules)


def declare_option(target: TakesOptions, line: str, rules: Rules) -> None:
    """Add the option of a line."""
    head, colon, meaning = line.partition(": ")
    first, *others = head.split(" ")
    names = [first, *(one for one in others if one.startswith("-"))]
    form = " ".join(others[len(names) - 1 :])
    has_opposite = names[-1].startswith("--[no-]")
    names[-1] = names[-1].replace("[no-]", "", 1)
    name = next((one for one in names if one.startswith("--")), first)
    own = rules.get(name.lstrip("-").replace("-", "_"), {})
    found: dict[str, Any] = {"help": meaning if colon else argparse.SUPPRESS}
    if has_opposite:
        found |= {"action": argparse.BooleanOptionalAction, "default": None}
    elif form:
        found |= rules_of_form(form, is_option=first.startswith("-"))
    elif first.startswith("-") and not own:
        found["action"] = "store_true"
    target.add_argument(*names, **{**found, **own})


def rules_of_form(form: str, *, is_option: bool) -> dict[str, Any]:
    """Return the arguments of ``add_argument`` for the form of a value.

    >>> rules_of_form("FILE", is_option=True), rules_of_form("[FILE]...", is_option=False)
    ({'metavar': 'FILE'}, {'metavar': 'FILE', 'nargs': '*'})
    >>> rules_of_form("GLOB...", is_option=True)
    {'metavar': 'GLOB', 'action': 'append', 'default': []}
    """
    repeated = form.endswith(REPEATED)
    form = form.removesuffix(REPEATED)
    optional = form.startswith("[") and form.endswith("]")
    found: dict[str, Any] = {"metavar": form[1:-1] if optional else form}
    if is_option and repeated and not optional:
        return {**found, "action": "append", "default": []}
    nargs = {(True, True): "*", (True, False): "?", (False, True): "+"}.get((optional, repeated))
    return {**found, "nargs": nargs} if nargs else found


def defaults_of(text: str, rules: Rules) -> dict[str, Any]:
    """Return the values of the options of a text that are not given."""
    parser = argparse.ArgumentParser(add_help=False)
    declare(parser, text, rules)
    return vars(parser.parse_args([]))


# -- texts that several commands share ---------------------------------------------------------------


def table_group(title: str, table: Table = TABLE) -> str:
    """Return the options of a group of the table."""
    return "\n".join(f"@{name}" for name, option in table.items() if option.group == title)


def limits(unit: str = "catalog") -> str:
    """Return the limits of time and memory; ``unit`` is the name of the limited thing."""
    return f"[limits]\n@timeout: {TABLE['timeout'].meaning.replace('catalog', unit)}\n@memory"


def compile_options(unit: str = "catalog") -> str:
    """Return the options for the language, settings, the node, limits and output of a compile."""
    return f"{LANGUAGE}\n{SETTINGS}\n{NODE}\n{FACTS_SOURCE}\n{limits(unit)}\n{GENERAL}"


LANGUAGE = f"[language]\n{table_group('language')}"
"""The language of the text, and its checks."""
SETTINGS = f"[environment and settings]\n{table_group('environment and settings')}"
"""Puppet's settings; ``--set`` takes those without an option of their own."""
NODE = f"[node]\n{table_group('node')}"
"""The node, except its name and its facts."""
FACTS_SOURCE = "[node]\n@facts_from"
"""Facts that are not in files of their own."""
CHOICE_OF_NODES = "@match\n@os\n@classes\n@facterdb"
"""Which nodes a job is for."""
CERTIFICATES = """\
--cert FILE: certificate of this client for https (PEM; default: {default})
--key FILE: key of the certificate (PEM)
--cacert FILE: authorities that sign certificates of the server (default: as --cert)"""
"""The files for TLS; ``default`` is the certificate without them."""
GENERAL = "[general options]\n@color\n@debug\n@no_project"
"""What every command has."""
