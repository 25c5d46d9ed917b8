import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hitsIn } from '../src/lcov';
import { collectedTests, outcomesIn } from '../src/testReport';

test('tests are listed without headings and summaries', () => {
  const output = 'spec/test_ntp.py::test_compiles[debian-12]\nspec/ntp_spec.yaml::a package\n\n2 tests collected in 0.01s\nERROR spec/x.py::y\n';
  assert.deepEqual(collectedTests(output), ['spec/test_ntp.py::test_compiles[debian-12]', 'spec/ntp_spec.yaml::a package']);
});

test('a report has an outcome for each test', () => {
  const report = `<?xml version="1.0"?><testsuites><testsuite name="pytest">
    <testcase classname="spec.test_ntp" name="test_a" file="spec/test_ntp.py" line="3" time="0.5"/>
    <testcase classname="spec.test_ntp.TestFile" name="test_b" file="spec/test_ntp.py" time="0.1"><failure message="m">expected &lt;x&gt;</failure></testcase>
    <testcase classname="spec.test_ntp" name="test_c" file="spec/test_ntp.py"><skipped message="no Ruby"/></testcase>
    <testcase classname="spec.test_ntp" name="test_d" file="spec/test_ntp.py"><error message="broken"/></testcase>
  </testsuite></testsuites>`;
  assert.deepEqual(outcomesIn(report), [
    { id: 'spec/test_ntp.py::test_a', state: 'passed', seconds: 0.5, message: '' },
    { id: 'spec/test_ntp.py::TestFile::test_b', state: 'failed', seconds: 0.1, message: 'expected <x>' },
    { id: 'spec/test_ntp.py::test_c', state: 'skipped', seconds: 0, message: 'no Ruby' },
    { id: 'spec/test_ntp.py::test_d', state: 'errored', seconds: 0, message: 'broken' },
  ]);
});

test('lcov has hits of lines and branches', () => {
  const text = 'TN:\nSF:manifests/init.pp\nDA:1,2\nDA:3,0\nBRDA:3,0,else,-\nBRDA:3,0,then,4\nend_of_record\n';
  assert.deepEqual(hitsIn(text), [
    {
      path: 'manifests/init.pp',
      lines: [[1, 2], [3, 0]],
      branches: [{ line: 3, name: '0 else', hits: 0 }, { line: 3, name: '0 then', hits: 4 }],
    },
  ]);
});
