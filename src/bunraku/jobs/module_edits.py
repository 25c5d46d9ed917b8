"""Add modules to a Puppetfile and remove them: the rest of its text stays."""

from __future__ import annotations

from typing import Any

from bunraku.base.file_reading import text_on_disk
from bunraku.base.records import record
from bunraku.base.source import Source
from bunraku.base.suggestions import suggestion
from bunraku.deployment import issues
from bunraku.deployment.credentials import without_credentials
from bunraku.deployment.releases import slug_of
from bunraku.deployment.site_contents import Log
from bunraku.jobs.module_site import ModuleSite, ModulesOptions, chosen_modules
from bunraku.project.declared_modules import ForgeModule
from bunraku.project.puppetfile import read_puppetfile_text
from bunraku.project.puppetfile_edits import added, plain_name, removed, style_of, with_version
from bunraku.world.whole_files import edit_whole

REFS = ("tag", "branch", "commit")


@record(frozen=True)
class GitSource:
    """A git module to add: its remote, and a ref of the kind ``tag``, ``branch`` or ``commit``."""

    remote: str
    kind: str = ""
    ref: str = ""


@record(frozen=True)
class EditResult:
    """What became of a Puppetfile: the names of the modules, and the versions that were chosen."""

    path: str
    names: tuple[str, ...]
    versions: tuple[str, ...] = ()


def add_modules(
    options: ModulesOptions, source: GitSource | None, log: Log = lambda _level, _text: None
) -> EditResult:
    """Declare modules. Names are ``OWNER/NAME`` or ``OWNER/NAME@VERSION``; without a version, the newest one.

    The version of a module of the Forge that is declared is replaced. Raise PuppetError.
    """
    with ModuleSite(options, log) as site:
        text = editable_text(site)
        versions = []
        for name in options.names:
            title, _, version = name.partition("@")
            if source is None:
                version = checked_release(site, title, version)
                text = with_release(site, text, title, version)
            else:
                version = source.ref
                text = with_git_module(site, text, title, source)
            versions.append(version)
        write_puppetfile(site, text)
        names = tuple(one.partition("@")[0] for one in options.names)
        return EditResult(site.declarations.path, names, tuple(versions))


def remove_modules(options: ModulesOptions, log: Log = lambda _level, _text: None) -> EditResult:
    """Remove the declarations of modules; what is installed stays. Raise PuppetError."""
    with ModuleSite(options, log) as site:
        text = editable_text(site)
        declared = site.declarations
        modules = chosen_modules(declared.modules, options.names, declared.path)
        for module in modules:
            text = removed(text, module.name)
        write_puppetfile(site, text)
        return EditResult(declared.path, tuple(one.title for one in modules))


def editable_text(site: ModuleSite) -> str:
    """Return the text of the Puppetfile; raise NO_EDIT_OF_FIXTURES in a module."""
    path = site.declarations.path
    if site.declarations.is_module:
        raise issues.NO_EDIT_OF_FIXTURES(path=path)
    return text_on_disk(path)


def checked_release(site: ModuleSite, title: str, version: str) -> str:
    """Return the version of a release that a Forge has: the newest one without a version. Raise PuppetError."""
    slug = slug_of(title)
    *others, last = site.forges
    contents = next((one for one in others if one.forge.releases(slug)), last)
    if version in {"", "latest"}:
        newest = contents.forge.newest(slug)
        return version or newest
    return contents.forge.release(slug, version).version


def with_release(site: ModuleSite, text: str, title: str, version: str) -> str:
    """Return the text with a module of the Forge in a version."""
    style = style_of(text)
    code = ":latest" if version == "latest" else style.quoted(version)
    for one in site.declarations.modules:
        if one.name == plain_name(title):
            if not isinstance(one.source, ForgeModule) or f"{one.owner}-{one.name}" != slug_of(
                title
            ):
                raise issues.ALREADY_DECLARED(name=one.name, line=one.line, path=one.path)
            return with_version(text, one.name, code)
    name = style.quoted(slug_of(title).replace("-", style.separator, 1))
    return added(text, f"mod {name}, {code}")


def with_git_module(site: ModuleSite, text: str, title: str, source: GitSource) -> str:
    """Return the text with a git module."""
    for one in site.declarations.modules:
        if one.name == plain_name(title):
            raise issues.ALREADY_DECLARED(name=one.name, line=one.line, path=one.path)
    check_ref(site, source)
    style = style_of(text)
    options = [style.option("git", source.remote), style.option(source.kind, source.ref)]
    lines = ",\n  ".join([f"mod {style.quoted(title)}", *options])
    return added(text, lines)


def check_ref(site: ModuleSite, source: GitSource) -> None:
    """Raise NO_SUCH_REF unless the remote of a module has its ref, of its kind."""
    refs = site.git.refs(source.remote)
    names = {"tag": refs.tags, "branch": refs.branches}.get(source.kind, {})
    is_commit = source.kind == "commit" and site.git.stored_commit(source.remote, source.ref)
    if not is_commit and source.ref not in names:
        remote, near = without_credentials(source.remote), suggestion(source.ref, names)
        raise issues.NO_SUCH_REF(remote=remote, kind=source.kind, ref=source.ref, near=near)


def write_puppetfile(site: ModuleSite, text: str) -> None:
    """Write the Puppetfile as a whole, if it is still one that can be read. Raise PuppetError."""
    path = site.declarations.path
    found = read_puppetfile_text(Source(text, path), site.declarations.root)
    errors = [one for one in found.findings if one.severity == "error"]
    if errors:
        raise issues.NO_EDIT(path=path, reason=errors[0].message)
    try:
        edit_whole({path: text.encode("utf-8", "surrogateescape")})
    except OSError as error:
        raise issues.NO_EDIT(path=path, reason=error.strerror) from None


def edit_data(result: EditResult) -> dict[str, Any]:
    """Return the same for programs."""
    return {
        "schema": 1,
        "path": result.path,
        "names": list(result.names),
        "versions": list(result.versions),
    }
