/** The language server: `bunraku lsp` on standard input and output. */

import * as vscode from 'vscode';
import { LanguageClient, LanguageClientOptions, ServerOptions } from 'vscode-languageclient/node';
import { Context } from './context';
import { KnownNodes, ServerNode, knownNodes } from './places';

const DOCUMENTS = [
  { language: 'puppet' },
  { language: 'epp' },
  { language: 'yaml', pattern: '**/{data,hieradata}/**/*.{yaml,yml,eyaml}' },
  { pattern: '**/hiera.yaml' },
  { pattern: '**/metadata.json' },
  { pattern: '**/Puppetfile' },
  { pattern: '**/templates/**/*.erb' },
];

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;

  constructor(private readonly context: Context) {}

  register(): vscode.Disposable[] {
    return [this, vscode.commands.registerCommand('bunraku.restartServer', () => this.context.shown(() => this.restart()))];
  }

  async start(): Promise<void> {
    const server: ServerOptions = { command: this.context.program(), args: ['lsp'], options: { cwd: this.context.folder()?.uri.fsPath } };
    const client: LanguageClientOptions = {
      documentSelector: DOCUMENTS,
      outputChannel: this.context.log,
      synchronize: { configurationSection: 'bunraku' },
    };
    this.client = new LanguageClient('bunraku', 'bunraku', server, client);
    await this.client.start();
  }

  /** Returns the nodes whose values can be shown. */
  async nodes(): Promise<KnownNodes> {
    return knownNodes((await this.client?.sendRequest<ServerNode[]>('bunraku/nodes')) ?? []);
  }

  dispose(): void {
    void this.client?.dispose();
  }

  private async restart(): Promise<void> {
    await this.client?.dispose();
    await this.start();
  }
}
