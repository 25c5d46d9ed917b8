"""Errors of environments, modules and the files that autoloading reads."""

from __future__ import annotations

from bunraku.base.errors import Issue

ENVIRONMENT_NOT_FOUND = Issue(
    "ENVIRONMENT_NOT_FOUND",
    "Could not find environment '{name}' in {searched}",
    hint="an environment is a directory with its name on the environmentpath",
)
ILLEGAL_ENVIRONMENT_NAME = Issue(
    "ILLEGAL_ENVIRONMENT_NAME",
    "Invalid environment name '{name}': only letters, digits and underscores are allowed",
)
ILLEGAL_NODE_NAME = Issue(
    "ILLEGAL_NODE_NAME",
    "Invalid node name {name}: {problem}",
    hint="the name of a node consists of printable ASCII characters other than '/' and '\\', "
    "and does not start with '..'",
)
UNSAFE_PATTERN = Issue.general(
    "UNSAFE_PATTERN",
    'The pattern "{pattern}" to find manifests in the module "{module}" is invalid and potentially '
    "unsafe.",
    hint="the parts of a name consist of letters, digits and underscores, and are joined by '::'",
)
NULL_BYTE_IN_NAME = Issue.general(
    "NULL_BYTE_IN_NAME", "The name {name} is invalid: string contains null byte"
)
CONFLICTING_MANIFEST = Issue(
    "CONFLICTING_MANIFEST",
    "The environment has the manifest {own}, but 'disable_per_environment_manifest' is set"
    " and 'default_manifest' is {default}",
    hint="remove 'manifest' from environment.conf, or turn the setting off",
)
ILLEGAL_SETTING_LINE = Issue("ILLEGAL_SETTING_LINE", "Expected a setting or a section: {line}")
UNREADABLE_FILE = Issue("UNREADABLE_FILE", "Cannot read {path}: {reason}")
UNKNOWN_SETTINGS = Issue(
    "UNKNOWN_SETTINGS", "Ignoring settings that are not allowed in {path}: {names}"
)
ILLEGAL_SETTING_REFERENCE = Issue(
    "ILLEGAL_SETTING_REFERENCE", "The setting '{name}' refers to itself"
)
INVALID_METADATA = Issue("INVALID_METADATA", "{path} is not valid module metadata: {reason}")
MISSING_METADATA = Issue(
    "MISSING_METADATA",
    "{path} has no '{attribute}', which module metadata requires: Puppet leaves this module out, "
    "and takes another one of its name",
)
UNKNOWN_TERMINUS = Issue("UNKNOWN_TERMINUS", "Unknown node_terminus '{terminus}' (valid: {known})")
NO_CLASSIFIER = Issue(
    "NO_CLASSIFIER",
    "node_terminus is '{terminus}', but external_nodes is not set",
    hint="external_nodes is a program for 'exec'; for 'yaml' a YAML file or a directory "
    "of NODE.yaml",
)
CLASSIFIER_FAILED = Issue(
    "CLASSIFIER_FAILED", "The node classifier {command} failed for {node}: {reason}"
)
CLASSIFIER_ANSWER = Issue(
    "CLASSIFIER_ANSWER",
    "The node classifier {path} returned an invalid answer for {node}: {reason}",
)
CONFIG_VERSION_FAILED = Issue(
    "CONFIG_VERSION_FAILED", "The config_version command '{command}' failed: {reason}"
)
NOTHING_TO_IMPORT = Issue.general("IMPORT_NOT_FOUND", "No file matches import '{pattern}'")
VARIABLE_CLASH = Issue(
    "VARIABLE_CLASH",
    "The node parameter '{name}' for node '{node}' was already set to '{kept}'. It could not be set to '{lost}'",
)
RESERVED_FACT_NAME = Issue(
    "ILLEGAL_RESERVED_ASSIGNMENT",
    "A fact or node parameter cannot be named '{name}': the variable is reserved",
)
FACT_SHADOWS_VARIABLE = Issue(
    "ILLEGAL_REASSIGNMENT", "A fact or node parameter is named '{name}': cannot reassign ${name}"
)
NUMERIC_FACT_NAME = Issue(
    "ILLEGAL_NUMERIC_ASSIGNMENT",
    "A fact or node parameter cannot be named '{name}': ${name} is a match variable",
)
