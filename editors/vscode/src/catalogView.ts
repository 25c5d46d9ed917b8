/** The view with the catalog of the chosen node, and the page with its graph. */

import * as vscode from 'vscode';
import { Resource, ResourceGroup, resourceGroups } from './catalog';
import { Context } from './context';
import { ChosenNode } from './node';

type Item = ResourceGroup | Resource | readonly [string, string];

export class CatalogView implements vscode.TreeDataProvider<Item> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private groups: ResourceGroup[] = [];

  constructor(
    private readonly context: Context,
    private readonly node: ChosenNode,
  ) {}

  register(): vscode.Disposable[] {
    return [
      this.changed,
      vscode.window.registerTreeDataProvider('bunraku.catalog', this),
      vscode.commands.registerCommand('bunraku.compileNode', () => this.context.shown(() => this.compile())),
      vscode.commands.registerCommand('bunraku.showGraph', () => this.context.shown(() => this.showGraph())),
      vscode.commands.registerCommand('bunraku.showDifference', () => this.context.shown(() => this.showDifference())),
      vscode.commands.registerCommand('bunraku.openResource', (one: Resource) => this.context.shown(() => this.open(one))),
    ];
  }

  getTreeItem(item: Item): vscode.TreeItem {
    if ('resources' in item) {
      const group = new vscode.TreeItem(item.type, vscode.TreeItemCollapsibleState.Collapsed);
      group.description = String(item.resources.length);
      return group;
    }
    if ('title' in item) {
      const resource = new vscode.TreeItem(item.title, vscode.TreeItemCollapsibleState.Collapsed);
      resource.description = item.exported ? 'exported' : '';
      resource.tooltip = item.file === undefined ? undefined : `${item.file}:${item.line}`;
      resource.command = { command: 'bunraku.openResource', title: 'Open', arguments: [item] };
      return resource;
    }
    const parameter = new vscode.TreeItem(item[0]);
    parameter.description = item[1];
    parameter.tooltip = item[1];
    return parameter;
  }

  getChildren(item?: Item): Item[] {
    if (item === undefined) {
      return this.groups;
    }
    return 'resources' in item ? [...item.resources] : 'title' in item ? [...item.parameters] : [];
  }

  private async compile(): Promise<void> {
    const text = await this.output('Compiling', ['compile', '--format', 'json', ...this.node.options()]);
    if (text !== undefined) {
      this.groups = resourceGroups(text);
      this.changed.fire();
    }
  }

  private async showGraph(): Promise<void> {
    const page = await this.output('Drawing', ['graph', '--format', 'html', ...this.node.options()]);
    if (page !== undefined) {
      this.page(`Graph of ${this.node.name ?? 'the manifest'}`, page);
    }
  }

  private async showDifference(): Promise<void> {
    const revision = await vscode.window.showInputBox({ prompt: 'Compare the working tree with this revision', value: 'HEAD' });
    if (revision === undefined) {
      return;
    }
    const nodes = this.node.name === undefined ? [] : ['--match', this.node.name];
    const page = await this.output('Comparing', ['diff', '--format', 'html', '--exit-zero', ...nodes, revision]);
    if (page !== undefined) {
      this.page(`Difference to ${revision}`, page);
    }
  }

  /** Returns the output of a command, or undefined if it was cancelled. Throws with its errors if it failed. */
  private output(title: string, words: readonly string[]): Thenable<string | undefined> {
    const progress = { location: vscode.ProgressLocation.Notification, title: `bunraku: ${title}…`, cancellable: true };
    return vscode.window.withProgress(progress, async (_progress, token) => {
      try {
        const outcome = await this.context.run(words, token);
        if (outcome.code !== 0) {
          throw new Error(outcome.errors.trim() || outcome.output.trim());
        }
        return outcome.output;
      } catch (error) {
        if (token.isCancellationRequested) {
          return undefined;
        }
        throw error;
      }
    });
  }

  private page(title: string, html: string): void {
    const panel = vscode.window.createWebviewPanel('bunraku.page', title, vscode.ViewColumn.Beside, { enableScripts: true });
    panel.webview.html = html;
  }

  private async open(resource: Resource): Promise<void> {
    const folder = this.context.folder();
    if (resource.file === undefined || folder === undefined) {
      return;
    }
    const path = resource.file.startsWith('/') ? vscode.Uri.file(resource.file) : vscode.Uri.joinPath(folder.uri, resource.file);
    const position = new vscode.Position(Math.max(0, (resource.line ?? 1) - 1), 0);
    await vscode.window.showTextDocument(path, { selection: new vscode.Range(position, position) });
  }
}
