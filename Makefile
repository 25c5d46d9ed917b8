# The commands of this project; `make check` is what the README and .ci/run call.

VENV   ?= .venv
PYTHON ?= python3
BIN    := $(VENV)/bin

.PHONY: check format lint types test test-without-packages bench counts reference puppetserver-tests apply-tests apply-faults server-faults fuzz fuzz-readers fuzz-sweeps fuzz-editor hostile-archives reuse-edits server-fronts rows from-clone kills deploy-kills deploy-large deploy-fleet facts-corpus type-use seeded renames vscode explained pages consoles docs clean

# All that must hold before a change is done; one failure does not hide the others.
check: $(BIN)/pytest
	$(MAKE) --no-print-directory --keep-going format lint types test

# The environment, made once and again when the dependencies change.
$(BIN)/pytest: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

format: $(BIN)/pytest
	$(BIN)/ruff format --check .

lint: $(BIN)/pytest
	$(BIN)/ruff check .

types: $(BIN)/pytest
	$(BIN)/mypy

test: $(BIN)/pytest
	$(BIN)/python -m pytest -n auto

# The suite without the packages that a new version of Python may lack; tests that read Ruby code are skipped.
WITHOUT := .venv-without-packages
test-without-packages:
	test -x $(WITHOUT)/bin/python || $(PYTHON) -m venv $(WITHOUT)
	$(WITHOUT)/bin/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	$(WITHOUT)/bin/pip uninstall --quiet --yes orjson tree-sitter tree-sitter-ruby
	$(WITHOUT)/bin/python -m pytest -n auto -rs $(TESTS)

# Damaged inputs of every kind for FUZZ_SECONDS, new ones each time; exit 1 when one is a find.
FUZZ_SECONDS ?= 600
fuzz: $(BIN)/pytest
	$(BIN)/python tests/fuzz/fuzz_everything.py --seconds $(FUZZ_SECONDS) --jobs $$(nproc) $(FUZZ_OPTIONS)

# The same for each reader with atheris, which steers inputs by the code they reach: pip install -e '.[fuzz]'.
fuzz-readers: $(BIN)/pytest
	set -e; for target in $$($(BIN)/python tests/fuzz/fuzz_readers.py list); do \
	    $(BIN)/python tests/fuzz/fuzz_readers.py $$target -dict=tests/fuzz/puppet.dict -max_total_time=$(FUZZ_SECONDS); \
	done

# Timings beside real Puppet where it is installed; writes docs/performance.md and benchmarks/results/, unless
# other programs are running: BENCH_OPTIONS=--busy writes all the same.
bench: $(BIN)/pytest
	$(BIN)/python benchmarks/run.py --write $(BENCH_OPTIONS)
	$(BIN)/python benchmarks/lint.py --write $(filter --busy,$(BENCH_OPTIONS))

# The places that `bunraku explain` names for 300 parameters: changing what stands there changes the value. EXPLAINED_SITES
# are directories of control repositories to try beside Debian's modules.
explained: $(BIN)/pytest
	EXPLAINED_PARAMETERS=$${EXPLAINED_PARAMETERS:-300} $(BIN)/python -m pytest -q -s tests/workbench/origins/test_changed_places.py

# Accepts the instructions that hot paths execute (tests/test_benchmarks.py compares them); for the Python of the record.
counts: $(BIN)/pytest
	$(BIN)/python benchmarks/counts.py --write

# The classes of Debian's Puppet modules beside what real Puppet made of them; installs the modules.
reference: $(BIN)/pytest
	dpkg -s $$(grep -v '^#' tests/debian-packages.txt) ruby >/dev/null 2>&1 || \
	apt-get install --yes --no-install-recommends ruby $$(grep -v '^#' tests/debian-packages.txt)
	$(BIN)/python -m pytest -n auto -rs tests/test_debian_classes.py

# Whole runs of bunraku apply in fresh Debian roots, beside what real Puppet did (tests/apply/README.md).
# Needs root; makes the base root on first use (two minutes, 400 MB in /var/cache/bunraku-rig). .ci/run
# runs one of ten cases by setting APPLY_TESTS=sample for make check.
apply-tests: $(BIN)/pytest
	APPLY_TESTS=1 $(BIN)/python -m pytest -n auto -rs tests/apply/test_cases.py tests/apply/test_faults.py

# A life of the agent on Debian's puppetserver, with bunraku's PuppetDB behind its terminus.
puppetserver-tests: $(BIN)/pytest
	PUPPETSERVER_TESTS=1 $(BIN)/python -m pytest -q -rs -p no:xdist tests/agent/test_puppetserver.py

# Breaks runs of apply on purpose: kills, full disks, odd names …; writes the table of docs/apply-faults.md.
apply-faults: $(BIN)/pytest
	$(BIN)/python tests/apply/faults.py --kills $(or $(COUNT),200) --write docs/apply-faults.md

# Breaks a server on purpose for an hour: kills, full disks, clocks, connections; writes docs/server-faults.md.
server-faults: $(BIN)/pytest
	PYTHONPATH=src:tests unshare -m $(BIN)/python tests/server/faults.py --kills $(or $(COUNT),200) --full-disk --clock \
	    --half-open 20 --connections 10000 --hostile 1800 --write docs/server-faults.md

# The tests of the server as a process, with several front processes.
server-fronts: $(BIN)/pytest
	BUNRAKU_FRONTS=$(or $(COUNT),2) $(BIN)/python -m pytest -q tests/cli/test_server.py tests/server/test_fronts.py

# How the costs of documents and queries in PuppetDB grow, on SQLite and PostgreSQL; fails where one grows by more than 10 %.
rows: $(BIN)/pytest
	$(BIN)/python benchmarks/puppetdb_rows.py --unit $(or $(UNIT),1250)

# Catalogs that a server reuses beside compiles, after COUNT random edits; the server or its compile processes are killed during some.
reuse-edits: $(BIN)/pytest
	BUNRAKU_SERVER_EDITS=$(or $(COUNT),5000) BUNRAKU_SERVER_KILLS=0.05 BUNRAKU_EDITS_SEED=$(or $(SEED),17) \
	    $(BIN)/python -m pytest -q -s -p no:xdist tests/server/test_reused_catalogs.py -k each_answer
	BUNRAKU_TIMED_PROGRAMS=$(or $(COUNT),5000) $(BIN)/python -m pytest -q -p no:xdist tests/engine/test_timed_values.py

# Trees after random edits beside those of the whole texts; then random edits, saves, deletions and requests to the language server, for half an hour.
fuzz-editor: $(BIN)/pytest
	$(BIN)/python tests/support/edited_manifests.py 120
	$(BIN)/python tests/support/editor_fuzz.py 1800

# Every attribute of every resource type with every kind of value or secret, and every file that commands read
# in every damaged form; SWEEPS names some of them.
fuzz-sweeps: $(BIN)/pytest
	$(BIN)/python tests/fuzz/fuzz_sweeps.py $(SWEEPS)

# Archives of modules that try to leave their directory, to fill the disk or to confuse.
hostile-archives: $(BIN)/pytest
	$(BIN)/python tests/rigs/deployment/hostile_archives.py --count $(or $(COUNT),2000)

# From git clone to a green ci in two commands: public control repositories in MIRROR (OWNER+NAME/repo), by REPOSITORIES.
from-clone: $(BIN)/pytest
	$(BIN)/python tests/rigs/deployment/from_clone.py $(MIRROR) $(REPOSITORIES)

# Ends deployments at random moments, and compares the environments with both states.
deploy-kills: $(BIN)/pytest
	PYTHONPATH=tests $(BIN)/python tests/rigs/deployment/kills.py --count $(or $(COUNT),200)

# A deployment of 100,000 files.
deploy-large: $(BIN)/pytest
	LARGE_DEPLOYMENTS=1 $(BIN)/python -m pytest tests/deployment/test_faults.py -k hundred_thousand

# Custom facts of the modules in FOLDERS beside Facter's, on prepared machines (SYSTEMS=debian,redhat; default: all). Needs root.
facts-corpus: $(BIN)/pytest
	mkdir -p build/facts
	sh tests/record/isolated.sh build/facts $(abspath $(BIN))/python tests/record/modules_facts.py $(FOLDERS) \
	    --group 10 --systems $(or $(SYSTEMS),all) --record build/facts/figures.json

# Plans of deployments for many nodes, and the catalogs after the deployments.
deploy-fleet: $(BIN)/pytest
	PYTHONPATH=tests $(BIN)/python tests/rigs/deployment/fleet.py --count $(or $(COUNT),1000)

# Counts the resource types in catalogs (CATALOGS=FOLDER FACTS=FOLDER MODULES='FOLDER…'), for docs/resource-types.md.
type-use: $(BIN)/pytest
	$(BIN)/python tests/record/count_types.py $(CATALOGS) $(FACTS) $(addprefix --modules ,$(MODULES))
	$(BIN)/python tests/tools/write_docs.py

# All seeded mistakes and harmless changes of a repository of 30 nodes (tests/rigs/seeded).
seeded: $(BIN)/pytest
	SEEDED_ALL=1 $(BIN)/python -m pytest -q -n auto tests/cli/test_ci_seeded.py

# Ends commands and their children at random moments, and looks at what stays behind.
kills: $(BIN)/pytest
	PYTHONPATH=tests $(BIN)/python tests/fuzz/kills.py --count $(or $(COUNT),300)

# The generated modules and pages of docs/, from the code and the cases of the tests.
pages: $(BIN)/pytest
	$(BIN)/python tests/tools/write_indexes.py
	$(BIN)/python tests/tools/write_options.py
	$(BIN)/python tests/tools/write_docs.py

# The output of the commands on the pages, from real runs.
consoles: $(BIN)/pytest
	$(BIN)/python -m pytest -q --update tests/test_docs_console.py tests/administration/test_day.py

# Renames random names in copies of modules (MODULES=directories; those that Debian installs), and compares the catalogs before and after.
renames: $(BIN)/pytest
	$(BIN)/python tests/rigs/editor/renames.py $(or $(MODULES),$(patsubst %/manifests,%,$(wildcard /usr/share/puppet/modules/*/manifests))) --count $(or $(COUNT),200)

# The extension for Visual Studio Code, in editors/vscode/bunraku.vsix.
vscode:
	cd editors/vscode && npm ci && npm test && npm run package

# The site of the documentation, in docs/_build/html; a warning is an error.
docs: $(BIN)/pytest
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html

.PHONY: packages image packages-test units-test administrator-day

# Wheel, sdist, single file, Debian package and rpm (where rpmbuild is installed) of the last commit, in dist/.
packages: $(BIN)/pytest
	$(BIN)/python packaging/build.py $(KINDS)

# The images for containers; needs root and mmdebstrap.
image: $(BIN)/pytest
	$(BIN)/python packaging/build.py image

# Each package of dist/ in fresh roots: installed, used, upgraded, removed. Needs root and mmdebstrap; TRIALS names some.
# OLDER is the Debian package to upgrade from; else it is that of dist/ with an older version.
packages-test: $(BIN)/pytest
	$(BIN)/python tests/rigs/packages/trial.py $(TRIALS) $(if $(OLDER),--older $(OLDER))

# The units of the Debian package of dist/ under a systemd of its own, with a site, its backup and its restore. Needs root.
units-test: $(BIN)/pytest
	PYTHONPATH=tests $(BIN)/python -m rigs.packages.boot

# The page "Run a site" as a day of an administrator: ten nodes, the Debian package of dist/, systemd. Needs root.
administrator-day: $(BIN)/pytest
	PYTHONPATH=tests $(BIN)/python -m rigs.packages.administrator_day $(if $(OLDER),--older $(OLDER))

clean:
	rm -rf build dist docs/_build .mypy_cache .ruff_cache .pytest_cache .hypothesis
