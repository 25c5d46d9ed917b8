/** The language server: `bunraku lsp` on standard input and output. */

import * as vscode from 'vscode';
import { LanguageClient, LanguageClientOptions, ServerOptions } from 'vscode-languageclient/node';
import { Context } from './context';

/** The nodes that have facts, and the sample systems whose facts any node can have. */
export interface KnownNodes {
  readonly nodes: readonly string[];
  readonly systems: readonly string[];
}

const NO_NODES: KnownNodes = { nodes: [], systems: [] };

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
    return (await this.client?.sendRequest<KnownNodes>('bunraku/nodes')) ?? NO_NODES;
  }

  dispose(): void {
    void this.client?.dispose();
  }

  private async restart(): Promise<void> {
    await this.client?.dispose();
    await this.start();
  }
}
