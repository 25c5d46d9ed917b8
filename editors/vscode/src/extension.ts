/** The start of the extension: each feature registers itself. */

import * as vscode from 'vscode';
import { CatalogView } from './catalogView';
import { Context } from './context';
import { Debugging } from './debug';
import { Lenses } from './lenses';
import { ChosenNode } from './node';
import { Server } from './server';
import { Tasks } from './tasks';
import { TestView } from './testView';

export async function activate(extension: vscode.ExtensionContext): Promise<void> {
  const context = new Context();
  const server = new Server(context);
  const node = new ChosenNode(context, server);
  const features = [server, node, new Lenses(context, node), new CatalogView(context, node), new TestView(context), new Tasks(context), new Debugging(context, node)];
  extension.subscriptions.push(context.log, ...features.flatMap((one) => one.register()));
  await context.shown(() => server.start());
}
