// A hazard that was allowed in a saved plan stays allowed if somebody renames a machine of it: the machine is the same by its id.
import { expect, test } from 'vitest';
import { findingsNow } from '../../../src/access/gates/acceptedAccess.ts';
import type { AccessFinding } from '../../../src/model/access/accessGates.ts';

type Members = Readonly<Record<string, string>>;

const finding = (
  where: string,
  ids: Members,
  more: Partial<AccessFinding> = {},
): AccessFinding => ({
  gate: 'guarded',
  code: 'WIDENS_GUARDED_ACCESS',
  target: 'group/vaults',
  what: 'gained',
  who: 'group/laptops',
  where,
  pairs: 2,
  members: Object.keys(ids),
  member_ids: ids,
  causes: ['policy.q'],
  ...more,
});

const SAVED = finding('peer/db, peer/web', { 'peer/db': 'p1', 'peer/web': 'p2', 'peer/mia': 'p3' });

const isAllowed = (now: AccessFinding, saved = SAVED) =>
  findingsNow([{ ...saved, allowed_by: 'flag' }], [now]).every(
    ({ allowed_by }) => allowed_by === 'plan',
  );

test.each<[string, AccessFinding, boolean]>([
  ['nothing', SAVED, true],
  [
    'a destination',
    finding('peer/database, peer/web', {
      'peer/database': 'p1',
      'peer/web': 'p2',
      'peer/mia': 'p3',
    }),
    true,
  ],
  [
    'a source of a group',
    finding('peer/db, peer/web', { 'peer/db': 'p1', 'peer/web': 'p2', 'peer/tom': 'p3' }),
    true,
  ],
  [
    'a destination, and another machine is new',
    finding('peer/database, peer/web', {
      'peer/database': 'p4',
      'peer/web': 'p2',
      'peer/mia': 'p3',
    }),
    false,
  ],
  [
    'a destination, whose name another machine has now',
    finding('peer/database, peer/db', { 'peer/database': 'p1', 'peer/db': 'p4', 'peer/mia': 'p3' }),
    false,
  ],
])('somebody renamed %s', (_, now, is) => {
  expect(isAllowed(now)).toBe(is);
});

test('a renamed machine that now passes a check is noticed', () => {
  const saved = { ...SAVED, failing: ['peer/mia'] };
  const ids = { 'peer/db': 'p1', 'peer/web': 'p2', 'peer/tom': 'p3' };
  const failing = finding('peer/db, peer/web', ids, { failing: ['peer/tom'] });
  expect(isAllowed(failing, saved)).toBe(true);
  expect(isAllowed(finding('peer/db, peer/web', ids), saved)).toBe(false);
});
