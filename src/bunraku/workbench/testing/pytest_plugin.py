"""The pytest plugin: fixtures that compile Puppet code, and failures that explain themselves.

pytest loads this module in every project in whose environment bunraku is installed. It imports
nothing of bunraku before a test uses one of the fixtures.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from bunraku.workbench.testing.compiling import Compiler

COMPILER: pytest.StashKey[Compiler] = pytest.StashKey()
OS = "on_supported_os"
WHERE, COUNTED = "\n +  where ", " = count("
"""Begins pytest's lines about the parts of an assertion; a number of resources among them."""
MARKS = """\
puppet(class_, **options): the subject and the options of the fixtures compile and catalog
on_supported_os(*names): run the test on each operating system of metadata.json, or of these names
"""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, and the same keys of pytest's configuration."""
    group = parser.getgroup("bunraku", "bunraku: tests of Puppet code")
    group.addoption(
        "--bunraku-os",
        action="append",
        default=[],
        metavar="NAME",
        help="limit on_supported_os to an operating system, such as debian or debian-12",
    )
    group.addoption(
        "--bunraku-modulepath",
        action="append",
        default=[],
        metavar="DIRECTORY",
        help="add a directory of modules",
    )
    group.addoption(
        "--bunraku-facterdb",
        metavar="DIRECTORY",
        help="the folder 'facts' of FacterDB (default: the installed gem, and built-in facts)",
    )
    group.addoption(
        "--bunraku-language", metavar="VERSION", help="version of the Puppet language (default: 8)"
    )
    group.addoption(
        "--bunraku-update",
        action="store_true",
        help="write the snapshots of catalogs instead of comparing them",
    )
    parser.addini("bunraku_modulepath", "directories of modules for tests of Puppet code", "paths")
    parser.addini("bunraku_facterdb", "the folder 'facts' of FacterDB")
    parser.addini("bunraku_language", "version of the Puppet language")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marks."""
    for one in MARKS.splitlines():
        config.addinivalue_line("markers", one)


# -- spec files --------------------------------------------------------------------------------------


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Any:
    """Collect ``NAME_spec.yaml`` and ``NAME_spec.pp`` with tests, except in ``fixtures``."""
    ending = file_path.name.rpartition("_spec.")[2]
    if ending not in {"yaml", "yml", "pp"} or "fixtures" in file_path.parts:
        return None
    from bunraku.workbench.testing.spec_file import is_spec_file

    if not is_spec_file(file_path.name, file_path.read_bytes()):
        return None
    from bunraku.workbench.testing.pytest_items import SpecFile

    return SpecFile.from_parent(parent, path=file_path)


# -- operating systems -------------------------------------------------------------------------------


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test on each operating system if it has the mark, or the fixture as an argument."""
    mark = metafunc.definition.get_closest_marker(OS)
    if OS not in metafunc.fixturenames:
        if mark is not None:
            text = (
                f"{metafunc.definition.nodeid}: a test with the mark {OS} needs the fixture compile"
            )
            raise pytest.Collector.CollectError(text)
        return
    if mark is None and OS not in inspect.signature(metafunc.function).parameters:
        return
    from bunraku.workbench.testing.pytest_session import session_of

    names = mark.args if mark is not None else ()
    directory = os.path.dirname(metafunc.definition.path)
    systems = collecting(lambda: session_of(metafunc.config).systems(directory, names))
    metafunc.parametrize(OS, [system_parameter(one) for one in systems], indirect=True)


def collecting(action: Callable[[], list[Any]]) -> list[Any]:
    """Return the result of an action; pytest prints only the message of its PuppetError."""
    from bunraku.base.errors import PuppetError
    from bunraku.workbench.testing.pytest_session import hinted_message

    try:
        return action()
    except PuppetError as error:
        raise pytest.Collector.CollectError(hinted_message(error)) from None


def system_parameter(system: Any) -> Any:
    """Return the parameter of a test for an operating system; without facts the test is skipped."""
    if isinstance(system, str):
        skip = pytest.mark.skip(reason=f"there are no facts of {system}")
        return pytest.param(None, id=system, marks=skip)
    return pytest.param(system, id=system.name)


@pytest.fixture
def on_supported_os(request: pytest.FixtureRequest) -> Any:
    """The operating system of the test: a fact set with ``name`` and ``facts()``; None without one."""
    found: Any = getattr(request, "param", None)
    return found


@pytest.fixture
def facts(on_supported_os: Any) -> Any:
    """The facts of every compile of the test: those of the operating system. Override it to give others."""
    return {} if on_supported_os is None else on_supported_os.facts()


# -- data ----------------------------------------------------------------------------------------------


@pytest.fixture
def hiera() -> Any:
    """A function that gives data for Hiera: ``hiera({"ntp::servers": ["ntp.example.com"]})``."""
    from bunraku.workbench.testing.data import HieraOfTest

    return HieraOfTest()


@pytest.fixture
def puppetdb() -> Any:
    """What PuppetDB has of other nodes: ``export``, ``resource``, ``facts`` and ``catalog`` add to it."""
    from bunraku.workbench.testing.data import OtherNodes

    return OtherNodes()


@pytest.fixture
def exported(puppetdb: Any) -> Any:
    """A function that adds an exported resource of another node, for collectors."""
    return puppetdb.export


# -- compiling -----------------------------------------------------------------------------------------


@pytest.fixture
def compile(  # noqa: A001, the word of the field
    request: pytest.FixtureRequest,
    on_supported_os: Any,
    facts: Any,
    hiera: Any,
    puppetdb: Any,
) -> Any:
    """A function that compiles a class or another subject and returns its catalog."""
    from bunraku.base.errors import PuppetError
    from bunraku.workbench.testing.pytest_session import hinted_message, session_of

    marks = [(one.args, one.kwargs) for one in request.node.iter_markers("puppet")]
    session, directory = session_of(request.config), os.path.dirname(request.path)
    compiler, wrong = None, ""
    try:
        compiler = session.compiler(directory, on_supported_os, facts, marks, hiera, puppetdb)
    except PuppetError as error:
        wrong = hinted_message(error)
    if compiler is None:
        pytest.fail(wrong, pytrace=False)
    request.node.stash[COMPILER] = compiler
    return compiler


@pytest.fixture
def catalog(compile: Any) -> Any:  # noqa: A002, the word of the field
    """The catalog of the subject in the mark ``puppet``."""
    return compile()


@pytest.fixture
def snapshot(request: pytest.FixtureRequest, compile: Any) -> Any:  # noqa: A002, the word of the field
    """Compare a catalog with the one that a file beside the test keeps; call it with ``assert``."""
    from bunraku.workbench.testing.snapshots import Snapshots

    update = request.config.getoption("bunraku_update")
    return Snapshots(str(request.path), request.node.name, update, compile.matches)


# -- failures ------------------------------------------------------------------------------------------


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, Any, Any]:
    """Explain a failing assertion about a catalog; fail if a test does not read an answer."""
    try:
        result = yield
    except AssertionError as error:
        compiler = pyfuncitem.stash.get(COMPILER, None)
        if compiler is not None:
            explain(error, compiler)
        raise
    compiler = pyfuncitem.stash.get(COMPILER, None)
    unread = [] if compiler is None else [one for one in compiler.matches if not one.used]
    if unread:
        text = (
            f"the test does not use the answer about {unread[0].subject}; write 'assert' before it"
        )
        pytest.fail(text, pytrace=False)
    return result


def explain(error: AssertionError, compiler: Compiler) -> None:
    """Replace the text of an assertion by the explanations of the answers that it shows."""
    text = str(error)
    wrong = [one for one in compiler.matches if one.shown and not one]
    unwanted = [one for one in compiler.matches if one.shown and f"assert not {one!r}" in text]
    if wrong:
        before, found, _ = text.partition(f"assert {wrong[0]!r}")
        explained = [one.explanation for one in wrong]
    elif unwanted:
        before, found, _ = text.partition(f"assert not {unwanted[0]!r}")
        explained = [one.negated for one in unwanted]
    else:
        if COUNTED in text:  # the first line has the number with its resources
            error.args = (text.partition(WHERE)[0],)
        return
    first = [before.rstrip("\n")] if found and before.strip() else []
    error.args = ("\n".join([*first, *explained]),)
