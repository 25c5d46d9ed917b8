"""The errors specific to the grammar of Puppet 3."""

from __future__ import annotations

from bunraku.base.errors import Issue

NO_TEMPLATES = Issue(
    "EPP_NOT_SUPPORTED",
    "The parser of Puppet 3 does not support EPP templates",
    hint="use an ERB template",
)
UNRECOGNISED_ESCAPE = Issue("UNRECOGNIZED_ESCAPE", "Unrecognised escape sequence '\\{character}'")
NESTED_DEFINITION = Issue(
    "NESTED_DEFINITION", "'{name}' cannot be defined inside the definition '{outer}'"
)
DUPLICATE_DEFINITION = Issue(
    "DUPLICATE_DEFINITION", "{what} '{name}' is already defined on line {line}"
)
DIFFERENT_PARENTS = Issue(
    "CLASS_WITH_DIFFERENT_PARENTS",
    "{what} '{name}' inherits from another class on line {line}",
    hint="all parts of a class must have the same parent",
)
DASH_IN_VARIABLE = Issue(
    "DASH_IN_VARIABLE_NAME", "Dashes in variable names, as in '${name}', are deprecated"
)
IMPORT_DEPRECATED = Issue("IMPORT_DEPRECATED", "'import' is deprecated", hint="use modules instead")
NODE_INHERITANCE_DEPRECATED = Issue(
    "NODE_INHERITANCE_DEPRECATED",
    "Node inheritance is deprecated: Puppet 4 removed it",
    hint="put the shared code in a class",
)
LOWER_CASE_REFERENCE = Issue(
    "LOWER_CASE_REFERENCE",
    "References to resources must begin with a capital letter",
    hint="write {name}[…]",
)
PARAMETER_WITHOUT_DOLLAR = Issue(
    "PARAMETER_WITHOUT_DOLLAR", "Parameters must begin with a dollar sign", hint="write ${name}"
)
