/** The grammars of the extension, run as the editor runs them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OnigScanner, OnigString, loadWASM } from 'vscode-oniguruma';
import { INITIAL, IGrammar, Registry, parseRawGrammar } from 'vscode-textmate';

const TOP = join(__dirname, '..', '..');
const FILES: Record<string, string> = { 'source.puppet': 'puppet.tmLanguage.json', 'text.puppet.epp': 'epp.tmLanguage.json' };

const registry = new Registry({
  onigLib: loadWASM(readFileSync(join(TOP, 'node_modules/vscode-oniguruma/release/onig.wasm')).buffer).then(() => ({
    createOnigScanner: (patterns: string[]) => new OnigScanner(patterns),
    createOnigString: (text: string) => new OnigString(text),
  })),
  loadGrammar: async (scope) => {
    const file = FILES[scope];
    return file === undefined ? null : parseRawGrammar(readFileSync(join(TOP, 'syntaxes', file), 'utf8'), file);
  },
});

export interface ScopedToken {
  readonly start: number;
  readonly end: number;
  readonly scopes: readonly string[];
}

/** Returns the tokens of a text, with offsets into it. */
export async function tokensOf(code: string, scope: string): Promise<ScopedToken[]> {
  const grammar = (await registry.loadGrammar(scope)) as IGrammar;
  const tokens: ScopedToken[] = [];
  let stack = INITIAL;
  let offset = 0;
  for (const line of code.split('\n')) {
    const result = grammar.tokenizeLine(line, stack);
    stack = result.ruleStack;
    for (const one of result.tokens) {
      tokens.push({ start: offset + one.startIndex, end: offset + Math.min(one.endIndex, line.length), scopes: one.scopes });
    }
    offset += line.length + 1;
  }
  return tokens;
}
