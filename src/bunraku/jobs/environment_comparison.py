"""The catalogs of the nodes of an environment, with the live directory and with what a deployment puts there."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from bunraku.base.file_reading import read_whole
from bunraku.base.paths import path_list
from bunraku.base.records import field, record, replace
from bunraku.base.usage import UsageError
from bunraku.deployment.deployed import Deployed
from bunraku.deployment.environment_plan import PreparedEnvironment
from bunraku.deployment.environments import DeclaredEnvironment
from bunraku.engine.dependencies import LONE, canonical
from bunraku.engine.nodes import StandIn
from bunraku.engine.request import Request
from bunraku.engine.revisions import Repository, Side, State, compile_side, moved_path
from bunraku.jobs.compare import CompareOptions, compare_sides
from bunraku.jobs.comparison import Comparison, NodeComparison
from bunraku.jobs.context import Context
from bunraku.jobs.nodes import node_compiler, nodes_with_facts
from bunraku.jobs.site_nodes import nodes_of_environment
from bunraku.modules.environment import read_environment
from bunraku.modules.settings import resolve
from bunraku.world.protocol import World

LIVE, PLANNED = "live", "planned"
COMMIT = 40


@record()
class EnvironmentNodes:
    """The nodes of an environment: facts files by name, or facts; ``note`` says which nodes they are."""

    files: Mapping[str, str | None] = field(default_factory=dict)
    facts: Mapping[str, StandIn] = field(default_factory=dict)
    note: str = ""

    @property
    def digest(self) -> str:
        """The digest of all facts."""
        made = sha256()
        for node, path in sorted(self.files.items()):
            made.update(node.encode(errors=LONE) + b"\0")
            if path is not None:
                made.update(read_whole(path))
            elif node in self.facts:
                one = self.facts[node]
                made.update(canonical([dict(one.facts), one.trusted]).encode(errors=LONE))
        return f"sha256:{made.hexdigest()}"


def nodes_for(context: Context, environment: str, options: CompareOptions) -> EnvironmentNodes:
    """Return the nodes of an environment; UsageError if there are none."""
    source = context.options.facts_from
    if source and context.options.facts_folder:
        raise UsageError("give --facts-from or --facts-folder, not both")
    if source:
        found = nodes_of_environment(source, environment, context.settings, options.match)
        return EnvironmentNodes(dict.fromkeys(found.nodes), found.nodes, found.note)
    if context.options.facts_folder:
        return EnvironmentNodes(nodes_with_facts(context, options.match))
    raise UsageError("a plan needs the facts of nodes: give --facts-from or --facts-folder")


def compared_environment(
    context: Context,
    prepared: PreparedEnvironment,
    nodes: EnvironmentNodes,
    options: CompareOptions,
) -> Comparison:
    """Return what a deployment changes in the catalogs of nodes. Raise PuppetError and OSError.

    Of an environment that is not there yet, all catalogs are new. The environments must be held.
    """
    plan = prepared.plan
    names = live_state(LIVE, plan.live), State(PLANNED, commit_of(plan.signature))
    environment = plan.environment
    if not prepared.was_absent and prepared.update.is_empty:
        same = [NodeComparison(node) for node in sorted(nodes.files)]
        return Comparison(names[0].title, names[1].title, same)
    with prepared.state.preview(environment.directory_name, prepared.update) as new:
        live = environment.path
        place = Repository(live, "", live)
        sides = (
            Side("old", names[0], place, live, live, has_modules=True, is_deployed=True),
            Side("new", names[1], place, new, new, has_modules=True, is_deployed=True),
        )
        requests = RequestsOf(context, environment)
        if prepared.was_absent:
            return new_catalogs(context, sides[1], requests, nodes)
        return compare_sides(
            context,
            sides,
            replace(options, causes=False),
            nodes.files,
            nodes.facts,
            requests,
            judges=True,
        )


def new_catalogs(
    context: Context, side: Side, requests: RequestsOf, nodes: EnvironmentNodes
) -> Comparison:
    """Return a comparison in which all nodes that compile have new catalogs."""
    with node_compiler(context, len(nodes.files)) as compile_all:
        outcomes = compile_side(
            side,
            requests(side.directory, side.world),
            nodes.files,
            compile_all=compile_all,
            limits=context.limits,
            stand_ins=nodes.facts,
        )
    title = side.state.title
    found = [
        NodeComparison(one.node, missing=title)
        if one.ok
        else NodeComparison(one.node, findings=[(side.state.name, one.findings[0])])
        for one in outcomes
    ]
    return Comparison("no environment", title, found)


def live_state(name: str, live: Deployed | None) -> State:
    """Return the state of the live directory."""
    return State(name, commit_of(live.signature) if live is not None else None)


def commit_of(signature: str) -> str | None:
    """Return a signature that is a commit; None for others."""
    is_commit = len(signature) == COMMIT and not set(signature) - set("0123456789abcdef")
    return signature if is_commit else None


class RequestsOf:
    """Makes the request for an environment in a directory that stands for its live one."""

    def __init__(self, context: Context, environment: DeclaredEnvironment) -> None:
        self.context = context
        self.environment = environment

    def __call__(self, directory: str, world: World) -> Request:
        """Return the request; absolute paths into the live directory lead to the other one."""
        options, live = self.context.options, self.environment.path
        settings: dict[str, Any] = {
            **self.context.settings,
            "environment": self.environment.directory_name,
            "environmentpath": self.environment.basedir,
        }
        hiera = options.hiera_config or settings.pop("hiera_config", None)
        fields = {**self.context.node_fields("", {}), "facts": self.context.facts_of_all}
        request = Request(
            **{**fields, "facts_from": None, "storedconfigs": self.site},
            environment_directory=directory,
            settings=settings,
            server_directories={live: directory},
            language=options.language,
            follow=options.follow,
            hiera_config=hiera and moved_path(str(hiera), live, directory),
            cycles=True,
            run_config_version=False,
            world=world,
        )
        return self.with_absolute_paths(request, directory)

    @property
    def site(self) -> str | None:
        """The PuppetDB that answers queries and collectors of the code."""
        options = self.context.options
        source = options.facts_from or ""
        return options.storedconfigs or (source if "://" in source else None)

    def with_absolute_paths(self, request: Request, directory: str) -> Request:
        """Return a request for an ``environment.conf`` that names the live directory in full."""
        settings = resolve(request.settings)
        base = path_list(str(settings["basemodulepath"]))
        name = self.environment.directory_name
        found = read_environment(name, directory, request.world, base, settings, None)
        live = self.environment.path
        moved = [moved_path(path, live, directory) for path in found.modulepath]
        manifest = moved_path(str(found.manifest), live, directory)
        return replace(
            request,
            modulepath=moved if moved != list(found.modulepath) else (),
            path=manifest if manifest != found.manifest else None,
        )
