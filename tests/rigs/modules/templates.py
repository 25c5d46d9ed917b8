"""Questions about the ERB and EPP templates of a module: with generated values, and with undef."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named
from bunraku.syntax import nodes
from bunraku.workbench.testing.subject import puppet_text
from rigs.modules.questions import Question, Subject
from rigs.sites.uses import by_function, walk
from rigs.sites.values import Impossible, text_for

READ = re.compile(r"@(\w+)|scope(?:\.lookupvar\(|\[)\s*['\"](?:::)?(\w+)['\"]")
FACTS = frozenset({"facts", "trusted", "server_facts", "title", "name", "module_name"})
PAIRS = r"\s*(?:\.sort(?:_by)?)?\s*\.(?:each|map|collect|reject|select|sort_by)\s*(?:do|\{{)\s*\|\s*\(?\w+\s*,"
HASH = r"\.(?:each_pair|keys|values|has_key|key\?|to_a\b|fetch|each_key)|\[\s*['\":]"
ARRAY = r"\.(?:each|map|collect|join|sort|flatten|select|reject|uniq|first|last|include\?|compact|length|size)\b"
NUMBER = r"\s*(?:[<>]=?|\*|-|/)\s*\d|\.to_i"
Value = Callable[[str], Any]


def templates(subject: Subject) -> Iterator[Question]:
    """Yield the questions of all templates."""
    folder = subject.module.folder / "templates"
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            text = path.read_bytes().decode("utf-8", "surrogateescape")
            name = f"{subject.module.name}/{path.relative_to(folder)}"
            asked = epp if path.suffix == ".epp" else erb
            for label, code in asked(subject, name, text):
                yield subject.question("template", f"{name} {label}", code)


def erb(subject: Subject, name: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield the manifests that render an ERB template."""
    read = [one for pair in READ.findall(text) for one in pair if one and one not in FACTS]
    names = [one for one in dict.fromkeys(read) if re.fullmatch(r"[a-z_]\w*", one)]
    call = f"template({puppet_text(name)})"
    fitting = {one: value_for(one, shape(text, one)) for one in names}
    yield "with fitting values", manifest(fitting, call)
    yield "with undef", manifest(dict.fromkeys(names), call)
    for label, value in VARIANTS.items():
        if names:
            yield label, manifest({one: value(one) for one in names}, call)


def epp(subject: Subject, name: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield the manifests that render an EPP template."""
    template = puppet_text(name)
    program = dialect_named("8", "puppet").parse(Source(text, name, is_template=True)).program
    found = next((one for one in walk(program.body) if isinstance(one, nodes.Lambda)), None)
    parameters = found.parameters if found else None
    if parameters:
        for label, chosen in (("required", required_only(parameters)), ("all", parameters)):
            given = generated(subject, name, chosen)
            if given is not None:
                yield (
                    f"with {label} parameters",
                    manifest({}, f"epp({template}, {puppet_text(given)})"),
                )
        missing = dict.fromkeys(one.name for one in parameters)
        yield "with undef", manifest({}, f"epp({template}, {puppet_text(missing)})")
        return
    names = free_variables(program.body)
    fitting = {one: value_for(one, kind) for one, kind in names.items()}
    yield "with fitting values", manifest(fitting, f"epp({template})")
    yield "with undef", manifest(dict.fromkeys(names), f"epp({template})")


def required_only(parameters: list[nodes.Parameter]) -> list[nodes.Parameter]:
    return [one for one in parameters if one.value is None]


def generated(
    subject: Subject, name: str, parameters: list[nodes.Parameter]
) -> dict[str, Any] | None:
    """Return values for the parameters of a template; None if a type has none."""
    try:
        return {
            one.name: subject.inventor.value(one.type, f"{name}::{one.name}") for one in parameters
        }
    except Impossible:
        return None


def free_variables(tree: nodes.Node) -> dict[str, str | None]:
    """Return the unqualified variables that an EPP template reads, with the type that their use needs."""
    assigned = set(FACTS)
    found: dict[str, str | None] = {}
    for node in walk(tree):
        match node:
            case nodes.Parameter():
                assigned.add(node.name)
            case nodes.Assignment() if isinstance(node.left, nodes.Variable):
                assigned.add(node.left.name)
            case nodes.MethodCall() if isinstance(node.receiver, nodes.Variable):
                if isinstance(node.name, nodes.Name):
                    found[node.receiver.name] = by_function(node.name.value, node.block)
            case nodes.Variable():
                found.setdefault(node.name, None)
    return {one: kind for one, kind in found.items() if "::" not in one and one not in assigned}


def shape(text: str, name: str) -> str | None:
    """Return the kind of value that an ERB template uses a variable as."""
    variable = rf"(?:@{name}\b|scope(?:\.lookupvar\(|\[)\s*['\"](?:::)?{name}['\"][\])])"
    for kind, pattern in (("Hash", PAIRS.replace("{{", "{")), ("Hash", HASH), ("Array", ARRAY)):
        if re.search(variable + f"(?:{pattern})", text):
            return kind
    return "Number" if re.search(variable + f"(?:{NUMBER})", text) else None


def value_for(name: str, kind: str | None) -> Any:
    """Return a value of a kind for a variable."""
    match kind:
        case "Hash":
            return {"first": text_for(name), "second": text_for(f"{name}-2")}
        case "Array":
            return [text_for(name), text_for(f"{name}-2")]
        case "Number":
            return 3
    return text_for(name)


VARIANTS: Mapping[str, Value] = {
    "with true": lambda _: True,
    "with arrays": lambda name: value_for(name, "Array"),
    "with hashes": lambda name: {text_for(name): value_for(name, "Hash")},
    "with numbers": len,
    "with empty strings": lambda _: "",
}


def manifest(variables: Mapping[str, Any], call: str) -> str:
    """Return the manifest that sets variables in a class and shows the rendered text."""
    lines = "".join(f"  ${name} = {puppet_text(value)}\n" for name, value in variables.items())
    return f"class corpus_of_templates {{\n{lines}  notify {{ 'text': message => {call} }}\n}}\ninclude corpus_of_templates"
