"""The conformance cases: reading them, asking for them, judging the answers.

Two kinds: the YAML files restate the reference texts, a case a statement; ``recorded.jsonl.gz``
holds the results of Puppet 8 and 3.8 for some ten thousand small manifests.
"""

from __future__ import annotations

import base64
import gzip
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from bunraku.jobs import batch as protocol
from support.known_differences import known_differences

FOLDER = Path(__file__).parents[1] / "conformance"
RECORDED = FOLDER / "recorded.jsonl.gz"
DIALECTS = {
    "puppet_8": "8",
    "future_parser": "3.8-future",
    "puppet_3_8": "3.8",
    "puppet_3_0": "3.0",
}
"""Dialect, as its module in ``bunraku.dialects`` is called → language."""
PHASES = {"parse_error": "parse", "eval_error": "evaluate"}
REQUEST = (
    "code",
    "language",
    "follow",
    "facts",
    "node",
    "settings",
    "trusted",
    "server_facts",
    "node_classes",
)

Case = dict[str, Any]


def list_of_failures(dialect: str = "puppet_8") -> str:
    """Return the section of the known differences with the failing cases of a dialect."""
    return f"conformance {DIALECTS[dialect]}"


@cache
def stated_cases(dialect: str = "puppet_8") -> dict[str, list[Case]]:
    """Topic → the cases of its YAML file in a dialect."""
    topics = {}
    for path in sorted(FOLDER.glob("*.yaml")):
        with path.open(encoding="utf-8", newline="") as file:
            cases = yaml.load(file, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        wanted = [case for case in cases if case["dialect"] == dialect]
        if wanted:
            language = DIALECTS[dialect]
            topics[path.stem] = [{**case, "language": language} for case in wanted]
    return topics


@cache
def all_recorded() -> list[Case]:
    """All recorded cases with their outcomes by dialect."""
    lines = gzip.decompress(RECORDED.read_bytes()).split(b"\n")
    return [json.loads(line) for line in lines if line]


@cache
def recorded_cases(dialect: str = "puppet_8") -> dict[str, list[Case]]:
    """Topic → its recorded cases with the results expected in a dialect."""
    topics: dict[str, list[Case]] = {}
    for case in all_recorded():
        outcome = case["expect"].get(dialect)
        if outcome is not None:
            expected = case["expect"]["puppet_8"] if outcome == "same" else outcome
            found = {**case, "expect": expected, "language": DIALECTS[dialect]}
            topics.setdefault(case["topic"], []).append(found)
    return topics


def known_failures(dialect: str = "puppet_8") -> dict[str, str]:
    """Return case → the reason why it is known to fail in a dialect."""
    return known_differences(list_of_failures(dialect))


def request(case: Case) -> dict[str, Any]:
    """The batch request of a case."""
    asked = {"id": case["id"], **{name: case[name] for name in REQUEST if name in case}}
    if "topic" in case:
        asked["as_file"] = True
    if "modules" in case:
        asked["modules"] = {name: travelling(text) for name, text in case["modules"].items()}
    return asked


def travelling(text: str | bytes) -> Any:
    """Text as the protocol carries it."""
    if isinstance(text, bytes):
        return {"__bytes": [base64.b64encode(text).decode()]}
    return text


def ask(requests: Iterable[dict[str, Any]], command: list[str] | None = None) -> list[Any]:
    """The answers of ``bunraku batch`` (or of another program that speaks the protocol)."""
    command = command or [sys.executable, "-m", "bunraku", "batch"]
    lines = "".join(json.dumps(one) + "\n" for one in requests)
    done = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in done.stdout.split(b"\n") if line]


def answer_here(requests: Iterable[dict[str, Any]]) -> list[Any]:
    """The same, worked out in this process: faster where there are thousands."""
    return [json.loads(protocol.answer(json.dumps(one).encode())) for one in requests]


def failures(cases: list[Case], answers: list[Any]) -> dict[str, str]:
    """Case → the error in its answer, for cases that do not pass."""
    found = {}
    for case, answer in zip(cases, answers, strict=True):
        assert answer["id"] == case["id"]
        problems = list((judge_recorded if "topic" in case else judge_stated)(case, answer))
        if problems:
            found[case["id"]] = "; ".join(problems)
    return found


def as_bytes(value: Any) -> bytes:
    """Text in any of the forms that it has in cases and answers."""
    match value:
        case bytes():
            return value
        case {"__bytes": [encoded]} | {"__bytes": str(encoded)}:
            return base64.b64decode(encoded)
        case _:
            return str(value).encode("utf-8", "surrogatepass")


def shown(value: Any) -> str:
    return as_bytes(value).decode("utf-8", "replace")


def same(expected: Any, got: Any) -> bool:
    """Whether a value is the expected one; Booleans are no numbers."""
    match expected, got:
        case (bool(), _) | (_, bool()):
            return expected is got
        case (int() | float(), int() | float()):
            return bool(expected == got)
        case (list(), list()):
            return len(expected) == len(got) and all(map(same, expected, got))
        case (dict(), dict()) if "__bytes" not in expected and "__bytes" not in got:
            return all(same(expected.get(key), got.get(key)) for key in {*expected, *got})
        case (str() | bytes(), str() | dict()) | (dict(), str() | dict()):
            return as_bytes(expected) == as_bytes(got)
        case _:
            return bool(expected == got)


def outcome(answer: Any) -> str:
    """The status with the message, for reasons."""
    message = shown((answer["error"] or {}).get("message", ""))
    return f"{answer['status']}: {message[:120]}" if message else str(answer["status"])


def by_reference(resources: Iterable[Any]) -> dict[str, Any]:
    return {f"{one['type']}[{shown(one['title'])}]": one for one in resources}


def judge_error(expected: Any, answer: Any, fields: dict[str, str]) -> Iterator[str]:
    """Phase, and what else of ``fields`` (name in the case → name in the answer) is given."""
    phase = PHASES.get(answer["status"])
    if phase is None:
        yield f"expected an error, got {outcome(answer)}"
        return
    if phase != expected.get("phase", phase):
        yield f"expected an error in {expected['phase']}, got {outcome(answer)}"
    for name, field in fields.items():
        wanted = expected.get(name)
        got = answer["error"].get(field)
        if wanted is not None and got not in (wanted if isinstance(wanted, list) else [wanted]):
            yield f"expected {name} {wanted}, got {got} ({outcome(answer)})"


def judge_stated(case: Case, answer: Any) -> Iterator[str]:
    """Describe the error in the answer to a case of the YAML files."""
    expected = case["expect"]
    if "error" in expected:
        yield from judge_error(expected["error"], answer, {"line": "line", "pos": "pos"})
        message = shown((answer["error"] or {}).get("message", "")).lower()
        for word in expected["error"].get("about", []):
            if word.lower() not in message:
                yield f"the message lacks {word!r}: {message[:120]}"
    elif answer["status"] != "ok":
        yield f"expected success, got {outcome(answer)}"
    if "notices" in expected:
        yield from judge_notices(expected["notices"], answer)
    if "warnings" in expected:
        yield from judge_warnings(expected["warnings"], answer)
    have = by_reference(answer.get("resources", []))
    for reference, parameters in expected.get("resources", {}).items():
        if reference not in have:
            yield f"no {reference}"
            continue
        for name, value in (parameters or {}).items():
            got = have[reference]["parameters"].get(name)
            if not same(value, got):
                yield f"{reference} {name} is {got!r}, expected {value!r}"
    yield from (f"{one} is there" for one in expected.get("absent", []) if one in have)


def judge_notices(expected: list[Any], answer: Any) -> Iterator[str]:
    got = [as_bytes(one["message"]) for one in answer["notices"]]
    if got != [as_bytes(one) for one in expected]:
        yield f"notices {list(map(shown, got))}, expected {list(map(shown, expected))}"


def judge_warnings(expected: list[str], answer: Any) -> Iterator[str]:
    got = [shown(one["message"]) for one in answer["logs"] if one["level"] == "warning"]
    if not expected and got:
        yield f"warnings {got}, expected none"
    for text in expected:
        if not any(text.lower() in one.lower() for one in got):
            yield f"no warning with {text!r} among {got}"


def acceptable(error: Any, case: Case) -> Any:
    """Compare an error; Puppet 3 is sometimes one line late, and the true line is accepted too."""
    if "line" not in error or case["language"] == "8":
        return error
    return {**error, "line": [error["line"], error["line"] - 1]}


def judge_recorded(case: Case, answer: Any) -> Iterator[str]:
    """Describe the error in the answer to a recorded case; only the wording may differ."""
    expected = case["expect"]
    if "error" in expected:
        fields = {"line": "line", "code": "issue_code", "file": "file"}
        yield from judge_error(acceptable(expected["error"], case), answer, fields)
    elif answer["status"] != "ok":
        yield f"expected success, got {outcome(answer)}"
    if answer["status"] != "ok":
        return
    if "notices" in expected:
        yield from judge_notices(expected["notices"], answer)
    warnings = [one for one in answer["logs"] if one["level"] == "warning"]
    if expected.get("warnings", 0) != min(len(warnings), 3):
        wanted = expected.get("warnings", 0)
        yield f"warnings {[shown(one['message']) for one in warnings]}, expected {wanted}"
    for name in ("resources", "virtual"):
        if name in expected:
            have = {ref: one["parameters"] for ref, one in by_reference(answer[name]).items()}
            yield from judge_resources(expected[name], have, name)
    have = by_reference(answer["resources"])
    for reference, tags in expected.get("tags", {}).items():
        if reference in have and have[reference]["tags"] != sorted(tags):
            yield f"tags of {reference} {have[reference]['tags']}, expected {tags}"
    for name in ("classes", "edges", "relationships"):
        if name in expected and answer[name] != expected[name]:
            yield f"{name} {answer[name]}, expected {expected[name]}"


def judge_resources(expected: dict[str, Any], have: dict[str, Any], name: str) -> Iterator[str]:
    if list(expected) != list(have):
        yield f"{name} {list(have)}, expected {list(expected)}"
        return
    for reference, parameters in expected.items():
        if not same(parameters, have[reference]):
            yield f"{reference} has {have[reference]}, expected {parameters}"
