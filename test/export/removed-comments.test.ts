// The comment directly above an item goes with the item; headings and comments of others stay.
import { describe, expect, test } from 'vitest';
import type { YAMLMap } from 'yaml';
import { setField } from '../../src/export/yaml/edit.ts';
import { edited } from '../../src/export/yaml/textEdit.ts';
import type { Shape } from '../../src/kinds/kind.ts';
import type { Json } from '../../src/model/value.ts';

/** The lines that are gone from a text without the item that `mark` begins; fails if there are new lines. */
function goneWith(mark: string, text: string): readonly string[] {
  const file = edited(text);
  const at = text.indexOf(mark);
  const line = text.slice(0, at).split('\n').length;
  const column = at - text.lastIndexOf('\n', at - 1);
  expect(file.remove({ file: 'network.yaml', line, column })).toBe('removed');
  return difference(text, file.text());
}

function difference(before: string, after: string): readonly string[] {
  const left = after.split('\n');
  const gone: string[] = [];
  for (const line of before.split('\n'))
    if (line === left[0]) left.shift();
    else gone.push(line.trim());
  expect(left).toEqual([]);
  return gone.filter(line => line !== '');
}

const POLICIES = `policies:
  # Reviewed by Ada.

  # about a
  - name: a # a
    rules: []

  # ---- Servers ----
  # about b
  # on two lines
  - name: b
    # about the rules of b
    rules: [] # b
    # at the end of b
  # before x
  - name: x
    rules: []
  # not about c

  # about c
  - name: c
    description: |
      # not a comment
  # ====
  # The rest
  # ====
  - name: d
    rules:
      - { name: r }
  # more to come

  # the end
groups: []
`;

describe('an item of a list is removed with the comments', () => {
  test.each([
    [
      'above it, but not with that of the list',
      'name: a',
      ['# about a', '- name: a # a', 'rules: []'],
    ],
    [
      'above it, in it and after it, but not with a heading',
      'name: b',
      [
        '# about b',
        '# on two lines',
        '- name: b',
        '# about the rules of b',
        'rules: [] # b',
        '# at the end of b',
      ],
    ],
    [
      'above it, but not with another one',
      'name: c',
      ['# about c', '- name: c', 'description: |', '# not a comment'],
    ],
    [
      'of its own, if it is the last: what is after the list stays',
      'name: d',
      ['- name: d', 'rules:', '- { name: r }'],
    ],
  ])('%s', (_, mark, gone) => {
    expect(goneWith(mark, POLICIES)).toEqual(gone);
  });

  test('all items: the comment of the list stays', () => {
    const file = edited(
      'groups:\n  # Of people.\n\n  # about a\n  - name: a\n  # about b\n  - name: b\n',
    );
    for (const line of [5, 7]) file.remove({ file: 'network.yaml', line, column: 5 });
    expect(file.text()).toBe('groups:\n  # Of people.\n\n  []\n');
  });

  test('an item in brackets on several lines is removed with the comments', () => {
    const text = `groups: [
  # ---- People ----
  # about a
  { name: a }, # a
  # apart

  # about b
  { name: b }, # b
  { name: c },
]
`;
    expect(goneWith('{ name: a', text)).toEqual(['# about a', '{ name: a }, # a']);
    expect(goneWith('{ name: b', text)).toEqual(['# about b', '{ name: b }, # b']);
  });
});

describe('a list of names', () => {
  const TEXT = `sources:
  # Everybody.

  # until May
  - contractors
  # ---- operators ----
  # day and night
  - ops # o
  - staff
  # ---- guests ----
  - guests
`;
  const shape: Shape = {
    type: 'list',
    items: { type: 'scalar', json: 'string', secret: false, masked: false },
    set: false,
  };
  const set = (value: readonly Json[]): string => {
    const file = edited(TEXT);
    const map = file.documents[0]?.contents as YAMLMap;
    setField(map, { name: 'sources', order: [], shape }, value);
    return file.text();
  };

  test('loses those that are taken out with their comments', () => {
    expect(difference(TEXT, set(['ops', 'staff', 'guests']))).toEqual([
      '# until May',
      '- contractors',
    ]);
    expect(difference(TEXT, set(['contractors', 'staff', 'guests']))).toEqual([
      '# day and night',
      '- ops # o',
    ]);
    expect(difference(TEXT, set(['guests']))).toEqual([
      '# until May',
      '- contractors',
      '# day and night',
      '- ops # o',
      '- staff',
    ]);
    expect(difference(TEXT, set(['contractors', 'ops', 'staff']))).toEqual(['- guests']);
  });

  test('has a new name under the heading of the one whose place it takes', () => {
    expect(set(['contractors', 'ops', 'staff', 'visitors'])).toBe(
      TEXT.replace('- guests\n', '- visitors\n'),
    );
  });
});

test('each line keeps its own end, also in a file whose lines end in different ways', () => {
  const text = (ends: readonly string[]) =>
    ['policies:', '  - name: a', '    rules: []', '  - name: b', '    rules: []', '']
      .map((line, at) => line + (ends[at] ?? ''))
      .join('');
  const without = (...ends: readonly string[]): string => {
    const file = edited(text(ends));
    file.remove({ file: 'network.yaml', line: 2, column: 5 });
    return file.text();
  };
  const lf = '\n';
  const crlf = '\r\n';
  expect(without(lf, lf, lf, lf, crlf)).toBe('policies:\n  - name: b\n    rules: []\r\n');
  expect(without(crlf, lf, lf, lf, lf)).toBe('policies:\r\n  - name: b\n    rules: []\n');
  expect(without(crlf, crlf, crlf, crlf, crlf)).toBe(
    'policies:\r\n  - name: b\r\n    rules: []\r\n',
  );
});
