"""Cases in Puppet itself: read ``tests/language/*.pp``, and judge the result of a program.

A line ``## name`` starts a case. It gives way to a function ``assert``, so what fails is found on
the line where it stands, and a case is a whole manifest for any Puppet. Comments say the rest:

    #! CODE "words"         on the line of an error: its issue code, and what its message holds;
                            in a line of its own: the error has no line, or one in another file;
                            NO_CODE: Puppet raises it without a code
    #% level "words"        on the line of a log message (a warning); line 0 (none) where it stands alone
    #> text                 a message that notice() logs, in order; all of them once one is given
    #>> "text"              the same as JSON: for line breaks, and bytes that are not UTF-8 (\\udcff is FF)
    #= Type[title] {JSON}   a resource of the catalog with exactly these parameters
    #- Type[title]          a resource that is not in the catalog
    #@ field JSON           a field of the request: facts, settings, node, modules, …;
                            before the first case it holds for all cases of the file
    #@ language "3.8"       the dialect. Without one it is Puppet 8, where only there is ``assert``
    #@ code JSON            the whole manifest, for what no line of the file can hold
    #@ file path | text     a line of a file of a module (or of hiera.yaml, data/…)

Wordings are ours; a real Puppet is held to all else, in the cases of the dialect that it speaks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support.conformance import as_bytes, outcome, same, shown, travelling

FOLDER = Path(__file__).parents[1] / "language"
ASSERT = "function assert(Boolean[true] $ok) {}"
MANIFEST = "/site.pp"
MODERN = "8"
NO_CODE = "NO_CODE"
SETTINGS = {"strict": "error", "strict_variables": True}
MARK = re.compile(r'#(?P<mark>[!%]) (?P<code>[\w]*)(?: "(?P<words>.*)")?\s*$')
LINE = re.compile(r"#(?P<mark>>>|[>=@-]) ?(?P<text>.*)$")
SURROGATE = re.compile("[\udc80-\udcff]")


@dataclass
class Case:
    """A case: its place, its manifest, and the expected result."""

    name: str
    file: str
    line: int
    code: str = ""
    errors: list[tuple[int, str, str]] = field(default_factory=list)
    logs: list[tuple[int, str, str]] = field(default_factory=list)
    notices: list[str] | None = None
    resources: dict[str, Any] = field(default_factory=dict)
    absent: list[str] = field(default_factory=list)
    request: dict[str, Any] = field(default_factory=dict)

    @property
    def language(self) -> str:
        """The dialect that it is written in."""
        return str(self.request.get("language", MODERN))

    @property
    def key(self) -> str:
        """The case's name in lists of differences."""
        return f"{self.file}: {self.name}"

    def asked(self) -> dict[str, Any]:
        """The batch request."""
        ours = SETTINGS if self.language == MODERN else {}
        settings = {**ours, **self.request.get("settings", {})}
        given = {"code": self.code, **self.request}
        if SURROGATE.search(given["code"]):
            # Bytes that are not UTF-8; JSON has no text for them.
            given["code"] = travelling(given["code"].encode("utf-8", "surrogateescape"))
        return {"id": self.key, "as_file": True, **given, "settings": settings}


def cases() -> list[Case]:
    """All cases of all files, in every dialect."""
    return [case for path in sorted(FOLDER.glob("*.pp")) for case in read_cases(path)]


def puppet_8_cases() -> list[Case]:
    """The cases in the language of Puppet 8, which the real Puppet that tests ask speaks too."""
    return [case for case in cases() if case.language == MODERN]


def read_cases(path: Path) -> list[Case]:
    """The cases of a file; each keeps the line numbers that it has there."""
    lines = path.read_bytes().decode("utf-8").split("\n")
    starts = [number for number, line in enumerate(lines) if line.startswith("## ")]
    found = []
    header = lines[: starts[0]]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        case = Case(lines[start][3:].strip(), path.stem, start + 1)
        body = lines[start + 1 : end]
        while body and not body[-1].strip():
            body.pop()
        for line in header:
            if line.startswith("#@ "):
                read_marks(case, 0, line)
        for number, line in enumerate(body, start + 2):
            read_marks(case, number, line)
        first = ASSERT if case.language == MODERN else ""
        case.code = "\n" * start + "\n".join([first, *body]) + "\n"
        found.append(case)
    return found


def read_marks(case: Case, number: int, line: str) -> None:
    """The expectation in the comment of a line."""
    if found := MARK.search(line):
        alone = line.lstrip().startswith("#")
        expected = (0 if alone else number, found["code"], found["words"] or "")
        (case.errors if found["mark"] == "!" else case.logs).append(expected)
    elif found := LINE.match(line.lstrip()):
        text = found["text"]
        match found["mark"]:
            case ">":
                case.notices = [*(case.notices or []), text]
            case ">>":
                case.notices = [*(case.notices or []), json.loads(text)]
            case "-":
                case.absent.append(text)
            case "=":
                reference, _, parameters = text.partition("] {")
                case.resources[f"{reference}]"] = json.loads("{" + parameters)
            case "@":
                read_field(case, text)


def read_field(case: Case, text: str) -> None:
    """A field of the request."""
    name, _, rest = text.partition(" ")
    if name == "file":
        path, _, content = rest.partition(" | ")
        modules = case.request.setdefault("modules", {})
        modules[path.strip()] = modules.get(path.strip(), "") + content + "\n"
    else:
        case.request[name] = json.loads(rest)


def laid_out(case: Case, folder: Path) -> dict[str, Any]:
    """The request for a program that reads modules from the disk only."""
    asked = case.asked()
    for name, text in asked.pop("modules", {}).items():
        beside = name == "hiera.yaml" or name.startswith("data/")
        path = folder / name if beside else folder / "modules" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        asked["modulepath"] = [str(folder / "modules")]
        if name == "hiera.yaml":
            asked["settings"] = {**asked["settings"], "hiera_config": str(path)}
    return asked


def judge(case: Case, answer: Any, *, words: bool) -> Iterator[str]:
    """Describe the error in an answer; with ``words``, compare our wordings too."""
    if case.errors:
        yield from judge_errors(case, answer, words=words)
    elif answer["status"] != "ok":
        error = answer["error"]
        yield f"line {error['line']}: {outcome(answer)} [{error.get('issue_code')}]"
        return
    have = [(one.get("line") or 0, one["level"], shown(one["message"])) for one in answer["logs"]]
    for line, level, text in case.logs:
        if not any(one[:2] == (line, level) and (not words or text in one[2]) for one in have):
            yield f"line {line}: no {level} {text!r} among {have}"
    warnings = [one for one in have if one[1] == "warning"]
    if len(warnings) > len(case.logs):
        yield f"warnings {warnings}"
    notices = [as_bytes(one["message"]) for one in answer["notices"]]
    expected = [text.encode("utf-8", "surrogateescape") for text in case.notices or []]
    if case.notices is not None and notices != expected:
        yield f"notices {notices}, expected {expected}"
    found = {f"{one['type']}[{shown(one['title'])}]": one for one in answer["resources"]}
    for reference, parameters in case.resources.items():
        if reference not in found:
            yield f"no {reference} among {list(found)}"
        elif not same(parameters, found[reference]["parameters"]):
            yield f"{reference} has {found[reference]['parameters']}, expected {parameters}"
    yield from (f"{one} is there" for one in case.absent if one in found)


def judge_errors(case: Case, answer: Any, *, words: bool) -> Iterator[str]:
    """The errors of an answer against those expected: several stand in the log."""
    if answer["status"] not in {"parse_error", "eval_error"}:
        yield f"expected an error, got {outcome(answer)}"
        return
    first = answer["error"]
    several = [one for one in answer["logs"] if one["level"] == "err"]
    if len(case.errors) > 1:
        lines = [one.get("line") for one in several]
        if lines != [line for line, _, _ in case.errors]:
            yield f"errors on lines {lines}, expected {[line for line, _, _ in case.errors]}"
        return
    ((line, code, text),) = case.errors
    place = first["line"] if first.get("file") == MANIFEST else 0
    if place != line and (words or first["line"] is not None):
        yield f"the error is on line {place}, expected {line}: {outcome(answer)}"
    found = first.get("issue_code", NO_CODE)
    if found != code and (words or found not in {NO_CODE, "RUNTIME_ERROR"}):
        yield f"code {found}, expected {code}: {outcome(answer)}"
    if words and text not in shown(first["message"]):
        yield f"the message lacks {text!r}: {outcome(answer)}"
