"""What can go wrong with environments, modules and the files that autoloading reads."""

from __future__ import annotations

from bunraku.errors import Issue

ENVIRONMENT_NOT_FOUND = Issue(
    "ENVIRONMENT_NOT_FOUND",
    "There is no environment '{name}' below {searched}",
    hint="an environment is a folder of that name on the environmentpath",
)
ILLEGAL_ENVIRONMENT_NAME = Issue(
    "ILLEGAL_ENVIRONMENT_NAME",
    "'{name}' is no name for an environment: letters, digits and underscores are",
)
CONFLICTING_MANIFEST = Issue(
    "CONFLICTING_MANIFEST",
    "The environment has the manifest {own}, but 'disable_per_environment_manifest' is set"
    " and 'default_manifest' is {default}",
    hint="remove 'manifest' from environment.conf, or turn the setting off",
)
ILLEGAL_SETTING_LINE = Issue(
    "ILLEGAL_SETTING_LINE", "This line is neither a setting nor a section: {line}"
)
UNREADABLE_FILE = Issue("UNREADABLE_FILE", "{path} cannot be read: {reason}")
UNKNOWN_SETTINGS = Issue(
    "UNKNOWN_SETTINGS", "{path} has settings that mean nothing there and are ignored: {names}"
)
ILLEGAL_SETTING_REFERENCE = Issue(
    "ILLEGAL_SETTING_REFERENCE", "The setting '{name}' refers to itself"
)
INVALID_METADATA = Issue("INVALID_METADATA", "{path} is no valid module metadata: {reason}")
MISSING_METADATA = Issue(
    "MISSING_METADATA", "{path} has no '{attribute}', which every module's metadata needs"
)
UNKNOWN_TERMINUS = Issue(
    "UNKNOWN_TERMINUS", "There is no node_terminus '{terminus}'; there are {known}"
)
NO_CLASSIFIER = Issue(
    "NO_CLASSIFIER",
    "node_terminus is '{terminus}', and external_nodes names no classifier",
    hint="external_nodes is a program for 'exec', a YAML file or a folder of NODE.yaml for 'yaml'",
)
CLASSIFIER_FAILED = Issue(
    "CLASSIFIER_FAILED", "The node classifier {command} failed for {node}: {reason}"
)
CLASSIFIER_ANSWER = Issue(
    "CLASSIFIER_ANSWER", "The node classifier {source} gave {what} for {node}"
)
CONFIG_VERSION_FAILED = Issue(
    "CONFIG_VERSION_FAILED", "The config_version command '{command}' failed: {reason}"
)
NOTHING_TO_IMPORT = Issue("RUNTIME_ERROR", "There are no files for import of '{pattern}'")
VARIABLE_CLASH = Issue(
    "VARIABLE_CLASH",
    "${name} of node {node} is {kept!r} already and does not become {lost!r}",
)
RESERVED_FACT_NAME = Issue(
    "ILLEGAL_RESERVED_ASSIGNMENT",
    "A fact or parameter of the node is called '{name}', but that variable belongs to the language",
)
FACT_SHADOWS_VARIABLE = Issue(
    "ILLEGAL_REASSIGNMENT",
    "A fact or parameter of the node is called '{name}'; ${name} cannot be assigned again",
)
NUMERIC_FACT_NAME = Issue(
    "ILLEGAL_NUMERIC_ASSIGNMENT",
    "A fact or parameter of the node is called '{name}'; ${name} belongs to regular expressions",
)
