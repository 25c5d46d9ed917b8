"""What is wrong in comments: names that do not exist, what is not described, unknown tags."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from bunraku.base.errors import Diagnostic, Issue, in_order
from bunraku.base.paths import relative
from bunraku.base.source import Place, Source, Span
from bunraku.base.suggestions import suggestion
from bunraku.workbench.docs import issues
from bunraku.workbench.docs.comments import DIRECTIVES, OF_TYPES, Comment
from bunraku.workbench.docs.model import (
    WORDS,
    Attribute,
    DataType,
    Definition,
    DocumentedParameter,
    Function,
    ModuleDocs,
    Provider,
    ResourceType,
    Task,
    Thing,
)
from bunraku.workbench.docs.tags import FORMS, Tag

LONGEST_SUMMARY = 140
OF_DISPATCHES = ("param", "return", "overload")
TITLES = frozenset(["name", "title"])
"""Names that a comment can describe without a parameter: the title of a defined type."""
SHAPES = {
    "example": "@example TITLE",
    "option": "@option PARAMETER [Type] :option text",
    "enum": "@enum PARAMETER value text",
    "raise": "@raise [Error] text",
    "return": "@return [Type] text",
    "overload": "@overload name(parameters)",
}
"""A tag → the form that it needs."""
KNOWN = (*FORMS, *(f"!{name}" for name in (*DIRECTIVES, *OF_TYPES)))
"""The tags that exist, as comments name them."""


class Findings:
    """The findings of one module; ``read`` returns a file, ``root`` is its directory."""

    def __init__(self, root: str, read: Callable[[str], Source]) -> None:
        self.root = root
        self.read = read
        self.sources: dict[str, Source] = {}

    def of_module(self, docs: ModuleDocs) -> list[Diagnostic]:
        """Return all findings, in the order of their places."""
        found = [
            issues.UNREADABLE.diagnostic(
                self.place(path, line) if line else Place(relative(f"{self.root}/{path}")),
                reason=reason,
            )
            for path, line, reason in docs.broken
        ]
        for things in docs.things.values():
            for thing in things:
                found += self.of_thing(thing)
        return in_order(found)

    def source(self, path: str) -> Source:
        """Return the text of a file of the module."""
        if path not in self.sources:
            shown = relative(f"{self.root}/{path}")
            self.sources[path] = self.read(path).named(shown)
        return self.sources[path]

    def place(self, path: str, line: int, *words: str) -> Place:
        """Return the place of the first of some words on a line, or of the line."""
        source = self.sources.get(path) or self.source(path)
        line = max(line, 1)
        text = source.line_text(line)
        for word in words:
            at = text.find(word) if word else -1
            if at >= 0:
                start = source.offset(line, 0) + at
                span = Span(source, start, start + len(word))
                return Place(source.path, line, at + 1, span)
        return source.line_span(line).place

    def place_of(self, thing: Thing, comment: Comment, tag: Tag) -> Place:
        """Return the place of what a tag names."""
        line = comment.line + tag.line if comment.line else thing.line
        return self.place(
            thing.file, line, f" {tag.subject}" if tag.subject else "", f"@{tag.name}"
        )

    def of_thing(self, thing: Thing) -> Iterator[Diagnostic]:
        """Yield the findings of one thing."""
        yield from self.of_tags(thing, thing.comment)
        if isinstance(thing, Task):
            yield from self.of_task(thing)
            return
        yield from self.of_summary(thing)
        if isinstance(thing, (Definition, Function)) and not self.is_ruby(thing):
            yield from self.of_parameters(thing, thing.comment, thing.parameters, thing.line)
        if isinstance(thing, Function):
            yield from self.of_function(thing)
        if isinstance(thing, ResourceType):
            yield from self.of_attributes(thing)

    def is_ruby(self, thing: Thing) -> bool:
        """Return whether a thing is a function in Ruby."""
        return isinstance(thing, Function) and thing.language != "puppet"

    def warn(self, issue: Issue, place: Place, **arguments: object) -> Diagnostic:
        """Return a warning."""
        return issue.diagnostic(place, "warning", **arguments)

    # -- any comment -----------------------------------------------------------------------------

    def of_tags(self, thing: Thing, comment: Comment) -> Iterator[Diagnostic]:
        """Yield the tags that do not exist, or that lack what they need."""
        for name, line in comment.unknown:
            place = self.place(thing.file, comment.line + line if comment.line else 0, f"@{name}")
            near = suggestion(name, KNOWN)
            yield self.warn(issues.UNKNOWN_TAG, place, tag=name, near=near)
        for name, line in comment.invalid:
            place = self.place(thing.file, comment.line + line if comment.line else 0, f"@{name}")
            form = SHAPES.get(name, f"@{name} text")
            yield self.warn(issues.INVALID_TAG, place, tag=name, form=form)

    def of_summary(self, thing: Thing) -> Iterator[Diagnostic]:
        """Yield what is wrong with the summary of a thing, or that it has no comment at all."""
        if isinstance(thing, DataType):
            return
        kind, place = WORDS[thing.kind], self.place(thing.file, thing.line, thing.name)
        named = {"kind": kind, "name": thing.name}
        comment = thing.comment
        if not comment.text and not comment.written and not thing_overloads(thing):
            yield self.warn(issues.UNDOCUMENTED, place, **named)
            return
        summary = comment.first("summary")
        if summary is None and not isinstance(thing, Provider):
            yield self.warn(issues.NO_SUMMARY, place, **named)
        elif summary is not None and len(summary.text or "") > LONGEST_SUMMARY:
            at = self.place_of(thing, comment, summary)
            yield self.warn(issues.LONG_SUMMARY, at, length=len(summary.text or ""), **named)

    # -- parameters ------------------------------------------------------------------------------

    def of_parameters(
        self, thing: Thing, comment: Comment, parameters: Sequence[DocumentedParameter], line: int
    ) -> Iterator[Diagnostic]:
        """Yield what is wrong with the tags of parameters."""
        if not comment.text and not comment.written:
            return
        declared = {one.name.lstrip("*&"): one for one in parameters}
        tags = [tag for tag in comment.written if tag.name == "param"]
        yield from self.of_names(thing, comment, declared)
        documented = {tag.subject for tag in tags}
        for name, parameter in declared.items():
            if name not in documented:
                place = self.place(thing.file, parameter.line or line, f"${name}", name)
                yield self.undocumented(
                    thing, "parameter", name, place, f"add '@param {name} text'"
                )
        seen: set[str | None] = set()
        for tag in tags:
            if tag.subject in seen:
                place = self.place_of(thing, comment, tag)
                named = {"parameter": tag.subject, "kind": WORDS[thing.kind], "name": thing.name}
                yield self.warn(issues.REPEATED_PARAMETER, place, **named)
            seen.add(tag.subject)
            found = declared.get(tag.subject or "")
            if found is not None and found.type and tag.types and tag.types[0] != found.type:
                yield self.other_type(thing, comment, tag, found.type)

    def of_names(
        self, thing: Thing, comment: Comment, declared: dict[str, DocumentedParameter]
    ) -> Iterator[Diagnostic]:
        """Yield the tags that name a parameter that does not exist."""
        for tag in comment.written:
            if tag.name not in {"param", "option", "enum"} or tag.subject in declared:
                continue
            if tag.subject in TITLES or not tag.subject:
                continue
            yield self.warn(
                issues.UNKNOWN_PARAMETER,
                self.place_of(thing, comment, tag),
                tag=tag.name,
                parameter=tag.subject,
                kind=WORDS[thing.kind],
                name=thing.name,
                near=suggestion(tag.subject, declared),
            )

    def undocumented(
        self, thing: Thing, kind: str, name: str, place: Place, advice: str
    ) -> Diagnostic:
        """Return the finding that a part of a thing has no documentation."""
        return self.warn(
            issues.UNDOCUMENTED_PARAMETER,
            place,
            kind=kind,
            parameter=name,
            owner=WORDS[thing.kind],
            name=thing.name,
            advice=advice,
        )

    def other_type(self, thing: Thing, comment: Comment, tag: Tag, declared: str) -> Diagnostic:
        """Return the finding that a tag has another type than the code."""
        return self.warn(
            issues.OTHER_TYPE,
            self.place_of(thing, comment, tag),
            tag=tag.name,
            written=(tag.types or [""])[0],
            declared=declared,
        )

    # -- kinds -----------------------------------------------------------------------------------

    def of_function(self, thing: Function) -> Iterator[Diagnostic]:
        """Yield what is wrong with the tags of a function and of its dispatches."""
        if thing.language == "ruby4x":
            for tag in thing.comment.written:
                if tag.name in OF_DISPATCHES:
                    place = self.place_of(thing, thing.comment, tag)
                    yield self.warn(issues.MISPLACED_TAG, place, tag=tag.name, name=thing.name)
            for overload in thing.signatures:
                yield from self.of_tags(thing, overload.comment)
                parameters = overload.parameters
                yield from self.of_parameters(thing, overload.comment, parameters, overload.line)
                if not any(tag.name == "return" for tag in overload.comment.written):
                    place = self.place(thing.file, overload.line)
                    where = "above the dispatch"
                    yield self.warn(issues.NO_RETURN, place, name=thing.name, where=where)
            return
        found = next((tag for tag in thing.comment.written if tag.name == "return"), None)
        if found is None and not thing.comment.has("overload"):
            place = self.place(thing.file, thing.line, thing.name)
            yield self.warn(issues.NO_RETURN, place, name=thing.name, where="of the function")
        elif found is not None and thing.return_type and found.types:
            if found.types[0] != thing.return_type:
                yield self.other_type(thing, thing.comment, found, thing.return_type)

    def of_attributes(self, thing: ResourceType) -> Iterator[Diagnostic]:
        """Yield the attributes of a resource type that have no text."""
        every: list[tuple[str, Attribute]] = [
            *(("property", one) for one in thing.properties),
            *(("parameter", one) for one in thing.attributes),
            *(("check", one) for one in thing.checks),
        ]
        for kind, one in every:
            if not one.description:
                place = self.place(thing.file, one.line or thing.line, one.name)
                yield self.undocumented(thing, kind, one.name, place, "add 'desc' with a text")

    def of_task(self, thing: Task) -> Iterator[Diagnostic]:
        """Yield what a task does not describe."""
        if not thing.comment.text:
            place = self.place(thing.file, 1)
            yield self.warn(issues.UNDOCUMENTED, place, kind="task", name=thing.name)
        for tag in thing.tags:
            if not tag.text:
                line = line_of_word(thing.source, f'"{tag.subject}"')
                place = self.place(thing.file, line, f'"{tag.subject}"')
                advice = "add 'description' to it"
                yield self.undocumented(thing, "parameter", tag.subject or "", place, advice)


def thing_overloads(thing: Thing) -> bool:
    """Return whether a thing is a function whose dispatches have comments."""
    return isinstance(thing, Function) and any(one.comment.written for one in thing.signatures)


def line_of_word(text: str, word: str) -> int:
    """Return the first line that has a word; 1 without one."""
    at = text.find(word)
    return 1 if at < 0 else text.count("\n", 0, at) + 1
