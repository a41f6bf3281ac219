// Lists in brackets on several lines keep the layout of their author when an edit takes entries out.

import { expect, test } from 'vitest';
import { isSeq, type YAMLMap } from 'yaml';
import { edited } from '../../src/export/yaml/textEdit.ts';

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
])('without %j, only its own lines change', (entries, gone, added) => {
  expect(without(...entries)).toEqual({ gone, added });
});

test('an entry that is added to such a list reformats that list alone', () => {
  const file = edited(FILE);
  const ports = file.documents[0]?.getIn(['policies', 0, 'rules', 0, 'ports']);
  if (!isSeq(ports)) throw new Error('no list');
  ports.add('8443');
  const text = file.text();
  expect(text).toContain('8443');
  expect(text).toContain('    - name: a   # keep\n');
  expect(text).toContain('          sources: [ x,\n                     y, z ]\n');
  expect(text).toContain('      other:   [ 1,   2 ]\n');
});
