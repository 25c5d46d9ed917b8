"""An environment that is deployed from trees in a store, without git."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from bunraku.deployment.deployed import Deployed, DeploymentState
from bunraku.deployment.layers import Layer
from bunraku.deployment.store import Store, Tree
from bunraku.deployment.update import update_of

HIERA = "version: 5\nhierarchy: [{name: all, path: common.yaml, data_hash: yaml_data}]\n"


class DeployedSite:
    """Environments below ``folder/code/environments``, deployed as ``bunraku deploy`` does."""

    def __init__(self, folder: Path) -> None:
        folder.chmod(0o700)
        self.folder = folder
        self.base = folder / "code/environments"
        self.base.mkdir(parents=True, exist_ok=True)
        self.store = Store(str(folder / "store"))
        self.store.prepare()
        self.state = DeploymentState(str(self.base), self.store)
        self.count = 0

    def tree(self, files: Mapping[str, str]) -> Tree:
        """Return a tree of the store with files."""
        self.count += 1
        top = self.folder / f"tree{self.count}"
        for path, text in files.items():
            target = top / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        return self.store.take_tree(str(top))

    def control(self, word: str, manifest: str = "") -> Layer:
        """Return a control repository that notifies with a word, and includes both modules."""
        code = f"notify {{ ['main {word}', \"data ${{lookup('k')}}\"]: }}\n"
        files = {
            "manifests/site.pp": f"include one\n{manifest}{code}include two\n",
            "hiera.yaml": HIERA,
            "data/common.yaml": f"k: {word}\n",
        }
        return Layer("", self.tree(files), "git")

    def module(self, name: str, word: str) -> Layer:
        """Return a module whose parts notify with a word."""
        titles = f"'{name} {word}', {name}::f(), epp('{name}/t.epp')"
        files = {
            "manifests/init.pp": f"class {name} {{ notify {{ [{titles}]: }}\ninclude {name}::more }}\n",
            "manifests/more.pp": f"class {name}::more {{ notify {{ '{name} more {word}': }} }}\n",
            "functions/f.pp": f"function {name}::f() {{ '{name} function {word}' }}\n",
            "templates/t.epp": f"{name} template {word}",
            "files/x": f"{name} file {word}\n",
        }
        return Layer(f"modules/{name}", self.tree(files), "git", name)

    def layers(self, word: str, manifest: str = "") -> list[Layer]:
        """Return all layers with a word."""
        return [self.control(word, manifest), self.module("one", word), self.module("two", word)]

    def deploy(self, layers: list[Layer], name: str = "production") -> Deployed:
        """Deploy layers to an environment."""
        with self.state.held():
            live = self.state.live(name)
            update = update_of(f"{self.base}/{name}", layers, live.layers if live else ())
            made = Deployed(0, time.time(), name, "signature", tuple(layers))
            directories = [layer.directory for layer in layers]
            return self.state.switch(name, update, made, {}, directories)
