"""Static findings: differences visible in a manifest of the old language, for any values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from bunraku.base.errors import PuppetError
from bunraku.base.text_edits import Edit
from bunraku.dialects.puppet_8 import PUPPET_8
from bunraku.facts.legacy import fact_expression
from bunraku.migrate import rules
from bunraku.migrate.edits import Editor, quoted
from bunraku.migrate.findings import Finding, Findings
from bunraku.migrate.marked import modern_number
from bunraku.migrate.old_facts import structured_path
from bunraku.migrate.rules import Rule
from bunraku.migrate.trees import Tree
from bunraku.syntax import nodes
from bunraku.syntax.escapes import UNICODE, unescape_single
from bunraku.syntax.nodes import Node
from bunraku.syntax.rules import KEYWORDS
from bunraku.values.regexp.regexp import Regexp

Edits = tuple[Edit, ...]
Read = Callable[[str, str], tuple[str, str] | None]
"""Path and text of the one file that a pattern in a manifest names, or None."""
ALWAYS_RESERVED: Final = frozenset({"attr", "private"})
WORD_KEYWORDS: Final = KEYWORDS - {"true", "false", "default", "undef"}


class Static:
    """Looks through one tree."""

    def __init__(
        self, tree: Tree, findings: Findings, node_name: str, facts: Mapping[str, Any], read: Read
    ) -> None:
        self.tree = tree
        self.source = tree.source
        self.findings = findings
        self.node_name = node_name
        self.facts = facts
        self.read = read
        self.editor = Editor(tree)
        self.own = {
            name
            for node in tree.nodes()
            for name in (
                getattr(node, "name", "") if isinstance(node, nodes.Parameter) else "",
                getattr(getattr(node, "left", None), "name", "")
                if isinstance(node, nodes.Assignment)
                else "",
            )
        }

    def report(
        self, rule: Rule, start: int, end: int, edits: Edits = (), old: str = "", new: str = ""
    ) -> None:
        """A finding."""
        self.findings.add(Finding(rule, self.source.span(start, end), old, new, (), edits))

    def look(self) -> None:
        """Look at every node."""
        for node in self.tree.nodes():
            looker = LOOKERS.get(node.__class__)
            if looker is not None:
                looker(self, node)
        self.interpolations()

    def interpolations(self) -> None:
        """Variables in strings that are something else when Puppet 8 reads them."""
        variables = [node for node in self.tree.nodes() if isinstance(node, nodes.Variable)]
        bare = [node for node in variables if not self.tree.text(node).startswith("$")]
        if not bare:
            return
        result = PUPPET_8.parse(self.source)
        if any(one.severity == "error" for one in result.diagnostics):
            return
        modern = Tree(self.source, result.program)
        for node in bare:
            other = modern.find(node.start, node.end)
            if other is not None and not isinstance(other, nodes.Variable | nodes.Undef):
                edits = (Edit(node.start, node.start, "$"),)
                self.report(
                    rules.INTERPOLATED, node.start, node.end, edits, f"${node.name}", node.name
                )

    # -- words and strings -----------------------------------------------------------------------

    def string(self, node: nodes.String) -> None:
        """``'text'`` and the pieces of ``"text"``."""
        text = self.tree.text(node)
        if text.startswith("'") and text.endswith("'") and len(text) > 1:
            modern = unescape_single(text[1:-1])
            if modern != node.value:
                edit = Edit(node.start, node.end, quoted(node.value))
                self.report(rules.SINGLE_QUOTES, node.start, node.end, (edit,), node.value, modern)
            return
        found = UNICODE.search(text)
        if found is None:
            return
        edits = []
        at = 0
        while found is not None:
            place = node.start + at + found.end(1)
            edits.append(Edit(place, place, "\\"))
            at += found.end()
            found = UNICODE.search(text[at:])
        self.report(rules.DOUBLE_QUOTES, node.start, node.end, tuple(edits))

    def name(self, node: nodes.Name) -> None:
        """Check a bare word."""
        if not self.is_value(node):
            return
        rule = None
        if node.value in ALWAYS_RESERVED or (node.value in WORD_KEYWORDS and self.refused()):
            rule = rules.RESERVED
        elif node.value[:1].isupper():
            rule = rules.CAPITALS
        elif node.value[:1].isdigit() and modern_number(node.value) is None:
            rule = rules.DIGITS
        if rule is not None:
            edit = Edit(node.start, node.end, quoted(node.value))
            self.report(rule, node.start, node.end, (edit,), node.value, "an error")

    def refused(self) -> bool:
        """Return whether Puppet 8 cannot read the manifest."""
        found = PUPPET_8.parse(self.source).diagnostics
        return any(one.severity == "error" for one in found)

    def is_value(self, node: Node) -> bool:
        """Return whether a bare word is a value."""
        above = self.tree.parent(node)
        match above:
            case nodes.Call(callee=callee):
                return callee is not node
            case nodes.Resource() | nodes.NodeDefinition() | nodes.Query() | None:
                return False
            case nodes.Comparison(left=left):
                return left is not node or not isinstance(self.tree.parent(above), nodes.Query)
        return True

    def reference(self, node: nodes.Reference) -> None:
        """Check a capitalised word: a type in a reference, for example, otherwise text."""
        above = self.tree.parent(node)
        text = self.tree.text(node)
        if isinstance(above, nodes.Access) and above.left is node:
            if text[:1].islower():
                self.capitalise(node)
            return
        kinds = (nodes.ResourceDefaults, nodes.Collector, nodes.ResourceOverride, nodes.Resource)
        if isinstance(above, kinds):
            if text[:1].islower():
                self.capitalise(node)
            return
        edit = Edit(node.start, node.end, quoted(node.value))
        self.report(rules.CAPITALS, node.start, node.end, (edit,), node.value, "a type")

    def access(self, node: nodes.Access) -> None:
        """``File ['x']``: a blank where none is allowed."""
        end = self.source.text.find("[", node.left.end)
        if isinstance(node.left, nodes.Reference) and end > node.left.end:
            edits = (Edit(node.left.end, end, ""),)
            self.report(rules.SPACE, node.left.start, end + 1, edits)

    def capitalise(self, node: nodes.Reference) -> None:
        """Report a reference in lower case."""
        text = self.tree.text(node)
        edit = Edit(node.start, node.start + len(text), node.value)
        self.report(rules.LOWER_REFERENCE, node.start, node.end, (edit,), text, "an error")

    def hash(self, node: nodes.Hash) -> None:
        """Report a hash with a duplicate key: the last one counts."""
        last: dict[str, nodes.Entry] = {}
        for entry in node.entries:
            if not isinstance(entry.key, nodes.Name | nodes.String):
                continue
            other = last.get(entry.key.value)
            last[entry.key.value] = entry
            if other is None:
                continue
            comma = self.source.text.find(",", other.end)
            edit = Edit(other.start, comma + 1, "")
            self.report(rules.DUPLICATE_KEYS, other.start, other.end, (edit,))

    def variable(self, node: nodes.Variable) -> None:
        """Report a legacy fact if the node also has the structured fact."""
        plain = node.name.removeprefix("::")
        if plain not in self.facts or (plain == node.name and plain in self.own):
            return
        path = structured_path(plain, self.facts)
        if path is None:
            return
        edits = self.editor.variable(node, f"${fact_expression(path)}")
        self.report(rules.LEGACY_FACTS, node.start, node.end, edits)

    # -- statements ------------------------------------------------------------------------------

    def assignment(self, node: nodes.Assignment) -> None:
        """``$x += value`` and ``$h[key] = value``."""
        if node.operator == "+=":
            self.report(rules.APPEND, node.start, node.end)
        elif isinstance(node.left, nodes.Access):
            self.report(rules.ELEMENT, node.start, node.end, self.folded(node))

    def folded(self, node: nodes.Assignment) -> Edits:
        """Return the assignment as an entry of the hash, if the hash directly precedes it."""
        block = self.tree.parent(node)
        left: Any = node.left
        if not isinstance(block, nodes.Block) or not isinstance(left.left, nodes.Variable):
            return ()
        at = next(index for index, item in enumerate(block.statements) if item is node)
        while at > 0:
            at -= 1
            other: Any = block.statements[at]
            if not isinstance(other, nodes.Assignment):
                return ()
            if isinstance(other.left, nodes.Access) and self.same_hash(other.left, left):
                continue
            if not isinstance(other.left, nodes.Variable) or other.left.name != left.left.name:
                return ()
            return self.entry_added(other.right, node)
        return ()

    def same_hash(self, access: nodes.Access, other: nodes.Access) -> bool:
        """Return whether two element assignments are of the same variable."""
        return self.tree.text(access.left) == self.tree.text(other.left)

    def entry_added(self, made: Node, node: nodes.Assignment) -> Edits:
        """Return one more entry in a hash as written; the statement is removed."""
        if not isinstance(made, nodes.Hash):
            return ()
        left: Any = node.left
        key, value = self.tree.text(left.keys[0]), self.tree.text(node.right)
        text = self.source.text
        inside = text[made.start + 1 : made.end - 1].rstrip()
        earlier = any(edit.start == made.end - 1 for edit in self.pending())
        comma = "" if (not inside and not earlier) or inside.endswith(",") else ", "
        if earlier and not comma:
            comma = ", "
        return (
            Edit(made.end - 1, made.end - 1, f"{comma}{key} => {value}"),
            self.without_line(node),
        )

    def pending(self) -> Iterator[Edit]:
        """Yield the edits collected."""
        for finding in self.findings.found.values():
            if finding.span.source is self.source:
                yield from finding.edits

    def without_line(self, node: Node) -> Edit:
        """Return the edit that removes a statement, with its line if it is alone on it."""
        text = self.source.text
        start = text.rfind("\n", 0, node.start) + 1
        end = text.find("\n", node.end)
        end = len(text) if end < 0 else end
        if text[start : node.start].strip() or text[node.end : end].strip(" \t\r;"):
            return Edit(node.start, node.end, "")
        return Edit(start, min(end + 1, len(text)), "")

    def imported(self, node: nodes.Import) -> None:
        """``import 'file'``: insert the text of the file, if the pattern names one file."""
        edits: Edits = ()
        found = [self.read(getattr(item, "value", ""), self.source.path) for item in node.files]
        copied: list[str] = []
        if None not in found:
            files = [one for one in found if one is not None]
            copied = [path for path, _ in files]
            new = "\n".join(text for _, text in files).rstrip("\n")
            edits = (Edit(node.start, node.end, new),)
        span = self.source.span(node.start, node.end)
        self.findings.add(Finding(rules.IMPORT, span, "", "", (), edits, copied=tuple(copied)))

    # -- definitions -----------------------------------------------------------------------------

    def node(self, node: nodes.NodeDefinition) -> None:
        """``node name inherits other { … }``, and names that are but a part."""
        if node.parent is not None:
            self.report(rules.INHERITANCE, node.start, node.parent.end, self.inherited(node))
        for match in node.matches:
            if isinstance(match, nodes.String | nodes.Name) and self.is_part(match.value.lower()):
                edit = Edit(match.end, match.end, f", {quoted(self.node_name)}")
                self.report(
                    rules.NODE_NAMES, match.start, match.end, (edit,), self.node_name, "no match"
                )

    def is_part(self, name: str) -> bool:
        """Return whether a name is the first part of the node's, and no definition has more of it."""
        whole = self.node_name.lower()
        if not whole.startswith(f"{name}."):
            return False
        for other in self.tree.program.definitions:
            for match in getattr(other, "matches", ()):
                if isinstance(match, nodes.Regexp) and self.is_pattern_of(match, whole):
                    return False
                text = getattr(match, "value", "").lower()
                if text == whole or (whole.startswith(f"{text}.") and len(text) > len(name)):
                    return False
        return True

    def is_pattern_of(self, match: nodes.Regexp, name: str) -> bool:
        """Return whether a pattern is for a node of this name."""
        try:
            return Regexp(match.pattern).search(name) is not None
        except PuppetError:
            return False

    def inherited(self, node: nodes.NodeDefinition) -> Edits:
        """Return the edit that puts the inherited node's body before the node's own."""
        body = ""
        above: nodes.NodeDefinition | None = node
        seen: list[nodes.NodeDefinition] = [node]
        text = self.source.text
        while above is not None and above.parent is not None:
            above = self.named_node(above.parent)
            if above is None or above in seen:
                return ()
            seen.append(above)
            inner = text.index("{", (above.parent or above.matches[-1]).end)
            body = text[inner + 1 : above.end - 1].rstrip() + body
        assert node.parent is not None  # who calls has looked
        start = text.index("{", node.parent.end)
        last = node.matches[-1].end
        return Edit(last, node.parent.end, ""), Edit(start + 1, start + 1, body)

    def named_node(self, name: Node | None) -> nodes.NodeDefinition | None:
        """Return the node definition of a name in this manifest."""
        wanted = "default" if isinstance(name, nodes.Default) else getattr(name, "value", None)
        for item in self.tree.program.definitions:
            if isinstance(item, nodes.NodeDefinition):
                for match in item.matches:
                    found = getattr(match, "value", None)
                    if isinstance(match, nodes.Default):
                        found = "default"
                    if found == wanted:
                        return item
        return None


LOOKERS: dict[type, Callable[..., None]] = {
    nodes.Access: Static.access,
    nodes.String: Static.string,
    nodes.Name: Static.name,
    nodes.Reference: Static.reference,
    nodes.Hash: Static.hash,
    nodes.Assignment: Static.assignment,
    nodes.Import: Static.imported,
    nodes.Variable: Static.variable,
    nodes.NodeDefinition: Static.node,
}
