"""The table of checks: each is a function with a name, a description and its switches."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module

from bunraku.base.errors import Severity
from bunraku.base.records import record
from bunraku.base.text_edits import Edit
from bunraku.workbench.lint.manifest import Manifest


@record(frozen=True)
class Problem:
    """A place in a manifest that a check reports, with the edits that correct it.

    Problems of a check with the same ``group`` are corrected together or not at all.
    """

    start: int
    end: int
    message: str
    edits: tuple[Edit, ...] = ()
    group: str = ""


Function = Callable[[Manifest], Iterable[Problem]]


@record(frozen=True)
class Check:
    """A check; ``plugin`` is the gem that it comes from, empty for puppet-lint itself.

    ``changes_tree`` means that a fix may change the syntax tree, since the check is about it.
    """

    name: str
    description: str
    function: Function
    severity: Severity
    fixes: bool
    enabled: bool
    changes_tree: bool
    plugin: str


CHECKS: dict[str, Check] = {}
"""All checks by name; :func:`checks` fills it."""
MODULES = (
    "classes",
    "comments",
    "conditionals",
    "documentation",
    "facts",
    "indents",
    "parameters",
    "references",
    "resources",
    "spaces",
    "strings",
    "variables",
    "whitespace",
)
"""The modules with checks."""
ORDER = (
    *("arrow_on_right_operand_line", "autoloader_layout", "class_inherits_from_params_class"),
    *("code_on_top_scope", "inherits_across_namespaces", "names_containing_dash"),
    *("names_containing_uppercase", "nested_classes_or_defines", "parameter_order"),
    *("right_to_left_relationship", "variable_scope", "slash_comments", "star_comments"),
    *("case_without_default", "selector_inside_resource", "documentation", "unquoted_node_name"),
    *("duplicate_params", "ensure_first_param", "ensure_not_symlink_target", "file_mode"),
    *("unquoted_file_mode", "unquoted_resource_title", "double_quoted_strings"),
    *("only_variable_string", "puppet_url_without_modules", "quoted_booleans"),
    *("single_quote_string_with_variables", "variables_not_enclosed", "variable_contains_dash"),
    *("variable_is_lowercase", "140chars", "2sp_soft_tabs", "80chars", "arrow_alignment"),
    *("hard_tabs", "space_before_arrow", "trailing_whitespace", "legacy_facts", "top_scope_facts"),
)
"""The order in which puppet-lint runs its checks and prints what they find."""


def check(
    name: str,
    description: str,
    *,
    severity: Severity = "warning",
    fixes: bool = False,
    enabled: bool = True,
    changes_tree: bool = False,
    plugin: str = "",
) -> Callable[[Function], Function]:
    """Return a decorator that adds a function to the table of checks."""

    def add(function: Function) -> Function:
        CHECKS[name] = Check(
            name, description, function, severity, fixes, enabled, changes_tree, plugin
        )
        return function

    return add


def checks() -> dict[str, Check]:
    """Return all checks by name: puppet-lint's in its order, then those of plugins.

    >>> checks()["hard_tabs"].fixes
    True
    """
    for module in MODULES:
        import_module(f"bunraku.workbench.lint.checks.{module}")
    own = {name: CHECKS[name] for name in ORDER}
    return own | {name: CHECKS[name] for name in sorted(CHECKS) if name not in own}
