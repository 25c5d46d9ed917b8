"""A sample of the questions about Debian's packages of modules, with the digests of Puppet's answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rigs.modules.corpus import Library, Module, debian_modules
from rigs.modules.questions import Question
from rigs.modules.run import outcome, questions
from support.debian_classes import DATA, kept

RECORD = DATA / "modules_debian.json"
MOST = 8
PARTS = ("class", "define", "function", "template")


def library(folder: Path) -> tuple[Library, list[Module]]:
    """Return the installed modules, in environments below a folder."""
    modules = debian_modules()
    return Library(modules, folder), modules


def sampled(known: Library, module: Module) -> Iterator[Question]:
    """Yield the questions of the sample about a module."""
    return questions(known, module, PARTS, MOST)


def digest(answer: Any, modulepath: str) -> str:
    """Return the compared value of an answer: a digest of the catalog, the notices and the levels of other
    messages; or the place of an error."""
    found = outcome(answer)
    if found["status"] != "ok":
        return kept(found, modulepath)
    messages = [found["notices"], [one["level"] for one in found["logs"]]]
    texts = json.dumps(messages, sort_keys=True).replace(modulepath + "/", "")
    return kept({**found, "classes": [*found["classes"], texts]}, modulepath)
