// Names inside Markdown stay text, whatever they are made of.
import { expect, test } from 'vitest';
import { visible } from '../../src/model/text/visible.ts';
import { code, fenced, prose } from '../../src/report/text/markdown.ts';
import { FORBIDDEN, hostileText } from '../support/hostile.ts';
import { fc } from '../support/seeded.ts';

test.each([
  ['policy["engineers reach databases"]', '`policy["engineers reach databases"]`'],
  ['</details><!-- @all #1', '`</details><!-- @all #1`'],
  ['a|b', '<code>a&#124;b</code>'],
  ['a\\|b', '<code>a&#92;&#124;b</code>'],
  ['`a`', '<code>&#96;a&#96;</code>'],
  ['a\nb', '<code>a&#92;nb</code>'],
  [' a', '<code>&#32;a</code>'],
  ['', '<code></code>'],
])('%j as code is %s', (text, markdown) => {
  expect(code(text)).toBe(markdown);
});

test.each(['R & D', 'Until the new firewall is here. Then (or before) not.', '50% done'])(
  'the sentence %j stays as it is',
  text => {
    expect(prose(text)).toBe(text);
  },
);

test.each([
  '@admins look',
  'see #12',
  'www.example.com',
  'a_b_c',
  '<b>',
  'GH-12',
  '&lt;',
  '[a](b)',
])('the sentence %j becomes code', text => {
  expect(prose(text)).toBe(code(text));
});

test('any text stays within its cell, and can be restored', () => {
  fc.assert(
    fc.property(hostileText, text => {
      const markdown = code(text);
      expect(markdown).not.toMatch(FORBIDDEN);
      const [, ticked, tagged = ''] =
        /^(?:`([^`|\n\\]+)`|<code>([^`|\n<>\\]*)<\/code>)$/.exec(markdown) ?? [];
      const read =
        ticked ?? tagged.replaceAll(/&#(\d+);/g, (_, number) => String.fromCodePoint(number));
      expect(read).toBe(visible(text));
      expect(ticked ?? tagged).not.toMatch(/^ | $/);
    }),
    { numRuns: 1000 },
  );
});

test('no text ends a code fence', () => {
  fc.assert(
    fc.property(hostileText, text => {
      const lines = fenced(text).split('\n');
      const [fence = ''] = /^`+/.exec(lines[0] ?? '') ?? [];
      expect(lines.at(-1)).toBe(fence);
      expect(lines.slice(1, -1).join('\n')).not.toContain(fence);
    }),
    { numRuns: 1000 },
  );
});
