/** What all features share: the folder in which people work, its program, its settings, and the log. */

import * as vscode from 'vscode';
import { Outcome, programFor, run } from './program';

export class Context {
  readonly log = vscode.window.createOutputChannel('bunraku', { log: true });

  /** Returns the folder of the active editor, or the first one. */
  folder(): vscode.WorkspaceFolder | undefined {
    const open = vscode.window.activeTextEditor?.document.uri;
    return (open && vscode.workspace.getWorkspaceFolder(open)) ?? vscode.workspace.workspaceFolders?.[0];
  }

  setting<T>(name: string, folder = this.folder()): T | undefined {
    return vscode.workspace.getConfiguration('bunraku', folder?.uri).get<T>(name);
  }

  /** Returns the program of a folder. Throws if none is installed. */
  program(folder = this.folder()): string {
    const program = programFor(folder?.uri.fsPath, this.setting<string>('path', folder) ?? '');
    if (program === undefined) {
      throw new Error("The program bunraku is not installed. Run 'pip install bunraku', or set bunraku.path.");
    }
    return program;
  }

  /** Runs a command of bunraku in a folder. Throws if no folder is open. */
  async run(words: readonly string[], token?: vscode.CancellationToken, folder = this.folder()): Promise<Outcome> {
    if (folder === undefined) {
      throw new Error('Open a folder first.');
    }
    const abort = new AbortController();
    const listener = token?.onCancellationRequested(() => abort.abort());
    this.log.info(`bunraku ${words.join(' ')}`);
    try {
      return await run(this.program(folder), words, folder.uri.fsPath, abort.signal);
    } finally {
      listener?.dispose();
    }
  }

  /** Runs an action, and shows its error. */
  async shown(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.log.error(message);
      void vscode.window.showErrorMessage(`bunraku: ${message}`);
    }
  }
}
