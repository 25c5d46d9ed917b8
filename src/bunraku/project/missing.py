"""Parts of a project that a fresh clone lacks: modules to install, submodules to check out."""

from __future__ import annotations

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.paths import relative
from bunraku.project.declared_modules import (
    DeclaredModule,
    ForgeModule,
    GitModule,
    LocalModule,
    TarballModule,
)
from bunraku.project.model import CONTROL_REPOSITORY, MODULE, Project
from bunraku.project.module import dependencies_of
from bunraku.project.puppetfile import NamedModule, Puppetfile, read_puppetfile
from bunraku.project.reading import json_object, names_in, text_of
from bunraku.values.version import is_version
from bunraku.world.protocol import World

SUBMODULE_PATH = lazy_pattern(r"(?m)^\s*path\s*=\s*(.+?)\s*$")
MOST_NAMES = 5


def missing_parts(project: Project, world: World) -> list[str]:
    """Return a sentence for each kind of thing that has to be installed first."""
    found = []
    puppetfile = read_puppetfile(project.root, world)
    absent = absent_modules(project, world, puppetfile)
    if absent:
        names = shortened(absent)
        found.append(
            f"{len(absent)} of {len(puppetfile.names)} modules in {shown(project, 'Puppetfile')}"
            f" are not installed ({names}); run 'bunraku modules install'{directory_to_run_in(project)}"
        )
    if project.kind == MODULE:
        found += missing_dependencies(project, world)
    empty = empty_submodules(project, world)
    if empty:
        found.append(
            f"git submodules are not checked out ({shortened(empty)});"
            f" run 'git submodule update --init'{directory_to_run_in(project)}"
        )
    return found


def shown(project: Project, path: str) -> str:
    """Return a path in a project as people read it: relative to the working directory if it is below that."""
    return relative(f"{project.root}/{path}")


def directory_to_run_in(project: Project) -> str:
    """Return where to run a command if that is not the working directory."""
    root = relative(project.root)
    return "" if root == "." else f" in {root}"


def other_versions(project: Project, world: World) -> list[str]:
    """Return a sentence about modules whose installed versions are not those of the Puppetfile."""
    found = []
    for one in read_puppetfile(project.root, world).modules:
        wanted, version = version_asked_for(one), installed_version(one, world)
        if wanted and version and version != wanted:
            found.append(f"{one.name} {version} instead of {wanted}")
    if not found:
        return []
    return [f"installed modules have other versions than in the Puppetfile: {shortened(found)}"]


def version_asked_for(module: DeclaredModule) -> str:
    """Return the version that a declaration names; empty for a branch, a commit or any version.

    The tag of a git module names one: ``v1.2.3`` or ``1.2.3``.
    """
    if isinstance(module.source, ForgeModule):
        return module.source.version if is_version(module.source.version) else ""
    if not isinstance(module.source, GitModule):
        return ""
    tag = (module.source.declared_ref or module.source.ref).removeprefix("v")
    return tag if is_version(tag) else ""


def asked_for(module: DeclaredModule) -> str:
    """Return the version, the branch, the commit or the revision that a declaration names.

    It is ``local`` for a module that is not installed from elsewhere, and empty where any will do.
    """
    source = module.source
    if isinstance(source, LocalModule):
        return "local"
    if isinstance(source, GitModule):
        return ":control_branch" if source.control_branch else source.ref or source.default_branch
    if isinstance(source, TarballModule):
        return source.sha256
    return source.version if isinstance(source, ForgeModule) else source.revision


def installed_version(module: DeclaredModule, world: World) -> str:
    """Return the version in the metadata of an installed module; empty without one."""
    version = json_object(world, f"{module.directory}/metadata.json").get("version")
    return version if isinstance(version, str) else ""


def absent_modules(
    project: Project, world: World, puppetfile: Puppetfile | None = None
) -> list[str]:
    """Return the modules of the Puppetfile that are not installed."""
    found = puppetfile or read_puppetfile(project.root, world)
    return [one.name for one in found.names if not installed(one, project, world)]


def shortened(names: list[str]) -> str:
    """Return the first names of a list.

    >>> shortened(list("abcdefg"))
    'a, b, c, d, e, …'
    """
    more = [] if len(names) <= MOST_NAMES else ["…"]
    return ", ".join([*names[:MOST_NAMES], *more])


def installed(one: NamedModule, project: Project, world: World) -> bool:
    """Return whether a module of the Puppetfile is there or in another place of the modulepath."""
    places = [f"{folder}/{one.name}" for folder in project.value("modulepath", ())]
    return any(names_in(world, path) for path in (one.directory, *places))


def absent_dependencies(project: Project, world: World) -> list[str]:
    """Return the dependencies of a module that are nowhere."""
    places = project.value("modulepath", ())
    return [
        name
        for _author, name in dependencies_of(project.root, world)
        if name not in project.value("modules", {})
        and not any(world.is_directory(f"{folder}/{name}") for folder in places)
    ]


def missing_dependencies(project: Project, world: World) -> list[str]:
    """Return a sentence about the dependencies of a module that are nowhere."""
    absent = absent_dependencies(project, world)
    if not absent:
        return []
    them = "it" if len(absent) == 1 else "them"
    sentence = (
        f"{shortened(absent)}: not found, although {shown(project, 'metadata.json')} depends on {them}; "
        f"run 'bunraku modules install'{directory_to_run_in(project)} or give --modulepath"
    )
    return [sentence]


def missing_data(project: Project, world: World) -> list[str]:
    """Return a sentence about the configuration of Hiera if it is not in the usual place."""
    configuration = hidden_configuration(project, world)
    if configuration is None:
        return []
    sentence = (
        f"{shown(project, 'hiera.yaml')} is missing; "
        f"{relative(configuration)} may be the configuration of Hiera: "
        "give it with --hiera-config, or as hiera_config in bunraku.toml"
    )
    return [sentence]


def hidden_configuration(project: Project, world: World) -> str | None:
    """Return a ``hiera.yaml`` in an unusual place, where the project has none in the usual one."""
    root = project.root
    if project.kind != CONTROL_REPOSITORY or world.is_file(f"{root}/hiera.yaml"):
        return None
    if project.value("hiera_config") is not None:
        return None
    directories = [f"{root}/{name}" for name in names_in(world, root)]
    for folder in project.value("modulepath", ()):
        directories += [f"{folder}/{name}/files" for name in names_in(world, folder)]
    found = [f"{one}/hiera.yaml" for one in directories if world.is_file(f"{one}/hiera.yaml")]
    return found[0] if len(found) == 1 else None


def holds_code(path: str, project: Project) -> bool:
    """Return whether a directory of a project is a module, or holds some, on the modulepath."""
    folders = project.value("modulepath", ())
    parent = path.rpartition("/")[0]
    return path.startswith(f"{project.root}/") and any(
        parent == folder or f"{folder}/".startswith(f"{path}/") for folder in folders
    )


def empty_submodules(project: Project, world: World) -> list[str]:
    """Return the submodules with modules of the project that are not checked out."""
    directory = project.root
    while directory:
        text = text_of(world, f"{directory}/.gitmodules")
        if text:
            paths = [f"{directory}/{path}" for path in SUBMODULE_PATH.findall(text)]
            inside = [path for path in paths if holds_code(path, project)]
            start = len(project.root) + 1
            return sorted(path[start:] for path in inside if not names_in(world, path))
        directory = directory.rpartition("/")[0]
    return []
