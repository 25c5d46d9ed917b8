"""What the adapter can do, as it answers ``initialize``."""

from __future__ import annotations

from typing import Any

SUPPORTED = """
ConfigurationDoneRequest FunctionBreakpoints ConditionalBreakpoints HitConditionalBreakpoints
EvaluateForHovers SetVariable SetExpression RestartRequest TerminateRequest CompletionsRequest
ExceptionInfoRequest ExceptionFilterOptions LogPoints DataBreakpoints DelayedStackTraceLoading
LoadedSourcesRequest BreakpointLocationsRequest ClipboardContext CancelRequest ValueFormattingOptions
"""
FILTERS = (
    {
        "filter": "error",
        "label": "Errors",
        "description": "Stop at the error that ends the compile, and at messages of err() and above.",
        "default": True,
        "supportsCondition": True,
        "conditionDescription": "An expression with $message, such as $message =~ /apache/",
    },
    {
        "filter": "warning",
        "label": "Warnings",
        "description": "Stop where code warns, or where the compiler warns about it.",
        "default": False,
        "supportsCondition": True,
        "conditionDescription": "An expression with $message, such as $message =~ /apache/",
    },
)


def capabilities() -> dict[str, Any]:
    """Return the capabilities."""
    return {
        **{f"supports{name}": True for name in SUPPORTED.split()},
        "supportTerminateDebuggee": True,
        "exceptionBreakpointFilters": list(FILTERS),
        "completionTriggerCharacters": ["$", ":"],
    }
