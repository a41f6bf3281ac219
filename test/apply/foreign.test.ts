// Whom a note on somebody else's change names: as people know them.
import { expect, test } from 'vitest';
import { foreignNotes } from '../../src/apply/run/concurrent/foreignEdits.ts';
import { type Address, actionId, type Key, kindName, remoteId } from '../../src/model/names.ts';
import type { UpdateAction } from '../../src/model/plan.ts';
import type { JsonObject } from '../../src/model/value.ts';

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

const noteOf = (...initiators: readonly JsonObject[]): string | undefined =>
  foreignNotes(
    [UPDATE],
    initiators.map(initiator => ({ ...initiator, target_id: 'g1' })),
    'me',
  ).get(UPDATE.id);

test.each<[JsonObject, string]>([
  [{ initiator_email: 'ada@example.com', initiator_name: 'Ada' }, 'ada@example.com changed'],
  [{ initiator_email: '', initiator_name: 'pipeline', initiator_id: 'u1' }, 'pipeline changed'],
  [{ initiator_name: 'ci runner', initiator_id: 'u1' }, '"ci runner" changed'],
  [{ initiator_name: '', initiator_id: 'u1' }, 'user u1 changed'],
  [{ initiator_id: 17 }, 'user 17 changed'],
])('%j', (initiator, said) => {
  expect(noteOf({ initiator_id: 'u1', ...initiator })).toContain(`OVERWROTE_FOREIGN: ${said}`);
});

test('who made the run is not named', () => {
  expect(noteOf({ initiator_id: 'me', initiator_name: 'robot' })).toBeUndefined();
});
