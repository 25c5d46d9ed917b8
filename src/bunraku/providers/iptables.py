"""The packet filter of the kernel by ``iptables`` and ``ip6tables``: its rules, changes, and persistence.

The types ``firewall`` and ``firewallchain`` share one object of :class:`Tables` in a run.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from bunraku.base.bounded_cache import remembered
from bunraku.base.records import record
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import ENGLISH, WITHOUT_USER, Provider, State, shown_words
from bunraku.providers.run import Run
from bunraku.providers.systems import families
from bunraku.world.host import Command, Finished, Host

Value = Any
IP_PROTOCOLS = ("IPv4", "IPv6")
PROGRAMS = {"IPv4": "iptables", "IPv6": "ip6tables", "ethernet": "ebtables"}
TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')
ESCAPED = re.compile(r"\\(.)")
WARNING = re.compile(r"# Warning:[^\n]*\n?")
UNMANAGED = re.compile(r"9[0-9]{3}\s.*")
"""The names of rules without a comment that Puppet could have written."""
RELEASE = re.compile(r"^VERSION_ID=[\"']?(\d+)", re.MULTILINE)
FIRST_RELEASE_WITH_SCRIPTS = 7
"""The first release of Red Hat in which a script saves the rules instead of the service."""
RED_HAT = frozenset({"rhel", "fedora", "centos", "amzn"})
SUSE = frozenset({"suse", "opensuse", "sles", "sled"})


@record(frozen=True)
class Word:
    """A word of a rule; ``quoted`` if the rule has quotes around it."""

    text: str
    quoted: bool


@record(frozen=True)
class Part:
    """An option of a rule: the module of matches before it, its values, and whether ``!`` negates it."""

    flag: str
    match: str
    values: tuple[str, ...]
    negated: bool

    @property
    def value(self) -> str:
        """The values as one text, with ``! `` before them if they are negated."""
        text = " ".join(self.values)
        return f"! {text}" if self.negated else text


@record(frozen=True)
class SavedRule:
    """A rule as ``iptables-save`` prints it."""

    protocol: str
    table: str
    chain: str
    line: str
    parts: tuple[Part, ...]

    def values_of(self, flag: str, match: str = "") -> list[str]:
        """Return the values of each use of an option, of one module if ``match`` names it."""
        found = (one for one in self.parts if one.flag == flag)
        return [one.value for one in found if not match or one.match == match]


@record(frozen=True)
class SavedChain:
    """A chain as ``iptables-save`` prints it; user-defined chains have no policy."""

    protocol: str
    table: str
    name: str
    policy: str | None


@record(frozen=True)
class Saved:
    """The chains and rules of a protocol."""

    chains: tuple[SavedChain, ...]
    rules: tuple[SavedRule, ...]


# -- reading ---------------------------------------------------------------------------------------


def rule_words(line: str) -> list[Word]:
    """Return the words of a rule without their quotes.

    >>> [word.text for word in rule_words(r'-A INPUT --comment "1 a\\"b" -j LOG')]
    ['-A', 'INPUT', '--comment', '1 a"b', '-j', 'LOG']
    """
    found = []
    for match in TOKEN.finditer(line):
        quoted = match[1] is not None
        found.append(Word(ESCAPED.sub(r"\1", match[1]) if quoted else match[2], quoted))
    return found


def parts_of(words: Sequence[Word]) -> Iterator[Part]:
    """Yield the options of a rule, in order; a module of matches is an option without a value."""
    match, negated, place = "", False, 0
    while place < len(words):
        flag = words[place].text
        place += 1
        if flag == "!":
            negated = True
            continue
        inside = place < len(words) and is_old_negation(words, place)
        negated, place = negated or inside, place + inside
        start = place
        while place < len(words) and not starts_option(words[place]):
            place += 1
        values = tuple(word.text for word in words[start:place])
        if flag == "-m":
            match = values[0] if values else ""
            yield Part("-m", match, (), negated)
        else:
            yield Part(flag, match, values, negated)
        negated = False


def is_old_negation(words: Sequence[Word], place: int) -> bool:
    """Return whether ``!`` stands between an option and its value, as old versions print it."""
    following = place + 1 < len(words) and not starts_option(words[place + 1])
    return words[place] == Word("!", quoted=False) and following


def starts_option(word: Word) -> bool:
    """Return whether a word is an option or negates one."""
    return not word.quoted and (word.text == "!" or word.text.startswith("-"))


@remembered(4096)
def rule_of(line: str, table: str, protocol: str) -> SavedRule:
    """Return the rule of a line of ``iptables-save``."""
    parts = tuple(parts_of(rule_words(line)))
    chain = next((one.values[0] for one in parts if one.flag == "-A" and one.values), "")
    return SavedRule(protocol, table, chain, line, parts)


def saved(text: str, protocol: str) -> Saved:
    """Return the chains and rules in the output of ``iptables-save``."""
    table = ""
    chains, rules = [], []
    for line in WARNING.sub("", text).splitlines():
        if line.startswith("*"):
            table = line[1:]
        elif line.startswith(":"):
            name, policy = line[1:].split()[:2]
            chains.append(
                SavedChain(protocol, table, name, None if policy == "-" else policy.lower())
            )
        elif line.startswith("-A"):
            rules.append(rule_of(line, table, protocol))
    return Saved(tuple(chains), tuple(rules))


# -- the order of rules ----------------------------------------------------------------------------


def position(name: str, names: Sequence[str]) -> int:
    """Return the number that a rule has or gets in its chain; ``names`` are the rules of the chain.

    Rules are sorted by name. A new rule comes right after its predecessor, and rules without a name of
    Puppet's form stay where they are.

    >>> position("20 b", ["10 a", "9001 x", "30 c"]), position("10 a", [])
    (2, 1)
    """
    if not names:
        return 1
    rules = [*names] if name in names else [*names, name]
    anchor = name if name in names else predecessor(name, rules)
    unmanaged = sum(is_unmanaged(one) for one in rules[: rules.index(anchor) + 1])
    if is_unmanaged(anchor) and not name.startswith("9"):
        unmanaged -= 1
    managed = sorted(one for one in rules if not is_unmanaged(one))
    if name not in managed:
        raise ResourceFailure(
            "Rule sorting error. Make sure that the title of your rule does not start with "
            "9000-9999, as this range is reserved."
        )
    return managed.index(name) + 1 + unmanaged


def predecessor(name: str, rules: Sequence[str]) -> str:
    """Return the rule before a new one in the order of names; the first of the chain if it has none."""
    ordered = sorted(set(rules))
    place = ordered.index(name)
    return ordered[place - 1] if place else rules[0]


def is_unmanaged(name: str) -> bool:
    """Return whether a name stands for a rule without one."""
    return UNMANAGED.match(name) is not None


def current_name(name: str, names: Collection[str]) -> str:
    """Return the name that a rule has now: the numbers of unmanaged rules change with others.

    >>> current_name("9003 docker", ["10 a", "9002 docker"])
    '9002 docker'
    """
    if name in names or not is_unmanaged(name):
        return name
    rest = name.partition(" ")[2]
    same = (one for one in names if is_unmanaged(one) and one.partition(" ")[2] == rest)
    return next(same, name)


# -- changing --------------------------------------------------------------------------------------


class Tables:
    """The tables of both protocols during a run."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.host = run.host
        self.read: dict[str, tuple[int, Saved]] = {}
        """Protocol → the number of changes at which the tables were read, and what they were."""
        self.unsaved: dict[tuple[str, bool], None] = {}
        """Protocols whose rules are to be saved, each with the age of the module."""
        self.marked: dict[tuple[str, bool], None] = {}
        """Those of them that are written down."""
        self.save_failed = False
        """Whether rules could not be saved in this run."""
        self.persistent: str | None = None
        """The version of Debian's package that saves rules, once it is known."""

    @classmethod
    def of(cls, run: Run) -> Tables:
        """Return the tables of a run, one object for all types."""
        key = (cls, "tables")
        if key not in run.shared:
            run.shared[key] = cls(run)
        found: Tables = run.shared[key]
        return found

    def saved(self, protocol: str) -> Saved:
        """Return the chains and rules of a protocol; they are read again after changes."""
        stamp, found = self.read.get(protocol, (-1, None))
        if found is None or stamp != self.run.changes:
            done = self.finished([f"{PROGRAMS[protocol]}-save"])
            found = saved(done.output, protocol)
            self.read[protocol] = self.run.changes, found
        return found

    def read_before(self, protocol: str) -> Saved:
        """Return what was read for the resource that is changed now; only its own changes came since."""
        found = self.read.get(protocol)
        return self.saved(protocol) if found is None else found[1]

    def change(self, protocol: str, words: Iterable[str]) -> None:
        """Change the tables with ``iptables`` or ``ip6tables``.

        Tables of the other protocol that were read for the same resource stay as they are.
        """
        begin, _found = self.read.get(protocol, (None, None))
        self.read = {
            other: (self.run.changes, found)
            for other, (stamp, found) in self.read.items()
            if other != protocol and stamp == begin
        }
        self.finished([PROGRAMS[protocol], *words])

    def finished(self, words: Sequence[str]) -> Finished:
        """Run a program; raise ResourceFailure if it fails."""
        done = self.attempt(words)
        if done.code != 0:
            reason = (done.output + done.errors).strip()
            text = f"Execution of '{shown_words(tuple(words))}' returned {done.code}: {reason}"
            raise ResourceFailure(text)
        return done

    def attempt(self, words: Sequence[str]) -> Finished:
        """Run a program and return what it printed, warnings apart."""
        self.run.log("debug", f"Executing: '{shown_words(tuple(words))}'")
        try:
            return self.host.execute(Command(tuple(words), environment={**WITHOUT_USER, **ENGLISH}))
        except OSError as error:
            return Finished(1, "", f"{words[0]}: {error.strerror}")

    # -- persistence -------------------------------------------------------------------------------

    @property
    def mark(self) -> str:
        """The path of the file that names the protocols with unsaved rules."""
        return posixpath.join(str(self.run.settings["statedir"]), "unsaved_firewall_rules")

    def persist(self, protocol: str, *, old: bool) -> None:
        """Save the rules for the next start of the machine, once for successive resources.

        ``old`` selects the commands of puppetlabs-firewall before version 7. After a failure, rules are
        saved after each change, as in the module.
        """
        self.unsaved[protocol, old] = None
        if self.save_failed or not self.mark_unsaved():
            self.save()
        else:
            self.run.postponed["firewall rules"] = self.save

    def mark_unsaved(self) -> bool:
        """Write down what is to be saved in case the run is killed before; return whether that worked."""
        if self.marked != self.unsaved:
            lines = [f"{protocol} {int(old)}\n".encode() for protocol, old in self.unsaved]
            try:
                self.host.replace_file(self.mark, lines, mode=0o600)
            except OSError:
                return False
            self.marked = dict(self.unsaved)
        return True

    def save_left(self) -> None:
        """Save the rules of an earlier run that was killed before it saved them."""
        if self.run.settings["noop"] or not self.host.is_file(self.mark):
            return
        for line in self.host.read(self.mark).decode().splitlines():
            protocol, _, old = line.partition(" ")
            self.unsaved[protocol, old == "1"] = None
        self.marked = dict(self.unsaved)
        self.run.postponed["firewall rules"] = self.save

    def save(self) -> None:
        """Save the rules of the protocols that changed; a failure is a warning."""
        commands = [save_command(self.host, name, self, old=old) for name, old in self.unsaved]
        for words in dict.fromkeys(commands):
            self.save_with(words)
        self.unsaved.clear()
        if self.marked:
            self.host.remove_file(self.mark)
            self.marked.clear()

    def save_with(self, words: tuple[str, ...] | None) -> None:
        """Save the rules with a command, if the system has one."""
        if words is None:
            self.run.log("debug", "firewall: Rule persistence is not supported for this type/OS")
            return
        try:
            self.finished(words)
        except ResourceFailure as error:
            self.save_failed = True
            self.run.log("warning", f"Unable to persist firewall rules: {error}")

    def persistence_version(self) -> str | None:
        """Return the version of Debian's package that saves rules, None without it."""
        if self.persistent is None:
            done = self.attempt(["dpkg-query", "-Wf", "${Version}", "netfilter-persistent"])
            self.persistent = done.output if re.search(r"\d+\.\d+", done.output) else None
        return self.persistent


class FilterProvider(Provider):
    """A provider of the tables; successive resources save the rules once."""

    is_independent = True

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.tables = Tables.of(run)

    def suitable(self) -> bool:
        """Return True; the programs may be installed during the run."""
        return True

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Leave the reading to the first resource, whose failure a problem is."""
        self.tables.save_left()


class TablesProvider(FilterProvider):
    """A provider that changes the tables when all changes of a resource are known."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.before: dict[str, State] = {}
        """Name → the state before the changes of a resource."""

    def get(self, resource: ManagedResource, name: str) -> Value:
        """Return the state of a property, None if the resource does not have it."""
        return self.state(resource).get(name)

    def create(self, resource: ManagedResource) -> None:
        """Leave the change to :meth:`flush`."""

    def destroy(self, resource: ManagedResource) -> None:
        """Leave the change to :meth:`flush`."""

    def set(self, resource: ManagedResource, name: str, value: Value) -> None:
        """Leave the change to :meth:`flush`."""


def save_command(host: Host, protocol: str, tables: Tables, *, old: bool) -> tuple[str, ...] | None:
    """Return the command that saves the rules on this system; None if no system of its kind has one."""
    found = families(host)
    program = PROGRAMS[protocol]
    if found & RED_HAT:
        if old and not has_save_script(host, found):
            return ("/sbin/service", program, "save")
        return (f"/usr/libexec/iptables/{program}.init", "save")
    if "debian" in found:
        return debian_command(protocol, tables.persistence_version(), old=old)
    if "arch" in found:
        return saved_to(program, f"/etc/iptables/{program}.rules")
    if found & SUSE and not (old and protocol == "IPv6"):
        return saved_to(program, f"/etc/sysconfig/{program}")
    return None


def has_save_script(host: Host, found: frozenset[str]) -> bool:
    """Return whether a system of Red Hat's family is recent enough to have a script for saving."""
    if "amzn" in found:
        return False
    match = RELEASE.search(host.read("/etc/os-release").decode("utf-8", "replace"))
    return match is None or int(match[1]) >= FIRST_RELEASE_WITH_SCRIPTS


def debian_command(protocol: str, version: str | None, *, old: bool) -> tuple[str, ...] | None:
    """Return Debian's command, which depends on the version of netfilter-persistent."""
    if old and version is not None and release(version) < (0, 5):
        return saved_to("/sbin/iptables", "/etc/iptables/rules") if protocol == "IPv4" else None
    recent = version is not None and release(version) > (1, 0)
    return ("/usr/sbin/service", f"{'netfilter' if recent else 'iptables'}-persistent", "save")


def release(version: str) -> tuple[int, ...]:
    """Return the numbers of a version, without those of Debian's revision.

    >>> release("1.0.20-1")
    (1, 0, 20)
    """
    return tuple(map(int, re.findall(r"\d+", version.partition("-")[0])))


def saved_to(program: str, path: str) -> tuple[str, ...]:
    """Return the command that writes the rules to a file."""
    program = program if program.startswith("/") else f"/usr/sbin/{program}"
    return ("/bin/sh", "-c", f"{program}-save > {path}")
