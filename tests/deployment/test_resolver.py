"""Releases that fit together: those that Puppet chooses, and sentences where nothing fits."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from bunraku.base.errors import PuppetError
from bunraku.base.source import Place
from bunraku.deployment.conflicts import Explanation, requirement_of
from bunraku.deployment.releases import Release
from bunraku.deployment.resolver import FixedModule, Reason, WantedModule, resolve_modules
from support.module_worlds import (
    NAMES,
    RANGES,
    choice_of_puppet,
    fitting,
    in_range,
    releases_in,
    world_of,
)

CASES = Path(__file__).parents[1] / "data" / "module_resolutions.jsonl"
"""Generated Forges, and what ``puppet module install`` (7.23) chose; null if it refused."""
RECORDED = [json.loads(line) for line in CASES.read_text().splitlines()]
URL = "https://forge.example.com"


def chosen(world, *wanted, **options) -> dict[str, str]:
    """Return the chosen version of each slug."""
    found = resolve_modules(wanted, lambda slug: releases_in(world, slug), url=URL, **options)
    return {one.release.slug: one.release.version for one in found}


def sentences(world, *wanted, **options) -> list[str]:
    """Return the sentences of a conflict."""
    with pytest.raises(PuppetError) as caught:
        chosen(world, *wanted, **options)
    assert caught.value.code == "RESOLVE_CONFLICT"
    first, *others = caught.value.message.splitlines()
    assert first == "No releases of the modules fit together:"
    return [one.strip() for one in others]


def at(line: int) -> Place:
    """Return a line of a Puppetfile."""
    return Place("Puppetfile", line)


# -- what Puppet chooses ---------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(len(RECORDED)))
def test_puppet_chooses_the_same(number):
    case = RECORDED[number]
    slug, versions = case["want"]
    wanted = WantedModule(slug, versions or "")
    if case["outcome"] is None:
        assert sentences(case["releases"], wanted)
    else:
        assert chosen(case["releases"], wanted) == case["outcome"]


def test_the_model_of_puppet_chooses_what_puppet_chooses():
    for case in RECORDED:
        slug, versions = case["want"]
        start = {slug: fitting(case["releases"], slug, versions or ">= 0.0.0")}
        found = choice_of_puppet(case["releases"], start, []) if start[slug] else None
        assert (None if found is None else dict(found)) == case["outcome"]


@pytest.mark.parametrize("circular", [False, True])
@pytest.mark.parametrize("seed", range(75))
def test_the_model_chooses_the_same_in_generated_worlds(seed, circular):
    rng = random.Random(seed)
    world = world_of(rng, circular=circular)
    wanted = {
        slug: rng.choice([">= 0.0.0", rng.choice(RANGES)])
        for slug in rng.sample(NAMES, rng.choice([1, 1, 2, 3]))
    }
    start = {slug: fitting(world, slug, versions) for slug, versions in wanted.items()}
    modelled = choice_of_puppet(world, start, [])
    asked = [WantedModule(slug, versions) for slug, versions in wanted.items()]
    twice = modelled is not None and len(dict(modelled)) != len(modelled)
    try:
        found = chosen(world, *asked)
    except PuppetError:
        assert sentences(world, *asked)
        assert modelled is None or twice
        return
    for slug, versions in wanted.items():
        assert in_range(found[slug], versions)
    for slug, version in found.items():
        for needed, versions in world[slug][version].items():
            assert in_range(found[needed], versions)
    assert len({slug.partition("-")[2] for slug in found}) == len(found)
    assert modelled is not None
    if not twice:  # else Puppet installs two versions of a module
        assert found == dict(modelled)


def test_modules_that_need_each_other_are_chosen():
    world = {"a-a": {"1.0.0": {"a-b": "1.x"}}, "a-b": {"1.0.0": {"a-a": "1.x"}}}
    assert chosen(world, WantedModule("a-a")) == {"a-a": "1.0.0", "a-b": "1.0.0"}
    assert chosen({"a-a": {"1.0.0": {"a-a": "1.x"}}}, WantedModule("a-a")) == {"a-a": "1.0.0"}


def test_a_module_that_was_decided_before_another_one_needs_it_is_decided_again():
    world = {
        "a-app": {"1.0.0": {"a-base": ">= 1.0.0"}},
        "a-base": {"2.0.0": {"a-rest": "1.x"}, "1.0.0": {}},
        "a-rest": {"1.0.0": {}},
        "a-zoo": {"1.0.0": {"a-base": "< 2.0.0"}},
    }
    wanted = WantedModule("a-app"), WantedModule("a-zoo")
    assert chosen(world, *wanted) == {"a-app": "1.0.0", "a-base": "1.0.0", "a-zoo": "1.0.0"}


def test_the_latest_version_is_an_early_one_only_without_others():
    world = {"a-a": {"2.0.0-rc1": {}, "1.0.0": {}}, "a-b": {"1.0.0-rc1": {}, "1.0.0-rc2": {}}}
    found = chosen(world, WantedModule("a/a", "latest"), WantedModule("a/b"))
    assert found == {"a-a": "1.0.0", "a-b": "1.0.0-rc2"}
    assert chosen(world, WantedModule("a-a", "2.0.0-rc1")) == {"a-a": "2.0.0-rc1"}


def test_preferred_versions_stay_where_they_fit():
    world = {"a-a": {"2.0.0": {}, "1.1.0": {}, "1.0.0": {}}}
    assert chosen(world, WantedModule("a-a"), preferred={"a-a": "1.1.0"}) == {"a-a": "1.1.0"}
    assert chosen(world, WantedModule("a-a", "2.x"), preferred={"a-a": "1.1.0"}) == {"a-a": "2.0.0"}
    assert chosen(world, WantedModule("a-a"), preferred={"a-a": "0.1.0"}) == {"a-a": "2.0.0"}


def test_modules_that_are_fixed_need_no_release():
    world = {
        "a-app": {"2.0.0": {"a-base": ">= 2.0.0"}, "1.0.0": {"a-base": "1.x"}},
        "a-lib": {"1.0.0": {}},
    }
    fixed = FixedModule("a-base", "1.5.0-rc1", (("a-lib", ">= 1.0.0"),), at(4))
    assert sentences(world, WantedModule("a-app"), fixed=[fixed])
    fixed = FixedModule("a-base", "1.5.0", (("a-lib", ">= 1.0.0"),), at(4))
    found = resolve_modules(
        [WantedModule("a-app")], lambda slug: releases_in(world, slug), fixed=[fixed]
    )
    assert [(one.release.name, one.fixed) for one in found] == [
        ("a-app-1.0.0", False),
        ("a-base-1.5.0", True),
        ("a-lib-1.0.0", False),
    ]
    unknown = FixedModule("a-base", place=at(4))
    assert chosen(world, WantedModule("a-app"), fixed=[unknown]) == {"a-app": "2.0.0", "a-base": ""}


def test_reasons_say_who_needs_a_module():
    world = {"a-app": {"1.0.0": {"a-base": "1.x"}}, "a-base": {"1.0.0": {}}}
    wanted = WantedModule("a-app", "1.0.0", at(3)), WantedModule("a-base", "", at(4))
    app, base = resolve_modules(wanted, lambda slug: releases_in(world, slug))
    assert app.reasons == (Reason("1.0.0", place=at(3)),)
    assert base.reasons == (Reason(">= 0.0.0", place=at(4)), Reason("1.x", "a-app", at(3)))


def test_only_the_indexes_of_modules_that_are_tried_are_read():
    asked = []
    world = {
        "a-app": {"2.0.0": {"a-new": "1.x"}, "1.0.0": {"a-old": "1.x"}},
        "a-new": {"1.0.0": {}},
        "a-old": {"1.0.0": {}},
    }

    def releases(slug: str) -> list[Release]:
        asked.append(slug)
        return list(releases_in(world, slug))

    resolve_modules([WantedModule("a-app")], releases)
    assert asked == ["a-app", "a-new"]


# -- explanations ----------------------------------------------------------------------------------


def test_a_conflict_names_both_sides_and_what_is_released():
    world = {
        "acme-app": {"2.0.0": {"acme-base": ">= 2.0.0"}},
        "acme-conf": {"1.1.0": {"acme-base": "< 2.0.0"}, "1.0.0": {"acme-base": "< 2.0.0"}},
        "acme-base": {"2.1.0": {}, "2.0.0": {}, "1.0.0": {}},
    }
    assert sentences(world, WantedModule("acme-app", "", at(3)), WantedModule("acme-conf")) == [
        (
            "acme-app 2.0.0 (Puppetfile:3) needs acme-base >= 2.0.0, and acme-conf 1.1.0 and 1.0.0 "
            "need acme-base < 2.0.0; no release satisfies both; released: 2.1.0, 2.0.0 and 1.0.0"
        )
    ]


def test_a_declaration_is_a_side_of_a_conflict():
    world = {"a-app": {"1.0.0": {"a-base": "2.x"}}, "a-base": {"2.0.0": {}, "1.0.0": {}}}
    wanted = WantedModule("a-app", "", at(3)), WantedModule("a-base", "1.0.0", at(4))
    assert sentences(world, *wanted) == [
        (
            "Puppetfile:4 declares a-base 1.0.0, and a-app 1.0.0 (Puppetfile:3) needs a-base 2.x; "
            "no release satisfies both; released: 2.0.0 and 1.0.0"
        )
    ]


def test_versions_that_do_not_exist():
    world = {"a-app": {"1.0.0": {"a-base": ">= 4.0.0"}}, "a-base": {"2.0.0": {}}}
    assert sentences(world, WantedModule("a-app", "1.1.0", at(3))) == [
        "Puppetfile:3 declares a-app 1.1.0; no release satisfies that; released: 1.0.0"
    ]
    assert sentences(world, WantedModule("a-app", "", at(3))) == [
        "a-app 1.0.0 (Puppetfile:3) needs a-base >= 4.0.0; no release satisfies that; released: 2.0.0"
    ]


def test_modules_that_do_not_exist():
    world = {"a-app": {"1.0.0": {"a-gone": ">= 0.0.0"}}}
    assert sentences(world, WantedModule("a-app")) == [
        f"a-app 1.0.0 needs a-gone >= 0.0.0; a-gone does not exist on {URL}"
    ]
    assert sentences({}, WantedModule("a-app")) == [
        f"a-app >= 0.0.0 is declared; a-app does not exist on {URL}"
    ]


def test_fixed_modules_are_named_as_such():
    world = {"a-app": {"1.0.0": {"a-base": "2.x"}}}
    fixed = FixedModule("a-base", "1.0.0", (), at(4))
    assert sentences(world, WantedModule("a-app", "", at(3)), fixed=[fixed]) == [
        "a-app 1.0.0 (Puppetfile:3) needs a-base 2.x; a-base is fixed at 1.0.0 by Puppetfile:4"
    ]


def test_modules_of_one_name_cannot_be_together():
    world = {
        "a-app": {"1.0.0": {"b-base": "1.x"}},
        "a-base": {"1.0.0": {}},
        "b-base": {"1.0.0": {}},
    }
    assert sentences(
        world, WantedModule("a-app", "", at(3)), WantedModule("a-base", "", at(4))
    ) == [
        (
            "Puppetfile:4 declares a-base >= 0.0.0, and a-app 1.0.0 (Puppetfile:3) needs b-base 1.x; "
            "both would be installed as 'base'"
        )
    ]


def test_a_range_that_is_not_valid():
    with pytest.raises(PuppetError) as caught:
        chosen({}, WantedModule("a-app", "new one", at(3)))
    assert (caught.value.code, caught.value.place.line) == ("RESOLVE_BAD_RANGE", 3)
    world = {"a-app": {"2.0.0": {"a-base": "any"}, "1.0.0": {}}, "a-base": {"1.0.0": {}}}
    assert chosen(world, WantedModule("a-app")) == {"a-app": "1.0.0"}


def test_many_releases_are_searched_quickly_and_explained_shortly():
    world = {"p-lib": {f"{a}.{b}.0": {} for a in range(4, 10) for b in range(10)}}
    for number in range(30):
        world[f"z-m{number:02}"] = {
            f"{a}.{b}.0": {
                "p-lib": f">= 4.{b}.0 < {min(a + 4, 9)}.0.0",
                **({f"z-m{number + 1:02}": ">= 1.0.0"} if number < 29 else {}),
            }
            for a in range(1, 7)
            for b in range(10)
        }
    found = sentences(world, WantedModule("z-m00"), WantedModule("p-lib", ">= 9.0.0", at(1)))
    assert len(found) == 6
    assert found[-1].startswith("and ")
    assert chosen(world, WantedModule("z-m00"), WantedModule("p-lib", "5.x"))["p-lib"] == "5.9.0"


def test_a_conflict_that_is_met_again_is_not_examined_again():
    asked = []
    explanation = Explanation(lambda slug: asked.append(slug) or [], URL)
    need = requirement_of("a-a", "1.x", at(1)), None
    for _time in range(3):
        explanation.add([need])
    assert asked == ["a-a"]
    assert explanation.sentences() == [
        f"Puppetfile:1 declares a-a 1.x; a-a does not exist on {URL}"
    ]
