import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resourceGroups, valueText } from '../src/catalog';

const CATALOG = JSON.stringify({
  resources: [
    { type: 'User', title: 'web', exported: false, parameters: { password: 'x' }, sensitive_parameters: ['password'] },
    { type: 'File', title: '/etc/b', file: 'manifests/init.pp', line: 3, parameters: { mode: '0644', tags: ['a', 'b'] } },
    { type: 'File', title: '/etc/a', exported: true },
  ],
});

test('resources are grouped by type and sorted', () => {
  const groups = resourceGroups(CATALOG);
  assert.deepEqual(groups.map((one) => [one.type, one.resources.map((resource) => resource.title)]), [
    ['File', ['/etc/a', '/etc/b']],
    ['User', ['web']],
  ]);
});

test('values of sensitive parameters are hidden', () => {
  assert.deepEqual(resourceGroups(CATALOG)[1]?.resources[0]?.parameters, [['password', '(sensitive)']]);
  assert.equal(valueText({ __ptype: 'Sensitive', __pvalue: 'secret' }), '(sensitive)');
});

test('a resource keeps its place and whether it is exported', () => {
  const [exported, other] = resourceGroups(CATALOG)[0]?.resources ?? [];
  assert.deepEqual([exported?.exported, other?.exported, other?.file, other?.line], [true, false, 'manifests/init.pp', 3]);
  assert.deepEqual(other?.parameters, [['mode', '0644'], ['tags', '["a","b"]']]);
});
