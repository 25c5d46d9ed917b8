"""The modules that the tests of a module need, as its ``.fixtures.yml`` lists them."""

from __future__ import annotations

from collections.abc import Mapping

from bunraku.base.errors import PuppetError
from bunraku.base.source import Place
from bunraku.project.fixtures import Fixtures, read_fixtures
from bunraku.project.reading import names_in
from bunraku.workbench.testing.issues import FIXTURES_MISSING
from bunraku.world.protocol import World


def fixtures_of(root: str, version: str, world: World) -> Fixtures:
    """Return the fixtures of a module for a version of Puppet; raise PuppetError for a wrong file."""
    found = read_fixtures(root, world, version)
    errors = [one for one in found.findings if one.severity == "error"]
    if errors:
        raise PuppetError(errors[0], errors[1:])
    return found


def check_fixtures(
    root: str, fixtures: Fixtures, elsewhere: list[str], known: Mapping[str, str], world: World
) -> None:
    """Raise PuppetError if a fixture is neither installed nor in one of the other places.

    ``elsewhere`` are directories of modules, ``known`` the directories of modules by name.
    """
    missing = [
        one.name
        for one in fixtures.modules
        if one.name not in known
        and not names_in(world, one.directory)
        and not any(names_in(world, f"{folder}/{one.name}") for folder in elsewhere)
    ]
    if missing:
        error = FIXTURES_MISSING(names=", ".join(missing), path=fixtures.path, root=root)
        raise error.at(Place(fixtures.path))
