import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokensOf } from './grammars';

/** Returns the last scope of each token that is not blank, after its text. */
async function scopes(code: string, scope = 'source.puppet'): Promise<[string, string][]> {
  const tokens = await tokensOf(code, scope);
  return tokens
    .map((one): [string, string] => [code.slice(one.start, one.end), one.scopes.at(-1) ?? ''])
    .filter(([text]) => text.trim() !== '');
}

const CASES: [string, string, string, string][] = [
  ['a class', 'class ntp::server inherits ntp {}', 'ntp::server', 'entity.name.type.class.puppet'],
  ['an inherited class', 'class ntp::server inherits ntp {}', 'ntp', 'entity.other.inherited-class.puppet'],
  ['a function', 'function ntp::key($x) {}', 'ntp::key', 'entity.name.function.puppet'],
  ['a type alias', "type Ntp::Key = Enum['a']", 'Ntp::Key', 'entity.name.type.alias.puppet'],
  ['a resource', "file { '/etc/motd':", 'file', 'entity.name.type.resource.puppet'],
  ['a resource with a variable as title', 'user { $name:', 'user', 'entity.name.type.resource.puppet'],
  ['a virtual resource', "@user { 'x':", 'user', 'entity.name.type.resource.puppet'],
  ['no resource after else', 'if $x { } else { $y }', 'else', 'keyword.control.puppet'],
  ['an attribute', '  mode => $m,', 'mode', 'entity.other.attribute-name.puppet'],
  ['an attribute that is a keyword', '  unless => $m,', 'unless', 'entity.other.attribute-name.puppet'],
  ['a reference', "require => File['x']", 'File', 'entity.name.type.reference.puppet'],
  ['a data type', 'String $x', 'String', 'support.type.puppet'],
  ['a variable', '$ntp::servers', '$ntp::servers', 'variable.other.readwrite.puppet'],
  ['facts', "$facts['os']", '$facts', 'variable.language.puppet'],
  ['interpolation', '"a ${x} b"', 'x', 'variable.other.readwrite.puppet'],
  ['a call in interpolation', '"a ${upcase($x)} b"', 'upcase', 'entity.name.function.call.puppet'],
  ['text after interpolation', '"a ${x} b"', ' b', 'string.quoted.double.puppet'],
  ['a hash in interpolation', '"${{a => 1}.keys} end"', ' end', 'string.quoted.double.puppet'],
  ['a regular expression', '$x =~ /a\\/b/', 'a', 'string.regexp.puppet'],
  ['division', '$x = 10 / 2 / 1', '/', 'keyword.operator.arithmetic.puppet'],
  ['a function call', 'notice($x)', 'notice', 'support.function.statement.puppet'],
  ['a method call', '$x.each |$y| {}', 'each', 'entity.name.function.call.puppet'],
  ['a relationship', 'A[x] -> B[y]', '->', 'keyword.operator.relationship.puppet'],
  ['a collector', 'File <| |>', '<|', 'keyword.operator.collector.puppet'],
  ['a number', '$x = 0x1F', '0x1F', 'constant.numeric.hex.puppet'],
  ['undef', '$x = undef', 'undef', 'constant.language.puppet'],
  ['a comment', '# text', ' text', 'comment.line.number-sign.puppet'],
  ['a tag of documentation', '# @param x', '@param', 'keyword.other.documentation.puppet'],
  ['code after a heredoc', '$x = @(END)\n  text\n  | END\nclass a {}', 'a', 'entity.name.type.class.puppet'],
  ['text of a heredoc', '$x = @(END)\n  file { text\n  | END', '  file { text', 'string.unquoted.heredoc.puppet'],
  ['interpolation in a heredoc', '$x = @("END"/L)\n  a ${x}\n  | END', 'x', 'variable.other.readwrite.puppet'],
];

for (const [name, code, text, expected] of CASES) {
  test(`the grammar knows ${name}`, async () => {
    const tokens = await scopes(code);
    assert.ok(
      tokens.some(([one, scope]) => one === text && scope === expected),
      `${JSON.stringify(text)} is not ${expected} in ${JSON.stringify(tokens)}`,
    );
  });
}

test('code in a template is Puppet code', async () => {
  const tokens = await scopes('server <%= $ntp::server %>\n<%# note %>', 'text.puppet.epp');
  assert.deepEqual(tokens, [
    ['server ', 'text.puppet.epp'],
    ['<%=', 'punctuation.section.embedded.begin.epp'],
    ['$ntp::server', 'variable.other.readwrite.puppet'],
    ['%>', 'punctuation.section.embedded.end.epp'],
    ['<%#', 'comment.block.epp'],
    [' note ', 'comment.block.epp'],
    ['%>', 'comment.block.epp'],
  ]);
});
