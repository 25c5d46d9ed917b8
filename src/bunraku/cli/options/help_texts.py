"""Examples and exit codes for the help of each command; imported only when help is printed."""

from __future__ import annotations

EXAMPLES = {
    "apply": """\
  bunraku apply site.pp --noop --show-diff
  bunraku apply -e 'include ntp' --modulepath modules
  bunraku apply --catalog web1.json --detailed-exitcodes
""",
    "deploy": """\
  bunraku deploy environment                                       all, with their modules
  bunraku deploy environment production --plan --facts-from http://puppetdb:8080
  bunraku deploy module ntp
  bunraku deploy rollback production
""",
    "plan": """\
  bunraku plan site.pp
  bunraku plan -e 'include ntp' --modulepath modules --format json
  bunraku plan site.pp --out today.plan && bunraku apply today.plan
""",
    "agent": """\
  bunraku agent --test --server puppet.example.com
  bunraku agent --test --noop --environment testing
  bunraku agent --no-daemonize --runinterval 30m                   as a systemd service
  bunraku agent --disable 'database migration'
""",
    "ssl": """\
  bunraku ssl bootstrap --server puppet.example.com --waitforcert 10s
  bunraku ssl verify
  bunraku ssl clean --localca
""",
    "resource": """\
  bunraku resource user
  bunraku resource package openssl --format yaml
  bunraku resource service cron ensure=running enable=true --noop
""",
    "report": """\
  bunraku report
  bunraku report /var/lib/puppet/state/last_run_report.yaml
""",
    "compile": """\
  bunraku compile --node web1.example.com --facts web1.yaml     in a control repository
  bunraku compile -e 'include ntp' --format text                in a module
  bunraku compile site.pp --modulepath site:modules --facts web1.yaml
  bunraku compile --nodes --facts-folder facts --output-folder catalogs
""",
    "validate": """\
  bunraku validate                                              the project in this directory
  bunraku validate manifests data/common.yaml hiera.yaml
  bunraku validate --exclude 'legacy/**' --format sarif
""",
    "check": """\
  bunraku check                                                 the project in this directory
  bunraku check manifests --modulepath modules --fail-on-warnings
  bunraku check --ignore MODULE_NOT_INSTALLED --format codeclimate
""",
    "lint": """\
  bunraku lint manifests
  bunraku lint --fix --no-140chars-check manifests/init.pp
  bunraku lint --only-checks arrow_alignment,hard_tabs --format sarif
""",
    "lsp": """\
  bunraku lsp                                                   started by an editor
  bunraku lsp --tcp 7000                                        for an editor that connects to a port
""",
    "fmt": """\
  bunraku fmt                                                   the project in this directory
  bunraku fmt --check --diff manifests
  bunraku fmt --range 10-20 manifests/init.pp
  bunraku fmt - --stdin-filename manifests/init.pp < init.pp
""",
    "docs": """\
  bunraku docs                                                  write REFERENCE.md of the module here
  bunraku docs --check --fail-on-warnings                       in CI: is it current and complete?
  bunraku docs modules/ntp --format json --out -
  bunraku docs --format html --out public                       a site of a module or a control repository
""",
    "dump": """\
  bunraku dump site.pp
  bunraku dump --stage python -e 'notice("hello")'
""",
    "eval": """\
  bunraku eval '[1, 2].map |$x| { $x * 2 }'
  bunraku eval '$facts["os"]["family"]' --facts web1.yaml
""",
    "types": """\
  bunraku types Stdlib::Port --modulepath modules
  bunraku types 'Struct[{a => Integer}]' --format json
""",
    "functions": """\
  bunraku functions
  bunraku functions regsubst stdlib::ensure
  bunraku functions --explain loadyaml --modulepath modules
""",
    "new": """\
  bunraku new module acme-ntp
  bunraku new control-repository site
  bunraku new class ntp::pool                                   in a module or control repository
""",
    "build": """\
  bunraku build
  bunraku build modules/ntp --out dist
""",
    "doctor": """\
  bunraku doctor
  bunraku doctor --puppetdb https://puppetdb.example.com:8081 --format json
  bunraku doctor --confdir /srv/puppet --only certificate-expired --only crl-expired
""",
    "site": """\
  bunraku site init /srv/puppet --certname puppet.example.com
  bunraku site backup puppet.tar.gz --site /srv/puppet
  bunraku site restore puppet.tar.gz /srv/puppet
""",
    "explain": """\
  bunraku explain 'File[/etc/motd]'                             on all nodes with facts
  bunraku explain 'File[/etc/motd]' content --node web1.example.com
  bunraku explain profile::web::port
""",
    "repl": """\
  bunraku repl                                                  in a project, or anywhere
  bunraku repl --node web1.example.com
  bunraku repl --facts facts/web1.yaml < session.pp
""",
    "debug": """\
  bunraku debug manifests/site.pp --node web1.example.com       in the terminal
  bunraku debug                                                 an editor's debug adapter, on standard streams
  bunraku debug --listen 4711                                   the same on a TCP port
""",
    "server": """\
  bunraku server --environmentpath environments --autosign true
  bunraku server --listen 0.0.0.0:8140 --puppetdb https://puppetdb.example.com:8081
  bunraku server demo                                           a whole site, until Ctrl-C
  bunraku server unit > /etc/systemd/system/bunraku-server.service
  bunraku server explain web1.example.com                       why its last catalog was compiled
""",
    "facts": """\
  bunraku facts
  bunraku facts os.family networking.ip
  bunraku facts show os --format yaml
""",
    "lookup": """\
  bunraku lookup ntp::servers --node web1.example.com
  bunraku lookup ntp::servers --facts web1.yaml --explain
  bunraku lookup profile::users --merge deep --type 'Hash[String, Hash]'
""",
    "ci": """\
  bunraku ci                                                    the working tree with its base
  bunraku ci --os debian-12 --against puppet                    roles; compared with Puppet, too
  bunraku ci --base origin/production --report markdown=comment.md --report junit=report.xml
""",
    "diff": """\
  bunraku diff --facts-folder facts                             HEAD with the working tree
  bunraku diff origin/main HEAD --facts-folder facts --format markdown
  bunraku diff before.json after.json
""",
    "test": """\
  bunraku test                                                  in a module or control repository
  bunraku test spec/test_ntp.py -k debian -x
  bunraku test -n auto --junitxml report.xml
  bunraku cover -- test                                         with coverage
""",
    "cover": """\
  bunraku cover -- compile -e 'include ntp' --facts web1.yaml   in a module
  bunraku cover --fail-under 80 -- pytest -n 4
  bunraku cover --nodes                                         in a control repository
  bunraku cover lines profile/manifests/web.pp:12               the nodes or tests that run a line
  bunraku cover html --output coverage.html
""",
    "graph": """\
  bunraku graph web1.example.com --out web1.html
  bunraku graph web1.example.com --compare main --out changes.html
  bunraku graph -e 'include ntp' --kind includes --format mermaid
  bunraku graph --catalog web1.json --kind expanded_relationships --format dot
""",
    "affected": """\
  bunraku affected --facts-folder facts                         HEAD with the working tree
  bunraku affected origin/main...HEAD --facts-folder facts --format json
  bunraku affected --facts-folder facts --executor dask=tls://scheduler.example.org:8786
""",
    "migrate": """\
  bunraku migrate --facts-folder facts                          in a Puppet 3 tree
  bunraku migrate manifests --modulepath modules --facts web1.yaml --diff
  bunraku migrate manifests --modulepath modules --facts-folder facts --fix
  bunraku migrate --from 8 --to 9 --facts-folder facts          in a control repository
  bunraku migrate --facts-folder facts --executor dask=tls://scheduler.example.org:8786
""",
    "ca": """\
  bunraku ca setup --subject-alt-names puppet,puppet.example.com
  bunraku ca list
  bunraku ca sign --certname web01.example.com
  bunraku ca revoke --certname web01.example.com
""",
    "puppetdb": """\
  bunraku puppetdb --database site.db
  bunraku puppetdb demo --database demo.db
  bunraku puppetdb import puppetdb-export.tgz --database site.db
  bunraku puppetdb --database site.db --listen none --ssl-listen 0.0.0.0:8081 \\
      --ssl-cert host.pem --ssl-key host.key --ssl-ca-cert ca.pem
""",
    "query": """\
  bunraku query 'nodes[certname] { latest_report_status = "failed" }' --storedconfigs site.db
  bunraku query 'resources { type = "User" }' --storedconfigs http://localhost:8080 --format csv
  bunraku query '["from", "facts", ["=", "name", "kernel"]]' --storedconfigs site.db --format json
""",
    "puppet": """\
  bunraku puppet catalog compile web1.example.com --facts_terminus yaml --environmentpath environments
  bunraku puppet parser validate manifests/site.pp
  bunraku puppet --install ~/bin
""",
    "r10k": """\
  bunraku r10k deploy environment production -m
  bunraku r10k puppetfile install
  bunraku r10k --install ~/bin
""",
    "batch": """\
  bunraku batch --jobs 4 < requests.jsonl > answers.jsonl
""",
    "cache": """\
  bunraku cache show
  bunraku cache clear
""",
    "modules": """\
  bunraku modules install
  bunraku modules install puppetlabs/stdlib --force
  bunraku modules lock
  bunraku modules update apache
  bunraku modules add puppetlabs/ntp@11.0.0
""",
    "config": """\
  bunraku config
  bunraku config --modulepath modules --format json
""",
    "completion": """\
  bunraku completion fish > ~/.config/fish/completions/bunraku.fish
  eval "$(bunraku completion bash)"                             in ~/.bashrc; zsh likewise
""",
}
EXIT_CODES = {
    "plan": """\
  0    nothing would change; with --nodes: all nodes can be applied
  1    no plan can be made, or a resource would fail; with --nodes: a node cannot be applied
  2    something would change
  64   wrong usage, output that cannot be written, or an error in bunraku itself
""",
    "ci": """\
  0    the change may be merged: no errors, and it breaks no node
  1    a file has errors, the change breaks a node, or Puppet makes another catalog (--against); with
       --fail-on-… also for warnings or changes
  2    wrong usage, a report that cannot be written, a node that cannot be compiled on this machine,
       or an error in bunraku itself
""",
    "diff": """\
  0    the catalogs are the same
  1    the catalogs differ
  2    wrong usage, or a node does not compile
""",
    "test": """\
  0    all tests passed
  1    a test failed
  2    wrong usage, no tests, a file of tests that cannot be loaded, or an error of pytest or
       bunraku itself
  130  interrupted
""",
    "cover": """\
  0    the command succeeded, and the coverage is at least that of --fail-under and
       --fail-under-file
  1    the coverage is lower
  2    wrong usage, or records or reports that cannot be read or written
  N    the command failed with exit code N; 128 + N if signal N ended it
""",
    "lsp": """\
  0    the client ended the server with shutdown and exit
  1    the client is gone, or sent exit without shutdown
""",
    "doctor": """\
  0    all that is here was checked, and has no faults
  1    findings
  2    no findings, but not all could be checked; or wrong usage
""",
    "fmt": """\
  0    the files are formatted; with --check: they are as they should be
  1    a file has syntax errors; with --check: a file would change
  2    wrong usage, files that cannot be read or written, or an error in bunraku itself
""",
    "graph": """\
  0    the graph is drawn
  1    a node does not compile
  2    wrong usage, files that cannot be read or written, or an error in bunraku itself
""",
    "affected": """\
  0    the change reaches no node
  1    the change can reach some nodes
  2    wrong usage, or an error in bunraku itself
""",
    "apply": """\
  0    the run is complete; with --detailed-exitcodes: no changes, no failures
  1    nothing was applied: the compile failed, or a value is wrong; with --detailed-exitcodes
       also wrong usage
  2    wrong usage, or output that cannot be written; with --detailed-exitcodes: changes
  4    with --detailed-exitcodes: failures, no changes
  6    with --detailed-exitcodes: changes and failures
""",
    "agent": """\
  0    the run is complete; with --test or --detailed-exitcodes: no changes, no failures
  1    no catalog was applied: no certificate, no catalog, runs are disabled or in progress; with
       --test or --detailed-exitcodes also wrong usage
  2    wrong usage, or output that cannot be written; with --detailed-exitcodes: changes
  4    with --detailed-exitcodes: failures, no changes
  6    with --detailed-exitcodes: changes and failures
""",
    "ssl": """\
  0    the action is complete
  1    the certificate is missing, not signed or not valid, or the server refused the request
  2    wrong usage, or output that cannot be written
""",
    "resource": """\
  0    the resources are shown, whether or not a change failed
  1    the type is unknown or cannot be read; with --fail: the change failed
  2    wrong usage, or output that cannot be written
""",
    "migrate": """\
  0    nothing changes
  1    something changes
  2    wrong usage, or a node does not compile in the old language
""",
    "ca": """\
  0    the action is complete
  1    a name has no request or certificate, a request is refused, or the files cannot be used
  2    wrong usage, or an error in bunraku itself
  24   sign --all: nothing to sign; revoke and clean: there is a request alone; delete: a file is
       absent
""",
    "puppetdb": """\
  0    SIGINT or SIGTERM stopped the server, and the requests that had begun are complete;
       the export or the import is complete
  1    the database cannot be used; import: a command was refused
  2    wrong usage, an address or a file that cannot be used, or an error in bunraku itself
""",
    "server": """\
  0    SIGINT or SIGTERM stopped the server, and the requests that had begun are complete
  1    the database or a certificate cannot be used
  2    wrong usage, an address or a file that cannot be used, or an error in bunraku itself
""",
    "query": """\
  0    the query was answered, with or without rows
  1    the query is invalid, or takes too long
  2    wrong usage, or the database or the server cannot be asked
""",
    "cache": """\
  0    the cache was shown or cleared
  2    wrong usage, or the cache cannot be cleared
""",
    "lookup": """\
  0    a value was found
  1    no value was found, or the data has errors
  2    wrong usage, or an error in bunraku itself
""",
}
"""Exit codes of commands that differ from the others."""


def epilog(name: str, general: str) -> str:
    """Return the end of a command's help: examples and exit codes."""
    examples = EXAMPLES.get(name)
    codes = f"exit codes:\n{EXIT_CODES[name]}" if name in EXIT_CODES else general
    return f"examples:\n{examples}\n{codes}" if examples else codes
