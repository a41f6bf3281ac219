// Ends of members of groups whose machines an integration checks: what is read for them, and which of them may give access.
import { expect, test } from 'vitest';
import { findEndings } from '../../src/engine/plan/planEndings.ts';
import { type KindName, kindName } from '../../src/model/names.ts';
import type { ShownAction } from '../../src/model/plan.ts';
import {
  kindsNarrowedBy,
  narrowedByEnds,
  unreadNarrowing,
} from '../../src/pipeline/access/narrowedByEnds.ts';
import { endedAt } from '../../src/source/endings/endedAt.ts';
import { EDR_BODIES } from '../emulator/bodies.ts';
import { group, peer, planInput, policy, type Read } from '../engine/planning.ts';
import { desiredOf, KINDS } from '../support/files.ts';

const writes = (kind: string) => ({ actions: [{ kind } as ShownAction] });

test('kinds that withhold access by groups are read for expiries in groups, and not for others', () => {
  const groups = kindsNarrowedBy(KINDS, writes('group'));
  expect([...groups].every(kind => kind.startsWith('edr_'))).toBe(true);
  expect(groups.size).toBe(4);
  expect(kindsNarrowedBy(KINDS, writes('policy')).size).toBe(0);
  expect(kindsNarrowedBy(KINDS, undefined).size).toBe(0);
});

test('a list of such a kind that cannot be read is named, unless the server does not offer the kind', () => {
  const [one, ...others] = kindsNarrowedBy(KINDS, writes('group'));
  const kinds = new Set(one === undefined ? [] : [one]);
  const unavailable = new Map([...kinds].map(kind => [kind, 'HTTP status 403']));
  expect(others.length).toBe(3);
  expect(unreadNarrowing(kinds, { unavailable })).toMatchObject([
    { code: 'KIND_UNAVAILABLE', severity: 'warning', hint: expect.any(String) },
  ]);
  expect(unreadNarrowing(kinds, { unavailable, notOffered: kinds })).toEqual([]);
});

const NOW = Date.parse('2026-12-03T00:00:00Z');
const ENDED = `groups:
  - { name: contractors, peers: [{ name: ada, until: 2026-12-01 }] }
  - { name: guests, peers: [GUESTS] }
`;

const peersOf = (...names: readonly string[]) => ({
  peers: names.map(name => ({ id: name, name })),
});

/** The ends of ada that could give her access, in an account in which integrations check these groups. */
function givingEnds(
  checked: readonly (readonly string[])[],
  {
    guests = '',
    more = [],
    unavailable,
  }: {
    readonly guests?: string;
    readonly more?: readonly Read[];
    readonly unavailable?: ReadonlyMap<KindName, string>;
  } = {},
): readonly string[] {
  const { desired, endings } = endedAt(desiredOf(ENDED.replace('GUESTS', guests)), KINDS, NOW);
  const reads: readonly Read[] = [
    ['peer', { id: 'ada', name: 'ada', approval_required: true }],
    peer('eve', 'eve'),
    peer('srv', 'srv'),
    group('contractors', 'contractors', peersOf('ada')),
    group('guests', 'guests', guests === '' ? {} : peersOf('ada')),
    group('staff', 'staff', peersOf('ada')),
    group('others', 'others', peersOf('eve')),
    group('servers', 'servers', peersOf('srv')),
    ...checked.map((groups, at): Read => {
      const [kind, body] = at === 0 ? ['a', EDR_BODIES.A] : ['b', EDR_BODIES.B];
      const id = `edr-${kind}`;
      return [
        `edr_provider_${kind}`,
        { ...body, id, enabled: true, groups: groups.map(id => ({ id, name: id })) },
      ];
    }),
    ...more,
  ];
  const input = planInput(desired, reads, {});
  const settings = { endings, now: NOW, skew: 0, isOnlyReported: false, isEndsOnly: true };
  const { alone } = findEndings(input, settings);
  expect(alone?.actions.length).toBeGreaterThan(0);
  const account = { kinds: KINDS, live: input.snapshot.objects, unavailable: new Map() };
  return narrowedByEnds({ ...account, ...(unavailable && { unavailable }) }, alone ?? undefined)
    .causes;
}

const STAFF_REACHES = policy('p', 'p', ['staff'], ['servers']);

test('an expiry of membership in a checked group is refused where the machine has access afterwards', () => {
  expect(givingEnds([['contractors']], { more: [STAFF_REACHES] })).toEqual(['group.contractors']);
  // Others reach the machine.
  const reached = policy('p', 'p', ['others'], ['staff']);
  expect(givingEnds([['contractors']], { more: [reached] })).toEqual(['group.contractors']);
});

test('an expiry of membership in a checked group gives nothing to a machine without access', () => {
  expect(givingEnds([['contractors']])).toEqual([]);
  const others = policy('p', 'p', ['others'], ['servers']);
  expect(givingEnds([['contractors']], { more: [others] })).toEqual([]);
  // Access that could not be read is not taken for no access.
  const unavailable = new Map([[kindName('policy'), 'HTTP status 403']]);
  expect(givingEnds([['contractors']], { unavailable })).toEqual(['group.contractors']);
});

test('an expiry of membership in a checked group gives nothing while the same integration checks the machine in another group', () => {
  const more = [STAFF_REACHES];
  expect(givingEnds([['contractors', 'staff']], { more })).toEqual([]);
  expect(givingEnds([['contractors'], ['staff']], { more })).toEqual(['group.contractors']);
  // Both memberships end.
  const guests = '{ name: ada, until: 2026-12-01 }';
  expect(givingEnds([['contractors', 'guests']], { guests, more })).toEqual([
    'group.contractors',
    'group.guests',
  ]);
  expect(givingEnds([['contractors', 'guests']], { guests: 'ada', more })).toEqual([]);
});
