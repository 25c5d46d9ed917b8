"""Explain which implementation of a function is used, and why: ``bunraku functions --explain``."""

from __future__ import annotations

from bunraku.base.records import record
from bunraku.engine.request import Request, resolve
from bunraku.functions.choice import Choice

WAYS = {
    "puppet": "function in the Puppet language",
    "python": "Python function of a module",
    "ruby": "Ruby function",
    "ruby3": "Ruby function of the 3.x kind",
}


@record(frozen=True)
class Explanation:
    """The implementation of a function: a few words, its file, and the reason."""

    name: str
    implementation: str
    file: str | None
    reason: str

    def text(self) -> str:
        """Return the explanation as lines of text."""
        lines = [f"{self.name}: {self.implementation}"]
        if self.file is not None:
            lines.append(f"    file: {self.file}")
        return "\n".join([*lines, f"    why: {self.reason}", ""])


def explain(name: str, request: Request) -> Explanation | None:
    """Return the explanation for a function, None if nothing defines it."""
    choice = resolve(request, lambda _entry: None).chooser.choose(name)
    if choice is None:
        return None
    path = None if choice.found is None else choice.found.path
    return Explanation(name, implementation(choice), path, reason_of_choice(choice))


def implementation(choice: Choice) -> str:
    """Describe the running implementation in a few words."""
    if choice.source == "core":
        return "core function of Puppet, in Python"
    if choice.source == "standard" or choice.function is not None:
        return f"Python implementation of stdlib {choice.release or '(newest release)'}"
    return "Python function" if choice.found is None else WAYS[choice.found.kind]


def reason_of_choice(choice: Choice) -> str:
    """Return why this implementation is used."""
    if choice.source == "core":
        return "core functions come before those of modules"
    if choice.source == "standard":
        return "no module on the modulepath has files of stdlib's functions"
    if choice.function is not None:
        return f"the content of the file is that of release {choice.release} of stdlib"
    found = choice.found
    if found is None:
        return "it was passed by the caller of bunraku"
    if choice.changed is None:
        return "it is the first file on the modulepath that defines the function"
    if choice.changed == found.path:
        return "the content of the file is not that of any known release of stdlib"
    return f"it needs {choice.changed}, whose content is not that of any known release of stdlib"
