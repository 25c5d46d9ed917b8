"""REFERENCE.md, as Puppet Strings writes it from the data of its JSON document."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import Any

Data = Mapping[str, Any]
LONGEST_LINE = 120
"""Descriptions of a type's parameters are wrapped there."""
DESCRIPTION = 141
"""As many characters of a text stand in the table of contents if there is no summary."""
REGEX_IN_TYPE = lazy_pattern(r"\w+\[/.*/\]", re.ASCII)
REGEX_NOTE = (
    "\n_*this data type contains a regex that may not be accurately reflected in generated"
    " documentation_"
)
NOT_IN_ANCHOR = lazy_pattern(r"[^a-zA-Z0-9_-]")
HEADING = lazy_pattern(r'^### <a name="(?P<link>[^"]*)"></a>`(?P<name>[^`]*)`$', re.MULTILINE)
PARAMETER_HEADING = lazy_pattern(r'^##### <a name="(?P<link>[^"]*)"></a>`', re.MULTILINE)
PART_OF_LINE = lazy_pattern(rf"([^\n]{{1,{LONGEST_LINE}}})(\s+|$)", re.ASCII)
ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"})
HASH = "\\#{"
FUNCTION_TYPES = {"ruby4x": "Ruby 4.x API", "ruby3x": "Ruby 3.x API"}


OLDEST = "2"
"""The form of a file that is new: that of Debian's Puppet Strings."""


class ReferenceForm:
    """The form of REFERENCE.md of one range of releases of Puppet Strings: the first one, to release 2.9."""

    name = OLDEST

    def link(self, name: str) -> str:
        """Return the anchor of a thing."""
        return name.replace(":", "").strip().replace(" ", "-").lower()

    def parameter_link(self, thing: str, name: str) -> str:
        """Return the anchor of a parameter of a thing."""
        return name

    def code(self, value: Any, language: str = "puppet") -> str:
        """Return a type or a default behind its label, on the same line."""
        return f" `{shown(value)}`"

    def alias(self, value: str) -> str:
        """Return the type that an alias stands for."""
        return f"\n\n```puppet\n{value}\n```"

    def value(self, value: Any) -> str:
        """Return a default or a possible value; words of the language in marks of their own."""
        return f"`{value}`" if value in ("undef", "true", "false") else shown(value)

    def shows_public(self, count: int) -> bool:
        """Return whether public things of a kind have a heading, with their number."""
        return True

    def remarks(self) -> Sequence[tuple[str, str]]:
        """Return the names and titles of the tags that are shown as remarks."""
        return (("todo", "todo".upper()), ("note", "Note"))


class NewerReferenceForm(ReferenceForm):
    """The form since release 4: unique anchors, code on lines of its own, deprecations.

    Release 3 has it, too, but for deprecations.
    """

    name = "4"

    def link(self, name: str) -> str:
        """Return the anchor of a thing: other characters are hyphens."""
        return NOT_IN_ANCHOR.sub("-", name)

    def parameter_link(self, thing: str, name: str) -> str:
        """Return the anchor of a parameter, which has the name of the thing, too."""
        return self.link(f"${thing}::{name}")

    def code(self, value: Any, language: str = "puppet") -> str:
        """Return a type or a default: on lines of its own if it has several."""
        text = shown(value)
        return f"\n\n```{language}\n{text}\n```" if "\n" in text else f" `{text}`"

    def alias(self, value: str) -> str:
        """Return the type that an alias stands for."""
        return self.code(value)

    def value(self, value: Any) -> str:
        """Return a default or a possible value."""
        return shown(value)

    def shows_public(self, count: int) -> bool:
        """Return whether public things of a kind have a heading: not without any."""
        return count > 0

    def remarks(self) -> Sequence[tuple[str, str]]:
        """Return the names and titles of the tags that are shown as remarks."""
        return (("deprecated", "DEPRECATED"), *super().remarks())


FORMS: Mapping[str, ReferenceForm] = {
    one.name: one for one in (ReferenceForm(), NewerReferenceForm())
}
"""The forms by the first release of Puppet Strings that writes them."""


def form_of(text: str) -> str:
    """Return the name of the form that a REFERENCE.md has; empty if it does not show one.

    >>> (
    ...     form_of('### <a name="a--b"></a>`a::b`'),
    ...     form_of('### <a name="ab"></a>`a::b`'),
    ...     form_of(""),
    ... )
    ('4', '2', '')
    """
    for heading in HEADING.finditer(text):
        links = {name: form.link(heading["name"]) for name, form in FORMS.items()}
        fitting = [name for name, link in links.items() if link == heading["link"]]
        if len(fitting) == 1:
            return fitting[0]
    parameter = PARAMETER_HEADING.search(text)
    return "" if parameter is None else "4" if parameter["link"].startswith("-") else OLDEST


class ReferenceSection:
    """One kind of things: the title, the word in texts, and what writes a thing."""

    def __init__(
        self,
        title: str,
        word: str,
        keys: Sequence[str],
        write: Callable[[Data, str, ReferenceForm], Iterator[str]],
    ) -> None:
        self.title = title
        self.word = word
        self.keys = keys
        self.write = write

    def things(self, document: Data) -> list[Data]:
        """Return the things of the section, sorted by name."""
        return sorted(
            (thing for key in self.keys for thing in document[key]), key=lambda thing: thing["name"]
        )

    def is_private(self, thing: Data) -> bool:
        """Return whether a thing is listed only; tasks are never private."""
        return self.word != "task" and any(
            tag["tag_name"] == "api" and tag.get("text") == "private" for tag in tags_of(thing)
        )


def reference(document: Data, form_name: str = OLDEST) -> str:
    """Return the text of REFERENCE.md in a form."""
    form = FORMS[form_name]
    parts = [
        "# Reference\n\n",
        "<!-- DO NOT EDIT: This document was generated by Puppet Strings -->\n\n",
        "## Table of Contents\n\n",
    ]
    for section in SECTIONS:
        parts += contents(section, section.things(document), form)
    for section in SECTIONS:
        things = section.things(document)
        public = [thing for thing in things if not section.is_private(thing)]
        if things and form.shows_public(len(public)):
            parts.append(f"## {section.title}\n\n")
        for thing in public:
            parts += section.write(thing, section.word, form)
    return "".join(parts)


def contents(
    section: ReferenceSection, things: Sequence[Data], form: ReferenceForm
) -> Iterator[str]:
    """Yield the lines of the table of contents for a section."""
    if not things:
        return
    private = [thing for thing in things if section.is_private(thing)]
    yield f"### {section.title}\n"
    if form.shows_public(len(things) - len(private)):
        yield f"\n#### Public {section.title}\n\n" if private else "\n"
    for thing in things:
        if not section.is_private(thing):
            yield f"* [`{thing['name']}`](#{form.link(thing['name'])}){described(thing)}\n"
    if private:
        yield f"\n#### Private {section.title}\n\n"
        for thing in private:
            yield f"* `{thing['name']}`{described(thing)}\n"
    yield "\n"


def described(thing: Data) -> str:
    """Return the summary of a thing, or the beginning of its text."""
    text = first_text(thing, "summary")
    if text is None:
        text = thing["docstring"]["text"][:DESCRIPTION].replace("\n", " ")
    return f": {text}" if text else ""


def tags_of(thing: Data) -> list[Data]:
    """Return the tags of a thing."""
    found: list[Data] = thing["docstring"].get("tags", [])
    return found


def tags_named(thing: Data, name: str) -> list[Data]:
    """Return the tags of one name."""
    return [tag for tag in tags_of(thing) if tag["tag_name"] == name]


def first_text(thing: Data, name: str) -> str | None:
    """Return the first text that a tag of this name has."""
    return next((tag["text"] for tag in tags_named(thing, name) if tag.get("text")), None)


def definition(thing: Data, word: str, form: ReferenceForm) -> Iterator[str]:
    """Yield the parts of a class, a defined type, a plan."""
    yield from overview(thing, word if word == "data type" else "class", form)
    yield from remarks(thing, form, see_indent="" if word == "data type" else "  ")
    yield from examples(thing, "####")
    if "alias_of" in thing:
        yield f"Alias of{form.alias(thing['alias_of'])}\n\n"
    yield from parameter_lines(thing, word, form)


def overview(thing: Data, word: str, form: ReferenceForm) -> Iterator[str]:
    """Yield the heading and the text."""
    yield thing_heading(thing, form)
    yield f"{main_text(thing, word)}\n\n"


def thing_heading(thing: Data, form: ReferenceForm) -> str:
    """Return the heading of a thing with its anchor."""
    return f'### <a name="{form.link(thing["name"])}"></a>`{thing["name"]}`\n\n'


def main_text(thing: Data, word: str) -> str:
    """Return the text of a comment, its summary, or a sentence with the name."""
    text: str = thing["docstring"]["text"]
    return text or first_text(thing, "summary") or f"The {thing['name']} {word}."


def remarks(thing: Data, form: ReferenceForm, see_indent: str) -> Iterator[str]:
    """Yield what is to do, notes, the first version, and references."""
    for name, title in form.remarks():
        text = first_text(thing, name)
        if text is not None:
            yield f"* **{title}** {text}\n\n"
    for tag in tags_named(thing, "since")[:1]:
        yield f"* **Since** {tag['text']}\n\n"
    see = tags_named(thing, "see")
    if see:
        yield "* **See also**\n"
        for tag in see:
            if tag.get("name") is not None:
                yield f"  * {tag['name']}\n"
            if tag.get("text") is not None:
                yield f"{see_indent}  * {tag['text']}\n"
        yield "\n"


def examples(thing: Data, level: str) -> Iterator[str]:
    """Yield the examples, with headings of a level."""
    found = tags_named(thing, "example")
    if found:
        yield f"{level} Examples\n\n"
    for tag in found:
        yield f"{level}# {tag.get('name') or ''}\n\n```puppet\n{tag.get('text', '')}\n```\n\n"


def parameter_lines(thing: Data, word: str, form: ReferenceForm) -> Iterator[str]:
    """Yield the parameters of a definition."""
    tags = tags_named(thing, "param")
    if not tags:
        return
    yield f"#### Parameters\n\nThe following parameters are available in the `{thing['name']}` {word}:\n\n"
    for tag in tags:
        yield list_entry(thing["name"], tag.get("name"), form)
    yield "\n"
    defaults = thing.get("defaults", {})
    for tag in tags:
        name = tag.get("name")
        link = form.parameter_link(thing["name"], name or "")
        yield f'##### <a name="{link}"></a>`{name or ""}`\n\n'
        if "types" in tag:
            yield f"Data type:{form.code(', '.join(map(shown, tag['types'])))}\n\n"
        yield f"{tag.get('text') or ''}\n\n"
        yield from choices(thing, name)
        if defaults.get(name) is not None:
            yield f"Default value:{form.code(form.value(defaults[name]))}\n\n"


def list_entry(thing: str, name: Any, form: ReferenceForm) -> str:
    """Return the line of a parameter in the list of parameters."""
    name = "" if name is None else name
    return f"* [`{name}`](#{form.parameter_link(thing, name)})\n"


def choices(thing: Data, name: Any) -> Iterator[str]:
    """Yield the options of a hash, then the possible values, that tags describe."""
    options = [tag for tag in tags_named(thing, "option") if tag["parent"] == name]
    if options:
        lines = [
            f"* **{shown(one['opt_name'])}**{option_type(one)}: {shown(one['opt_text'])}\n"
            for one in options
        ]
        yield f"Options:\n\n{''.join(lines)}\n"
    values = [tag for tag in tags_named(thing, "enum") if tag["parent"] == name]
    if values:
        lines = [f"* **{shown(one['opt_name'])}**: {shown(one['opt_text'])}\n" for one in values]
        yield f"Options:\n\n{''.join(lines)}\n"


def option_type(tag: Data) -> str:
    """Return the type of an option; Puppet Strings fails for one without a type."""
    return f" `{shown(tag['opt_types'][0])}`" if "opt_types" in tag else ""


def shown(value: Any) -> str:
    """Return a value as Ruby prints it in a text; nothing for nil."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else inspected(value)


def inspected(value: Any) -> str:
    """Return a value as Ruby's ``inspect`` does.

    >>> inspected({"a": ["b", None, 1]})
    '{"a"=>["b", nil, 1]}'
    """
    if isinstance(value, dict):
        pairs = ", ".join(f"{inspected(key)}=>{inspected(one)}" for key, one in value.items())
        return f"{{{pairs}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(inspected, value))}]"
    if isinstance(value, str):
        return f'"{value.translate(ESCAPES).replace("#{", HASH)}"'
    return "nil" if value is None else shown(value) if isinstance(value, bool) else str(value)


def data_type(thing: Data, word: str, form: ReferenceForm) -> Iterator[str]:
    """Yield the parts of a type alias, or of a data type in Ruby with its functions."""
    yield from definition(thing, word, form)
    if "functions" in thing:
        yield (
            "#### Functions\n\n"
            f"The following functions are available in the `{thing['name']}` {word}.\n\n"
        )
        for function in thing["functions"]:
            yield from type_function(function, form)


def type_function(thing: Data, form: ReferenceForm) -> Iterator[str]:
    """Yield the parts of a function of a data type."""
    yield thing_heading(thing, form)
    yield f"#### `{thing['signature']}`\n\n{main_text(thing, 'function')}\n\n"
    yield from note_and_result(thing)
    yield from signature_examples(thing, form)


def function(thing: Data, word: str, form: ReferenceForm) -> Iterator[str]:
    """Yield the parts of a function."""
    yield thing_heading(thing, form)
    yield f"Type: {FUNCTION_TYPES.get(thing['type'], 'Puppet Language')}\n\n"
    yield f"{main_text(thing, word)}\n\n"
    for name, title in form.remarks():
        text = first_text(thing, name)
        if text is not None:
            yield f"* **{title}** {text}\n\n"
    yield from examples(thing, "####")
    raises = list(raised(thing))
    for signature in thing["signatures"]:
        text = signature["docstring"]["text"] or f"The {thing['name']} function."
        yield f"#### `{signature['signature']}`\n\n{text}\n\n"
        yield from note_and_result(signature)
        yield from raises
        yield from signature_examples(signature, form)


def raised(thing: Data) -> Iterator[str]:
    """Yield the errors that a function raises."""
    tags = tags_named(thing, "raise")
    if tags:
        yield "Raises:\n\n"
    for tag in tags:
        words = tag["text"].split()
        yield f"* `{words[0] if words else ''}` {' '.join(words[1:])}\n"
    if tags:
        yield "\n"


def note_and_result(thing: Data) -> Iterator[str]:
    """Yield a note, and the type and the meaning of what a function returns."""
    note = first_text(thing, "note")
    if note is not None:
        yield f"* **Note** {note}\n\n"
    results = tags_named(thing, "return")
    result = shown((results[0].get("types") or [None])[0]) if results else ""
    if results and (results[0].get("types") or [None])[0] is not None:
        text = first_text(thing, "return")
        yield f"Returns: `{result}`{'' if text is None else f' {text}'}\n\n"


def signature_examples(thing: Data, form: ReferenceForm) -> Iterator[str]:
    """Yield the examples and the parameters of a signature."""
    yield from examples(thing, "#####")
    for tag in tags_named(thing, "param"):
        yield f"##### `{shown(tag.get('name'))}`\n\n"
        if "types" in tag:  # Puppet Strings fails for a tag of a parameter that does not exist
            yield f"Data type:{form.code(tag['types'][0])}\n\n"
        yield f"{shown(tag.get('text'))}\n\n"
        yield from choices(thing, tag.get("name"))


def resource_type(thing: Data, word: str, form: ReferenceForm) -> Iterator[str]:
    """Yield the parts of a resource type."""
    yield from overview(thing, word, form)
    yield from remarks(thing, form, see_indent="")
    yield from examples(thing, "####")
    properties = [*thing.get("properties", []), *thing.get("checks", [])]
    if properties:
        yield (
            "#### Properties\n\n"
            f"The following properties are available in the `{thing['name']}` {word}.\n\n"
        )
    for one in sorted(properties, key=lambda one: one["name"]):
        yield f"##### `{one['name']}`\n\n"
        yield from attribute_lines(one, form)
        yield f"{one.get('description', '')}\n\n"
        yield from choices(thing, one["name"])
        if "default" in one:
            yield f"Default value:{form.code(one['default'], 'ruby')}\n\n"
    yield from type_parameters(thing, word, form)


def type_parameters(thing: Data, word: str, form: ReferenceForm) -> Iterator[str]:
    """Yield the parameters of a resource type."""
    found = thing.get("parameters")
    if not found:
        return
    yield (
        "#### Parameters\n\n"
        f"The following parameters are available in the `{thing['name']}` {word}.\n\n"
    )
    for one in found:
        yield list_entry(thing["name"], one["name"], form)
    yield "\n"
    for one in found:
        link = form.parameter_link(thing["name"], one["name"])
        yield f'##### <a name="{link}"></a>`{one["name"]}`\n\n'
        yield from attribute_lines(one, form)
        if "description" in one:
            yield f"{wrapped(one['description'])}\n"
        yield "\n"
        yield from choices(thing, one["name"])
        if "default" in one:
            yield f"Default value: `{form.value(one['default'])}`\n\n"
        if "required_features" in one:
            yield f"Required features: {one['required_features']}.\n\n"


def attribute_lines(one: Data, form: ReferenceForm) -> Iterator[str]:
    """Yield the values, aliases and type of an attribute."""
    if "values" in one:
        yield f"Valid values: `{'`, `'.join(map(form.value, one['values']))}`\n\n"
    if "isnamevar" in one:
        yield "namevar\n\n"
    if "aliases" in one:
        aliases = inspected(one["aliases"]).replace("{", "").replace("}", "")
        yield f"Aliases: `{aliases}`\n\n"
    if "data_type" in one:
        type_ = shown(one["data_type"])
        yield f"Data type: `{type_}`{REGEX_NOTE if REGEX_IN_TYPE.search(type_) else ''}\n\n"


def wrapped(text: str) -> str:
    """Return a description with lines of at most 120 characters, where its words allow that."""
    lines = text.split("\n")
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(wrapped_line(line) if len(line) > LONGEST_LINE else line for line in lines)


def wrapped_line(line: str) -> str:
    """Return a long line as several."""
    return PART_OF_LINE.sub(r"\1\n", line).strip("\0\t\n\v\f\r ")


def task(thing: Data, word: str, form: ReferenceForm) -> Iterator[str]:
    """Yield the parts of a task."""
    yield thing_heading(thing, form)
    yield f"{main_text(thing, word)}\n\n"
    yield f"**Supports noop?** {shown(thing['supports_noop'])}\n\n"
    tags = tags_of(thing)
    if tags:
        yield "#### Parameters\n\n"
    for tag in tags:
        types = ", ".join(map(shown, tag["types"]))
        yield f"##### `{tag['name']}`\n\nData type:{form.code(types)}\n\n"
        yield f"{shown(tag['text'])}\n\n"


SECTIONS = (
    ReferenceSection("Classes", "class", ["puppet_classes"], definition),
    ReferenceSection("Defined types", "defined type", ["defined_types"], definition),
    ReferenceSection("Resource types", "type", ["resource_types"], resource_type),
    ReferenceSection("Functions", "function", ["puppet_functions"], function),
    ReferenceSection("Data types", "data type", ["data_types", "data_type_aliases"], data_type),
    ReferenceSection("Tasks", "task", ["puppet_tasks"], task),
    ReferenceSection("Plans", "plan", ["puppet_plans"], definition),
)
