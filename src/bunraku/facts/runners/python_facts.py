"""Compute the custom facts of Python files; see the docstring of the package."""

from __future__ import annotations

import json
import os
import sys
import traceback
from types import ModuleType
from typing import Any

from bunraku.facts.declaration import CustomFact, declared


def main() -> None:
    """Answer the request on standard input."""
    request = json.loads(sys.stdin.buffer.read())
    output = os.dup(1)
    os.dup2(2, 1)  # output of facts is not an answer

    def answer(**line: Any) -> None:
        os.write(output, json.dumps(line).encode() + b"\n")

    patience = request["timeout"]
    for path in request["files"]:
        if path in request["dropped_files"]:
            continue
        answer(begin=None, file=path, timeout=patience, declared=False)
        try:
            module = ModuleType(f"bunraku facts {path}")
            module.__file__ = path
            with open(path, "rb") as file:
                exec(compile(file.read(), path, "exec", dont_inherit=True), module.__dict__)
        except Exception as error:
            answer(warn=reason(error), file=path, line=line_of(error, path))
            continue
        for one in declared(module.__dict__, request["skip"]):
            if request["names"] is not None and one.name not in request["names"]:
                continue
            declares = one.timeout is not None
            limit = one.timeout if declares else patience
            line = definition_line(one)
            answer(begin=one.name, file=path, line=line, timeout=limit, declared=declares)
            try:
                value = one(request["facts"]) if one.applies(request["facts"]) else None
                answer(fact=one.name, value=value, line=line)
            except Exception as error:
                at = line_of(error, path) or line
                answer(warn=reason(error), fact=one.name, file=path, line=at)
    answer(end=True)


def reason(error: Exception) -> str:
    """Return an error on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())


def definition_line(one: CustomFact) -> int | None:
    """Return the line in which the function of a fact begins, None for other callables."""
    code = getattr(one.compute, "__code__", None)
    return None if code is None else int(code.co_firstlineno)


def line_of(error: Exception, path: str) -> int | None:
    """Return the line of a file in which an error was raised, or that has a syntax error."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno for frame in reversed(frames) if frame.filename == path), None)


if __name__ == "__main__":
    main()
