// Whom a note on somebody else's change names: as people know them.
import { expect, test } from 'vitest';
import {
  foreignEdits,
  foreignHint,
  foreignNote,
} from '../../src/apply/run/concurrent/foreignEdits.ts';
import { type Address, actionId, type Key, kindName, remoteId } from '../../src/model/names.ts';
import type { UpdateAction } from '../../src/model/plan.ts';
import type { JsonObject } from '../../src/model/value.ts';
import { KINDS } from '../support/files.ts';

const UPDATE: UpdateAction = {
  id: actionId('update group.a'),
  address: 'group.a' as Address,
  kind: kindName('group'),
  key: 'a' as Key,
  verb: 'update',
  remoteId: remoteId('g1'),
  fields: {},
  members: {},
  precondition: { type: 'unchanged', digest: '' },
  after: [],
  writes: [],
  hazards: [],
  requests: 2,
};

const editOf = (...entries: readonly JsonObject[]) =>
  foreignEdits(
    [UPDATE],
    entries.map(entry => ({ ...entry, target_id: 'g1' })),
    { self: 'me', kinds: KINDS },
  ).get(UPDATE.id);

const noteOf = (...entries: readonly JsonObject[]): string | undefined => {
  const edit = editOf(...entries);
  return edit && foreignNote(edit);
};

test.each<[JsonObject, string]>([
  [{ initiator_email: 'ada@example.com', initiator_name: 'Ada' }, 'ada@example.com changed'],
  [{ initiator_email: '', initiator_name: 'pipeline', initiator_id: 'u1' }, 'pipeline changed'],
  [{ initiator_name: 'ci runner', initiator_id: 'u1' }, '"ci runner" changed'],
  [{ initiator_name: '', initiator_id: 'u1' }, 'user u1 changed'],
  [{ initiator_id: 17 }, 'user 17 changed'],
])('%j', (initiator, said) => {
  expect(noteOf({ initiator_id: 'u1', ...initiator })).toContain(`OVERWROTE_FOREIGN: ${said}`);
});

test('the user of the run is not named', () => {
  expect(noteOf({ initiator_id: 'me', initiator_name: 'robot' })).toBeUndefined();
});

test('a deletion is not a change that may be overwritten', () => {
  const note = noteOf({
    initiator_id: 'u1',
    initiator_email: 'ada@example.com',
    activity_code: 'group.delete',
  });
  expect(note).toContain('OVERWROTE_FOREIGN: ada@example.com deleted it during the run');
  expect(note).not.toContain('may be overwritten');
});

test('the hint names the user who changed the value again if a read shows another value', () => {
  const edit = editOf({ initiator_id: 'u1', initiator_email: 'ada@example.com' });
  expect(edit && foreignHint(edit)).toContain('ada@example.com changed it during the run');
});
