"""The result of ``bunraku ci`` in sentences, for all formats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bunraku.base.errors import Diagnostic
from bunraku.base.excerpt import visible
from bunraku.base.paths import where
from bunraku.base.records import replace
from bunraku.jobs.ci_agreement import Agreement
from bunraku.jobs.ci_result import CiResult, Failure, by_reason, names
from bunraku.workbench.ci.issues import CATALOGS_CHANGED, NOT_AS_PUPPET, NOT_CHECKED

Step = tuple[str, str, bool]
"""A name, the outcome in words, and whether it is good."""


def steps(result: CiResult) -> Iterator[Step]:
    """Yield the steps with their outcomes."""
    found = [
        counted(result.errors, "error"),
        *([counted(result.warnings, "new warning")] if result.warnings else []),
        *([f"{counted(len(result.gone), 'finding')} gone"] if result.gone else []),
        *(
            [f"{counted(len(result.unchanged), 'older finding')} not shown"]
            if result.unchanged
            else []
        ),
    ]
    yield "files", f"{counted(result.files, 'file')}: {', '.join(found)}", not result.errors
    if result.comparison is None:
        yield "nodes", "none compiled", not result.unknown
        return
    found = [
        *([f"{len(result.unchecked)} not checked"] if result.unchecked else []),
        f"{len(result.broken)} broken",
        *([f"{len(result.repaired)} repaired"] if result.repaired else []),
        *([f"{len(earlier(result))} failed before, too"] if earlier(result) else []),
        f"{len(result.changed)} changed",
        f"{sum(one.status == 'same' for one in result.nodes)} unchanged",
    ]
    good = not result.broken and not result.unchecked
    yield "nodes", f"{counted(len(result.nodes), 'node')}: {', '.join(found)}", good
    if result.against is not None:
        yield "puppet", agreed(result.against), not result.against.disagreements


def earlier(result: CiResult) -> list[Failure]:
    """Return the nodes that failed before the change, too, while others were checked."""
    unchecked = result.unchecked
    return [one for one in result.failed_before if one not in unchecked]


def agreed(against: Agreement) -> str:
    """Return in words whether the catalogs of an installed Puppet are the same.

    >>> agreed(Agreement("7.23.0", failed={"web01": "Syntax error"}))
    '0 nodes as Puppet 7.23.0 compiles them, 1 that it does not compile'
    """
    same = len(against.nodes) - len(against.different)
    found = [f"{counted(same, 'node')} as Puppet {against.version} compiles them"]
    for count, what in (
        (len(against.different), "with another catalog"),
        (len(against.failed), "that it does not compile"),
        (len(against.left_out), "left out, because they collect exported resources"),
    ):
        if count:
            found.append(f"{count} {what}")
    return ", ".join(found)


def counted(count: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "file"), counted(0, "error")
    ('1 file', '0 errors')
    """
    return f"{count} {noun}{'s' * (count != 1)}"


def faults(result: CiResult) -> list[Diagnostic]:
    """Return the findings for programs: an error is what fails the run, or what was not checked."""
    found = result.diagnostics()
    if result.fail_on_warnings:
        found = with_errors(found)
    found += [NOT_CHECKED.diagnostic(reason=text) for text in unknown(result)]
    changed = changed_nodes(result)
    if changed:
        nodes = f"{counted(len(changed), 'node')} ({names(changed)})"
        found.append(CATALOGS_CHANGED.diagnostic(nodes=nodes))
    reasons = disagreements(result.against) if result.against else {}
    return [
        *found,
        *(NOT_AS_PUPPET.diagnostic(node=node, reason=text) for node, text in reasons.items()),
    ]


def with_errors(findings: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return findings of which each is an error, because the run fails on warnings.

    >>> [one.severity for one in with_errors([Diagnostic("X", "wrong", severity="warning")])]
    ['error']
    """
    return [replace(one, severity="error") for one in findings]


def changed_nodes(result: CiResult) -> list[str]:
    """Return the nodes whose changes fail the run."""
    if not result.fail_on_changes:
        return []
    return sorted([*(one.node for one in result.changed), *result.repaired])


def disagreements(against: Agreement) -> dict[str, str]:
    """Return the nodes of which an installed Puppet makes another catalog, or none, with the reason."""
    other = f"Puppet {against.version} makes another catalog"
    return {**against.failed, **{one.node: other for one in against.different}}


def unknown(result: CiResult) -> list[str]:
    """Return a sentence for each thing that was not checked."""
    return [*unknown_nodes(result), *result.unknown]


def unknown_nodes(result: CiResult) -> Iterator[str]:
    """Yield a sentence for each reason for which nodes were not checked."""
    unchecked = result.unchecked
    lacking = [one for one in unchecked if one.lacks]
    for reason in dict.fromkeys(one.lacks for one in lacking):
        group = [one for one in lacking if one.lacks == reason]
        finding = group[0].finding
        hint = f"; {finding.hint}" if finding.hint and reason == finding.message else ""
        nodes = names([one.node for one in group])
        yield f"{counted(len(group), 'node')} ({nodes}): {reason}{hint}"
    rest = [one for one in unchecked if not one.lacks]
    for group in by_reason(rest):
        yield described(group)


def earlier_failures(result: CiResult) -> Iterator[str]:
    """Yield a sentence for each reason for which nodes failed before the change, too."""
    for group in by_reason(earlier(result)):
        yield visible(described(group))


def described(group: Sequence[Failure]) -> str:
    """Return how many nodes fail for a reason in both states, with its place."""
    finding = group[0].finding
    place = where(*finding.place.where)
    nodes = names([one.node for one in group])
    hint = f"; {finding.hint}" if finding.hint else ""
    several = f"{counted(len(group), 'node')} failed before, too ({nodes})"
    message = in_one_line(finding.message.replace(f" for {group[0].node}", ""))
    return f"{several}: {message}{f' ({place})' if place else ''}{hint}"


def in_one_line(message: str) -> str:
    """Return a message whose further lines are a list.

    >>> in_one_line(
    ...     "Class[A]:\\n  parameter 'x' expects a String\\n  parameter 'y' expects a String"
    ... )
    "Class[A]: parameter 'x' expects a String; parameter 'y' expects a String"
    """
    first, *rest = [line.strip() for line in message.splitlines()] or [""]
    return f"{first} {'; '.join(rest)}".rstrip()


def refusals(result: CiResult) -> Iterator[str]:
    """Yield the reasons for which an installed Puppet made no catalog."""
    nodes: dict[str, list[str]] = {}
    for node, reason in (result.against.failed if result.against else {}).items():
        nodes.setdefault(reason.replace(f" on node {node}", ""), []).append(node)
    for reason, those in nodes.items():
        yield f"{reason} ({names(those)})"


def verdict(result: CiResult) -> str:
    """Return the verdict with its reasons: what is not known comes first.

    >>> verdict(CiResult("a", "b", 3, []))
    'passed: no errors, no changed nodes'
    >>> verdict(CiResult("a", "b", 3, [], unknown=["no nodes were compiled"]))
    'not checked: nodes; no errors in files'
    """
    reasons = ", ".join(result.reasons())
    if result.is_complete:
        word = "failed" if result.failed else "passed"
        return f"{word}: {reasons or 'no errors, no changed nodes'}"
    parts = []
    if result.unchecked:
        parts.append(f"{len(result.unchecked)} of {counted(len(result.nodes), 'node')}")
    elif result.comparison is None:
        parts.append("nodes")
    what = ", ".join(parts) or "all that the missing parts reach"
    rest = f"failed: {reasons}" if result.failed else reasons or "no errors in files"
    return f"not checked: {what}; {rest}"


def capitalised(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[:1].upper() + text[1:]
