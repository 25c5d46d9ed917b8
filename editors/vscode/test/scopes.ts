/** Reads texts of manifests as JSON lines, and writes the tokens of each as a JSON line: [start, end, scopes]. */

import { createInterface } from 'node:readline';
import { tokensOf } from './grammars';

async function main(): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const tokens = await tokensOf(JSON.parse(line) as string, 'source.puppet');
    console.log(JSON.stringify(tokens.map((one) => [one.start, one.end, one.scopes.join(' ')])));
  }
}

void main();
