"""The mistakes that only the grammar of Puppet 3 knows."""

from __future__ import annotations

from bunraku.errors import Issue

NO_TEMPLATES = Issue(
    "EPP_NOT_SUPPORTED",
    "There are no EPP templates in Puppet {language}",
    hint="write an ERB template",
)
UNRECOGNISED_ESCAPE = Issue("UNRECOGNIZED_ESCAPE", "Unrecognised escape sequence '\\{character}'")
NESTED_DEFINITION = Issue(
    "NESTED_DEFINITION", "'{name}' cannot be defined inside of the definition '{outer}'"
)
DUPLICATE_DEFINITION = Issue(
    "DUPLICATE_DEFINITION", "{what} '{name}' is defined already, in line {line}"
)
DIFFERENT_PARENTS = Issue(
    "CLASS_WITH_DIFFERENT_PARENTS",
    "{what} '{name}' inherits from another class in line {line}",
    hint="all pieces of a class have the same parent",
)
DASH_IN_VARIABLE = Issue(
    "DASH_IN_VARIABLE_NAME", "Dashes in the names of variables, as in '${name}', are deprecated"
)
IMPORT_DEPRECATED = Issue("IMPORT_DEPRECATED", "'import' is deprecated", hint="use modules instead")
NODE_INHERITANCE_DEPRECATED = Issue(
    "NODE_INHERITANCE_DEPRECATED",
    "Node inheritance is deprecated: Puppet 4 has none",
    hint="put what the nodes share in a class",
)
LOWER_CASE_REFERENCE = Issue(
    "LOWER_CASE_REFERENCE",
    "References to resources are written with a capital now",
    hint="write {name}[…]",
)
PARAMETER_WITHOUT_DOLLAR = Issue(
    "PARAMETER_WITHOUT_DOLLAR",
    "Parameters are written with a dollar now",
    hint="write ${name}",
)
