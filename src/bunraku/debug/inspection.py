"""Requests about code that waits: stack, scopes, variables, expressions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.debug.records import ClientOptions, Json, RequestFailed, Sources
from bunraku.functions.registry import function_names
from bunraku.runtime.state import Scope
from bunraku.workbench.debugging.debugger import Debugger, Muted, Stop
from bunraku.workbench.debugging.evaluation import (
    Refused,
    set_variable,
)
from bunraku.workbench.debugging.frames import CodeFrame
from bunraku.workbench.debugging.variables import (
    Shown,
    ShownScope,
    local_variables,
    scopes_of,
    shown_value,
)

WORD = re.compile(r"\$?(?:::)?[A-Za-z_][\w:]*\Z|\$\Z")
VARIABLE = re.compile(r"\s*\$([a-z_]\w*)\s*\Z")
NAME = re.compile(r"(?:::)?[a-z_]\w*(?:::[a-z_]\w*)*\Z")
ONLY_READING = frozenset({"hover", "watch", "variables", "clipboard"})
"""Contexts of ``evaluate`` in which clients evaluate by themselves."""
MOST_COMPLETIONS = 500


class Inspection:
    """What a stop shows. The numbers that clients get are those of one stop.

    ``listed`` has the scopes and values with parts by number, each with the frame that it belongs to.
    """

    def __init__(
        self, debugger: Debugger, stop: Stop, options: ClientOptions, sources: Sources
    ) -> None:
        self.debugger = debugger
        self.stop = stop
        self.options = options
        self.sources = sources
        self.listed: list[tuple[Shown | ShownScope, CodeFrame]] = []

    # -- stack -------------------------------------------------------------------------------------

    def stack_trace(self, arguments: Mapping[str, Any]) -> Json:
        """Answer ``stackTrace``."""
        frames = self.stop.frames
        start = int(arguments.get("startFrame") or 0)
        levels = int(arguments.get("levels") or 0)
        chosen = frames[start : start + levels if levels else None]
        shown = [self.frame(start + at, one) for at, one in enumerate(chosen)]
        return {"stackFrames": shown, "totalFrames": len(frames)}

    def frame(self, at: int, frame: CodeFrame) -> Json:
        """Return a frame of the stack; its number is its place in the stack, from 1."""
        found: Json = {"id": at + 1, "name": frame.name, "line": 0, "column": 0}
        if frame.span is not None:
            line, column = frame.span.position
            last, end = frame.span.source.position(frame.span.end)
            found.update(
                line=self.options.line(line),
                column=self.options.column(column),
                endLine=self.options.line(last),
                endColumn=self.options.column(end),
                source=self.sources.as_json(frame.span.source, self.options),
            )
        if frame.kind == "declaration":
            found["presentationHint"] = "subtle"
        return found

    def frame_of(self, arguments: Mapping[str, Any]) -> CodeFrame:
        """Return the frame that a request names; the innermost by default."""
        frames = self.stop.frames
        number = arguments.get("frameId")
        at = 0 if number is None else int(number) - 1
        if not frames:
            return CodeFrame("top", "main", None, self.stop.compilation.top_scope)
        if not 0 <= at < len(frames):
            raise RequestFailed(f"frame {number} does not exist")
        return frames[at]

    # -- variables ---------------------------------------------------------------------------------

    def scopes(self, arguments: Mapping[str, Any]) -> Json:
        """Answer ``scopes``."""
        frame = self.frame_of(arguments)
        shown = []
        for scope in scopes_of(frame, self.stop.compilation):
            one: Json = {
                "name": scope.name,
                "variablesReference": self.number(scope, frame),
                "namedVariables": scope.count,
                "expensive": scope.kind in ("facts", "catalog", "top"),
            }
            if scope.kind == "locals":
                one["presentationHint"] = "locals"
            shown.append(one)
        return {"scopes": shown}

    def number(self, shown: Shown | ShownScope, frame: CodeFrame) -> int:
        """Return the number of something with parts."""
        self.listed.append((shown, frame))
        return len(self.listed)

    def numbered(self, number: object) -> tuple[Shown | ShownScope, CodeFrame]:
        """Return what has a number."""
        if not isinstance(number, int) or not 1 <= number <= len(self.listed):
            raise RequestFailed(f"there are no variables {number}")
        return self.listed[number - 1]

    def variables(self, arguments: Mapping[str, Any]) -> Json:
        """Answer ``variables``."""
        outer, frame = self.numbered(arguments.get("variablesReference"))
        with Muted(self.debugger):
            parts = outer.parts()
        kind = arguments.get("filter")
        indexed = isinstance(outer, Shown) and outer.indexed
        if kind is not None and (kind == "indexed") != indexed:
            parts = ()
        start, count = int(arguments.get("start") or 0), int(arguments.get("count") or 0)
        parts = parts[start : start + count if count else None]
        return {"variables": [{"name": one.name, **self.value(one, frame)} for one in parts]}

    def value(self, shown: Shown, frame: CodeFrame, key: str = "value") -> Json:
        """Return a value as DAP has it."""
        found: Json = {key: self.stop.hidden(shown.text), "variablesReference": 0}
        if shown.type:
            found["type"] = shown.type
        if shown.expression is not None and key == "value":
            found["evaluateName"] = shown.expression
        if shown.count:
            found["variablesReference"] = self.number(shown, frame)
            found["indexedVariables" if shown.indexed else "namedVariables"] = shown.count
        return found

    # -- expressions -------------------------------------------------------------------------------

    def evaluate(self, arguments: Mapping[str, Any]) -> Json:
        """Answer ``evaluate``."""
        text = str(arguments.get("expression") or "")
        frame = self.frame_of(arguments)
        only_reads = arguments.get("context") in ONLY_READING
        if arguments.get("context") == "hover" and NAME.match(text):
            text = f"${text}"  # editors take the word under the cursor, perhaps without the $
        value = self.value_of(text, frame, only_reads=only_reads)
        return self.value(shown_value(text, value, text), frame, "result")

    def value_of(self, text: str, frame: CodeFrame, *, only_reads: bool = False) -> Any:
        """Return the value of an expression. Raises RequestFailed."""
        compilation = self.stop.compilation
        return answer_or_refusal(
            lambda: self.debugger.evaluated(text, frame, compilation, only_reads=only_reads)
        )

    def set_variable(self, arguments: Mapping[str, Any]) -> Json:
        """Answer ``setVariable``."""
        outer, frame = self.numbered(arguments.get("variablesReference"))
        name = str(arguments.get("name"))
        if not isinstance(outer, ShownScope):
            raise RequestFailed("the parts of a value cannot be set: values never change in Puppet")
        if outer.kind != "locals":
            raise RequestFailed(f"{name} does not belong to the running code, so it cannot be set")
        return self.set_in(frame, name, str(arguments.get("value")))

    def set_expression(self, arguments: Mapping[str, Any]) -> Json:
        """Answer ``setExpression``, for variables."""
        match = VARIABLE.match(str(arguments.get("expression")))
        if match is None:
            raise RequestFailed("only a variable of the running code can be set, such as $port")
        frame = self.frame_of(arguments)
        return self.set_in(frame, f"${match[1]}", str(arguments.get("value")))

    def set_in(self, frame: CodeFrame, name: str, text: str) -> Json:
        """Set a variable to the value of an expression."""
        value = self.value_of(text, frame, only_reads=True)
        answer_or_refusal(lambda: set_variable(frame, name, value, self.stop.compilation))
        return self.value(shown_value(name, value, name), frame)

    def data_breakpoint_info(self, arguments: Mapping[str, Any]) -> Json:
        """Answer ``dataBreakpointInfo``: variables of classes, defined types and functions have one."""
        name = str(arguments.get("name"))
        number = arguments.get("variablesReference")
        owner = None
        if number:
            outer, frame = self.numbered(number)
            if isinstance(outer, ShownScope):
                owner = owner_of(outer.scope, frame)
        elif "::" in name:
            owner, _, name = name.removeprefix("$").rpartition("::")
        else:
            owner = owner_of(None, self.frame_of(arguments))
        if owner is None:
            return {"dataId": None, "description": f"{name} has no class, define or function"}
        full = f"${owner}::{name.removeprefix('$')}"
        return {
            "dataId": full,
            "description": f"{full} is set",
            "accessTypes": ["write"],
            "canPersist": True,
        }

    def completions(self, arguments: Mapping[str, Any]) -> Json:
        """Answer ``completions``: names of variables and functions."""
        text, column = str(arguments.get("text") or ""), int(arguments.get("column") or 0)
        before = text.splitlines()[-1:] or [""]
        typed = before[0][: self.options.our_column(column) - 1]
        match = WORD.search(typed)
        word = match[0] if match else ""
        names = self.names(self.frame_of(arguments), word)
        found = sorted(one for one in names if one.startswith(word))[:MOST_COMPLETIONS]
        start = self.options.column(len(typed) - len(word) + 1) - self.options.first_column
        return {
            "targets": [
                {
                    "label": one,
                    "type": "variable" if one.startswith("$") else "function",
                    "start": start,
                    "length": len(word),
                }
                for one in found
            ]
        }

    def names(self, frame: CodeFrame, word: str) -> set[str]:
        """Return the names that may begin with a word."""
        if not word.startswith("$"):
            functions = {name for name, one in self.stop.compilation.functions.items() if one}
            return functions | function_names()
        scope = frame.scope or self.stop.compilation.top_scope
        return {*local_variables(frame), *(f"${name}" for name in scope.visible_names())}

    # -- errors ------------------------------------------------------------------------------------

    def exception_info(self, _arguments: Mapping[str, Any]) -> Json:
        """Answer ``exceptionInfo``."""
        error = self.stop.error
        if self.stop.reason != "exception":
            raise RequestFailed("the code does not wait at an error or warning")
        code = "message" if error is None else error.code
        found: Json = {
            "exceptionId": code,
            "description": self.stop.text,
            "breakMode": "always" if error is None else "unhandled",
        }
        if error is not None:
            hint = error.diagnostic.hint
            found["details"] = {
                "message": self.stop.text if hint is None else f"{self.stop.text}\nhint: {hint}",
                "typeName": code,
                "stackTrace": "\n".join(map(frame_line, self.stop.frames)),
            }
        return found


def answer_or_refusal(action: Callable[[], Any]) -> Any:
    """Return the result of an action of the debugger. Raises RequestFailed where it cannot be done."""
    try:
        return action()
    except (PuppetError, Refused) as error:
        message = error.message if isinstance(error, PuppetError) else str(error)
        raise RequestFailed(message) from None


def frame_line(frame: CodeFrame) -> str:
    """Return a frame as a line of text."""
    where = "" if frame.span is None else f" ({frame.span.source.path or '-e'}:{frame.span.line})"
    return f"{frame.name}{where}"


def owner_of(scope: Scope | None, frame: CodeFrame) -> str | None:
    """Return the class, defined type or function that variables belong to."""
    if scope is None and frame.kind == "function":
        return frame.name.partition(" ")[2]
    scope = scope or frame.scope
    definition = None if scope is None else scope.definition
    return None if definition is None or definition.kind == "node" else definition.name
