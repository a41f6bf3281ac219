// The report of `plan --suggest-renames`, and which texts of objects it writes into, without an account.
import { expect, test } from 'vitest';
import { formerNames } from '../../src/export/formerNames.ts';
import { addressOf } from '../../src/model/key.ts';
import { type Key, kindName } from '../../src/model/names.ts';
import type { SuggestedRename } from '../../src/model/suggestedRename.ts';
import { renameLines } from '../../src/report/plan/suggestedRenames.ts';
import { desiredOf, KINDS } from '../support/files.ts';

const at = (line: number) => ({ file: 'network.yaml', line, column: 5 });
const renamed = (kind: string, to: string, from: string, line: number): SuggestedRename => ({
  kind: kindName(kind),
  key: to as Key,
  at: at(line),
  former: addressOf(kindName(kind), from as Key),
  entry: { name: 'was', value: from },
  isDeclared: false,
});

test('renamed objects that one entry of a `for_each` generates get separate keys for their former names', () => {
  const entry = { as: 'each', key: 'ham', at: at(1) };
  const unwritten = [
    { rename: renamed('group', 'machines of ham', 'servers of ham', 3), because: 'why', entry },
    { rename: renamed('policy', 'http ham', 'web ham', 6), because: 'why', entry },
  ];
  const lines = renameLines({ written: [], files: 0, unwritten, alike: [], unproven: [] });
  expect(lines.filter(line => line.includes('  '))).toEqual([
    '  write at network.yaml:3:5: lifecycle: { was: "${each.value.was}" }',
    '  and into the entry `ham` at network.yaml:1:5: was: servers of ham',
    '  write at network.yaml:6:5: lifecycle: { was: "${each.value.was_2}" }',
    '  and into the entry `ham` at network.yaml:1:5: was_2: web ham',
  ]);
});

test('the report says where the patch is applied, and what binds objects without a name', () => {
  const written = [renamed('group', 'people', 'staff', 3)];
  const alike = [{ created: [], former: written.map(({ former }) => former), by: 'id' as const }];
  const text = renameLines({ written, files: 1, unwritten: [], alike, unproven: [] }).join('\n');
  expect(text).toContain('apply it with `git apply` in the root of the work tree.');
  expect(text).toContain('write: lifecycle: { id: <old id> }');
});

test('objects that nothing connects are listed, with the first names of each side', () => {
  const former = Array.from({ length: 12 }, (_, i) => addressOf(kindName('group'), `g${i}` as Key));
  const unproven = [{ created: [addressOf(kindName('group'), 'new' as Key)], former }];
  const [, line] = renameLines({ written: [], files: 0, unwritten: [], alike: [], unproven });
  expect(line).toContain('it is unknown whether group.new had another name: group.g0, ');
  expect(line).toMatch(/group\.g9 and 2 more$/);
});

test.each([
  ['that nothing uses is edited', '', '\n    lifecycle: { was: staff }'],
  [
    'that an alias uses is not edited',
    'x-copy: { a: *it }\n',
    'it is anchored, and used elsewhere',
  ],
])('an anchored object %s', (_, more, expected) => {
  const text = `groups:\n  - &it\n    name: people\n${more}`;
  const [object] = desiredOf('groups: [{ name: people }]').map(one => ({ ...one, at: at(3) }));
  const { written, unwritten } = formerNames([renamed('group', 'people', 'staff', 3)], {
    files: [{ file: 'network.yaml', text }],
    desired: object ? [object] : [],
    kinds: KINDS,
  });
  const texts = [...written.map(one => one.insertion.text), ...unwritten.map(one => one.because)];
  expect(texts).toEqual([expected]);
});
