/** Tasks for the commands that check a project. */

import * as vscode from 'vscode';
import { Context } from './context';

const COMMANDS: readonly (readonly string[])[] = [['check'], ['lint'], ['fmt', '--check'], ['ci'], ['test'], ['docs', '--check'], ['modules', 'install']];

export class Tasks implements vscode.TaskProvider {
  constructor(private readonly context: Context) {}

  register(): vscode.Disposable[] {
    return [vscode.tasks.registerTaskProvider('bunraku', this)];
  }

  provideTasks(): vscode.Task[] {
    return (vscode.workspace.workspaceFolders ?? []).flatMap((folder) =>
      COMMANDS.map(([command = '', ...words]) => this.task(folder, { type: 'bunraku', command, arguments: words })),
    );
  }

  resolveTask(task: vscode.Task): vscode.Task | undefined {
    const folder = typeof task.scope === 'object' ? task.scope : this.context.folder();
    return folder && this.task(folder, task.definition);
  }

  private task(folder: vscode.WorkspaceFolder, definition: vscode.TaskDefinition): vscode.Task {
    const words = [String(definition.command), ...((definition.arguments as string[] | undefined) ?? [])];
    const execution = new vscode.ProcessExecution(this.context.program(folder), words, { cwd: folder.uri.fsPath });
    const task = new vscode.Task(definition, folder, words.join(' '), 'bunraku', execution, '$bunraku');
    task.group = words[0] === 'test' ? vscode.TaskGroup.Test : vscode.TaskGroup.Build;
    return task;
  }
}
