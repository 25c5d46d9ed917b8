"""Which reader finds the names in a file."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.base.source import Source
from bunraku.workbench.editor.mentions import Mention

Reader = Callable[[Source], list[Mention]]
CONFIGURATION = ("/Puppetfile", "/environment.conf")
DATA = (".yaml", ".yml", ".eyaml")


def reader_of(path: str) -> Reader | None:
    """Return the function that finds the names in a file; None for code of Puppet and other files.

    The readers are imported when a file needs them.
    """
    if path.endswith(CONFIGURATION):
        from bunraku.workbench.editor.languages import configuration

        return {
            "/Puppetfile": configuration.mentions_in_puppetfile,
            "/environment.conf": configuration.mentions_in_environment_conf,
        }[path[path.rindex("/") :]]
    if path.endswith("/hiera.yaml"):
        from bunraku.workbench.editor.languages.hiera_yaml import mentions_in_hiera_yaml

        return mentions_in_hiera_yaml
    if path.endswith(DATA):
        from bunraku.workbench.editor.languages.yaml_data import mentions_in_yaml

        return mentions_in_yaml
    if path.endswith(".erb"):
        from bunraku.workbench.editor.languages.erb import mentions_in_erb

        return mentions_in_erb
    if path.endswith("/metadata.json"):
        from bunraku.workbench.editor.languages.metadata import mentions_in_metadata

        return mentions_in_metadata
    if path.endswith(".rb"):
        from bunraku.workbench.editor.languages.ruby import is_ruby_of_module, mentions_in_ruby

        return mentions_in_ruby if is_ruby_of_module(path) else None
    return None
