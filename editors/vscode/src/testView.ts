/** The tests of a module or control repository in the test view, with coverage. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import * as vscode from 'vscode';
import { Context } from './context';
import { hitsIn } from './lcov';
import { TestOutcome, collectedTests, outcomesIn } from './testReport';

export class TestView {
  private readonly controller = vscode.tests.createTestController('bunraku', 'Puppet');
  private readonly details = new WeakMap<vscode.FileCoverage, vscode.FileCoverageDetail[]>();

  constructor(private readonly context: Context) {}

  register(): vscode.Disposable[] {
    const { controller } = this;
    controller.refreshHandler = () => this.context.shown(() => this.collect());
    controller.resolveHandler = (item) => (item === undefined ? this.context.shown(() => this.collect()) : undefined);
    controller.createRunProfile('Run', vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token, false), true);
    const coverage = controller.createRunProfile('Coverage', vscode.TestRunProfileKind.Coverage, (request, token) =>
      this.run(request, token, true),
    );
    coverage.loadDetailedCoverage = async (_run, file) => this.details.get(file) ?? [];
    return [controller];
  }

  private async collect(): Promise<void> {
    const folder = this.context.folder();
    if (folder === undefined) {
      return;
    }
    const outcome = await this.context.run(['test', '--', '--collect-only', '-q'], undefined, folder);
    const files = new Map<string, vscode.TestItem>();
    for (const id of collectedTests(outcome.output)) {
      const [path = id, ...names] = id.split('::');
      const uri = vscode.Uri.joinPath(folder.uri, path);
      const file = files.get(path) ?? this.controller.createTestItem(path, path, uri);
      files.set(path, file);
      file.children.add(this.controller.createTestItem(id, names.join(' '), uri));
    }
    this.controller.items.replace([...files.values()]);
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken, coverage: boolean): Promise<void> {
    const run = this.controller.createTestRun(request);
    const scratch = await mkdtemp(join(tmpdir(), 'bunraku-'));
    try {
      const chosen = request.include ?? all(this.controller.items);
      const tests = new Map(chosen.flatMap(leaves).map((item) => [item.id, item]));
      request.exclude?.flatMap(leaves).forEach((item) => tests.delete(item.id));
      tests.forEach((item) => run.started(item));
      const report = join(scratch, 'report.xml');
      const lcov = join(scratch, 'lcov.info');
      const words = ['test', '--junitxml', report, ...tests.keys(), '--', '-o', 'junit_family=xunit1'];
      const outcome = await this.context.run(coverage ? ['cover', '--report', `lcov=${lcov}`, '--', ...words] : words, token);
      run.appendOutput((outcome.output + outcome.errors).replace(/\r?\n/g, '\r\n'));
      const outcomes = new Map(outcomesIn(await readFile(report, 'utf8')).map((one) => [one.id, one]));
      tests.forEach((item, id) => show(run, item, outcomes.get(id)));
      if (coverage) {
        await this.addCoverage(run, lcov);
      }
    } catch (error) {
      run.appendOutput(`${error instanceof Error ? error.message : String(error)}\r\n`);
    } finally {
      run.end();
      await rm(scratch, { recursive: true, force: true });
    }
  }

  private async addCoverage(run: vscode.TestRun, path: string): Promise<void> {
    const folder = this.context.folder();
    for (const file of hitsIn(await readFile(path, 'utf8'))) {
      const branches = (line: number) => file.branches.filter((one) => one.line === line);
      const details = file.lines.map(
        ([line, hits]) =>
          new vscode.StatementCoverage(
            hits,
            new vscode.Position(line - 1, 0),
            branches(line).map((one) => new vscode.BranchCoverage(one.hits, new vscode.Position(line - 1, 0), one.name)),
          ),
      );
      const uri = isAbsolute(file.path) || folder === undefined ? vscode.Uri.file(file.path) : vscode.Uri.joinPath(folder.uri, file.path);
      const covered = vscode.FileCoverage.fromDetails(uri, details);
      this.details.set(covered, details);
      run.addCoverage(covered);
    }
  }
}

function all(items: vscode.TestItemCollection): vscode.TestItem[] {
  return [...items].map(([, item]) => item);
}

function leaves(item: vscode.TestItem): vscode.TestItem[] {
  return item.children.size === 0 ? [item] : all(item.children).flatMap(leaves);
}

function show(run: vscode.TestRun, item: vscode.TestItem, outcome: TestOutcome | undefined): void {
  const duration = (outcome?.seconds ?? 0) * 1000;
  switch (outcome?.state) {
    case 'passed':
      return run.passed(item, duration);
    case 'failed':
      return run.failed(item, new vscode.TestMessage(outcome.message), duration);
    case 'errored':
      return run.errored(item, new vscode.TestMessage(outcome.message), duration);
    case 'skipped':
      return run.skipped(item);
    default:
      return run.errored(item, new vscode.TestMessage('The report has no result of this test. See the output of the run.'));
  }
}
