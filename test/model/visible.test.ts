// What is not ours is printed so that everybody sees what it is, and nothing obeys it.
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { jsonLine, jsonText } from '../../src/model/text/jsonText.ts';
import { shellWord } from '../../src/model/text/shellWord.ts';
import {
  isPlainName,
  jsonString,
  nameText,
  pathText,
  quoted,
  visible,
  visibleLines,
} from '../../src/model/text/visible.ts';
import { FORBIDDEN, hostileText } from '../support/hostile.ts';
import { fc } from '../support/seeded.ts';

test.each([
  ['a\nb\tc\rd', 'a\\nb\\tc\\rd'],
  ['\u001b[31mred\u007f\u009b1m', '\\u001b[31mred\\u007f\\u009b1m'],
  ['a\u200bb\u202ec\u2066\u2028', 'a\\u200bb\\u202ec\\u2066\\u2028'],
  ['tag \u{e0041}', 'tag \\udb40\\udc41'],
  ['lone \ud83d', 'lone \\ud83d'],
  ['no\u00a0break', 'no\\u00a0break'],
  ['日本\u3000語', '日本\\u3000語'],
  ['日本語, zażółć, 🦊', '日本語, zażółć, 🦊'],
  [
    'zaz\u0307o\u0301\u0142c\u0301, ไปที่, हिन्दी, עִבְרִית, ガ',
    'zaz\u0307o\u0301\u0142c\u0301, ไปที่, हिन्दी, עִבְרִית, ガ',
  ],
  ['a\u0301\u0302\u0303\u0304\u0305\u0306', 'a\u0301\u0302\u0303\u0304\\u0305\\u0306'],
  ['\u0301a -\u0302\u0303 1\ufe0f\u20e3', '\\u0301a -\\u0302\\u0303 1\\ufe0f\\u20e3'],
  ['a\u0e31\u0301', 'a\\u0e31\\u0301'],
  ['a\u302eb\u{16fe4}c\u{1d165}', 'a\\u302eb\\ud81b\\udfe4c\\ud834\\udd65'],
  ['\n\u0301', '\\n\\u0301'],
  ['##vso[task.setvariable]', '##vso\\u005btask.setvariable]'],
  ['##[error]x ##TeamCity[y]', '##\\u005berror]x ##TeamCity\\u005by]'],
])('%j is printed as %s', (text, shown) => {
  expect(visible(text)).toBe(shown);
});

// Combining musical symbols, fillers, blanks, ignorable and zero-width characters, and what has no glyph of its own.
const UNSEEN =
  /[\p{C}\p{Z}\p{Me}\p{Default_Ignorable_Code_Point}\u2800\u302e\u302f\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}\u{1d165}-\u{1d169}\u{1d16d}-\u{1d182}\u{1d185}-\u{1d18b}\u{1d1aa}-\u{1d1ad}]/v;

describe('any code point', () => {
  const points = Array.from({ length: 0x11_0000 }, (_, point) => String.fromCodePoint(point));

  test('a code point without a visible form is escaped everywhere', () => {
    const unseen = points.filter(point => point !== ' ' && UNSEEN.test(point));
    const assigned = unseen.filter(point => !/[\p{Cn}\p{Co}]/v.test(point));
    expect(unseen.length).toBeGreaterThan(900_000);
    for (const before of ['', 'a', '語', '가', '-', 'ne\u0301']) {
      const tried = before === '' ? unseen : assigned;
      const shown = visible(tried.map(point => `${before}${point}b`).join(' '));
      const left = [...new Set(shown)].filter(point => point !== ' ' && UNSEEN.test(point));
      expect(left.map(point => point.codePointAt(0)?.toString(16))).toEqual([]);
    }
  });

  test('a code point that combines with the previous one combines only with a letter', () => {
    const joining = points.filter(point => /\p{M}/v.test(point));
    for (const before of ['', ' ', '`', '"', '-', '/', '0', '🦊', '\u200b', '\n', '\u001b']) {
      for (const shown of [visible, jsonString, nameText, quoted]) {
        const joined = joining.filter(point => shown(before + point).includes(point));
        expect(joined.map(point => point.codePointAt(0)?.toString(16))).toEqual([]);
      }
    }
  });
});

describe('any text', () => {
  const anyText = fc.property(hostileText, text => {
    const shown = [visible(text), quoted(text), jsonString(text), nameText(text)];
    for (const one of shown) expect(one).not.toMatch(FORBIDDEN);
    expect(visible(visible(text))).toBe(visible(text));
    expect(visibleLines(text).replaceAll('\n', '\\n')).toBe(visible(text));
    expect(quoted(text).slice(1, -1)).not.toContain('`');
    expect(JSON.parse(jsonString(text))).toBe(text);
    expect(isPlainName(text) ? text : JSON.parse(nameText(text))).toBe(text);
    const document = { [text]: [text, { text }] };
    for (const json of [jsonText(document), jsonLine(document)]) {
      expect(json.replaceAll('\n', '')).not.toMatch(FORBIDDEN);
      expect(JSON.parse(json)).toEqual(document);
    }
  });

  test('is visible, and exact if it is JSON', () => {
    fc.assert(anyText, { numRuns: 1000 });
  });
});

test.each(['', ' ', 'a b', ' a', 'a,b', '"a"', '(a)', '-', '::error::', 'ㅤ', '`', 'a\u200b'])(
  'the name %j is quoted in a list',
  name => {
    expect(nameText(name)).toBe(jsonString(name));
  },
);

test.each(['All', 'a.b@example.com', '10.0.0.0/8', 'id:1', 'größe_2-x'])(
  'the name %s is not',
  name => {
    expect(nameText(name)).toBe(name);
  },
);

test('a shell reads a quoted word as the original text', () => {
  // No argument of a process can hold a NUL or half a character.
  const texts = fc.sample(hostileText, 200).map(text => text.replaceAll('\0', '').toWellFormed());
  const words = texts.map(shellWord);
  expect(words.join(' ')).not.toMatch(FORBIDDEN);
  const script = `for text in ${words.join(' ')}; do printf '%s\\0' "$text"; done`;
  const read = execFileSync('bash', ['-c', script]).toString('utf8').split('\0').slice(0, -1);
  expect(read).toEqual(texts);
});

test.each([
  ['setup_key/ci', 'setup_key/ci'],
  ['setup_key/ci runners', "'setup_key/ci runners'"],
  ["it's", "'it'\\''s'"],
  ['', "''"],
  ['$(reboot)', "'$(reboot)'"],
  ['a\nb', "$'a\\x0ab'"],
  ['a`b', "$'a\\x60b'"],
])('%j is the word %s', (text, word) => {
  expect(shellWord(text)).toBe(word);
});

test.each([
  ['network.yaml', 'network.yaml'],
  ['.meshform/journal/a.jsonl', '.meshform/journal/a.jsonl'],
  ['../a/b.yaml', '../a/b.yaml'],
  ['/a/b', '/a/b'],
  ['a b/c', '"a b/c"'],
  ['.a\u202eb', '".a\\u202eb"'],
  ['..', '".."'],
])('the path %j is shown as %s', (path, shown) => {
  expect(pathText(path)).toBe(shown);
});
