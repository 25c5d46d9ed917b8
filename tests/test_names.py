"""Names say their subject: few public names have a meaning in more than three modules."""

from __future__ import annotations

import ast
from collections import defaultdict

from support.import_graph import modules

MOST = 3
"""Modules that may define a public class or function of one name."""

INTERFACES = {
    "add_arguments": "every command declares its options with a function of this name",
    "run": "every command runs with a function of this name",
}
"""Names that many modules must define → the reason."""

CLASSES = ""
"""Classes to be renamed: none."""

FUNCTIONS = """
access add answer answered as_bytes as_data as_json as_text attributes body_of bounds call
check check_call check_count check_names check_options check_resource checked clean collect
compare compiled constant content_of context_of counted covers described difference distinct
divide element encoded entries entry environment_of escaped exists expand expanded facts_of
failed failure files_below fill find fits flat flattened holds host_name ignore in_order
inspect invalid is_number items_of joined json_text key_of key_text kind_of line_of lines_of
listed literal log_line matches merge merged message_of named names_in names_of negate nothing
number number_of opened operation parameter parameters_of parse parsed parts_of path_of
place_of plain query quoted read read_name read_path read_text reason reason_of reference
reference_of refusal refused rendered replaced report report_text request_of resource_type
result_of same serve settings_of show shown single state_of status_of store summary text
text_of tiles time_of time_text trusted_of truth truthy unique value_of value_text values_of
walk words words_of write written
"""
"""Functions to be renamed. The list only gets shorter."""


def shared(kind):
    """Names → the modules that define them, where they are more than three."""
    found = defaultdict(set)
    for module, tree in modules().items():
        for node in tree.body:
            if isinstance(node, kind) and not node.name.startswith("_") and not registered(node):
                found[node.name].add(module)
    return {name: sorted(where) for name, where in found.items() if len(where) > MOST}


def registered(node):
    """Whether a decorator such as ``@rule(…)`` registers it: such names are never called."""
    calls = any(isinstance(decorator, ast.Call) for decorator in node.decorator_list)
    return calls and not isinstance(node, ast.ClassDef)


def test_classes_and_functions_say_their_subject():
    kinds = {CLASSES: ast.ClassDef, FUNCTIONS: ast.FunctionDef}
    for listed, kind in kinds.items():
        found = shared(kind)
        new = found.keys() - set(listed.split()) - INTERFACES.keys()
        assert not new, "\n".join(f"{name}: {', '.join(found[name])}" for name in sorted(new))
        assert set(listed.split()) <= found.keys(), "no longer shared: remove it from the list"
