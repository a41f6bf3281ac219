// An undo that brings back what was to end says so where nothing keeps the end, and needs a flag.
import { expect, test } from 'vitest';
import { withEndsNotKept } from '../../src/apply/recordedBase/endsNotKept.ts';
import type { Plan } from '../../src/model/plan.ts';
import { desiredOf } from '../support/files.ts';

const desired = desiredOf(
  'groups: [{ name: a, peers: [{ name: bob, until: 2026-12-01 }] }, { name: b, lifecycle: { until: 2026-12-01 } }, { name: c }]\n',
);
const plan = {
  actions: ['a', 'b', 'c'].map(key => ({
    kind: 'group',
    key,
    address: `group.${key}`,
    hazards: [],
  })),
} as unknown as Pick<Plan, 'actions'>;
const hazards = (keeper: Parameters<typeof withEndsNotKept>[2]) =>
  withEndsNotKept(plan, desired, keeper).actions.flatMap(one => one.hazards);

test('a journal keeps the expiries of objects, a base those of members too, and no expiry is kept without either', () => {
  expect(hazards('base')).toEqual([]);
  const [member, ...others] = hazards('journal');
  expect(others).toEqual([]);
  expect(member).toMatchObject({ code: 'LOSES_END', allowed: false });
  expect(member?.message).toContain('group.a is restored, but these expiry times are lost');
  expect(member?.message).toContain('`bob` in `peers` at 2026-12-01');
  expect(hazards('nothing').map(({ message }) => message.split(' ')[0])).toEqual([
    'group.a',
    'group.b',
  ]);
});
