"""State that outlives a compile: only bounded caches that ``engine.kept`` empties and measures."""

from __future__ import annotations

import ast
from functools import cache

from bunraku.base.bounded_cache import BoundedCache, remembered
from bunraku.engine import kept
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from support.source_trees import PACKAGE, source_trees

MUTATING = frozenset(
    [
        "add",
        "append",
        "clear",
        "discard",
        "extend",
        "insert",
        "pop",
        "popitem",
        "remove",
        "setdefault",
        "update",
    ]
)
CONTAINERS = frozenset(
    [
        "dict",
        "list",
        "set",
        "defaultdict",
        "OrderedDict",
        "deque",
        "Counter",
        "WeakSet",
        "WeakValueDictionary",
    ]
)

# Containers that change at run time and are not caches, with the reason.
ALLOWED = {
    "base.bounded_cache.DICTIONARIES": "the registry of the caches, filled at import",
    "base.fences.FENCES": "the directories of a command that checks a change",
    "base.cache_key.TAKEN": "the secret of the process; each command empties it",
    "base.disk_cache.CONFIGURED": "the configuration file of the process",
    "base.disk_cache.OPEN": "open folders; base.disk_cache.forget_folders empties it",
    "base.disk_cache.UNUSABLE": "folders of caches; base.disk_cache.forget_folders empties it",
    "base.disk_cache.WARNED": "folders of caches; base.disk_cache.forget_folders empties it",
    "limits.limits.ACTIVE": "the limits of running compiles; each removes itself",
    "world.processes.RUNNING": "programs that run; each removes itself",
}

# Functions with functools.cache or lru_cache, which keep nothing of a user, with the reason.
OF_THE_PROGRAM = {
    "catalog.schema.builtin.table": "the resource types of the package",
    "compiler.code_names.key_start": "by dialect and version",
    "dialects.dialect.loaded_helpers": "by dialect",
    "dialects.dialect.loaded_rules": "by dialect",
    "engine.dialects.text_of": "by dialect",
    "formats.quick_json.orjson_module": "the package, if it is installed",
    "jobs.editor.default_settings": "the settings of a project that sets none",
    "ruby.syntax.grammar.ruby_language": "the grammar of Ruby",
    "ruby.syntax.mistakes.query": "the forms that may be mistakes",
    "ruby.syntax.variables.query": "the forms that give variables their values",
    "syntax.lexer.master_pattern": "by dialect",
    "syntax.parser.parser.grammar_of": "by dialect",
    "types.init.fixed_signatures": "the signatures of the built-in types",
}


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the package by its name without ``bunraku``."""
    return {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts): tree
        for path, tree in source_trees().items()
    }


def is_container(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Call):
        return ast.unparse(value.func).rpartition(".")[2] in CONTAINERS
    return isinstance(
        value, ast.Dict | ast.List | ast.Set | ast.DictComp | ast.ListComp | ast.SetComp
    )


def containers(tree: ast.Module) -> set[str]:
    """The names of containers that a module or a class in it has."""
    found = set()
    for body in (tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))):
        for node in body:
            targets = node.targets if isinstance(node, ast.Assign) else []
            targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
            if targets and is_container(node.value):
                found |= {one.id for one in targets if isinstance(one, ast.Name)}
    return found


def changed_by(function: ast.AST) -> set[str]:
    """The names that are not the function's own and whose contents it changes, dotted ones whole."""
    own = {
        node.id if isinstance(node, ast.Name) else node.arg
        for node in ast.walk(function)
        if isinstance(node, ast.arg)
        or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    }
    shared = {
        name for node in ast.walk(function) if isinstance(node, ast.Global) for name in node.names
    }
    found = set(shared)
    for node in ast.walk(function):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign | ast.Delete):
            targets = [one.value for one in node.targets if isinstance(one, ast.Subscript)]
        elif isinstance(node, ast.AugAssign | ast.AnnAssign):
            targets = [node.target.value] if isinstance(node.target, ast.Subscript) else []
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            targets = [node.func.value] if node.func.attr in MUTATING else []
        found |= {ast.unparse(one) for one in targets}
    return {name for name in found if name in shared or name.partition(".")[0] not in own}


def at_import(tree: ast.Module) -> set[str]:
    """Functions that a module calls, or uses as decorators: their effects happen at import."""
    found = set()
    for node in ast.walk(tree):
        for one in getattr(node, "decorator_list", ()):
            found.add(ast.unparse(one.func if isinstance(one, ast.Call) else one))
    return {name.rpartition(".")[2] for name in found} | {"__init_subclass__"}


def changing() -> set[str]:
    """The containers of modules that functions change, by module and name."""
    trees = modules()
    homes = {name: containers(tree) for name, tree in trees.items()}
    decorators = set().union(*map(at_import, trees.values()))
    found = set()
    for module, tree in trees.items():
        named = {name: f"{module}.{name}" for name in homes[module]}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("bunraku"):
                home = (node.module or "").removeprefix("bunraku").removeprefix(".")
                for alias in node.names:
                    inner = f"{home}.{alias.name}".removeprefix(".")
                    if alias.name in homes.get(home, ()):
                        named[alias.asname or alias.name] = inner
                    for name in homes.get(inner, ()):
                        named[f"{alias.asname or alias.name}.{name}"] = f"{inner}.{name}"
            elif isinstance(node, ast.ClassDef):
                for name in containers(ast.Module(node.body, [])) & homes[module]:
                    for owner in ("self", "cls", node.name):
                        named[f"{owner}.{name}"] = f"{module}.{name}"
        outer = [
            node
            for top in (tree, *(node for node in tree.body if isinstance(node, ast.ClassDef)))
            for node in top.body
            if isinstance(node, ast.FunctionDef) and node.name not in decorators
        ]
        for function in outer:
            found |= {named[name] for name in changed_by(function) if name in named}
    return found


def cached_functions() -> set[str]:
    """Functions whose results functools keeps."""
    return {
        f"{module}.{node.name}"
        for module, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        for one in node.decorator_list
        if ast.unparse(one.func if isinstance(one, ast.Call) else one).rpartition(".")[2]
        in {"cache", "lru_cache"}
    }


def test_modules_keep_nothing_between_compiles_but_bounded_caches():
    assert changing() == set(ALLOWED), "use bounded_cache.BoundedCache, or list it with a reason"


def test_functions_keep_results_in_bounded_caches():
    assert cached_functions() == set(OF_THE_PROGRAM), "use bounded_cache.remembered, or list it"


def test_everything_kept_can_be_forgotten_and_is_made_again():
    request = Request(code="notify { 'a': message => sprintf('%05d', 1) }\nclass a { } include a")
    first, second = (compile_catalog(request, lambda entry: None) for _ in "12")
    assert kept.sizes()["compiled files"] > 0
    kept.forget()
    assert set(kept.sizes().values()) == {0}
    third = compile_catalog(request, lambda entry: None)
    assert (
        len({str([one.reference for one in each.resources]) for each in (first, second, third)})
        == 1
    )


def test_a_full_cache_is_emptied():
    cache: BoundedCache[int, int] = BoundedCache("of the test", 3)
    for number in range(10):
        cache.keep(number, number)
    assert dict(cache) == {9: 9}
    assert kept.sizes()["of the test"] == 1


def test_results_are_remembered_until_they_are_forgotten():
    calls = []

    @remembered(2)
    def double(number: int) -> int:
        calls.append(number)
        return number * 2

    assert [double(number) for number in (1, 1, 2)] == [2, 2, 4]
    assert calls == [1, 2]
    kept.forget()
    assert double(1) == 2
    assert calls == [1, 2, 1]
