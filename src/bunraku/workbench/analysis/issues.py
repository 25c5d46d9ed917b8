"""Findings of ``bunraku check`` that no other command reports."""

from __future__ import annotations

from bunraku.base.errors import Issue

UNKNOWN_CLASS = Issue("UNKNOWN_CLASS", "Could not find class {name}")
UNKNOWN_TYPE = Issue("UNKNOWN_TYPE", "Unknown type: '{name}'")
MISSING_PARAMETER = Issue("MISSING_PARAMETER", "{reference} needs a value for parameter '{name}'")
UNKNOWN_QUERY_ATTRIBUTE = Issue(
    "UNKNOWN_QUERY_ATTRIBUTE",
    "{type} has no attribute '{name}', so this comparison is the same for all resources",
)
FILE_NOT_FOUND = Issue("FILE_NOT_FOUND", "Could not find '{name}' in the {folder} of its module")
SOURCE_WITHOUT_MODULES = Issue(
    "SOURCE_WITHOUT_MODULES", "'{name}' is a module, and not a mount of the file server"
)
PRIVATE_NAME = Issue("PRIVATE_NAME", "'{name}' is private to module '{module}'")
MODULES_NOT_INSTALLED = Issue(
    "MODULE_NOT_INSTALLED",
    "{count} modules are not on the modulepath, and their names are not checked: {names}",
)
MODULE_NOT_INSTALLED = Issue(
    "MODULE_NOT_INSTALLED",
    "Module '{name}' is not on the modulepath; its names are not checked",
    hint="install it ('bunraku modules install'), or give its directory with --modulepath",
)

# -- flow --------------------------------------------------------------------------------------

UNREACHABLE_CODE = Issue(
    "UNREACHABLE_CODE", "This code is never reached: {ending}() always ends the block before it"
)
UNREACHABLE_OPTION = Issue("UNREACHABLE_OPTION", "This option is never chosen: {reason}")
CONSTANT_CONDITION = Issue("CONSTANT_CONDITION", "This condition is always {value}")
MISSING_OPTION = Issue(
    "MISSING_OPTION", "No option for: {values}", hint="add options for these values, or a default"
)
SELECTOR_WITHOUT_DEFAULT = Issue(
    "SELECTOR_WITHOUT_DEFAULT",
    "This selector fails for all values without an option",
    hint="add a default",
)

# -- variables ---------------------------------------------------------------------------------

UNKNOWN_MEMBER = Issue("UNKNOWN_MEMBER", "The hash in '${name}' has no key '{key}'")
UNUSED_VARIABLE = Issue("UNUSED_VARIABLE", "Nothing reads the variable '${name}'")
UNUSED_PARAMETER = Issue(
    "UNUSED_PARAMETER",
    "Nothing reads the parameter '${name}'",
    hint="remove it, or begin its name with '_'",
)
SHADOWED_VARIABLE = Issue(
    "SHADOWED_VARIABLE", "'${name}' hides a variable of the same name around this lambda"
)

# -- cycles ------------------------------------------------------------------------------------

CLASS_CYCLE = Issue(
    "CLASS_CYCLE",
    "These classes require or contain each other: {path}",
    hint="use include where the order does not matter",
)
INCLUDE_CYCLE = Issue(
    "INCLUDE_CYCLE",
    "These classes include each other: {path}",
    hint="which one is evaluated first depends on the class that a node includes first",
)

# -- facts and functions of earlier versions ---------------------------------------------------

LEGACY_FACT = Issue("LEGACY_FACT", "Agents of this version do not send the legacy fact '{name}'")
UNKNOWN_FACT_VALUE = Issue(
    "UNKNOWN_FACT_VALUE", "No known system has '{value}' as the value of the fact '{name}'"
)
REMOVED_FUNCTION = Issue("REMOVED_FUNCTION", "Function '{name}' was removed {version}")

# -- dependencies ------------------------------------------------------------------------------

UNDECLARED_DEPENDENCY = Issue(
    "UNDECLARED_DEPENDENCY",
    "The code uses module '{name}', which the dependencies in metadata.json do not list",
)
UNUSED_DEPENDENCY = Issue("UNUSED_DEPENDENCY", "Nothing in this module uses the module '{name}'")
UNSATISFIED_DEPENDENCY = Issue(
    "UNSATISFIED_DEPENDENCY", "'{name}' is required in version '{range}', but it is {version}"
)
MISSING_FIXTURE = Issue(
    "MISSING_FIXTURE", "No fixture for the dependency '{name}' of metadata.json"
)
UNKNOWN_FIXTURE_KEY = Issue("UNKNOWN_FIXTURE_KEY", "'{key}' is not a key of .fixtures.yml")
