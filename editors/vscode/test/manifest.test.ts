import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const TOP = join(__dirname, '..', '..');
const manifest = JSON.parse(readFileSync(join(TOP, 'package.json'), 'utf8'));
const sources = readdirSync(join(TOP, 'src')).map((name) => readFileSync(join(TOP, 'src', name), 'utf8')).join('\n');
const matcher = new RegExp(manifest.contributes.problemMatchers[0].pattern.regexp);

test('the commands of the manifest are those that the source registers', () => {
  const registered = [...sources.matchAll(/registerCommand\('([\w.]+)'/g)].map((one) => one[1]);
  assert.deepEqual(manifest.contributes.commands.map((one: { command: string }) => one.command).sort(), registered.sort());
});

test('files of the manifest exist', () => {
  const { grammars, snippets, languages } = manifest.contributes;
  const paths = [...grammars, ...snippets].map((one) => one.path).concat(languages.flatMap((one: { configuration?: string }) => one.configuration ?? []));
  for (const path of paths) {
    assert.ok(existsSync(join(TOP, path)), path);
  }
});

test('each setting that the source reads is declared', () => {
  const declared = Object.keys(manifest.contributes.configuration.properties);
  for (const [, name] of sources.matchAll(/setting<\w+>\('(\w+)'/g)) {
    assert.ok(declared.includes(`bunraku.${name}`), name);
  }
});

test('findings become problems', () => {
  const [, ...parts] = matcher.exec('manifests/init.pp:3:5: error: unknown variable $x [UNKNOWN_VARIABLE]') ?? [];
  assert.deepEqual(parts, ['manifests/init.pp', '3', '5', 'error', 'unknown variable $x', 'UNKNOWN_VARIABLE']);
});

test('other lines are no problems', () => {
  assert.equal(matcher.exec('  3 | file { x:'), null);
  assert.equal(matcher.exec('1 error, 2 warnings'), null);
});
