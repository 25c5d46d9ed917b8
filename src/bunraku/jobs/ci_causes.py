"""One finding for each cause: what follows from another finding is folded under it, with its nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from bunraku.base.errors import Diagnostic
from bunraku.base.records import replace
from bunraku.base.source import Place
from bunraku.base.suggestions import did_you_mean
from bunraku.checks.issues import MISSING_FOLDER
from bunraku.jobs.ci_result import Failure, line_of
from bunraku.providers.issues import INVALID_VALUE
from bunraku.workbench.ci.change import Change
from bunraku.workbench.ci.changed_text import ChangedText
from bunraku.workbench.ci.hierarchy import EXTENSIONS
from bunraku.workbench.ci.issues import POLICY

FAULTS = frozenset(
    {
        "DEPENDENCY_CYCLE",
        "DUPLICATE_KEY",
        "FILE_NOT_FOUND",
        "HIERA_BAD_INTERPOLATION",
        "HIERA_NOT_DECRYPTED",
        "HIERA_UNKNOWN_KEY",
        "HIERA_UNKNOWN_OPTION",
        "HIERA_UNKNOWN_PARAMETER",
        "HIERA_UNUSED_FILE",
        "HIERA_UNUSED_KEY",
        "HIERA_UNUSED_OPTIONS",
        "INVALID_RESOURCE_VALUE",
        "LEGACY_FACT",
        "SOURCE_WITHOUT_MODULES",
        "UNKNOWN_FACT_VALUE",
        "UNKNOWN_MEMBER",
        "UNKNOWN_QUERY_ATTRIBUTE",
        "UNKNOWN_VARIABLE",
    }
)
"""Codes of warnings that are mistakes if a change brings them: an agent fails, or a value has no effect."""
OF_ALL_DATA = re.compile(
    r"NOT_DATA|HIERA_(UNPARSABLE_DATA|INVALID_CONFIG|\w*STRATEGY\w*|UNKNOWN_OPTION|UNUSED_OPTIONS|BAD_\w+|LOOKUP_OPTIONS\w*|"
    r"DATA_PROVIDER\w+|CONVERT_TYPE|NO_DATADIR|EMPTY_LEVEL|\w*CONFIG\w*)|UNKNOWN_FACT"
)
"""Codes of findings that make data unreadable, or read in another way."""
FROM_DATA = frozenset(
    {
        "HIERA_CONVERT_FAILED",
        "HIERA_UNKNOWN_KEY",
        "HIERA_UNUSED_FILE",
        "HIERA_UNUSED_KEY",
        "HIERA_UNUSED_OPTIONS",
        "INVALID_PARAMETERS",
        "LOOKUP_NOT_FOUND",
        "MISSING_PARAMETER",
        "TYPE_MISMATCH",
        "UNKNOWN_CLASS",
        "UNUSED_PARAMETER",
    }
)
"""Codes of findings that data can cause which is read in another way."""
ABSENT = frozenset({"INVALID_PARAMETERS", "LOOKUP_NOT_FOUND", "MISSING_PARAMETER"})
WITHOUT_READER = frozenset({"HIERA_UNUSED_KEY", "HIERA_UNKNOWN_PARAMETER"})
EXPLAINING = frozenset(
    {
        "CONFLICT_MARKER",
        "CONFUSABLE_LETTER",
        "INVISIBLE_CHARACTER",
        "PLAIN_SECRET",
        "PRIVATE_KEY",
    }
)
"""Codes of findings that explain others beside them, whatever these say."""
OF_NAMES = frozenset(
    {"FILE_NOT_FOUND", "UNKNOWN_CLASS", "UNKNOWN_FUNCTION", "UNKNOWN_RESOURCE_TYPE", "UNKNOWN_TYPE"}
)
"""Codes of findings about a name that is missing, wherever it is used."""
OF_ABSENT_MODULES = OF_NAMES | {
    "HIERA_UNUSED_KEY",
    "LOOKUP_NOT_FOUND",
    "MODULE_NOT_INSTALLED",
    "UNKNOWN_VARIABLE",
}
"""Codes of findings that a missing directory of modules causes."""
UNUSED = frozenset({"UNUSED_VARIABLE", "UNUSED_PARAMETER"})
IN_TEMPLATE = re.compile(r"\(file: (?P<file>[^()]+\.e[rp][bp]), line: (?P<line>\d+)")
"""Where a template failed, as its errors say it."""
ORIGIN = re.compile(r"value of '(?P<key>[^']+)' from (?P<file>[^;]+?):(?P<line>\d+)")
"""Where a value comes from, as hints of lookups say it."""
RESOURCE = re.compile(r"(?P<type>[A-Z]\w*(?:::[A-Z]\w*)*)\[[^\[\]]+\](?=:)")
"""The resource with which a message begins."""
NAMED = (*EXTENSIONS, ".epp", ".erb", ".rb")
CAUSES = {
    "DEPENDENCY_CYCLE": re.compile(
        rb"\b(?:require|before|notify|subscribe)\s*=>|[-~]>|<[-~]|\brequire\s+\w"
    ),
    "NODE_NOT_FOUND": re.compile(rb"\s*node\s"),
}
"""What a changed line of code has that causes a finding without a line of its own."""
QUOTED = re.compile(r"'([^']+)'")


def with_faults(findings: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return findings of which those that are mistakes are errors."""
    return [replace(one, severity="error") if is_fault(one) else one for one in findings]


def is_fault(finding: Diagnostic) -> bool:
    """Return whether a finding is a mistake: also a default that nothing uses now, and that nothing can use."""
    return finding.code in FAULTS or finding.arguments.get("use") == "default"


def by_cause(
    findings: Sequence[Diagnostic], failures: Sequence[Failure], changed: ChangedText
) -> tuple[list[Diagnostic], list[Failure]]:
    """Return the findings that are causes, and the failures with their causes.

    What breaks a policy is a finding of its own: a policy says something else than the compiler.
    It says nothing of a resource with a value that no agent sets.
    """
    change = changed.change
    refused = {
        str(one.arguments.get("resource")) for one in findings if one.code == INVALID_VALUE.code
    }
    policies = [
        one
        for one in findings
        if one.code == POLICY.code and one.arguments.get("subject") not in refused
    ]
    findings = [at_reading(one, changed) for one in findings if one.code != POLICY.code]
    broken = [one for one in failures if not one.before and not one.lacks]
    if broken:
        findings = [
            replace(one, severity="error") if is_missing_folder(one, change) else one
            for one in findings
        ]
    places = {line_of(one): one.place for one in findings}
    moved = {
        id(one): at_value(at_export(one.finding, findings, changed), places, changed)
        for one in broken
    }
    groups = Groups([*findings, *moved.values()])
    for first, second in related(groups.findings, change):
        groups.join(first, second)
    of_nodes = {id(one) for one in moved.values()}
    roots = groups.roots(of_nodes, change)
    kept = [
        one
        for one in findings
        if (root := roots[id(one)]) is one
        or (id(root) in of_nodes and line_of(root) == line_of(one) and fails(one))
    ]
    return [*kept, *policies], [
        replace(one, finding=roots[id(moved[id(one)])]) if id(one) in moved else one
        for one in failures
    ]


def is_missing_folder(finding: Diagnostic, change: Change) -> bool:
    """Return whether a change names a directory of modules that is not there."""
    return finding.code == MISSING_FOLDER.code and finding in change


def fails(finding: Diagnostic) -> bool:
    """Return whether a finding fails the run."""
    return finding.severity == "error"


def at_reading(finding: Diagnostic, changed: ChangedText) -> Diagnostic:
    """Return a finding of a reader that gave up at the last changed line before it."""
    if finding.code not in {"HIERA_UNPARSABLE_DATA", "NOT_DATA", "SYNTAX_ERROR"}:
        return finding
    place = changed.last_before(finding)
    return finding if place is None else finding.at(place, replaces=True)


def at_export(
    finding: Diagnostic, findings: Sequence[Diagnostic], changed: ChangedText
) -> Diagnostic:
    """Return an error of a resource that another node exports at the code which exports it."""
    resource = RESOURCE.match(finding.message)
    if finding.file or resource is None:
        return finding
    general = f"{resource['type']}[…]{finding.message[resource.end() :]}"
    for one in findings:
        if one.code == finding.code and one.message in {finding.message, general}:
            return finding.at(one.place, replaces=True)
    exports = re.compile(rf"(?i)@@\s*(?:::)?{re.escape(resource['type'])}\s*\{{".encode())
    place = changed.first_in_manifests(exports)
    return finding if place is None else finding.at(place, replaces=True)


def at_value(
    finding: Diagnostic,
    places: Mapping[tuple[str | None, int | None], Place],
    changed: ChangedText,
) -> Diagnostic:
    """Return a finding at the value in data that causes it, if it names one.

    ``places`` are those of findings by line; they have columns, too.
    """
    finding = at_reading(finding, changed)
    origin = ORIGIN.search(finding.hint or "")
    template = IN_TEMPLATE.search(finding.message)
    if template is not None and changed.change.touches(template["file"]):
        origin = origin or template
    if origin is None:
        cause = None
        if finding.code in FROM_DATA:
            cause = changed.key_named_by(finding)
        elif finding.code in CAUSES and (not finding.line or finding not in changed.change):
            cause = changed.first_line(CAUSES[finding.code])
        if cause is None:
            cause = changed.name_in_file(finding)
        return finding if cause is None else finding.at(cause, replaces=True)
    file, line = origin["file"], int(origin["line"])
    return finding.at(places.get((file, line)) or Place(file, line), replaces=True)


class Groups:
    """Findings with one cause, in groups that grow."""

    def __init__(self, findings: Sequence[Diagnostic]) -> None:
        self.findings = list({id(one): one for one in findings}.values())
        self.group = {id(one): [one] for one in self.findings}

    def join(self, first: Diagnostic, second: Diagnostic) -> None:
        """Make one group of those of two findings."""
        here, there = self.group[id(first)], self.group[id(second)]
        if here is not there:
            here += there
            for one in there:
                self.group[id(one)] = here

    def roots(self, of_nodes: set[int], change: Change) -> dict[int, Diagnostic]:
        """Return the finding that stands for the group of each one.

        Those in files that others name come first, then faults of all data, errors, what is on lines of
        the change, plain secrets, keys that nothing reads, and what a compile says.
        """

        def rank(one: Diagnostic) -> tuple[bool, ...]:
            is_of_data = OF_ALL_DATA.fullmatch(one.code) is not None
            return (
                one.code not in {"CONFLICT_MARKER", MISSING_FOLDER.code},
                not is_of_data,
                not fails(one),
                one not in change,
                one.code not in EXPLAINING,
                one.code not in WITHOUT_READER,
                (id(one) in of_nodes) is is_of_data,
            )

        found = {}
        for one in self.findings:
            group = self.group[id(one)]
            named = {id(one) for one in group if any(names_file(other, one) for other in group)}
            lost = WITHOUT_READER if any(one.code == "UNKNOWN_CLASS" for one in group) else ()
            found[id(one)] = min(
                group, key=lambda one: (id(one) not in named, one.code in lost, *rank(one))
            )
        return found


def related(
    findings: Sequence[Diagnostic], change: Change
) -> Iterator[tuple[Diagnostic, Diagnostic]]:
    """Yield pairs of findings with one cause."""
    lines: dict[object, list[Diagnostic]] = {}
    for one in findings:
        lines.setdefault(line_of(one), []).append(one)
    for those in lines.values():
        if any(map(fails, those)):
            yield from ((those[0], one) for one in those[1:])
    roots = [one for one in findings if OF_ALL_DATA.fullmatch(one.code)]
    for one in findings:
        if roots and (one.code in FROM_DATA or OF_ALL_DATA.fullmatch(one.code)):
            if one in roots or one not in change:
                of_code = not (one.file or "").endswith(EXTENSIONS)  # which asked for the data
                if of_code or one.code != roots[0].code or one.file == roots[0].file:
                    yield roots[0], one
    for folder in (one for one in findings if fails(one) and is_missing_folder(one, change)):
        yield from ((folder, one) for one in findings if one.code in OF_ABSENT_MODULES)
    for at, one in enumerate(findings):
        for other in findings[at + 1 :]:
            if one is not other and are_related(one, other):
                yield one, other


def are_related(one: Diagnostic, other: Diagnostic) -> bool:
    """Return whether two findings speak of one thing: a key, a name that became another, a resource."""
    if one.code > other.code:
        one, other = other, one
    codes = {one.code, other.code}
    if names_file(one, other) or names_file(other, one):
        return True
    if "SYNTAX_ERROR" in codes and one.file == other.file:
        return len(codes) == 1 or any(code.islower() for code in codes)  # style has such codes
    everywhere = one.code in OF_NAMES or one.file == other.file
    if len(codes) == 1 and everywhere and one.arguments.get("name"):
        return one.arguments["name"] == other.arguments.get("name")
    if "CONFLICT_MARKER" in codes:
        return one.file == other.file
    if "INVISIBLE_CHARACTER" in codes and codes & ABSENT:
        first, second = (one, other) if one.code == "INVISIBLE_CHARACTER" else (other, one)
        return any(key in str(first.arguments["text"]) for key in keys_of(second))
    if "CONFUSABLE_LETTER" in codes:
        first, second = (one, other) if one.code == "CONFUSABLE_LETTER" else (other, one)
        return str(first.arguments["word"]) in (second.hint or "")
    if codes & EXPLAINING and codes & WITHOUT_READER:
        return one.file == other.file and abs((one.line or 0) - (other.line or 0)) <= 1
    if codes == {"DEPENDENCY_CYCLE"}:
        members = (
            set(re.findall(r"\S+\[.+?\]", finding.message.lower())) for finding in (one, other)
        )
        return len(set.intersection(*members)) > 1
    if len(codes) == 1 and codes == {"INVALID_PARAMETERS"}:
        return one.message == other.message or (
            one.file == other.file
            and QUOTED.findall(one.message)[:1] == QUOTED.findall(other.message)[:1]
        )
    if codes == {"HIERA_UNUSED_KEY", "UNKNOWN_CLASS"}:
        return any(key.startswith(f"{named_in(other)}::") for key in keys_of(one))
    if codes <= ABSENT | WITHOUT_READER:
        return any(are_near(first, second) for first in keys_of(one) for second in keys_of(other))
    if codes == {"MISSING_PARAMETER", "UNKNOWN_PARAMETER"}:
        return one.file == other.file and subject(one) == subject(other)
    if codes == {"INVALID_TEMPLATE_PARAMETERS", "UNUSED_PARAMETER"}:
        return named_in(other) in QUOTED.findall(one.message)
    if "UNKNOWN_VARIABLE" in codes and codes & UNUSED:
        return one.file == other.file and are_near(named_in(one), named_in(other))
    if codes == {"HIERA_UNKNOWN_PARAMETER", "UNKNOWN_VARIABLE"}:
        return named_in(one) == named_in(other)
    if codes == {"FILE_NOT_FOUND", "SOURCE_NOT_FOUND"}:
        return named_in(one) in other.message
    if "ILLEGAL_DEFINITION_LOCATION" in codes:
        first, second = (one, other) if one.code == "ILLEGAL_DEFINITION_LOCATION" else (other, one)
        return bool(first.file) and str(first.file) in (second.hint or "")
    return False


def names_file(one: Diagnostic, other: Diagnostic) -> bool:
    """Return whether the message of a finding names the data or template that another one is in."""
    file = str(other.file)
    return file.endswith(NAMED) and one.file != other.file and file in one.message


def named_in(finding: Diagnostic) -> str:
    """Return the name that a finding is about."""
    name = str(finding.arguments.get("name", ""))
    if not name:
        quoted = QUOTED.search(finding.message)
        name = quoted[1] if quoted else ""
    return name.lstrip("$").removeprefix("::")


def subject(finding: Diagnostic) -> str:
    """Return the resource that a finding is about, in lower case."""
    return str(finding.arguments.get("reference", "")).lower()


def keys_of(finding: Diagnostic) -> list[str]:
    """Return the keys of data that a finding is about."""
    if "key" in finding.arguments:
        return [str(finding.arguments["key"])]
    if finding.code == "LOOKUP_NOT_FOUND":
        return QUOTED.findall(finding.message)
    reference = re.search(r"(?i)\bclass\[([^\]]+)\]", finding.message)
    if reference is None:
        return []
    class_name = reference[1].lower().removeprefix("::")
    return [f"{class_name}::{name}" for name in QUOTED.findall(finding.message)]


def are_near(one: str, other: str) -> bool:
    """Return whether two names are equal, or one can be a misspelt other.

    >>> are_near("network", "netwrk"), are_near("port", "user")
    (True, False)
    """
    return one == other or did_you_mean(one, {other}) is not None
