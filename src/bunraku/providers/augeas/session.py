"""Apply one resource to a tree of Augeas: open it, try the changes, save them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from bunraku.base.errors import PuppetError
from bunraku.providers.augeas.changes import perform
from bunraku.providers.augeas.commands import parse_commands
from bunraku.providers.augeas.conditions import holds
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.file.differences import difference
from bunraku.providers.managed_resource import ManagedResource
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.augeas import AugeasError, AugeasTree

SAVED = "/augeas/events/saved"
SAVE_FAILED = "Save failed, see debug output for details"
SIMPLE_CONTEXT = re.compile(r"^/files/[^'\"\[\]]+$", re.MULTILINE)
GLOB = "/augeas/version/pathx/functions/glob"
"""The node of the library's function ``glob``; versions before 0.8.2 lack it."""
REDACTED_DIFFERENCE = "[diff redacted]"


class AugeasSession:
    """The tree of a resource. The changes are first tried in the mode ``noop``, which writes no file.

    The tree keeps the changes, so the second save writes the differences of the first one.
    """

    def __init__(self, resource: ManagedResource) -> None:
        self.resource = resource
        self.host = resource.run.host
        self.context: str = resource["context"]
        self.secret = not resource.sensitive.isdisjoint(("changes",))
        self.changed = False
        """Whether the commands have been performed on the tree."""
        try:
            self.tree = self.open()
        except AugeasError as error:
            raise ResourceFailure(f"unknown error - {error}") from None

    def log(self, level: str, message: str) -> None:
        """Log a message of the provider."""
        one = self.resource
        source = f"{one.reference}(provider=augeas)"
        one.run.log(level, message, source, tags=one.tags, file=one.file, line=one.line)

    # -- reading ---------------------------------------------------------------------------------

    def open(self) -> AugeasTree:
        """Return a tree in which the files that the resource may need are loaded."""
        resource = self.resource
        incl = resource["incl"]
        load_path = ":".join(self.lens_directories())
        self.log("debug", f"Opening augeas with root {resource['root']}, lens path {load_path}")
        tree = self.host.open_augeas(
            resource["root"],
            load_path,
            type_check=resource.is_true("type_check"),
            autoload=incl is None,
        )
        if incl is None:
            errors = self.narrow(tree)
        else:
            tree.set("/augeas/load/Xfm/lens", to_s(resource["lens"]))
            tree.set("/augeas/load/Xfm/incl", to_s(incl))
            errors = "/augeas//error"
        tree.load()
        self.log_load_errors(tree, errors)
        return tree

    def lens_directories(self) -> Iterator[str]:
        """Yield the directories of lenses: those of ``load_path``, and those of modules."""
        given = self.resource["load_path"]
        for one in given if isinstance(given, list) else [given]:
            yield from (path for path in to_s(one).split(":") if path)
        for directory in self.resource.run.modules:
            if self.host.is_directory(directory):
                for name in self.host.list_directory(directory):
                    lenses = posixpath.join(directory, name, "lib", "augeas", "lenses")
                    if self.host.is_directory(lenses):
                        yield lenses

    def narrow(self, tree: AugeasTree) -> str | None:
        """Keep only the lenses of files below the context; return the path of the relevant errors.

        This saves most of the time that loading takes.
        """
        if not SIMPLE_CONTEXT.search(self.context) or not tree.match(GLOB):
            return None
        path = self.context.removeprefix("/files").rstrip("/") + "/"
        others = f"/augeas/load/*['{path}' !~ glob(incl) + regexp('/.*')]"
        if len(tree.match(others)) < len(tree.match("/augeas/load/*")):
            tree.remove(others)
            return f"/augeas/files{path}error"
        self.log("debug", "Unable to optimize files loaded by context path, no glob matches")
        return None

    def log_load_errors(self, tree: AugeasTree, path: str | None) -> None:
        """Log files that could not be read: a warning if the resource needs them."""
        errors = tree.match("/augeas//error")
        if not errors:
            return
        if path is not None and tree.match(path):
            text = "Loading failed for one or more files, see debug for /augeas//error output"
            self.log("warning", text)
        else:
            text = "Loading failed for one or more files, output from /augeas//error:"
            self.log("debug", text)
        self.log_errors(tree, errors)

    def log_errors(self, tree: AugeasTree, errors: Sequence[str]) -> None:
        """Log the details of errors; those of secret changes may show them."""
        for error in errors:
            for node in [error, *tree.match(f"{error}/*")]:
                value = tree.get(node)
                if value is not None and not self.secret:
                    self.log("debug", f"{node} = {value}")

    # -- running ---------------------------------------------------------------------------------

    def is_wanted(self) -> bool:
        """Return whether the condition of the resource holds."""
        condition = self.resource["onlyif"]
        if condition == "":
            return True
        commands = parse_commands(condition, self.context)
        if not commands:
            raise ResourceFailure("onlyif has no command")
        return holds(self.tree, commands[0], self.context)

    def would_change(self) -> bool:
        """Return whether the commands change a file; log the difference."""
        self.log("debug", "Will attempt to save and only run if files changed")
        self.perform()
        self.save("noop")
        paths = [self.tree.get(event) for event in self.tree.match(SAVED)]
        found = list(dict.fromkeys(path for path in paths if path is not None))
        for path in found:
            self.show_difference(path)
        outcome = "Files changed, should execute" if found else "no files were changed"
        self.log("debug", outcome if found else f"Skipping because {outcome}")
        return bool(found)

    def execute(self) -> None:
        """Write the changed files."""
        if not self.changed:
            self.perform()
        self.save("overwrite")

    def perform(self) -> None:
        """Perform the commands on the tree."""
        given = self.resource["changes"]
        if given is None:
            raise ResourceFailure("the parameter changes is missing")
        for command in parse_commands(given, self.context):
            perform(self.tree, command, self.log, secret=self.secret)
        self.changed = True

    def save(self, mode: str) -> None:
        """Save in a mode of the library; raise ResourceFailure on failure."""
        self.tree.set("/augeas/save", mode)
        if not self.tree.save():
            errors = self.tree.match("/augeas//error[. = 'put_failed']")
            if errors:
                text = "Put failed on one or more files, output from /augeas//error:"
                self.log("debug", text)
            self.log_errors(self.tree, errors)
            raise ResourceFailure(SAVE_FAILED)

    def close(self) -> None:
        """Free the tree."""
        self.tree.close()
        self.log("debug", "Closed the augeas connection")

    # -- differences -----------------------------------------------------------------------------

    def show_difference(self, path: str) -> None:
        """Log the difference of a file, unless it is unwanted or secret."""
        resource = self.resource
        if not resource.run.settings.get("show_diff") or not resource.is_true("show_diff"):
            return
        if self.secret:
            self.log(resource.level, REDACTED_DIFFERENCE)
            return
        try:
            self.log(resource.level, "\n" + self.difference(path))
        except (OSError, ResourceFailure, PuppetError) as error:
            self.log("warning", f"Could not show the difference: {error}")

    def difference(self, path: str) -> str:
        """Return the difference between a file and the text of its tree, by its path in the tree."""
        name = re.sub(r"\\(.)", r"\1", path.removeprefix("/files"))
        file = self.resource["root"].rstrip("/") + name
        is_new = self.host.status(file, follow=True) is None
        original = "" if is_new else self.host.read(file).decode("utf-8", "surrogateescape")
        content = self.text(path, original).encode("utf-8", "surrogateescape")
        return difference(self.host, file, content=content, is_new=is_new)

    def text(self, path: str, original: str) -> str:
        """Return the new text of a file, empty if the commands removed it."""
        if not self.tree.match(path):
            return ""
        if original and not original.endswith("\n"):
            original += "\n"
        text = self.tree.text(self.tree.get(f"/augeas{path}/lens") or "", original, path)
        if text is None:
            raise ResourceFailure(self.tree.reason())
        return text
