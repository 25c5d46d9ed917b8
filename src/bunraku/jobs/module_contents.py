"""The contents of the modules of a project, from the store that deployments use."""

from __future__ import annotations

from collections.abc import Sequence

from bunraku.base.errors import PuppetError
from bunraku.deployment.contents import Content, Contents, RefRules
from bunraku.deployment.r10k_file import r10k_settings
from bunraku.deployment.site_contents import Log
from bunraku.engine.git_program import git
from bunraku.jobs.deploy import Deployment, DeployOptions
from bunraku.project.declared_modules import DeclaredModule, GitModule

AT_ONCE = 4
"""How many remotes are asked at the same time."""


class ProjectModules(Deployment):
    """The store of this user, with r10k's default settings.

    An r10k.yaml of the project is not read: a change could choose which tokens are sent, and where.
    """

    def __init__(self, *, offline: bool, log: Log = lambda _level, _text: None) -> None:
        self.options = DeployOptions(offline=offline)
        self.log = log
        self.settings = r10k_settings(None, {})


def contents_for(
    modules: Sequence[DeclaredModule], root: str, *, offline: bool
) -> tuple[Contents, list[Content | PuppetError]]:
    """Return what fetches contents, and those of modules or the errors; remotes are asked at the same time.

    ``root`` is a directory in the working tree of the control repository.
    """
    contents = ProjectModules(offline=offline).contents
    branch = ""
    if any(isinstance(one.source, GitModule) and one.source.control_branch for one in modules):
        branch = git(root, "rev-parse", "--abbrev-ref", "HEAD")
    rules = RefRules(branch)

    def fetch(module: DeclaredModule) -> Content | PuppetError:
        try:
            return contents.of_module(module, rules)
        except PuppetError as error:
            return error

    distant = [one for one in modules if not contents.is_at_hand(one)]
    if len(distant) < 2:
        return contents, [fetch(one) for one in modules]
    from concurrent.futures import ThreadPoolExecutor  # most runs ask no remote

    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = dict(zip(map(id, distant), pool.map(fetch, distant), strict=True))
    return contents, [found[id(one)] if id(one) in found else fetch(one) for one in modules]
