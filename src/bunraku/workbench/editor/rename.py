"""Rename what a name means, everywhere, or say why that is not safe.

The result is checked before it is used: in each changed file, every name must mean after the change
what it meant before. A name that would be captured, or that would capture others, is refused.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import field, record, replace
from bunraku.base.text_edits import Edit, edited
from bunraku.runtime.suggest import as_reference
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node, nodes_with_all_below
from bunraku.workbench.editor.built_in_variables import RESERVED_VARIABLES
from bunraku.workbench.editor.mentions import EPP, FUNCTION, Kind, Mention, PuppetSymbol, canonical
from bunraku.workbench.editor.module_files import files_named
from bunraku.workbench.editor.nodes import definition_node, parameter_nodes
from bunraku.workbench.editor.parsed import PUPPET_CODE
from bunraku.workbench.editor.places import TextRange
from bunraku.workbench.editor.references import callers_of, candidates
from bunraku.workbench.editor.resolution import TEMPLATE, parents
from bunraku.workbench.editor.snapshot import Snapshot

QUALIFIED = lazy_pattern(r"[a-z]\w*(?:::[a-z]\w*)*\Z")
TYPE_NAME = lazy_pattern(r"[A-Z]\w*(?:::[A-Z]\w*)*\Z")
VARIABLE = lazy_pattern(r"[a-z_]\w*\Z")
PATTERNS: dict[Kind, re.Pattern[str]] = {
    "class": QUALIFIED,
    "resource_type": QUALIFIED,
    "function": QUALIFIED,
    "plan": QUALIFIED,
    "data_type": TYPE_NAME,
    "variable": VARIABLE,
}
"""What can be renamed, and the names that it can have."""
OWNERS: tuple[Kind, ...] = ("class", "resource_type")
TAG = lazy_pattern("<%.*?%>", re.DOTALL)
FOLDERS: dict[Kind, str] = {
    "class": "manifests",
    "resource_type": "manifests",
    "function": "functions",
    "plan": "plans",
    "data_type": "types",
}
"""The folder of a module in whose files Puppet searches a definition."""
WORDS = {
    "class": "class",
    "resource_type": "defined type",
    "function": "function",
    "plan": "plan",
    "data_type": "type alias",
    "variable": "variable",
}
CREATING = frozenset({"create_resources", "ensure_resource", "ensure_resources"})
"""Functions that declare resources with computed titles and attributes."""
COMMENT_ABOVE = re.compile(r"(?:^[ \t]*#[^\n]*\n)+[ \t]*\Z", re.MULTILINE)
"""The comment of what begins behind it."""
RESERVED = frozenset(
    [
        "and",
        "application",
        "attr",
        "case",
        "class",
        "component",
        "consumes",
        "default",
        "define",
        "else",
        "elsif",
        "environment",
        "false",
        "function",
        "if",
        "import",
        "in",
        "inherits",
        "node",
        "or",
        "private",
        "produces",
        "site",
        "true",
        "type",
        "undef",
        "unless",
        "main",
        "settings",
        "init",
        "any",
        "catalogentry",
    ]
)


class RenameRefused(Exception):
    """Why a name cannot be renamed, as a sentence for people."""


@record()
class Edits:
    """The changes of files: edits by path, and files that get other paths after them."""

    texts: dict[str, list[Edit]] = field(default_factory=dict)
    moves: dict[str, str] = field(default_factory=dict)


def renamable(snapshot: Snapshot, path: str, offset: int) -> Mention:
    """Return the name at a cursor. Raises RenameRefused if it cannot be renamed."""
    mention = snapshot.mention_at(path, offset)
    if mention is None:
        raise RenameRefused("The cursor is not on a name that can be renamed.")
    symbol = snapshot.symbol(mention)
    if symbol.kind not in PATTERNS:
        raise RenameRefused(
            "Only classes, defined types, functions, plans, type aliases, variables and parameters can be renamed."
        )
    if symbol.kind == "variable":
        if symbol.name in RESERVED_VARIABLES:
            raise RenameRefused(f"Puppet sets ${symbol.name}.")
    elif not snapshot.index.definitions(symbol.kind, symbol.name):
        raise RenameRefused(
            f"No manifest of the workspace defines the {WORDS[symbol.kind]} {symbol.name}."
        )
    return mention


def renamed(snapshot: Snapshot, path: str, offset: int, name: str) -> Edits:
    """Return the changes that give the name at a cursor another one. Raises RenameRefused."""
    symbol = snapshot.symbol(renamable(snapshot, path, offset))
    wanted = name.removeprefix("$") if symbol.kind == "variable" else name.removeprefix("::")
    check_new_name(snapshot, symbol, wanted)
    new = replace(symbol, name=wanted if symbol.kind == "variable" else canonical(wanted))
    if new == symbol:
        return Edits()
    check_free(snapshot, new, path)
    files = affected_files(snapshot, symbol, path)
    edits = Edits()
    for file in files:
        snapshot.guard.check()
        found = edits_of(snapshot, file, symbol, wanted)
        if found:
            edits.texts[file] = found
    edits.moves = moved_files(snapshot, symbol, new)
    check_meaning(snapshot, symbol, new, edits)
    return edits


# -- before ----------------------------------------------------------------------------------------


def check_new_name(snapshot: Snapshot, symbol: PuppetSymbol, wanted: str) -> None:
    """Raise RenameRefused for a name that the thing cannot have."""
    kind = WORDS[symbol.kind]
    if not PATTERNS[symbol.kind].match(wanted):
        raise RenameRefused(f"'{wanted}' is not the name of a {kind}.")
    if wanted in RESERVED or wanted in RESERVED_VARIABLES:
        raise RenameRefused(f"'{wanted}' has a meaning of its own in Puppet.")
    if symbol.kind == "variable":
        return
    for one in snapshot.index.definitions(symbol.kind, symbol.name):
        project = snapshot.project_of(one.path)
        if not snapshot.host.is_in_folders(one.path):
            raise RenameRefused(f"{one.path} is outside of the workspace, in {project.root}.")
    if canonical(wanted).partition("::")[0] != symbol.name.partition("::")[0]:
        raise RenameRefused(
            f"A {kind} stays in its module: the name must begin with {symbol.name.partition('::')[0]}."
        )


def check_free(snapshot: Snapshot, new: PuppetSymbol, path: str) -> None:
    """Raise RenameRefused if something has the new name already."""
    kinds: tuple[Kind, ...] = (
        ("class", "resource_type") if new.kind in {"class", "resource_type"} else (new.kind,)
    )
    for kind in kinds:
        for one in snapshot.index.definitions(kind, new.name):
            raise RenameRefused(f"{one.path} defines {one.written} already.")
    if new.kind != "variable":
        return
    for file in candidates(snapshot, new, path):
        for place in snapshot.places(new, file, frozenset({"definition", "write", "use"})):
            source = snapshot.source(file)
            line = 0 if source is None else source.line(place.range.start)
            raise RenameRefused(f"{file}:{line} has ${new.name} already.")


def affected_files(snapshot: Snapshot, symbol: PuppetSymbol, path: str) -> list[str]:
    """Return the files that may have the name. Raises RenameRefused if one cannot be read with certainty."""
    files = candidates(snapshot, symbol, path)
    if symbol.kind == "class":
        variables = PuppetSymbol("variable", "", symbol.name)
        files = sorted({*files, *words_like(snapshot, f"{variables.owner}::")})
    for file in files:
        parsed = snapshot.parsed(file)
        if parsed is not None and parsed.has_errors:
            raise RenameRefused(f"{file} has syntax errors. Correct them first.")
    if symbol.kind == "variable":
        check_inherited(snapshot, symbol)
        check_declarations(snapshot, symbol)
        check_templates(snapshot, symbol)
        check_unnamed_templates(snapshot, symbol)
        check_template_calls(snapshot, symbol)
    return files


def check_inherited(snapshot: Snapshot, symbol: PuppetSymbol) -> None:
    """Raise RenameRefused if a class sets the variable from the inherited one of the same name: ``$a = pick($a, 1)``.

    The second name means the variable of the parent there, and the own one behind.
    """
    for name in snapshot.index.names("class"):
        if name != symbol.owner and symbol.owner not in parents(snapshot.index, name):
            continue
        for one in snapshot.index.definitions("class", name):
            node = definition_node(snapshot, one) if one.parent else None
            below = nodes_with_all_below([node]) if node is not None else []
            if any(sets_from_itself(inner, symbol.name) for inner in below):
                raise RenameRefused(
                    f"{one.path} sets ${symbol.name} from the inherited ${symbol.name}."
                )


def check_declarations(snapshot: Snapshot, symbol: PuppetSymbol) -> None:
    """Raise RenameRefused if a declaration may give a parameter, but computes its title or its attributes."""
    if symbol.owner.startswith(FUNCTION) or not any(parameter_nodes(snapshot, symbol)):
        return
    with_name = set(snapshot.index.files_with(symbol.name))
    for path in sorted(with_name.union(snapshot.index.files_with(symbol.owner))):
        snapshot.guard.check()
        parsed = snapshot.parsed(path) if path.endswith(PUPPET_CODE) else None
        found = nodes_with_all_below(parsed.roots) if parsed is not None else []
        created = {symbol.owner, "class"} if path in with_name else {symbol.owner}
        if any(may_give(one, symbol, created) for one in found):
            raise RenameRefused(
                f"{path} may give ${symbol.name} in a declaration that computes it."
            )


def may_give(node: Node, symbol: PuppetSymbol, created: set[str]) -> bool:
    """Return whether a node is a declaration that may give a parameter by a computed title or attributes.

    ``created`` are the types of which functions may create a resource that has it.
    """
    if isinstance(node, nodes.Call) and isinstance(node.callee, nodes.Name):
        is_creation = node.callee.value in CREATING and node.arguments
        return bool(is_creation) and name_in(node.arguments[0]) in created
    if not isinstance(node, nodes.Resource) or not isinstance(node.type_name, nodes.Name):
        return False
    kind = canonical(node.type_name.value)
    for body in node.bodies:
        owner = name_in(body.title) if kind == "class" else kind
        has_splat = any(isinstance(one, nodes.AttributeSplat) for one in body.operations)
        is_named = any(getattr(one, "name", "") == symbol.name for one in body.operations)
        if (owner == symbol.owner and has_splat) or (owner is None and is_named):
            return True
    return False


def name_in(node: Node) -> str | None:
    """Return the name that code spells out; None if it computes one."""
    return canonical(node.value) if isinstance(node, nodes.String | nodes.Name) else None


def sets_from_itself(node: Node, name: str) -> bool:
    """Return whether a node computes a variable from one of the same name."""
    value: Node | None = None
    if isinstance(node, nodes.Assignment) and is_variable(node.left, name):
        value = node.right
    elif isinstance(node, nodes.Parameter) and node.name == name:
        value = node.value
    below = nodes_with_all_below([value]) if value is not None else []
    return any(is_variable(one, name) for one in below)


def is_variable(node: Node, name: str) -> bool:
    """Return whether a node is a variable by its short name."""
    return isinstance(node, nodes.Variable) and node.name == name


def check_template_calls(snapshot: Snapshot, symbol: PuppetSymbol) -> None:
    """Raise RenameRefused if code computes the parameters that it gives to the EPP template of a variable."""
    if not symbol.owner.startswith(EPP):
        return
    template = PuppetSymbol("template", symbol.owner.removeprefix(EPP))
    for path in callers_of(snapshot, template.name):
        parsed = snapshot.parsed(path)
        for one in snapshot.mentions(path) if parsed is not None else ():
            if one.symbol == template and parsed is not None:
                around = reversed(parsed.path_to(one.range.start))
                call = next((node for node in around if isinstance(node, nodes.Call)), None)
                if call is not None and not all(is_plain(node) for node in call.arguments[1:2]):
                    raise RenameRefused(f"{path} computes the parameters of {template.name}.")


def is_plain(node: Node) -> bool:
    """Return whether code is a hash whose keys are written out."""
    return isinstance(node, nodes.Hash) and all(
        isinstance(one.key, nodes.String | nodes.Name) for one in node.entries
    )


def check_templates(snapshot: Snapshot, symbol: PuppetSymbol) -> None:
    """Raise RenameRefused if Ruby code of a template has the name of a variable, but not as a variable.

    Such code may compute the name: ``['minsize', 'size'].each { |name| scope.lookupvar(name) }``.
    """
    word = re.compile(rf"(?<![\w@]){re.escape(symbol.name)}\b")
    for kind in OWNERS:
        for one in snapshot.index.definitions(kind, symbol.owner):
            for path in templates_of(snapshot, one.path):
                if has_other_word(snapshot, path, word):
                    raise RenameRefused(
                        f"{path} has the word '{symbol.name}', which may be the name of the variable."
                    )


def check_unnamed_templates(snapshot: Snapshot, symbol: PuppetSymbol) -> None:
    """Raise RenameRefused if an ERB template of the module has the variable, and no code names the template where it renders it."""
    module = symbol.owner.partition("::")[0]
    for path in words_like(snapshot, symbol.name):
        for one in snapshot.mentions(path) if path.endswith(".erb") else ():
            template = one.symbol.owner.removeprefix(TEMPLATE)
            if (
                one.symbol.name == symbol.name
                and template != one.symbol.owner
                and template.startswith(f"{module}/")
                and not snapshot.index.renderers_of(template)
            ):
                raise RenameRefused(
                    f"{path} has ${symbol.name}, and no code names the template where it renders it."
                )


def has_other_word(snapshot: Snapshot, path: str, word: re.Pattern[str]) -> bool:
    """Return whether the code of a template has a word outside of the names that are known to mean something."""
    source = snapshot.source(path)
    known = [one.range for one in snapshot.mentions(path)]
    return any(
        not any(one.start <= match.start() < one.end for one in known)
        for tag in TAG.finditer("" if source is None else source.text)
        for match in word.finditer(tag.string, *tag.span())
    )


def templates_of(snapshot: Snapshot, path: str) -> Iterable[str]:
    """Return the ERB templates that a manifest names."""
    for one in snapshot.mentions(path):
        if one.symbol.kind == "template":
            found = files_named(snapshot, one.symbol, path)
            yield from (name for name in found if name.endswith(".erb"))


def words_like(snapshot: Snapshot, prefix: str) -> Iterable[str]:
    """Return the files with a word that begins with a prefix."""
    return snapshot.index.files_with_prefix(prefix)


# -- the edits -------------------------------------------------------------------------------------


def edits_of(snapshot: Snapshot, path: str, symbol: PuppetSymbol, wanted: str) -> list[Edit]:
    """Return the edits of a file."""
    source = snapshot.source(path)
    found: dict[TextRange, Edit] = {}
    for one in snapshot.mentions(path):
        written = "" if source is None else source.text[one.range.start : one.range.end]
        text = new_text(snapshot, one, written, symbol, wanted)
        if text is not None and text != written:
            found[one.range] = Edit(one.range.start, one.range.end, text)
    for place in documented_at(snapshot, path, symbol):
        found[place] = Edit(place.start, place.end, wanted)
    return [found[place] for place in sorted(found, key=lambda place: place.start)]


def documented_at(snapshot: Snapshot, path: str, symbol: PuppetSymbol) -> Iterator[TextRange]:
    """Yield where the comment above a definition in a file names a parameter."""
    source = snapshot.source(path)
    if source is None or symbol.kind != "variable" or not symbol.owner:
        return
    function = symbol.owner.startswith(FUNCTION)
    kinds: tuple[Kind, ...] = ("function",) if function else OWNERS
    tag = re.compile(rf"#[ \t]*@param[ \t]+(?:\[[^\]\n]*\][ \t]+)?({re.escape(symbol.name)})(?!\w)")
    for kind in kinds:
        for one in snapshot.index.definitions(kind, symbol.owner.removeprefix(FUNCTION)):
            comment = COMMENT_ABOVE.search(source.text, 0, one.whole.start)
            if one.path == path and comment is not None:
                for match in tag.finditer(source.text, *comment.span()):
                    yield TextRange(match.start(1), match.end(1))


def new_text(
    snapshot: Snapshot, one: Mention, written: str, symbol: PuppetSymbol, wanted: str
) -> str | None:
    """Return the text of a name after the change; None if it stays."""
    same_end = one.symbol.name.rpartition("::")[2] == symbol.name.rpartition("::")[2]
    is_owned = symbol.kind == "class" and canonical(written).startswith(f"{symbol.name}::")
    if not (same_end or is_owned):
        return None
    meant = snapshot.symbol(one)
    if meant == symbol:
        return renamed_word(written, symbol, wanted)
    if symbol.kind == "class" and meant.kind == "variable" and meant.owner == symbol.name:
        owner, separator, name = written.rpartition("::")
        if separator and canonical(owner) == symbol.name:
            return f"{renamed_word(owner, symbol, wanted)}::{name}"
    return None


def renamed_word(written: str, symbol: PuppetSymbol, wanted: str) -> str:
    """Return a written name with the new name in its place, in the same form.

    >>> symbol = PuppetSymbol("resource_type", "ntp::peer")
    >>> (
    ...     renamed_word("::ntp::peer", symbol, "ntp::host"),
    ...     renamed_word("Ntp::Peer", symbol, "ntp::host"),
    ... )
    ('::ntp::host', 'Ntp::Host')
    >>> renamed_word("ntp::port", PuppetSymbol("variable", "port", "ntp"), "number")
    'ntp::number'
    """
    if symbol.kind == "variable":
        owner, separator, _ = written.rpartition("::")
        return f"{owner}{separator}{wanted}"
    prefix = "::" if written.startswith("::") else ""
    name = written.removeprefix("::")
    if canonical(name) != symbol.name:
        around = wanted.rpartition("::")[0]
        if symbol.name.rpartition("::")[0] != canonical(around):
            raise RenameRefused(f"'{written}' is a relative name: only its last part can change.")
        wanted = "::".join(wanted.split("::")[-len(name.split("::")) :])
    if name[:1].isupper() and symbol.kind != "data_type":
        wanted = as_reference(wanted)
    return f"{prefix}{wanted}"


def moved_files(snapshot: Snapshot, symbol: PuppetSymbol, new: PuppetSymbol) -> dict[str, str]:
    """Return the file of a definition with the path at which Puppet searches the new name."""
    folder = FOLDERS.get(symbol.kind)
    found: dict[str, str] = {}
    for one in snapshot.index.definitions(symbol.kind, symbol.name) if folder else ():
        suffix = definition_file(symbol.name, folder)
        if one.path.endswith(suffix):
            target = f"{one.path.removesuffix(suffix)}{definition_file(new.name, folder)}"
            if snapshot.source(target) is not None:
                raise RenameRefused(f"{target} exists already.")
            found[one.path] = target
    return found


def definition_file(name: str, folder: str | None) -> str:
    """Return the path of the file of a definition in its module.

    >>> definition_file("ntp", "manifests"), definition_file("ntp::server::key", "manifests")
    ('/manifests/init.pp', '/manifests/server/key.pp')
    """
    parts = name.split("::")[1:]
    return f"/{folder}/{'/'.join(parts) or 'init'}.pp"


# -- after -----------------------------------------------------------------------------------------


def check_meaning(
    snapshot: Snapshot, symbol: PuppetSymbol, new: PuppetSymbol, edits: Edits
) -> None:
    """Raise RenameRefused if a name would mean something else after the changes."""
    later = changed_snapshot(snapshot, edits)
    for path in edits.texts:
        if not path.endswith(PUPPET_CODE):
            continue
        before = meanings(snapshot, path, symbol, new)
        after = meanings(later, edits.moves.get(path, path), new, new)
        if before != after:
            raise RenameRefused(f"A name in {path} would mean something else.")


def changed_snapshot(snapshot: Snapshot, edits: Edits) -> Snapshot:
    """Return the state after the changes."""
    texts: dict[str, str] = {}
    for path, some in edits.texts.items():
        source = snapshot.source(path)
        text = "" if source is None else source.text
        texts[edits.moves.get(path, path)] = edited(text, some)
    return snapshot.host.with_changes(texts, edits.moves)


def meanings(
    snapshot: Snapshot, path: str, symbol: PuppetSymbol, new: PuppetSymbol
) -> list[tuple[Kind, str, object, str]]:
    """Return what the names in a file mean, in order, as if a symbol had its new name.

    The scope of a lambda is the number of its first name: its place may be another one.
    """
    scopes: dict[str, int] = defaultdict(lambda: len(scopes))
    found: list[tuple[Kind, str, object, str]] = []
    for one in snapshot.mentions(path):
        meant = snapshot.symbol(one)
        if meant == symbol:
            meant = new
        elif symbol.kind == "class" and meant.owner == symbol.name:
            meant = replace(meant, owner=new.name)
        elif meant.owner == f"{symbol.kind} {symbol.name}":
            meant = replace(meant, owner=f"{new.kind} {new.name}")
        elif symbol.kind == "resource_type" and meant.owner == symbol.name:
            meant = replace(meant, owner=new.name)
        elif symbol.kind == "resource_type" and meant.kind == "resource":
            meant = replace(meant, name=retyped(meant.name, symbol.name, new.name))
        owner: object = scopes[meant.owner] if meant.owner.startswith(os.sep) else meant.owner
        found.append((meant.kind, meant.name, owner, one.role))
    return found


def retyped(name: str, old: str, new: str) -> str:
    """Return the name of a resource (``type[title]``) with another type, if it has the old one."""
    return f"{new}{name[len(old) :]}" if name.startswith(f"{old}[") else name
