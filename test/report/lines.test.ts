// Long lines: where they are broken, how wide they are, and what no break may bring to the beginning of one.
import { expect, test } from 'vitest';
import { wrap } from '../../src/report/text/lines.ts';
import { textWidth } from '../../src/report/text/width.ts';
import { faultsOf } from '../hostile/verdict.ts';
import { hostileText } from '../support/hostile.ts';
import { fc } from '../support/seeded.ts';

test.each<[string, number, readonly string[]]>([
  ['one two three', 20, ['one two three']],
  ['one two three', 10, ['one two', '    three']],
  ['one   two', 7, ['one  ', '    two']],
  ['onetwothreefour', 10, ['onetwothre', '    efour']],
  ['  hint: x', 6, ['  hint', '    :', '    x']],
  ['a name with ::e in it', 12, ['a name with', '    :\\u003ae in', '    it']],
  ['日本語の名前', 10, ['日本語の名', '    前']],
  ['a\nb', 10, ['a\\nb']],
])('%j in %i columns', (text, room, lines) => {
  expect(wrap(text, room)).toEqual(lines);
});

test.each<[readonly string[], number, readonly string[]]>([
  [['a → b', 'tcp 443'], 20, ['a → b  tcp 443']],
  [['a → backends', 'tcp 443'], 16, ['a → backends', '    tcp 443']],
  [['a → b', 'tcp 443', '(enabled = false)'], 24, ['a → b  tcp 443', '    (enabled = false)']],
  [['a, b, c → d, e', 'tcp 443, 631'], 12, ['a, b, c → d,', '    e', '    tcp 443,', '    631']],
  [['a → b', 'tcp 443, 631, 9100'], 18, ['a → b  tcp 443,', '    631, 9100']],
  [['a', '日本 語'], 9, ['a', '    日本', '    語']],
])('the clauses %j in %i columns', (clauses, room, lines) => {
  expect(wrap(clauses, room)).toEqual(lines);
});

test('a clause that fits on a line is never broken', () => {
  const clause = fc.string({ unit: fc.constantFrom('a', 'b', ' '), minLength: 1, maxLength: 26 });
  fc.assert(
    fc.property(fc.array(clause, { minLength: 1, maxLength: 6 }), clauses => {
      const texts = clauses.map(text => `<${text.trim()}>`);
      const text = wrap(texts, 32).join('\n');
      for (const each of texts) expect(text).toContain(each);
    }),
  );
});

test('any text is broken into lines that fit, without control characters', () => {
  fc.assert(
    fc.property(fc.array(hostileText, { maxLength: 12 }), texts => {
      for (const line of wrap(texts.join(' '), 40)) {
        expect(faultsOf(line)).toEqual([]);
        expect(textWidth(line)).toBeLessThanOrEqual(line.includes('\\u003a') ? 45 : 40);
      }
    }),
    { numRuns: 500 },
  );
});

test('a line of a hundred thousand characters is broken completely', () => {
  const lines = wrap('x'.repeat(100_000), 100);
  expect(lines.map(line => line.trim()).join('')).toHaveLength(100_000);
});

test('a line is not broken within quotes, and its rest never begins with a diff sign', () => {
  const name = '"x + y | z"';
  expect(wrap(`policy of people ${name}`, 24)).toEqual(['policy of people', `    ${name}`]);
  const long = JSON.stringify(`${'x'.repeat(15)} ${'+ group → peer '.repeat(3)}`);
  const lines = wrap(`peer[${long}]`, 24);
  for (const line of lines) expect(line).not.toMatch(/^ *[-+−~!#|>*]/);
  const whole = lines.map(line => line.trimStart()).join(' ');
  expect(JSON.parse(whole.slice('peer['.length, -1)).replaceAll(/ +/g, ' ')).toBe(
    JSON.parse(long).replaceAll(/ +/g, ' '),
  );
});
