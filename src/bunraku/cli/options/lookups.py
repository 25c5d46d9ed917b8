"""The options of a lookup, and the forms of its result: of ``bunraku lookup`` and ``puppet lookup``."""

from __future__ import annotations

import argparse
from typing import Any

from bunraku.base.usage import UsageError
from bunraku.cli.options.declarations import Rules
from bunraku.engine.lookup import Answer, Question
from bunraku.formats.json import json_text
from bunraku.hiera.recorder import plain
from bunraku.modules.ruby_text import text as ruby_text
from bunraku.values.missing import MISSING

MERGES = ("first", "unique", "hash", "deep")
DEEP_OPTIONS = {
    "knock_out_prefix": "knockout_prefix",
    "sort_merged_arrays": "sort_merged_arrays",
    "merge_hash_arrays": "merge_hash_arrays",
}


QUESTION = """
keys [KEY]...: key to look up; of several keys, the first one that has a value is used
@node: node to look up for (default: this machine)
@facts: the node's facts, JSON or YAML (default: the facts of this machine)
--merge: merge strategy, instead of that in lookup_options
--knock-out-prefix PREFIX: with --merge deep: prefix of values to remove
--sort-merged-arrays: with --merge deep: sort merged arrays
--merge-hash-arrays: with --merge deep: merge hashes in arrays
--type TYPE: the value must have this type
--default TEXT: value to use if no value is found
--explain: explain how the value was found
--explain-options: explain how the lookup_options were found
--compile -c: compile the catalog first so that data can use its variables
--format --render-as: output format; s is plain text (default: yaml; s for explanations)
"""
"""The keys and the options of a lookup: those of ``puppet lookup`` that are not settings."""


def question_from(options: argparse.Namespace) -> Question:
    """Return the lookup that the options describe."""
    if not options.keys and (options.explain or not options.explain_options):
        raise UsageError("give a KEY to look up")
    merge: Any = options.merge
    deep = {
        name: value for option, name in DEEP_OPTIONS.items() if (value := getattr(options, option))
    }
    if deep:
        if merge != "deep":
            names = ", ".join(f"--{option.replace('_', '-')}" for option in DEEP_OPTIONS)
            raise UsageError(f"{names} require --merge deep")
        merge = {"strategy": "deep", **deep}
    return Question(
        options.keys,
        merge,
        options.type,
        MISSING if options.default is None else options.default,
        options.explain,
        options.explain_options,
        options.compile,
    )


def answer_text(answer: Answer, style: str | None) -> str:
    """Return the explanation, else the value, in an output format; nothing of an error alone."""
    if answer.explanation is not None:
        story = answer.explanation
        return story.text() + "\n" if style in {None, "s"} else FORMATS[style or "s"](story.data())
    return "" if answer.error is not None else FORMATS[style or "yaml"](answer.value)


def as_text(value: Any) -> str:
    """Return the value as Ruby's ``to_s`` formats it."""
    return ruby_text(plain(value)) + "\n"


def as_json(value: Any) -> str:
    """Return the value as JSON, on one line."""
    return json_text(plain(value)) + "\n"


def as_yaml(value: Any) -> str:
    """Return the value as YAML."""
    from bunraku.formats.yaml_writer import ruby_yaml_text

    return ruby_yaml_text(plain(value))


FORMATS = {"s": as_text, "json": as_json, "yaml": as_yaml}
QUESTION_RULES: Rules = {
    "node": {"flags": ("--node",)},
    "merge": {"choices": MERGES},
    "format": {"dest": "format", "choices": list(FORMATS)},
}
