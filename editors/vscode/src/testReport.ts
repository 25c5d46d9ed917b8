/** What `bunraku test` prints and writes: the list of tests, and a JUnit report. Knows nothing of the editor. */

import { XMLParser } from 'fast-xml-parser';

export interface TestOutcome {
  readonly id: string;
  readonly state: 'passed' | 'failed' | 'errored' | 'skipped';
  readonly seconds: number;
  readonly message: string;
}

interface Problem {
  readonly '@message'?: string;
  readonly '#text'?: string;
}

interface TestCase {
  readonly '@file'?: string;
  readonly '@classname'?: string;
  readonly '@name': string;
  readonly '@time'?: string;
  readonly failure?: Problem;
  readonly error?: Problem;
  readonly skipped?: Problem;
}

/** Returns the names of the tests in the output of `--collect-only -q`: FILE::TEST, or FILE::CLASS::TEST. */
export function collectedTests(output: string): string[] {
  return output.split(/\r?\n/).filter((line) => /^\S[^:]*::\S/.test(line) && !line.startsWith('ERROR '));
}

/** Returns the outcomes in a JUnit report of the family xunit1. */
export function outcomesIn(report: string): TestOutcome[] {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseAttributeValue: false,
    isArray: (name) => name === 'testsuite' || name === 'testcase',
  });
  const suites = parser.parse(report)?.testsuites?.testsuite ?? [];
  return suites.flatMap((suite: { testcase?: TestCase[] }) => (suite.testcase ?? []).map(outcomeOf));
}

function outcomeOf(test: TestCase): TestOutcome {
  const problem = test.failure ?? test.error ?? test.skipped;
  return {
    id: identity(test),
    state: test.failure ? 'failed' : test.error ? 'errored' : test.skipped !== undefined ? 'skipped' : 'passed',
    seconds: Number(test['@time'] ?? 0),
    message: problem?.['#text'] ?? problem?.['@message'] ?? '',
  };
}

/** Returns FILE::CLASS::TEST: the class name of a report is the module with dots, then the classes. */
function identity(test: TestCase): string {
  const file = test['@file'] ?? '';
  const module = file.replace(/\.\w+$/, '').replace(/[\\/]/g, '.');
  const classes = (test['@classname'] ?? '').slice(module.length).split('.').filter((one) => one !== '');
  return [file, ...classes, test['@name']].join('::');
}
