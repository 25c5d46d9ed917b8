"""The names that the files of modules define, and where a name was searched: for hints of errors.

Only listings of directories are read, and of one module where a name has a namespace.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from bunraku.base.suggestions import closest, did_you_mean
from bunraku.modules.autoload import FUNCTION_FOLDERS, Autoloader, manifest_files, type_alias_file
from bunraku.modules.environment import Environment, Module
from bunraku.modules.names import is_module_name, is_qualified_name
from bunraku.modules.settings import DEFAULTS
from bunraku.modules.vendored import MODULES, SETTING

MOST_PATHS = 4  # searched files that a hint lists


def known_names(autoloader: Autoloader, kind: str, name: str) -> Iterator[str]:
    """Yield names of a kind that modules define, candidates for a mistyped name.

    ``kind`` is ``class``, ``define``, ``function``, ``type`` (an alias) or ``resource_type``.
    """
    environment = autoloader.environment
    if kind == "resource_type":
        for path in module_paths(environment).values():
            yield from stems(environment, f"{path}/lib/puppet/type", ".rb")
        return
    if kind == "function" and "::" not in name:
        for path in module_paths(environment).values():
            for _, folder, suffix in FUNCTION_FOLDERS:
                if folder.startswith("lib/"):
                    yield from stems(environment, f"{path}/{folder}", suffix)
        return
    module = near_module(environment, name.partition("::")[0].lower())
    if module is not None:
        yield from MODULE_NAMES[kind](module)


def module_paths(environment: Environment) -> dict[str, str]:
    """Return the paths of all modules by name, without reading their metadata."""
    found = dict(environment.module_directories)
    for folder in environment.modulepath:
        for name in environment.files.names(folder):
            if is_module_name(name):
                found.setdefault(name, f"{folder}/{name}")
    return found


def near_module(environment: Environment, name: str) -> Module | None:
    """Return the module of a name, else the one whose name is most like it."""
    found = environment.find_module(name)
    if found is None and (near := closest(name, module_paths(environment))):
        return environment.find_module(near[0])
    return found


def stems(environment: Environment, folder: str, suffix: str) -> Iterator[str]:
    """Yield the names of the files in a directory, without their suffix."""
    for name in environment.files.names(folder):
        if name.endswith(suffix):
            yield name.removesuffix(suffix)


def names_below(module: Module, folder: str, suffix: str) -> Iterator[str]:
    """Yield the files below a directory of a module as names: ``a/b.pp`` as ``module::a::b``."""
    top = f"{module.path}/{folder}/"
    for path in module.environment.files.glob(f"{top}**/*{suffix}"):
        below = path.removeprefix(top).removesuffix(suffix)
        yield f"{module.name}::{below.replace('/', '::')}"


def manifests_defining(word: str, module: Module) -> Iterator[str]:
    """Yield the names of a module's manifests whose definitions match their file names."""
    for name in names_below(module, "manifests", ".pp"):
        defined = module.name if name == f"{module.name}::init" else name
        path = f"{module.path}/manifests/{manifest_files(defined)[0]}"
        try:
            text = module.environment.world.read(path).decode("utf-8", "replace")
        except OSError:
            continue
        if re.search(rf"^\s*{word}\s+(::)?{re.escape(defined)}\b", text, re.MULTILINE):
            yield defined


def functions_of(module: Module) -> Iterator[str]:
    """Yield the qualified names of a module's functions."""
    yield from names_below(module, "functions", ".pp")
    for folder, suffix in (("lib/puppet/functions", ".rb"), ("lib/bunraku/functions", ".py")):
        below = f"{folder}/{module.name}"
        yield from names_below(module, below, suffix)


def types_of(module: Module) -> Iterator[str]:
    """Yield the names of a module's type aliases, as the language writes them."""
    for name in names_below(module, "types", ".pp"):
        yield "::".join(part.capitalize() for part in name.split("::"))


MODULE_NAMES: dict[str, Callable[[Module], Iterable[str]]] = {
    "class": partial(manifests_defining, "class"),
    "define": partial(manifests_defining, "define"),
    "function": functions_of,
    "type": types_of,
}


def search_report(environment: Environment, kind: str, name: str) -> str | None:
    """Return where a class, a defined type, a function, a type alias or a vendored type was searched.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> environment = Environment("test", ["/m"], DictionaryWorld({"/m/ntp/manifests/x.pp": b""}))
    >>> search_report(environment, "class", "ntp::server")
    'searched /m/ntp/manifests/server.pp, /m/ntp/manifests/init.pp'
    >>> search_report(environment, "class", "npt::server")
    "no module 'npt' on the modulepath (/m)"
    >>> search_report(environment, "function", "ntp::a::b")
    'searched /m/ntp/functions/a/b.pp, /m/ntp/lib/puppet/functions/ntp/a/b.rb'
    """
    if kind == "resource_type":
        return vendored_hint(name)
    namespace = name.partition("::")[0].lower()
    module = environment.find_module(namespace)
    if module is None:
        return no_module(environment, namespace)
    if name.endswith("::"):
        return "no file was searched: nothing follows '::', perhaps because a variable is empty"
    if not is_qualified_name(name):
        return "no file was searched: the parts of a name are letters, digits and underscores"
    if kind == "type":
        files = [f"types/{type_alias_file(name)}"]
    elif kind == "function":
        path = name.replace("::", "/")
        files = [
            f"functions/{path.partition('/')[2]}.pp",
            f"lib/puppet/functions/{path}.rb",
        ]
    else:
        files = [f"manifests/{file}" for file in manifest_files(name)]
    return searched([module.path_of(file) for file in files])


def vendored_hint(name: str) -> str | None:
    """Return which module defines a resource type that agent packages bring.

    >>> vendored_hint("file") is None
    True
    """
    module = MODULES.get(name)
    if module is None:
        return None
    return (
        f"the module {module} defines '{name}': add the module to the modulepath, "
        f"or give --set {SETTING}={DEFAULTS[SETTING]}"
    )


def file_hint(environment: Environment, folder: str, name: str) -> str | None:
    """Return a hint for a template or file (``module/name``) that was not found: where it was searched.

    ``folder`` is that of the module, ``templates`` or ``files``.
    """
    module_name, slash, file = name.partition("/")
    if name.startswith("/"):
        return None
    if not module_name or not slash:
        return f"a {folder.removesuffix('s')} is named MODULE/NAME or by its absolute path"
    module = environment.find_module(module_name)
    if module is None:
        return no_module(environment, module_name)
    meant = did_you_mean(name, near_files(environment, folder, name))
    return " ".join(filter(None, [meant, searched([module.path_of(folder, file)])]))


def near_files(environment: Environment, folder: str, name: str) -> list[str]:
    """Return the files of a module like the one named, as ``module/name``."""
    module = near_module(environment, name.partition("/")[0])
    if module is None:
        return []
    top = f"{module.path}/{folder}/"
    found = environment.files.glob(f"{top}**/*")
    return [f"{module.name}/{path.removeprefix(top)}" for path in found]


def searched(paths: list[str]) -> str:
    """Return the paths that were tried, as a piece of a hint."""
    shown = paths[:MOST_PATHS]
    more = f" and {len(paths) - len(shown)} more" if len(paths) > len(shown) else ""
    return f"searched {', '.join(shown)}{more}"


def no_module(environment: Environment, name: str) -> str:
    """Return the message about a module that is not on the modulepath."""
    if not environment.modulepath:
        return f"no module '{name}': the modulepath is empty"
    return f"no module '{name}' on the modulepath ({':'.join(environment.modulepath)})"
