import { expect, test } from 'vitest';
import { phaseOf } from '../../../src/engine/ordering/phase.ts';
import type { Draft } from '../../../src/engine/types/draft.ts';
import type { FieldChange } from '../../../src/model/change.ts';
import { kindName } from '../../../src/model/names.ts';
import { KINDS } from '../../support/files.ts';

const phase = (verb: string, kind: string, ...fields: FieldChange[]) =>
  phaseOf(
    { action: { verb, kind: kindName(kind) }, change: { fields } } as unknown as Draft,
    KINDS,
  );

const set = (path: string, added: string[], removed: string[]): FieldChange => ({
  type: 'members',
  path: path.split('/'),
  added,
  removed,
  kept: [],
  foreign: [],
});

test('a create adds access, and a delete removes it', () => {
  expect([phase('create', 'policy'), phase('delete', 'policy')]).toEqual(['adds', 'removes']);
});

test('an update that only adds members adds, and an update that only removes members removes', () => {
  expect(phase('update', 'group', set('peers', ['x'], []))).toBe('adds');
  expect(phase('update', 'policy', set('rules/all/sources', [], ['a']))).toBe('removes');
  expect(phase('update', 'policy', set('rules/all/sources', ['b'], ['a']))).toBe('changes');
  expect(
    phase(
      'update',
      'policy',
      set('rules/x/sources', ['b'], []),
      set('rules/x/destinations', [], ['a']),
    ),
  ).toBe('changes');
});

test('the first member of a list that is open while it is empty is not an addition', () => {
  expect(phase('update', 'policy', set('rules/all/ports', ['22'], []))).toBe('changes');
  expect(phase('update', 'policy', set('source_posture_checks', [], ['x']))).toBe('changes');
  expect(phase('update', 'route', set('access_control_groups', ['a'], []))).toBe('changes');
});

test('any other difference may add access and remove access, and so may an update that only renews a reference', () => {
  expect(
    phase('update', 'policy', { type: 'value', path: ['enabled'], before: false, after: true }),
  ).toBe('changes');
  expect(phase('update', 'policy')).toBe('changes');
});
