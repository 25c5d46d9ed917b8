"""What a new module, control repository or definition consists of: files below a directory, with their texts."""

from __future__ import annotations

from collections.abc import Mapping

from bunraku.types.text.display import capitalize
from bunraku.workbench.new import texts

Files = dict[str, str]
"""Path below a directory → text."""
DEFINITIONS: Mapping[str, tuple[str, str, str]] = {
    "class": ("manifests", texts.CLASS, texts.CLASS_TEST),
    "define": ("manifests", texts.DEFINE, texts.DEFINE_TEST),
    "function": ("functions", texts.FUNCTION, texts.FUNCTION_TEST),
    "type": ("types", texts.TYPE, texts.TYPE_TEST),
}
"""Kind of a definition → its directory in a module, the text of its file and that of its test."""
MODULE: Mapping[str, str] = {
    "metadata.json": texts.METADATA,
    "README.md": texts.MODULE_README,
    "CHANGELOG.md": texts.CHANGELOG,
    "hiera.yaml": texts.MODULE_HIERA,
    "data/common.yaml": texts.MODULE_DATA,
    ".fixtures.yml": texts.FIXTURES,
    ".gitignore": texts.MODULE_IGNORED,
    "manifests/init.pp": texts.MODULE_CLASS,
    "tests/test_%(name)s.py": texts.MODULE_TEST,
}
CONTROL_REPOSITORY: Mapping[str, str] = {
    "environment.conf": texts.ENVIRONMENT,
    "hiera.yaml": texts.SITE_HIERA,
    "data/common.yaml": texts.SITE_DATA,
    "manifests/site.pp": texts.SITE,
    "site-modules/role/manifests/base.pp": texts.ROLE,
    "site-modules/profile/manifests/base.pp": texts.PROFILE,
    "Puppetfile": texts.PUPPETFILE,
    "facts/node1.example.com.yaml": texts.FACTS,
    "tests/test_nodes.py": texts.SITE_TEST,
    ".gitignore": texts.SITE_IGNORED,
    "README.md": texts.SITE_README,
}


def module_files(author: str, name: str) -> Files:
    """Return the files of a new module.

    >>> sorted(module_files("acme", "ntp"))[-2:]
    ['metadata.json', 'tests/test_ntp.py']
    """
    summary = f"Manages {name}."
    names = {"author": author, "name": name, "full_name": f"{author}-{name}", "summary": summary}
    return with_names(MODULE, names)


def control_repository_files(name: str) -> Files:
    """Return the files of a new control repository with a title for its README."""
    return with_names(CONTROL_REPOSITORY, {"name": name})


def definition_files(kind: str, name: str, tests: str) -> Files:
    """Return the file of a definition, below its module, and that of its test.

    ``name`` has the module first; ``tests`` is the directory of tests, from the module.

    >>> list(definition_files("class", "ntp::server", "tests"))
    ['manifests/server.pp', 'tests/test_ntp_server.py']
    >>> list(definition_files("type", "ntp::port", "../../tests"))
    ['types/port.pp', '../../tests/test_ntp_port_type.py']
    """
    directory, text, test = DEFINITIONS[kind]
    module, *below = name.split("::")
    path = "/".join(below) or ("init" if directory == "manifests" else module)
    names = {"name": name, "type": capitalize(name)}
    # A function or a type may have the name of a class; pytest wants one file of a name.
    kind_of_test = f"_{kind}" if kind in {"function", "type"} else ""
    return {
        f"{directory}/{path}.pp": text % names,
        f"{tests}/test_{name.replace('::', '_')}{kind_of_test}.py": test % names,
    }


def with_names(files: Mapping[str, str], names: Mapping[str, str]) -> Files:
    """Return files with the names in their paths and texts."""
    return {path % names: text % names for path, text in files.items()}
