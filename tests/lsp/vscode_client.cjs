// The protocol library of Visual Studio Code as a client: the same variables as for neovim_client.lua.
const { spawn } = require('node:child_process');
const { readFileSync, writeFileSync } = require('node:fs');
const { pathToFileURL } = require('node:url');
const rpc = require(require.resolve('vscode-languageserver-protocol/node', { paths: [process.env.PACKAGES] }));

async function main() {
  const [command, ...words] = JSON.parse(process.env.SERVER);
  const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = rpc.createProtocolConnection(new rpc.StreamMessageReader(child.stdout), new rpc.StreamMessageWriter(child.stdin));
  const findings = [];
  const found = new Promise((resolve) => {
    connection.onNotification('textDocument/publishDiagnostics', (params) => {
      findings.push(...params.diagnostics.map((one) => one.code));
      if (findings.length > 0) resolve();
    });
  });
  connection.onRequest('workspace/configuration', (params) => params.items.map(() => null));
  connection.onRequest('client/registerCapability', () => null);
  connection.onRequest('window/workDoneProgress/create', () => null);
  connection.listen();
  const root = pathToFileURL(process.env.ROOT).href;
  const uri = pathToFileURL(process.env.FILE).href;
  const folders = [{ uri: root, name: 'root' }];
  await connection.sendRequest(rpc.InitializeRequest.type, { processId: process.pid, rootUri: root, capabilities: {}, workspaceFolders: folders });
  await connection.sendNotification(rpc.InitializedNotification.type, {});
  const text = readFileSync(process.env.FILE, 'utf8');
  await connection.sendNotification(rpc.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: 'puppet', version: 1, text } });
  await found;
  const answers = {};
  for (const [method, line, character] of JSON.parse(process.env.STEPS)) {
    const params = { textDocument: { uri }, position: { line, character }, context: { includeDeclaration: true } };
    answers[method] = { result: await connection.sendRequest(method, params) };
  }
  writeFileSync(process.env.ANSWERS, JSON.stringify({ answers, findings }));
  await connection.sendRequest(rpc.ShutdownRequest.type);
  await connection.sendNotification(rpc.ExitNotification.type);
  child.once('exit', () => process.exit(0));
}

void main();
