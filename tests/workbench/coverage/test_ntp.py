"""Coverage of Debian's ntp module from three compiles equals an expectation made by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from bunraku.engine.request import Request
from bunraku.workbench.coverage.project import CountedFiles, coverage_of

from .support import outcome, records

MODULES = Path("/usr/share/puppet/modules")
pytestmark = pytest.mark.skipif(
    not (MODULES / "ntp" / "metadata.json").exists(),
    reason="puppet-module-puppetlabs-ntp is absent",
)
DEFAULTS = "include ntp"
KEYS = """class { 'ntp':
  keys_enable       => true,
  keys              => ['1 M secret-of-the-test'],
  config_dir        => '/etc/ntp.d',
  logfile           => '/var/log/ntp.log',
  disable_dhclient  => true,
  service_manage    => false,
  step_tickers_file => '/etc/ntp/step-tickers',
  step_tickers_epp  => 'ntp/step-tickers.epp',
}"""
SERVERS = """class { 'ntp':
  package_manage    => false,
  preferred_servers => ['0.debian.pool.ntp.org'],
  noselect_servers  => ['1.debian.pool.ntp.org'],
  statistics        => ['loopstats'],
  tos               => true,
}"""
RAN, MISSED = ("ran", ""), ("missed", "")
EXPECTED = {
    "manifests/init.pp": {
        **dict.fromkeys((209, 273, 274, 275, 277, 278, 281, 282, 283, 285), RAN),
    },
    "manifests/install.pp": dict.fromkeys((6, 8, 10), RAN),
    "manifests/service.pp": dict.fromkeys((6, 8, 9), RAN),
    "manifests/config.pp": {
        **dict.fromkeys((6, 16, 19, 20, 30, 48, 51, 62, 68, 73, 82, 83, 91, 92, 97, 102), RAN),
        **dict.fromkeys((11, 18, 42, 44, 46, 64, 66, 70), MISSED),
        9: ("ran", "if true"),
        17: ("ran", "case '/', '/etc', undef"),
        41: ("ran", "if true"),
        43: ("ran", "elsif true"),
        45: ("ran", "elsif true"),
        63: ("ran", "if true"),
        65: ("ran", "elsif true"),
        67: ("ran", "elsif false"),
    },
    "templates/keys.epp": dict.fromkeys((1, 3, 4), RAN),
    "templates/step-tickers.epp": {
        **dict.fromkeys((1, 3, 7), RAN),
        4: ("ran", "if true"),
        5: MISSED,
        6: ("ran", "elsif false"),
    },
    "templates/ntp.conf.epp": {
        **dict.fromkeys((1, 2, 3, 4, 5, 6, 7), RAN),
        8: ("ran", "if false; if true"),
        11: ("ran", "if false"),
        **dict.fromkeys((12, 15, 16, 17, 18, 19, 20), RAN),
        **dict.fromkeys((24, 27, 30), ("ran", "if true")),
        **dict.fromkeys((25, 28, 31), MISSED),
        34: ("ran", "unless true"),
        **dict.fromkeys((36, 37, 38, 39), RAN),
        43: ("ran", "unless false"),
        **dict.fromkeys((44, 46, 47, 48, 50, 51, 54, 55), MISSED),
        59: ("ran", "if true"),
        60: MISSED,
        **dict.fromkeys((*range(63, 71),), RAN),
        71: ("ran", "if false; if true; if true"),
        74: ("ran", "if true"),
        **dict.fromkeys((76, 77, 78, 79, 80), MISSED),
        **dict.fromkeys((83, 84, 86, 88, 89), RAN),
        92: ("ran", "if true"),
        **dict.fromkeys((94, 95), MISSED),
        98: ("ran", "unless false"),
        **dict.fromkeys((100, 101, 102, 104, 105, 106), MISSED),
        109: ("ran", "unless false"),
        **dict.fromkeys((111, 112, 113), MISSED),
        **dict.fromkeys((117, 118, 123, 126), RAN),
        119: ("ran", "unless false"),
        120: MISSED,
        122: ("ran", "if false"),
        125: ("ran", "if false"),
        129: ("ran", "lambda run"),
        130: MISSED,
        133: ("ran", "if true"),
        **dict.fromkeys((135, 136), MISSED),
        139: RAN,
        140: ("ran", "; ".join(["if false"] * 6)),
        143: ("ran", "if true"),
        144: MISSED,
        147: ("ran", "if true"),
        149: MISSED,
    },
}


def request(code: str, number: int) -> Request:
    facts = {
        "os": {"family": "Debian", "name": "Debian", "release": {"full": "12", "major": "12"}},
        "osfamily": "Debian",
        "operatingsystem": "Debian",
        "operatingsystemmajrelease": "12",
        "is_virtual": number == 2,
    }
    return Request(code, node=f"web{number}", facts=facts, modulepath=[str(MODULES)])


@pytest.fixture
def scope():
    return CountedFiles(str(MODULES / "ntp"))


@pytest.fixture
def data(scope, tmp_path, monkeypatch):
    requests = [request(code, at) for at, code in enumerate((DEFAULTS, KEYS, SERVERS), 1)]
    return records(tmp_path / "records", scope, monkeypatch, requests)


@pytest.fixture
def coverage(data, scope):
    return coverage_of(data, scope)


@pytest.mark.parametrize("name", EXPECTED)
def test_lines_and_branches(coverage, name):
    (file,) = [one for one in coverage.files if one.path == name]
    assert outcome(file) == EXPECTED[name]


def test_all_files_with_code_are_expected(coverage):
    assert {one.path for one in coverage.files if one.lines} == EXPECTED.keys()


def test_runs_of_lines(coverage):
    (config,) = [one for one in coverage.files if one.path == "manifests/config.pp"]
    assert config.runs_of_line(20) == ["web2"]
    assert config.runs_of_line(24) == ["web2"]  # a line of the same statement
    assert config.runs_of_line(51) == ["web1", "web2", "web3"]
    assert config.runs_of_line(11) == []
    assert config.runs_of_line(1) is None


def test_records_have_no_values(data, tmp_path):
    files = list((tmp_path / "records").iterdir())
    assert len(files) == 2
    for file in files:
        assert "secret-of-the-test" not in file.read_text()
        assert "Debian" not in file.read_text()
