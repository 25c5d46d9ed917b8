"""The contents of the modules of a project, from the store that deployments use."""

from __future__ import annotations

from collections.abc import Sequence

from bunraku.base.errors import PuppetError
from bunraku.base.records import replace
from bunraku.deployment.contents import Content, Contents, RefRules
from bunraku.deployment.r10k_file import r10k_settings, settings_document
from bunraku.deployment.r10k_settings import CONFIG_FILE, R10kSettings
from bunraku.deployment.site_contents import each_module
from bunraku.engine.git_program import git
from bunraku.jobs.deploy import Deployment, DeployOptions
from bunraku.project.declared_modules import DeclaredModule, GitModule

AT_ONCE = 4
"""How many remotes are asked at the same time."""


def settings_of_base(content: bytes | None) -> R10kSettings:
    """Return the settings in the r10k.yaml of the old state; r10k's defaults without one.

    A change must not choose which tokens are sent, and where: its own r10k.yaml does not count, and
    the token for all remotes is left out, because its Puppetfile names remotes.
    """
    text = (content or b"").decode("utf-8", "surrogateescape")
    document = settings_document(text, CONFIG_FILE) if text.strip() else None
    found = r10k_settings(document, {})
    return replace(found, cachedir="", git=replace(found.git, oauth_token=""))


def contents_for(
    modules: Sequence[DeclaredModule], root: str, settings: R10kSettings, *, offline: bool
) -> tuple[Contents, list[Content | PuppetError]]:
    """Return what fetches contents, and those of modules or the errors; remotes are asked at the same time.

    ``root`` is a directory in the working tree of the control repository.
    """
    contents = Deployment(DeployOptions(offline=offline), settings=settings).contents
    branch = ""
    if any(isinstance(one.source, GitModule) and one.source.control_branch for one in modules):
        branch = git(root, "rev-parse", "--abbrev-ref", "HEAD")
    rules = RefRules(branch, default=settings.git.default_ref)

    def fetch(module: DeclaredModule) -> Content | PuppetError:
        try:
            return contents.of_module(module, rules)
        except PuppetError as error:
            return error

    return contents, [found for _module, found in each_module(contents, AT_ONCE, fetch, modules)]
