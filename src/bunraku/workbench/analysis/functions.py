"""The signatures of functions and the types of their results, as far as they are declared."""

from __future__ import annotations

from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.functions.choice import Choice
from bunraku.functions.declaration import BuiltinFunction
from bunraku.syntax.nodes import FunctionDefinition
from bunraku.types.model import CallableType, Type
from bunraku.types.parse import parse_type
from bunraku.workbench.analysis.declared_types import UNKNOWN, DeclaredTypes
from bunraku.workbench.analysis.definitions import Definitions

RESULTS = {
    "String": "join inline_template template file sha1 sha256 md5 shellquote generate digest",
    "Variant[String, Sensitive]": "epp inline_epp sprintf",
    "Array": "map keys values flatten",
    "Variant[Array, Sensitive]": "split",
    "Integer": "length size versioncmp",
    "Boolean": "defined empty all any tagged",
}
"""What functions of Puppet itself return whose declarations do not say so."""
RESULT_OF = {name: text for text, names in RESULTS.items() for name in names.split()}


@record()
class Signatures:
    """The signatures of a function; ``in_puppet`` if it is written in the Puppet language."""

    callables: list[CallableType]
    in_puppet: bool = False
    returned: Type = UNKNOWN


class Functions:
    """The functions of an environment that are written in Puppet, or whose signatures are known."""

    def __init__(self, definitions: Definitions, declared: DeclaredTypes) -> None:
        self.definitions = definitions
        self.declared = declared
        self.by_name: dict[str, Signatures | None] = {}

    def signatures(self, name: str) -> Signatures | None:
        """Return the signatures of a function; None if they are not known."""
        name = name.removeprefix("::")
        if name not in self.by_name:
            self.by_name[name] = self.find(name)
        return self.by_name[name]

    def find(self, name: str) -> Signatures | None:
        """Return the signatures of a function that is needed for the first time."""
        definition = self.definitions.function_definition(name)
        if definition is not None:
            return self.of_definition(definition)
        try:
            choice = self.definitions.resolved.chooser.choose(name)
        except (PuppetError, OSError):
            return None
        if choice is None or choice.function is None or choice.function.refused:
            return None
        return of_builtin(choice, choice.function)

    def of_definition(self, node: FunctionDefinition) -> Signatures:
        """Return the signature of a function that is written in Puppet."""
        signature = self.declared.signature(node.parameters, node.return_type)
        return Signatures([signature], True, signature.return_type or UNKNOWN)

    def result(self, name: str) -> Type:
        """Return the type of the result of a function."""
        found = self.signatures(name)
        return UNKNOWN if found is None else found.returned


def of_builtin(choice: Choice, function: BuiltinFunction) -> Signatures:
    """Return the signatures of a function that is written in Python."""
    declared = {one.returns for one in function.dispatches}
    text = declared.pop() if len(declared) == 1 else None
    if text is None and choice.source == "core":
        text = RESULT_OF.get(function.name)
    returned = UNKNOWN if text is None else parse_type(text)
    return Signatures(function.signatures(), False, returned)
