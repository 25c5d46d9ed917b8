import assert from 'node:assert/strict';
import { test } from 'node:test';
import { programFor, run } from '../src/program';

const installed = (...paths: string[]) => (path: string) => paths.includes(path);

test('the configured program wins', () => {
  assert.equal(programFor('/site', '/opt/bunraku/bin/bunraku', installed('/site/.venv/bin/bunraku'), 'linux', ''), '/opt/bunraku/bin/bunraku');
});

test('the virtual environment of the folder comes before the search path', () => {
  const exists = installed('/site/.venv/bin/bunraku', '/usr/bin/bunraku');
  assert.equal(programFor('/site', '', exists, 'linux', '/usr/bin'), '/site/.venv/bin/bunraku');
});

test('the search path is used without a folder', () => {
  assert.equal(programFor(undefined, '', installed('/usr/bin/bunraku'), 'linux', '/bin:/usr/bin'), '/usr/bin/bunraku');
});

test('nothing is found where nothing is installed', () => {
  assert.equal(programFor('/site', '', installed(), 'linux', '/usr/bin'), undefined);
});

test('a failed command has its exit code and output', async () => {
  const outcome = await run(process.execPath, ['-e', 'console.log("out"); console.error("err"); process.exit(3)'], '.');
  assert.deepEqual(outcome, { code: 3, output: 'out\n', errors: 'err\n' });
});

test('a program that is not there rejects', async () => {
  await assert.rejects(run('/nonexistent/bunraku', [], '.'));
});
