/** What happens when a line above a definition is clicked. The server sends the commands. */

import * as vscode from 'vscode';
import { Context } from './context';
import { ChosenNode } from './node';
import { LensLocation, LensPosition, isPlace } from './places';

export class Lenses {
  constructor(
    private readonly context: Context,
    private readonly node: ChosenNode,
  ) {}

  register(): vscode.Disposable[] {
    const command = (name: string, act: (...words: never[]) => Promise<void>) =>
      vscode.commands.registerCommand(name, (...words: never[]) => this.context.shown(() => act(...words)));
    return [
      command('bunraku.showReferences', (uri: string, start: LensPosition, places: LensLocation[]) => this.showReferences(uri, start, places)),
      command('bunraku.runTest', (uri: string) => this.runTest(uri)),
      command('bunraku.showNodes', (name: string, nodes: string[]) => this.showNodes(name, nodes)),
    ];
  }

  private async showReferences(uri: string, start: LensPosition, places: LensLocation[]): Promise<void> {
    const found = places.filter(isPlace).map((one) => {
      const range = new vscode.Range(position(one.range.start), position(one.range.end));
      return new vscode.Location(vscode.Uri.parse(one.uri), range);
    });
    await vscode.commands.executeCommand('editor.action.showReferences', vscode.Uri.parse(uri), position(start), found);
  }

  private async runTest(uri: string): Promise<void> {
    await vscode.window.showTextDocument(vscode.Uri.parse(uri));
    await vscode.commands.executeCommand('testing.runCurrentFile');
  }

  private async showNodes(name: string, nodes: string[]): Promise<void> {
    const chosen = await vscode.window.showQuickPick(nodes, { placeHolder: `Nodes with the class ${name}: show the values of which one?` });
    if (chosen !== undefined) {
      await this.node.use(chosen, '');
    }
  }
}

function position(one: LensPosition): vscode.Position {
  return new vscode.Position(one.line, one.character);
}
