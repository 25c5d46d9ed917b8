"""The keys of ``bunraku.toml``, each written once: name, kind of value, meaning."""

from __future__ import annotations

from bunraku.base.lazy_typing import Literal
from bunraku.base.records import record
from bunraku.dialects.languages import LANGUAGES

Kind = Literal[
    "text", "choice", "flag", "number", "path", "source", "paths", "globs", "table", "time", "size"
]


@record(frozen=True)
class Key:
    """A key: the kind of its value, and its meaning. Paths are relative to the file's directory."""

    name: str
    kind: Kind
    meaning: str
    choices: tuple[str, ...] = ()


KEYS = (
    Key("root", "path", "directory of the control repository, module or tree"),
    Key("environment", "text", "name of the environment"),
    Key("environmentpath", "paths", "directories of environments"),
    Key("modulepath", "paths", "directories of modules"),
    Key("basemodulepath", "paths", "directories of modules for all environments"),
    Key("manifest", "path", "main manifest: a file or a directory"),
    Key("hiera_config", "path", "hiera.yaml of the global layer"),
    Key("config", "path", "puppet.conf whose settings are used"),
    Key("language", "choice", "version of the language", tuple(LANGUAGES)),
    Key("follow", "choice", "rules where documents and Puppet disagree", ("puppet", "documents")),
    Key("strict", "choice", "severity of questionable code", ("off", "warning", "error")),
    Key("strict_variables", "flag", "reading an unset variable is an error"),
    Key("tasks", "flag", "allow plans"),
    Key("facts", "path", "facts that every node has"),
    Key("facts_folder", "path", "directory of facts files, NODE.yaml or NODE.json"),
    Key("trusted", "path", "trusted data"),
    Key("server_facts", "path", "$server_facts"),
    Key("include_legacy_facts", "flag", "add or drop legacy facts such as osfamily"),
    Key("node_terminus", "choice", "how nodes are classified", ("exec", "yaml", "plain")),
    Key("external_nodes", "path", "classifier: program, YAML file or directory"),
    Key("storedconfigs", "source", "catalogs and facts of other nodes"),
    Key("output_folder", "path", "directory for the catalogs of many nodes"),
    Key("jobs", "number", "number of processes for many nodes"),
    Key("timeout", "time", "time limit for each catalog, such as 5m; 0 means no limit"),
    Key("fact_timeout", "time", "time limit for each custom fact; 0 means no limit"),
    Key("memory", "size", "memory limit, such as 4G; 0 means that of the machine or container"),
    Key("color", "choice", "colours", ("auto", "always", "never")),
    Key("fail_on_warnings", "flag", "validate: warnings make the exit code 1"),
    Key("fail_under", "number", "cover: lowest coverage of the project in percent"),
    Key("fail_under_file", "number", "cover: lowest coverage of each file in percent"),
    Key("exclude", "globs", "files and directories that validate skips"),
    Key("cache", "flag", "keep compiled code on disk"),
    Key("cache_limit", "number", "size limit of the cache on disk in MiB"),
    Key("settings", "table", "any other setting of Puppet"),
)
BY_NAME = {key.name: key for key in KEYS}
