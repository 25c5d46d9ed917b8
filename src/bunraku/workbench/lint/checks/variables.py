"""Checks of the names of variables and of comparisons with them."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.metaparameters import METAPARAMETER_NAMES
from bunraku.base.text_edits import Edit
from bunraku.syntax import nodes
from bunraku.workbench.lint.declaration import Problem, check
from bunraku.workbench.lint.manifest import COMMENT, Definition, Manifest

UPPER = lazy_pattern("[A-Z]")


@check("No name of a variable has a dash.")
def variable_contains_dash(manifest: Manifest) -> Iterator[Problem]:
    """Report a dash and a word directly behind a variable: a difference that looks like a name."""
    text, ends = f"{manifest.text}\n", manifest.ends
    variables = manifest.of_kind("VARIABLE")
    behind = "".join(map(text.__getitem__, map(ends.__getitem__, variables)))
    if "-" not in behind:
        return
    for at in [at for at, character in zip(variables, behind, strict=True) if character == "-"]:
        end = ends[at]
        after = text[end + 1 : end + 2]
        if after == "_" or after.isalnum():
            yield Problem(manifest.starts[at], end, "variable contains a dash")


@check("Names of variables are in lower case.")
def variable_is_lowercase(manifest: Manifest) -> Iterator[Problem]:
    """Report upper-case letters in names of variables."""
    if not UPPER.search("".join(manifest.variable_names)):
        return
    for at, name in manifest.variables:
        if UPPER.search(name):
            start, end = manifest.starts[at], manifest.ends[at]
            yield Problem(start, end, "variable contains an uppercase letter")


@check(
    "Names of variables are in lower case.",
    fixes="tree",
    plugin="puppet-lint-variable_contains_upcase",
)
def variable_contains_upcase(manifest: Manifest) -> Iterator[Problem]:
    """Report upper-case letters in names of variables; all places of a name are corrected together."""
    own = own_variables(manifest)
    for problem in variable_is_lowercase(manifest):
        name = manifest.text[problem.start : problem.end].removeprefix("$")
        edits: tuple[Edit, ...] = ()
        group = ""
        if name in own and name.lower() not in manifest.variable_names:
            start = problem.end - len(name)
            edits, group = (in_lower_case(name, start),), name
        message = "variable contains a capital letter"
        yield Problem(problem.start, problem.end, message, edits, group)


def own_variables(manifest: Manifest) -> set[str]:
    """Return the names of variables that the manifest sets; callers and data name the parameters."""
    found: set[str] = set()
    for assignment in manifest.all(nodes.Assignment):
        left = assignment.left
        for one in left.values if isinstance(left, nodes.List) else [left]:
            if isinstance(one, nodes.Variable):
                found.add(one.name)
    for lambda_ in manifest.all(nodes.Lambda):
        found.update(one.name for one in lambda_.parameters)
    parameters = {one.name for each in manifest.definitions for one in each.node.parameters}
    return found - parameters


def in_lower_case(name: str, start: int) -> Edit:
    """Return the edit of a name at an offset: of its letters from the first to the last capital."""
    capitals = [at for at, letter in enumerate(name) if letter != letter.lower()]
    first, last = capitals[0], capitals[-1] + 1
    return Edit(start + first, start + last, name[first:last].lower())


@check(
    "Variables of classes are named without a leading ::.",
    fixes="tree",
    plugin="puppet-lint-topscope-variable-check",
)
def topscope_variable(manifest: Manifest) -> Iterator[Problem]:
    """Report ``$::class::name``, in files with a class or a defined type."""
    if not manifest.definitions:
        return
    for at, name in manifest.variables:
        bare = name.removeprefix("::")
        if bare == name or "::" not in bare or at in manifest.unenclosed:
            continue
        place = manifest.text.index("::", manifest.starts[at])
        yield Problem(
            manifest.starts[at],
            manifest.ends[at],
            f"use ${bare} instead of ${name}",
            (Edit(place, place + 2, ""),),
        )


@check(
    "Versions are compared with versioncmp, not as numbers.",
    fixes="tree",
    plugin="puppet-lint-version_comparison-check",
)
def version_comparison(manifest: Manifest) -> Iterator[Problem]:
    """Report comparisons of a variable whose name ends in version or release with a number."""
    comparisons: dict[int, nodes.Comparison] | None = None
    for at, name in manifest.variables:
        if not name.endswith(("version", "release")):
            continue
        operator = manifest.code_after(at)
        kind = manifest.kind(operator)
        number = manifest.kind(manifest.code_after(operator)) == "NUMBER"
        if kind in {"<", "<=", ">", ">="} or (kind in {"==", "!="} and number):
            if comparisons is None:
                comparisons = {one.left.start: one for one in manifest.all(nodes.Comparison)}
            start = manifest.starts[at]
            edits = compared_by_function(manifest, comparisons.get(start))
            yield Problem(start, manifest.ends[at], "version compared as number", edits)


def compared_by_function(
    manifest: Manifest, comparison: nodes.Comparison | None
) -> tuple[Edit, ...]:
    """Return the edits that compare a variable and a literal with ``versioncmp``."""
    if comparison is None:
        return ()
    left, right = comparison.left, comparison.right
    if not isinstance(left, nodes.Variable) or manifest.text[left.start] != "$":
        return ()
    if not isinstance(right, nodes.String | nodes.Integer | nodes.Float):
        return ()
    written = manifest.text_of(right)
    if written[0] not in "'\"":
        written = f"'{written}'"
    return (
        Edit(left.start, left.start, "versioncmp("),
        Edit(left.end, left.end, f", {written})"),
        Edit(right.start, right.end, "0"),
    )


PREDEFINED = METAPARAMETER_NAMES | {
    *("name", "title", "module_name", "caller_module_name", "environment", "facts", "trusted"),
    *("clientcert", "clientversion", "servername", "serverip", "serverversion", "server_facts"),
}
"""Variables that every class and defined type has, and metaparameters."""

AFTER_PARAMETER = frozenset({",", "=", ")"})


@check("Variables of the top scope have a leading ::.")
def variable_scope(manifest: Manifest) -> Iterator[Problem]:
    """Report variables that neither the definition nor an earlier one of the file sets."""
    known = set(PREDEFINED)
    kinds, values = manifest.kinds, manifest.values
    for definition in manifest.definitions:
        first, last = manifest.parameters(definition)
        known.update(
            [
                values[at]
                for at in manifest.between(first, last, "VARIABLE")
                if kinds[at + 1] in AFTER_PARAMETER
                or (
                    kinds[at + 1] is COMMENT
                    and manifest.kind(manifest.code_after(at)) in AFTER_PARAMETER
                )
            ]
        )
        uses = Uses(manifest, known, definition)
        uses.add_assigned()
        if not uses.unknown():
            continue
        used, local = uses.read()
        for at in used:
            name = manifest.values[at]
            if "::" in name or name in known or name.isdecimal():
                continue
            if name not in local.get(manifest.line(at), ()):
                yield Problem(
                    manifest.starts[at],
                    manifest.ends[at],
                    "top-scope variable being used without an explicit namespace",
                )


class Uses:
    """The variables that a definition uses, and the lines on which those of its lambdas are known."""

    def __init__(self, manifest: Manifest, known: set[str], definition: Definition) -> None:
        self.manifest = manifest
        self.known = known
        self.first, self.after = definition.first, definition.last + 1
        self.local: dict[int, set[str]] = {}
        self.parameters: set[str] | None = None

    def add_assigned(self) -> None:
        """Add the variables that the definition sets to the known ones."""
        kinds, values, add = self.manifest.kinds, self.manifest.values, self.known.add
        for at in self.manifest.between(self.first, self.after, "="):
            if kinds[at - 1] == "VARIABLE":
                add(values[at - 1])
            else:
                self.assign(at)

    def unknown(self) -> bool:
        """Return whether the definition has a name that is not known; most have none."""
        names = self.manifest.variable_names - self.known
        if all("::" in name for name in names):
            return False
        indexes = self.manifest.between(self.first, self.after, "VARIABLE")
        used = names.intersection(map(self.manifest.values.__getitem__, indexes))
        return not all("::" in name for name in used)

    def read(self) -> tuple[list[int], dict[int, set[str]]]:
        """Return the indexes of used variables and, by line, the parameters of lambdas."""
        manifest, used = self.manifest, []
        for at in manifest.between(self.first, self.after, "|", "VARIABLE"):
            if manifest.kinds[at] == "|":
                self.bar(at)
            elif self.parameters is not None:
                self.parameters.add(manifest.values[at])
            elif at not in manifest.unenclosed:
                used.append(at)
        return used, self.local

    def assign(self, at: int) -> None:
        """Add the variables before a ``=`` to the known ones."""
        manifest = self.manifest
        before = manifest.code_before(at)
        kind = manifest.kind(before)
        if kind == "VARIABLE":
            self.known.add(manifest.values[before])
        elif kind == "]":
            opening = manifest.partner.get(before, before)
            self.known.update(
                manifest.values[index]
                for index in range(opening, before)
                if manifest.kinds[index] == "VARIABLE"
            )

    def bar(self, at: int) -> None:
        """Begin or end the parameters of a lambda."""
        if self.parameters is None:
            self.parameters = set()
            return
        manifest = self.manifest
        opening = at
        while opening < manifest.size - 1 and manifest.kinds[opening] != "{":
            opening += 1
        closing = manifest.partner.get(opening, opening)
        for line in range(manifest.line(at), manifest.line(closing) + 1):
            self.local.setdefault(line, set()).update(self.parameters)
        self.parameters = None
