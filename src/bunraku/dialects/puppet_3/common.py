"""The common parts of all versions of Puppet 3, for both parsers."""

from __future__ import annotations

from bunraku.base.lazy_imports import Imported
from bunraku.runtime.rules import RuntimeRules

RUNTIME = RuntimeRules(
    node_names=Imported("bunraku.dialects.puppet_3.node_definitions", "node_names"),
    node_name=Imported("bunraku.dialects.puppet_3.node_definitions", "node_name"),
    node_data_when_asked=True,
    find_qualified=Imported("bunraku.dialects.puppet_3.qualified_variables", "find_qualified"),
    catalog_value=Imported("bunraku.dialects.puppet_3.catalog_values", "catalog_value"),
    resource_types="puppet_3",
    puppet_newtype=True,
    vendored_types=False,
    only_3x_functions=True,
    hiera_format=3,
    stdlib_without_module=False,
    classes_merge=True,
    blames_declaration=False,
    aliases_clash=False,
    targets_exist=False,
    late_defaults=True,
    blind_defaults=True,
    defaults_tag=False,
    ascii_tags=True,
)
TOP_VARIABLES = Imported("bunraku.dialects.puppet_3.node_variables", "top_variables")
SETTINGS = Imported("bunraku.dialects.puppet_3.settings", "DEFAULTS")
GIVEN_SETTINGS = {"strict": "off", "strict_variables": False}
