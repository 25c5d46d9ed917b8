"""The table of checks."""

from __future__ import annotations

from bunraku.workbench.lint.checks import (
    classes,
    comments,
    conditionals,
    documentation,
    facts,
    indents,
    parameters,
    references,
    resources,
    spaces,
    strings,
    variables,
    whitespace,
)
from bunraku.workbench.lint.declaration import CHECKS, Check

MODULES = (
    *(classes, comments, conditionals, documentation, facts, indents, parameters),
    *(references, resources, spaces, strings, variables, whitespace),
)
"""The modules whose functions register themselves as checks."""
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


def checks() -> dict[str, Check]:
    """Return all checks by name: puppet-lint's in its order, then those of plugins.

    >>> checks()["hard_tabs"].fixes
    True
    """
    own = {name: CHECKS[name] for name in ORDER}
    return own | {name: CHECKS[name] for name in sorted(CHECKS) if name not in own}
