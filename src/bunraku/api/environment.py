"""The Python interface to a directory of Puppet code."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, Unpack

from bunraku.api.compile import Log, engine_fields, ignore
from bunraku.api.options import EnvironmentOptions, JobOptions
from bunraku.base.records import replace
from bunraku.base.suggestions import suggestion
from bunraku.base.tracebacks import without_frames
from bunraku.catalog.catalog import Catalog
from bunraku.catalog.wire import catalog_to_data
from bunraku.engine.compile import compile_catalog, evaluate_code
from bunraku.engine.lookup import Question, look_up
from bunraku.engine.manifests import main_paths
from bunraku.engine.nodes import Outcome, compile_tasks, node_tasks
from bunraku.engine.request import Request, ResolvedRequest, resolve
from bunraku.facts.documents import facts_files, read_facts
from bunraku.jobs.keywords import checked_arguments, checked_options
from bunraku.jobs.observer import SILENT, Observer
from bunraku.jobs.project_context import KEYWORDS, context_in
from bunraku.project.contents import class_names, named_nodes
from bunraku.project.issues import NO_FACTS, NO_PROJECT
from bunraku.project.model import NOTHING
from bunraku.values.literal import literal
from bunraku.values.missing import MISSING

if TYPE_CHECKING:
    from bunraku.base.errors import Diagnostic
    from bunraku.jobs.affected import AffectedNodes
    from bunraku.jobs.ci import CiOptions
    from bunraku.jobs.ci_result import CiResult
    from bunraku.jobs.compare import CompareOptions
    from bunraku.jobs.comparison import Comparison
    from bunraku.jobs.context import Context
    from bunraku.jobs.docs import Documentation
    from bunraku.jobs.explain import ExplainOptions, ExplainResult
    from bunraku.jobs.format import FormatOptions, FormatResult
    from bunraku.jobs.graph import GraphOptions
    from bunraku.migrate.run import Migration
    from bunraku.workbench.graph.model import Graph
    from bunraku.workbench.lint.run import LintSettings

ROLE_MODULES = ("role", "roles")


class Environment:
    """A control repository, a module or a Puppet 3 tree.

    ``path`` is its directory or one below it. The modulepath, ``hiera.yaml``, manifests and facts that
    the project has apply to every call; ``bunraku.toml`` wins over them, the keywords here over both,
    and those of a call over all. ``facts_folder`` is a directory of facts files, ``NODE.yaml`` or
    ``NODE.json``. ``kind`` is ``control repository``, ``module``, ``Puppet 3 tree`` or ``directory of
    environments``; ``root`` is the project's directory.

    Raises PuppetError when there is no Puppet code, or when the configuration is invalid.

    >>> Environment("/")
    Traceback (most recent call last):
    ...
    bunraku.base.errors.PuppetError: Cannot find Puppet code in / or above it
    """

    @checked_arguments
    def __init__(
        self,
        path: str | os.PathLike[str] = ".",
        *,
        facts_folder: str | os.PathLike[str] | None = None,
        **options: Unpack[EnvironmentOptions],
    ) -> None:
        given = engine_fields(options)
        self._start = os.path.abspath(path)
        self._options = options
        self._given_folder = facts_folder
        context = self.context()
        project = context.project
        if project.kind == NOTHING:
            raise NO_PROJECT(path=self._start)
        self.kind = project.kind
        self.root = project.root
        self._facts_folder = context.facts_folder
        self._manifest = context.manifest
        fields = context.fields
        common = {**context.facts_of_all, **given.pop("facts", {})}
        self._base = merged(
            Request(**fields, facts=common),
            {name: one for name, one in given.items() if name not in fields},
        )

    def __repr__(self) -> str:
        return f"<Environment {self.root}: {self.kind}>"

    # -- contents ---------------------------------------------------------------------------------

    @property
    def nodes(self) -> list[str]:
        """The names of the nodes that have a facts file or are named in the main manifest, sorted."""
        resolved = self._resolved()
        named = named_nodes(main_paths(resolved), resolved.world, resolved.dialect)
        return sorted({*self._facts_files(), *named})

    @property
    def roles(self) -> list[str]:
        """The names of the classes in the modules ``role`` and ``roles``, sorted."""
        return [name for name in self.classes() if name.partition("::")[0] in ROLE_MODULES]

    @checked_arguments
    def classes(self, pattern: str = "*") -> list[str]:
        """Return the sorted names of the classes that match a pattern such as ``profile::*``."""
        resolved = self._resolved()
        paths = dict(resolved.environment.module_paths)
        return class_names(paths, pattern, resolved.world, resolved.dialect)

    @checked_arguments
    def facts(self, node: str) -> dict[str, Any]:
        """Return the facts of a node from its facts file.

        Raises PuppetError when there is none.
        """
        files = self._facts_files()
        if node not in files:
            where = self._facts_folder or "no directory of facts files is configured"
            near = suggestion(node, files)
            raise NO_FACTS(node=node, reason=f"no file in {where}{near}" if files else str(where))
        return read_facts(files[node])

    def _facts_files(self) -> dict[str, str]:
        folder = self._facts_folder
        return {} if folder is None else facts_files(os.fspath(folder))

    def _resolved(self) -> ResolvedRequest:
        """Return the resolved request of a node without classes, for the environment in it."""
        return resolve(replace(self._base, path=self._manifest, node_classes=[]), ignore)

    # -- compiling -------------------------------------------------------------------------------

    @checked_arguments
    def compile(
        self,
        node: str | None = None,
        *,
        code: str | None = None,
        log: Log = ignore,
        **options: Unpack[EnvironmentOptions],
    ) -> Catalog:
        """Return the catalog of a node: of the main manifest, or of code instead.

        Facts come from the node's facts file unless they are given. Raises PuppetError.
        """
        __tracebackhide__ = True
        request = self._request(node, code, options)
        return Catalog(catalog_to_data(without_frames(lambda: compile_catalog(request, log))))

    @checked_arguments
    def compile_class(
        self,
        name: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        node: str | None = None,
        log: Log = ignore,
        **options: Unpack[EnvironmentOptions],
    ) -> Catalog:
        """Return the catalog of a node that has one class, with parameters or Hiera's data for it."""
        given = "".join(f" {key} => {literal(one)}," for key, one in (parameters or {}).items())
        __tracebackhide__ = True
        code = f"class {{ {literal(name)}:{given} }}"
        return self.compile(node, code=code, log=log, **options)

    @checked_arguments
    def compile_nodes(
        self,
        nodes: Sequence[str] | Mapping[str, Mapping[str, Any]] | None = None,
        *,
        code: str | None = None,
        executor: Executor | None = None,
        jobs: int | None = None,
        done: Callable[[Outcome], None] = ignore,
        **options: Unpack[EnvironmentOptions],
    ) -> list[Outcome]:
        """Compile many nodes (default: all that have a facts file), as ``bunraku.compile_nodes`` does.

        ``nodes`` are names, or facts by name.
        """
        if nodes is None:
            nodes = sorted(self._facts_files())
        if not isinstance(nodes, Mapping):
            nodes = {name: self.facts(name) for name in nodes}
        request = self._request(None, code, options)
        return compile_tasks(node_tasks(request, nodes), executor=executor, jobs=jobs, done=done)

    @checked_arguments
    def evaluate(
        self, code: str, *, log: Log = ignore, **options: Unpack[EnvironmentOptions]
    ) -> Any:
        """Return the value of the last expression of code, with the modules and data of this directory."""
        __tracebackhide__ = True
        request = self._request(None, code, options)
        return without_frames(lambda: evaluate_code(request, log))

    @checked_arguments
    def lookup(
        self,
        *keys: str,
        node: str | None = None,
        merge: str | Mapping[str, Any] | None = None,
        value_type: str | None = None,
        default: Any = MISSING,
        log: Log = ignore,
        **options: Unpack[EnvironmentOptions],
    ) -> Any:
        """Return the value of the first key that Hiera has for a node, as ``bunraku.lookup`` does."""
        question = Question(keys, merge, value_type, default)
        answer = look_up(self._request(node, "", options), question, log)
        if answer.error is not None:
            raise answer.error
        return answer.value

    def _request(self, node: str | None, code: str | None, options: EnvironmentOptions) -> Request:
        """Return the request for a node; without code it is for the main manifest."""
        request = merged(self._base, engine_fields(options))
        if node is not None:
            request = replace(request, node=node)
        if "facts" not in options and request.node in self._facts_files():
            request = replace(request, facts={**request.facts, **self.facts(request.node)})
        path = self._manifest if code is None else None
        return replace(request, code=code, path=path)

    # -- jobs --------------------------------------------------------------------------------------

    @checked_arguments
    def context(
        self, observer: Observer = SILENT, *, below: bool = False, **options: Unpack[JobOptions]
    ) -> Context:
        """Return what the options of a job mean here; ``options`` win over those of the environment."""
        folder = {} if self._given_folder is None else {"facts_folder": self._given_folder}
        given = {name: one for name, one in self._options.items() if name in KEYWORDS}
        return context_in(self._start, observer, below=below, **{**folder, **given, **options})

    @checked_arguments
    def validate(self, *files: str, **options: Unpack[JobOptions]) -> list[Diagnostic]:
        """Return what ``bunraku validate`` finds: in files and directories, by default in all of it.

        Raises UsageError for a file that cannot be checked.
        """
        from bunraku.jobs.validate import CheckedOptions, validate

        chosen = CheckedOptions(files=files or (self.root,))
        return validate(self.context(below=True, **options), chosen)

    @checked_arguments
    def check(
        self,
        *files: str,
        only: Sequence[str] = (),
        ignore: Sequence[str] = (),
        baseline: str | None = None,
        **options: Unpack[JobOptions],
    ) -> list[Diagnostic]:
        """Return what ``bunraku check`` finds: in files and directories, by default in all of it.

        ``only`` and ``ignore`` are codes of rules, ``baseline`` is a file with accepted findings. Raises
        UsageError for a file that cannot be checked and for an unknown code.
        """
        from bunraku.jobs.check import CheckOptions, check

        chosen = CheckOptions(
            files=files or (self.root,), only=only, ignore=ignore, baseline=baseline
        )
        return check(self.context(below=True, **options), chosen)

    @checked_arguments
    def lint(
        self, *files: str, settings: LintSettings | None = None, fix: bool = False
    ) -> list[Diagnostic]:
        """Return what ``bunraku lint`` finds; ``fix`` writes the corrected files.

        ``settings`` are a :class:`bunraku.workbench.lint.run.LintSettings`. Raises UsageError.
        """
        from bunraku.jobs.lint import LintOptions, lint
        from bunraku.workbench.lint.run import LintSettings

        chosen = LintOptions(files or (self.root,), settings or LintSettings(), fix)
        result = lint(self.context(), chosen)
        return [one for outcome in result.outcomes for one in outcome.diagnostics()]

    @checked_arguments
    def fmt(self, *files: str, options: FormatOptions | None = None) -> FormatResult:
        """Format manifests and templates as ``bunraku fmt`` does: files and directories, by default all.

        Raises UsageError.
        """
        from bunraku.jobs.format import FormatOptions, format_files

        chosen = checked_options(options, FormatOptions)
        files = files or tuple(chosen.files) or (self.root,)
        return format_files(self.context(), replace(chosen, files=files))

    @checked_arguments
    def ci(
        self,
        base: str | None = None,
        *,
        options: CiOptions | None = None,
        observer: Observer = SILENT,
        **more: Unpack[JobOptions],
    ) -> CiResult:
        """Check a change as ``bunraku ci`` does: its files, and all nodes before and after it.

        ``base`` is the revision before the change; ``options`` say what else is checked. Raises
        UsageError.
        """
        from bunraku.jobs.ci import CiOptions, ci

        chosen = checked_options(options, CiOptions)
        if base is not None:
            chosen = replace(chosen, base=base)
        return ci(chosen, self.context(observer, below=True, **more))

    @checked_arguments
    def compare(
        self,
        *revisions: str,
        options: CompareOptions | None = None,
        observer: Observer = SILENT,
        **more: Unpack[JobOptions],
    ) -> Comparison:
        """Compare the catalogs of all nodes in two states, as ``bunraku diff`` does.

        Without revisions these are HEAD and the working tree, with one that and the working tree.
        """
        from bunraku.jobs.compare import CompareOptions, compare_revisions

        context = self.context(observer, below=True, **more)
        return compare_revisions(revisions, context, checked_options(options, CompareOptions))

    @checked_arguments
    def affected(
        self,
        *revisions: str,
        match: Sequence[str] = (),
        observer: Observer = SILENT,
        **more: Unpack[JobOptions],
    ) -> AffectedNodes:
        """Return the nodes that the change between two states can reach, with the reasons."""
        from bunraku.jobs.affected import affected
        from bunraku.jobs.nodes import NodeOptions

        return affected(revisions, self.context(observer, below=True, **more), NodeOptions(match))

    @checked_arguments
    def explain(
        self,
        options: ExplainOptions,
        *,
        observer: Observer = SILENT,
        **more: Unpack[JobOptions],
    ) -> ExplainResult:
        """Return why something is in the catalogs of nodes, and where its values come from."""
        from bunraku.jobs.explain import explain_subject

        return explain_subject(self.context(observer, below=True, **more), options)

    @checked_arguments
    def graphs(
        self,
        options: GraphOptions,
        *,
        observer: Observer = SILENT,
        **more: Unpack[JobOptions],
    ) -> list[Graph]:
        """Return the graphs of the catalogs of nodes, or of their differences."""
        from bunraku.jobs.graph import graphs

        return graphs(self.context(observer, below=True, **more), options)

    @checked_arguments
    def migrate(
        self,
        *files: str,
        old: str | None = None,
        new: str | None = None,
        observer: Observer = SILENT,
        **more: Unpack[JobOptions],
    ) -> Migration:
        """Return what a newer version of the language changes; ``old`` and ``new`` are versions."""
        from bunraku.jobs.migrate import MigrateOptions, migrate_manifests

        context = self.context(observer, below=not files, **more)
        return migrate_manifests(context, MigrateOptions(old, new, files))

    @checked_arguments
    def docs(self, form: str = "markdown", **options: Unpack[JobOptions]) -> Documentation:
        """Return the documentation that ``bunraku docs`` makes: ``markdown``, ``json`` or ``html``.

        Its ``pages`` are texts by name; that of a module has the name ``""``. With ``html``, its ``site``
        has what pages show. Raises UsageError.
        """
        from bunraku.jobs.docs import DocsOptions, docs

        return docs(self.context(below=True, **options), DocsOptions(self.root, form))


def merged(request: Request, fields: Mapping[str, Any]) -> Request:
    """Return a request with other values in some fields; settings and facts are merged."""
    inner = {
        name: {**getattr(request, name), **fields[name]}
        for name in ("settings", "facts")
        if name in fields
    }
    return replace(request, **{**fields, **inner})
