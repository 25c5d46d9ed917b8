"""The pages of a site: each documented thing with its parts, ready to be written as HTML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from bunraku.base.records import field, record
from bunraku.workbench.docs.comments import Comment, read_comment
from bunraku.workbench.docs.document import signature
from bunraku.workbench.docs.model import (
    KINDS,
    Alias,
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
from bunraku.workbench.docs.secrets import is_secret_name
from bunraku.workbench.docs.tags import Tag

FOLDERS = {
    "puppet_classes": "classes",
    "data_types": "data-types",
    "data_type_aliases": "type-aliases",
    "defined_types": "defined-types",
    "resource_types": "resource-types",
    "providers": "providers",
    "puppet_functions": "functions",
    "puppet_tasks": "tasks",
    "puppet_plans": "plans",
}
"""A kind → the folder of its pages."""
TITLES = {**KINDS, "data_type_aliases": "Type aliases"}
SENSITIVE = re.compile(r"\bSensitive\b")
SENSITIVE_TEXT = re.compile(r"""(\bSensitive(?:\.new)?\(\s*)(?:'[^']*'|"[^"]*")""")
REMARKS = (
    ("deprecated", "Deprecated"),
    ("note", "Note"),
    ("todo", "To do"),
    ("since", "Since"),
    ("raise", "Raises"),
    ("author", "Author"),
    ("version", "Version"),
)


@record(frozen=True)
class SetValue:
    """A value of a key: the file and the line that set it, and the value as text.

    ``is_secret`` values have no text.
    """

    path: str
    line: int
    text: str
    is_secret: bool = False


Values = Callable[[str, bool], list[SetValue]]
"""Returns what sets a key of Hiera; the second argument is whether its values are secrets."""


@record(eq=False)
class SiteChoice:
    """An option of a hash, or a possible value: its name, type and text."""

    name: str
    type: str
    text: str


@record(eq=False)
class SiteParameter:
    """A parameter or attribute; ``key`` is its key in Hiera, with the ``values`` that data has.

    ``notes`` are short texts: that it is the name variable, its valid values. ``anchor`` is the name of
    its place on the page.
    """

    name: str
    type: str = ""
    default: str = ""
    text: str = ""
    key: str = ""
    line: int = 0
    is_secret: bool = False
    hides_default: bool = False
    values: list[SetValue] = field(default_factory=list)
    choices: list[SiteChoice] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    anchor: str = ""


@record(eq=False)
class SiteGroup:
    """Parameters under one title; ``code`` is the head of a function, ``result`` what it returns."""

    title: str
    parameters: list[SiteParameter] = field(default_factory=list)
    code: str = ""
    text: str = ""
    result: tuple[str, str] | None = None


@record(eq=False)
class SitePage:
    """The page of a thing."""

    kind: str
    name: str
    module: str
    path: str
    file: str
    line: int
    summary: str
    text: str
    source: str = ""
    is_private: bool = False
    parent: str = ""
    alias_of: str = ""
    remarks: list[tuple[str, str]] = field(default_factory=list)
    references: list[tuple[str, str]] = field(default_factory=list)
    examples: list[tuple[str, str]] = field(default_factory=list)
    groups: list[SiteGroup] = field(default_factory=list)
    properties: list[tuple[str, str]] = field(default_factory=list)

    @property
    def title(self) -> str:
        """The kind, for people."""
        return TITLES[self.kind]


@record(eq=False)
class DocumentationSite:
    """All pages of a module or a control repository, by module and kind."""

    name: str
    is_repository: bool
    pages: list[SitePage] = field(default_factory=list)

    @property
    def modules(self) -> list[str]:
        """The modules, sorted."""
        return sorted({page.module for page in self.pages})

    def of(self, module: str, kind: str) -> list[SitePage]:
        """Return the pages of a kind of things in a module, public ones first."""
        found = [page for page in self.pages if page.module == module and page.kind == kind]
        return sorted(found, key=lambda page: (page.is_private, page.name))


class SiteBuilder:
    """Makes the pages; ``values`` returns what sets a key, ``prefix`` is the path of a module's files."""

    def __init__(self, name: str, values: Values, *, is_repository: bool) -> None:
        self.site = DocumentationSite(name, is_repository)
        self.values = values
        self.paths: set[str] = set()

    def add(self, module: str, docs: ModuleDocs, prefix: str) -> None:
        """Add the things of a module."""
        for kind in KINDS:
            for thing in docs.of_kind(kind):
                self.site.pages.append(self.page_of(thing, module, prefix))

    def page_of(self, thing: Thing, module: str, prefix: str) -> SitePage:
        """Return the page of a thing."""
        comment = thing.comment
        summary = comment.first("summary")
        api = comment.first("api")
        page = SitePage(
            thing.kind,
            thing.name,
            module,
            self.path_of(thing, module),
            f"{prefix}{thing.file}",
            max(thing.line, 1),
            (summary.text or "").replace("\n", " ") if summary else first_sentence(comment.text),
            comment.text,
            without_secrets(thing),
            api is not None and api.text == "private",
        )
        for name, title in REMARKS:
            page.remarks += [
                (
                    title,
                    " ".join(filter(None, [", ".join(filter(None, tag.types or [])), tag.text])),
                )
                for tag in comment.named(name)
            ]
        page.references = [(tag.subject or "", tag.text or "") for tag in comment.named("see")]
        page.examples = [(tag.subject or "", tag.text or "") for tag in comment.named("example")]
        self.add_parts(page, thing)
        page.groups = [one for one in page.groups if one.parameters or one.code]
        add_anchors(page)
        return page

    def path_of(self, thing: Thing, module: str) -> str:
        """Return the path of a page; of two things with one name, the second's has the module."""
        name = thing.name.replace("::", ".")
        if isinstance(thing, Provider):
            name = f"{thing.type_name}.{name}"
        name = re.sub(r"[^\w.-]", "_", name)
        path = f"{FOLDERS[thing.kind]}/{name}.html"
        number = 1
        while path.lower() in self.paths:
            number += 1
            path = f"{FOLDERS[thing.kind]}/{name}.{module}.{number}.html"
        self.paths.add(path.lower())
        return path

    def add_parts(self, page: SitePage, thing: Thing) -> None:
        """Add what things of one kind have."""
        match thing:
            case Definition():
                page.parent = thing.parent or ""
                page.groups = [self.definition_group(thing)]
            case Alias():
                page.alias_of = thing.alias_of
            case Function():
                page.groups = list(function_groups(thing))
            case ResourceType():
                page.groups = list(type_groups(thing))
                page.properties = [("Feature " + name, text) for name, text in thing.features]
                page.properties += [("Provider", one.name) for one in thing.providers]
            case Provider():
                page.properties = list(provider_properties(thing))
            case Task():
                page.groups = [task_group(thing)]
                page.properties = [("Supports noop", "yes" if thing.supports_noop else "no")]
            case DataType():
                page.groups = [data_type_group(thing)]

    def definition_group(self, thing: Definition) -> SiteGroup:
        """Return the parameters of a class, a defined type or a plan, in the order of the code."""
        group = SiteGroup("Parameters")
        for one in thing.parameters:
            found = parameter_of(one, thing.comment)
            if thing.kind == "puppet_classes":
                found.key = f"{thing.name}::{one.name}"
                found.values = self.values(found.key, found.is_secret)
            group.parameters.append(found)
        return group


def add_anchors(page: SitePage) -> None:
    """Give each parameter a place of its own, also if several signatures have it."""
    seen: set[str] = set()
    for one in (one for group in page.groups for one in group.parameters):
        anchor = f"parameter-{re.sub(r'[^a-zA-Z0-9_-]', '_', one.name.lstrip('*&'))}"
        number = 1
        while anchor in seen:
            number += 1
            anchor = f"{anchor.partition('.')[0]}.{number}"
        seen.add(anchor)
        one.anchor = anchor


def first_sentence(text: str) -> str:
    """Return the first sentence of a text, on one line.

    >>> first_sentence("One thing.\\nAnother. More")
    'One thing.'
    """
    paragraph = " ".join(text.partition("\n\n")[0].split())
    found = re.match(r"(.*?[.!?])(?:\s|$)", paragraph)
    return found[1] if found else paragraph[:140]


def is_sensitive(parameter: DocumentedParameter) -> bool:
    """Return whether a parameter has secrets: by its type or its name."""
    return bool(SENSITIVE.search(parameter.type or "")) or is_secret_name(parameter.name)


def has_hidden_default(parameter: DocumentedParameter) -> bool:
    """Return whether the default of a parameter is a secret in the code."""
    return is_sensitive(parameter) and any(mark in parameter.value for mark in "'\"")


def without_secrets(thing: Thing) -> str:
    """Return the source of a thing without secrets in defaults."""
    source = thing.source
    for one in thing.parameters:
        if has_hidden_default(one):
            source = source.replace(one.value, "'…'")
    return without_sensitive(source)


def without_sensitive(code: str) -> str:
    """Return code without the texts that it makes Sensitive.

    >>> without_sensitive("$a = Sensitive('x')")
    "$a = Sensitive('…')"
    """
    return SENSITIVE_TEXT.sub(r"\1'…'", code)


def parameter_of(one: DocumentedParameter, comment: Comment) -> SiteParameter:
    """Return a parameter with what its tag says."""
    tag = next((tag for tag in comment.named("param") if tag.subject == one.name), None)
    types = [name for name in (tag.types if tag else None) or [] if name]
    return SiteParameter(
        one.name,
        one.type or (types[0] if types else ""),
        "" if has_hidden_default(one) else without_sensitive(one.value or one.default or ""),
        (tag.text if tag else None) or "",
        line=one.line,
        is_secret=is_sensitive(one),
        hides_default=has_hidden_default(one),
        choices=choices_of(comment, one.name),
    )


def choices_of(comment: Comment, name: str) -> list[SiteChoice]:
    """Return the options and possible values that tags describe for a parameter."""
    return [
        SiteChoice(
            tag.pair.subject or "",
            ", ".join(filter(None, tag.pair.types or [])),
            tag.pair.text or "",
        )
        for tag in (*comment.named("option"), *comment.named("enum"))
        if tag.subject == name and tag.pair is not None
    ]


def function_groups(thing: Function) -> Iterable[SiteGroup]:
    """Yield each way to call a function."""
    if thing.signatures:
        for one in thing.signatures:
            yield signature_group(thing.name, one.parameters, one.comment, one.comment.text)
        return
    written = thing.comment.named("overload")
    for tag in written:
        yield written_group(tag)
    if not written:
        yield signature_group(thing.name, thing.parameters, thing.comment, "")


def signature_group(
    name: str, parameters: Sequence[DocumentedParameter], comment: Comment, text: str
) -> SiteGroup:
    """Return one way to call a function."""
    return SiteGroup(
        "",
        [parameter_of(one, comment) for one in parameters],
        signature(name, parameters, comment),
        text,
        documented_result(comment),
    )


def written_group(tag: Tag) -> SiteGroup:
    """Return the way to call a function that a tag ``@overload`` describes."""
    comment = read_comment(tag.body)
    parameters = [
        DocumentedParameter(one.subject or "", (one.types or [""])[0])
        for one in comment.named("param")
    ]
    found = [parameter_of(one, comment) for one in parameters]
    return SiteGroup("", found, tag.signature, comment.text, documented_result(comment))


def documented_result(comment: Comment) -> tuple[str, str] | None:
    """Return the type and the text of what a function returns."""
    tag = comment.first("return")
    if tag is None:
        return None
    return ", ".join(filter(None, tag.types or [])), tag.text or ""


def type_groups(thing: ResourceType) -> Iterable[SiteGroup]:
    """Yield the attributes of a resource type."""
    parts = (
        ("Properties", thing.properties),
        ("Parameters", thing.attributes),
        ("Checks", thing.checks),
    )
    for title, attributes in parts:
        ordered = sorted(attributes, key=lambda one: (not one.is_namevar, one.name))
        yield SiteGroup(title, [attribute_parameter(one, thing.comment) for one in ordered])


def attribute_parameter(one: Attribute, comment: Comment) -> SiteParameter:
    """Return an attribute of a resource type."""
    notes = [("Values", ", ".join(one.values))] if one.values else []
    notes += [(name, f"another name of {value}") for name, value in one.aliases.items()]
    notes += [("Name variable", "the title of the resource sets it")] if one.is_namevar else []
    if one.required_features:
        notes.append(("Required features", one.required_features))
    default = "" if one.default is None or is_secret_name(one.name) else str(one.default)
    return SiteParameter(
        one.name,
        str(one.data_type or ""),
        default,
        one.description,
        line=one.line,
        choices=choices_of(comment, one.name),
        notes=notes,
    )


def provider_properties(thing: Provider) -> Iterable[tuple[str, str]]:
    """Yield what a provider says of itself."""
    yield "Resource type", thing.type_name
    for key, value in thing.confines.items():
        yield "Confined to", f"{key} = {value}"
    for one in thing.defaults:
        yield "Default for", " and ".join(f"{key} = {value}" for key, value in one)
    if thing.features:
        yield "Features", ", ".join(thing.features)
    for key, value in thing.commands.items():
        yield "Command", f"{key}: {value}"


def task_group(thing: Task) -> SiteGroup:
    """Return the parameters of a task."""
    return SiteGroup(
        "Parameters",
        [
            SiteParameter(
                tag.subject or "",
                str((tag.types or [""])[0] or ""),
                text=tag.text or "",
                is_secret=is_secret_name(tag.subject or ""),
            )
            for tag in thing.tags
        ],
    )


def data_type_group(thing: DataType) -> SiteGroup:
    """Return the attributes of a data type in Ruby."""
    found = []
    for tag in thing.comment.named("param"):
        name = tag.subject or ""
        default = thing.defaults.get(name)
        types = ", ".join(filter(None, tag.types or []))
        found.append(
            SiteParameter(name, types, "" if default is None else str(default), tag.text or "")
        )
    return SiteGroup("Attributes", found)
