// Lists in brackets on several lines keep the layout of their author when an edit takes entries out, adds or replaces some.

import { expect, test } from 'vitest';
import { isSeq, type YAMLMap } from 'yaml';
import { setField } from '../../src/export/yaml/edit.ts';
import { edited } from '../../src/export/yaml/textEdit.ts';
import type { Json } from '../../src/model/value.ts';

const FILE = `# Aligned by hand.
policies:
    - name: a   # keep
      rules:
        - name: r
          ports: [
            "22",   # for people
            "80",
            "443"
          ]
          sources: [ x,
                     y, z ]
          more: { a: 1,
            list: [ p, q,
              r ], b: 2 }
    - name: b
      other:   [ 1,   2 ]
`;

/** The file without these entries of its lists, as the lines that are gone and the lines that are new. */
function without(...gone: readonly string[]) {
  const file = edited(FILE);
  const rule = file.documents[0]?.getIn(['policies', 0, 'rules', 0]) as YAMLMap;
  for (const path of [['ports'], ['sources'], ['more', 'list']]) {
    const list = rule.getIn(path);
    if (!isSeq<{ readonly value: unknown }>(list)) throw new Error('no list');
    list.items = list.items.filter(({ value }) => !gone.includes(String(value)));
  }
  const [before, after] = [FILE, file.text()].map(text => text.split('\n')) as [string[], string[]];
  return {
    gone: before.filter(line => !after.includes(line)).map(line => line.trim()),
    added: after.filter(line => !before.includes(line)).map(line => line.trim()),
  };
}

test.each([
  [['80'], ['"80",'], []],
  [['22'], ['"22",   # for people'], []],
  [['443'], ['"443"'], []],
  [['22', '80'], ['"22",   # for people', '"80",'], []],
  [['x'], ['sources: [ x,', 'y, z ]'], ['sources: [ y, z ]']],
  [['y'], ['y, z ]'], ['z ]']],
  [['z'], ['y, z ]'], ['y ]']],
  [['p'], ['list: [ p, q,'], ['list: [ q,']],
  [['r'], ['list: [ p, q,', 'r ], b: 2 }'], ['list: [ p, q ], b: 2 }']],
  [
    ['80', 'z', 'q'],
    ['"80",', 'y, z ]', 'list: [ p, q,'],
    ['y ]', 'list: [ p,'],
  ],
  [[], [], []],
])('only the lines of %j change when it is removed', (entries, gone, added) => {
  expect(without(...entries)).toEqual({ gone, added });
});

/** The lines that are gone, and the new lines, after this edit of the rule. */
function changedBy(edit: (rule: YAMLMap) => void, text = FILE) {
  const file = edited(text);
  edit(file.documents[0]?.getIn(['policies', 0, 'rules', 0]) as YAMLMap);
  const [before, after] = [text, file.text()].map(one => one.split('\n')) as [string[], string[]];
  return {
    gone: before.filter(line => !after.includes(line)),
    added: after.filter(line => !before.includes(line)),
  };
}

/** Sets a list of the rule. */
const set = (name: string, value: Json) => (rule: YAMLMap) => {
  setField(rule, { name, order: [], shape: undefined }, value);
};

test.each([
  [
    ['22', '80', '443', '8443'],
    ['            "443"'],
    ['            "443",', '            "8443"'],
  ],
  [
    ['80', '8443', '9443'],
    ['            "22",   # for people', '            "443"'],
    ['            "8443",', '            "9443",'],
  ],
  [
    ['8443', '9443'],
    ['            "22",   # for people', '            "80",', '            "443"'],
    ['            "8443",', '            "9443",'],
  ],
])(
  'ports that become %j are written on lines of their own, with the quotes of the others',
  (ports, gone, added) => {
    expect(changedBy(set('ports', ports))).toEqual({ gone, added });
  },
);

test('an entry is added behind one that shares its line', () => {
  expect(changedBy(set('sources', ['x', 'y', 'z', 'a b']))).toEqual({
    gone: ['                     y, z ]'],
    added: ['                     y, z, a b ]'],
  });
});

test('a field is added in its place, and others are replaced, without a change of another line', () => {
  const inner = (rule: YAMLMap) => {
    const more = rule.get('more') as YAMLMap;
    setField(more, { name: 'a', order: [], shape: undefined }, 'x, y');
    setField(more, { name: 'c', order: ['a', 'c', 'list', 'b'], shape: undefined }, true);
  };
  expect(changedBy(inner)).toEqual({
    gone: ['          more: { a: 1,'],
    added: ['          more: { a: "x, y", c: true,'],
  });
});

const RANGES = `policies:
  - rules:
    - ranges: [
        { start: 1, end: 9 }, # all
      ]
      names: [
        # the first
        one # of them
        , two ]
      last: ['a',
             'b']
`;

test('the only range keeps its comment if ranges take its place', () => {
  const ranges = [
    { start: 1, end: 2 },
    { start: 5, end: 5 },
  ];
  expect(changedBy(set('ranges', ranges), RANGES)).toEqual({
    gone: ['        { start: 1, end: 9 }, # all'],
    added: ['        { start: 1, end: 2 }, # all', '        { start: 5, end: 5 },'],
  });
});

test('a comment after the first name of a list is removed if other names replace all names of the list', () => {
  expect(changedBy(set('names', ['u', 'v']), RANGES)).toEqual({
    gone: ['        one # of them', '        , two ]'],
    added: ['        u,', '        v ]'],
  });
});

test('a name is added at the end, before the bracket on its line', () => {
  expect(changedBy(set('last', ['a', 'b', 'c']), RANGES)).toEqual({
    gone: ["             'b']"],
    added: ["             'b',", "             'c']"],
  });
});
