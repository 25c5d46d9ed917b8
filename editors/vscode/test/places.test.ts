import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPlace, knownNodes } from '../src/places';

test('nodes and sample systems are told apart', () => {
  const found = knownNodes([
    { name: 'web1', source: 'facts of the project' },
    { name: 'debian-12-x86_64', source: 'sample system' },
  ]);
  assert.deepEqual(found, { nodes: ['web1'], systems: ['debian-12-x86_64'] });
});

test('a place has an address and a range', () => {
  const start = { line: 0, character: 0 };
  assert.ok(isPlace({ uri: 'file:///a.pp', range: { start, end: start } }));
  assert.ok(!isPlace({ uri: 'file:///a.pp' } as never));
});
