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

  /** Returns the sample system whose facts the node has. */
  get system(): string | undefined {
    return this.context.setting<string>('system') || undefined;
  }

  /** Returns the options of a command that compiles for the node. */
  options(): string[] {
    const system = this.system === undefined ? [] : ['--os', this.system];
    return this.name === undefined ? system : ['--node', this.name, ...system];
  }

  register(): vscode.Disposable[] {
    this.item.name = 'Node of bunraku';
    this.item.command = 'bunraku.chooseNode';
    this.show();
    return [
      this.item,
      vscode.commands.registerCommand('bunraku.chooseNode', () => this.context.shown(() => this.choose())),
      vscode.window.onDidChangeActiveTextEditor(() => this.show()),
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('bunraku') && this.show()),
    ];
  }

  private show(): void {
    this.item.text = `$(server) ${this.name ?? this.system ?? 'no node'}`;
    this.item.tooltip = 'Values of this node are shown by hover, hints and the catalog';
    this.item.show();
  }

  private async choose(): Promise<void> {
    const { nodes, systems } = await this.server.nodes();
    const none = { label: 'no node', description: 'values are not shown', node: '', system: '' };
    const items = [
      none,
      ...nodes.map((one) => ({ label: one, description: 'node', node: one, system: '' })),
      ...systems.map((one) => ({ label: one, description: 'sample system', node: '', system: one })),
    ];
    const chosen = await vscode.window.showQuickPick(items, { placeHolder: 'Show the values of which node?', matchOnDescription: true });
    if (chosen !== undefined) {
      await this.use(chosen.node, chosen.system);
    }
  }

  /** Shows the values of a node, or of a sample system. */
  async use(node: string, system: string): Promise<void> {
    const folder = this.context.folder();
    const target = folder === undefined ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.WorkspaceFolder;
    const configuration = vscode.workspace.getConfiguration('bunraku', folder?.uri);
    await configuration.update('node', node || undefined, target);
    await configuration.update('system', system || undefined, target);
  }
}
