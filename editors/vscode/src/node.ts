/** The node whose values are shown, and its entry in the status bar. */

import * as vscode from 'vscode';
import { Context } from './context';
import { Server } from './server';

export class ChosenNode {
  private readonly item = vscode.window.createStatusBarItem('bunraku.node', vscode.StatusBarAlignment.Right, 90);

  constructor(
    private readonly context: Context,
    private readonly server: Server,
  ) {}

  get name(): string | undefined {
    return this.context.setting<string>('node') || undefined;
  }

  /** Returns the options of a command that compiles for the node. */
  options(): string[] {
    return this.name === undefined ? [] : ['--node', this.name];
  }

  register(): vscode.Disposable[] {
    this.item.name = 'Node of bunraku';
    this.item.command = 'bunraku.chooseNode';
    this.show();
    return [
      this.item,
      vscode.commands.registerCommand('bunraku.chooseNode', () => this.context.shown(() => this.choose())),
      vscode.window.onDidChangeActiveTextEditor(() => this.show()),
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('bunraku.node') && this.show()),
    ];
  }

  private show(): void {
    this.item.text = `$(server) ${this.name ?? 'no node'}`;
    this.item.tooltip = 'Values of this node are shown by hover, hints and the catalog';
    this.item.show();
  }

  private async choose(): Promise<void> {
    const nodes = await this.server.nodes();
    const none = { label: 'no node', description: 'values are not shown' };
    const items = [none, ...nodes.map((one) => ({ label: one.name, description: one.source }))];
    const chosen = await vscode.window.showQuickPick(items, { placeHolder: 'Show the values of which node?', matchOnDescription: true });
    if (chosen !== undefined) {
      const folder = this.context.folder();
      const target = folder === undefined ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.WorkspaceFolder;
      const name = chosen === none ? undefined : chosen.label;
      await vscode.workspace.getConfiguration('bunraku', folder?.uri).update('node', name, target);
    }
  }
}
