/** Debugging: the adapter is `bunraku debug` on standard input and output. */

import * as vscode from 'vscode';
import { Context } from './context';
import { ChosenNode } from './node';

export class Debugging implements vscode.DebugAdapterDescriptorFactory, vscode.DebugConfigurationProvider {
  constructor(
    private readonly context: Context,
    private readonly node: ChosenNode,
  ) {}

  register(): vscode.Disposable[] {
    return [
      vscode.debug.registerDebugAdapterDescriptorFactory('bunraku', this),
      vscode.debug.registerDebugConfigurationProvider('bunraku', this),
    ];
  }

  createDebugAdapterDescriptor(session: vscode.DebugSession): vscode.DebugAdapterDescriptor {
    if (session.configuration.request === 'attach') {
      return new vscode.DebugAdapterServer(Number(session.configuration.port), '127.0.0.1');
    }
    const cwd = session.workspaceFolder?.uri.fsPath;
    return new vscode.DebugAdapterExecutable(this.context.program(session.workspaceFolder), ['debug'], { cwd });
  }

  /** Fills in what F5 without a launch.json means: the manifest in the editor, for the chosen node. */
  resolveDebugConfiguration(_folder: vscode.WorkspaceFolder | undefined, configuration: vscode.DebugConfiguration): vscode.DebugConfiguration {
    const document = vscode.window.activeTextEditor?.document;
    if (!configuration.type && document?.languageId === 'puppet') {
      Object.assign(configuration, { type: 'bunraku', request: 'launch', name: 'Compile this manifest', program: document.uri.fsPath });
    }
    if (configuration.request !== 'attach') {
      configuration.node ??= this.node.name;
      configuration.os ??= this.node.system;
    }
    return configuration;
  }
}
