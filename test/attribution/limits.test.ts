// Where the log leaves room for somebody who is not seen, nobody is called the one.
import { describe, expect, test } from 'vitest';
import { attributed } from '../../src/attribution/attribute.ts';
import { ownEntries } from '../../src/attribution/ownRuns.ts';
import { readKinds } from '../../src/kinds/registry.ts';
import type { AuditEntry } from '../../src/model/audit/entry.ts';
import type { ShownChange } from '../../src/model/change.ts';
import { addressOf, keyOf } from '../../src/model/key.ts';
import { kindName, remoteId } from '../../src/model/names.ts';
import type { Live } from '../../src/model/object.ts';

const KIND = kindName('policy');
const KEY = keyOf(['reach']);
const ID = remoteId('p1');

const change = {
  address: addressOf(KIND, KEY),
  kind: KIND,
  key: KEY,
  type: 'update',
  id: ID,
  notes: [],
  before: { name: 'reach', description: 'theirs' },
  after: { name: 'reach', description: 'ours' },
  fields: [{ type: 'value', path: ['description'], before: 'theirs', after: 'ours' }],
  // What tests make by hand is theirs to show.
} as unknown as ShownChange;
const live: Live = {
  kind: KIND,
  id: ID,
  key: KEY,
  serverFields: {},
  idFields: {},
  fields: { name: 'reach', description: 'theirs' },
};
const missing = {
  address: change.address,
  kind: KIND,
  key: KEY,
  type: 'create',
  notes: [],
  fields: [],
  after: { name: 'reach', description: 'ours' },
} as unknown as ShownChange;

const entry = (second: number, code: string, by: string, target = 'p1'): AuditEntry => ({
  id: String(second),
  moment: BigInt(second) * 1_000_000_000n,
  time: `T${second}`,
  code,
  by: { id: by, name: by, email: '' },
  target,
  meta: { name: 'reach' },
});

const reported = (
  difference: ShownChange,
  entries: readonly AuditEntry[],
  more: {
    readonly isCut?: boolean;
    readonly since?: bigint;
    readonly own?: string;
    readonly isFromBase?: boolean;
  } = {},
) =>
  attributed([difference], {
    kinds: readKinds(),
    entries,
    isCut: more.isCut ?? false,
    self: null,
    account: { objects: difference === change ? [live] : [], idOf: () => undefined },
    isOwn: ({ by }) => by.id === more.own,
    ...(more.since !== undefined && { since: more.since }),
    isFromBase: more.isFromBase ?? false,
  }).get(difference);

describe('with a truncated log, the cause', () => {
  const entries = [entry(100, 'dashboard.login', 'x'), entry(200, 'policy.update', 'ada')];

  test('is uncertain if the log begins after the base was recorded', () =>
    expect(reported(change, entries, { isCut: true, since: 50_000_000_000n })).toMatchObject({
      confidence: 'window',
      reason: expect.stringContaining('begins at T100'),
    }));

  const exact = { confidence: 'exact', event: { by: { id: 'ada' }, when: 'T200' } };
  const ours = [entry(50, 'dashboard.login', 'x'), entry(60, 'policy.update', 'ci'), ...entries];

  test('is certain if the log still has our run that set the value', () => {
    expect(reported(change, ours, { isCut: true, own: 'ci' })).toMatchObject(exact);
    const since = 150_000_000_000n;
    expect(reported(change, ours, { isCut: true, own: 'ci', since })).toMatchObject(exact);
  });

  test('is uncertain if older events may have set a part of the value', () => {
    const doubt = { confidence: 'window', reason: expect.stringContaining('newest 10,000 events') };
    expect(reported(change, entries, { isCut: true })).toMatchObject(doubt);
    const since = 150_000_000_000n;
    expect(reported(change, entries, { isCut: true, since })).toMatchObject(doubt);
  });

  test('is certain if the log begins before a base was recorded, because the base holds the state then', () =>
    expect(
      reported(change, entries, { isCut: true, since: 150_000_000_000n, isFromBase: true }),
    ).toMatchObject(exact));
});

test('events before --since are ignored', () =>
  expect(
    reported(change, [entry(100, 'policy.update', 'ada')], { since: 101_000_000_000n }),
  ).toMatchObject({
    confidence: 'none',
  }));

describe('a missing object', () => {
  const gone = entry(300, 'policy.delete', 'bob');

  test('is attributed to the user who deleted it', () =>
    expect(reported(missing, [gone])).toMatchObject({
      confidence: 'exact',
      event: { by: { id: 'bob' } },
    }));

  test('was missing before if the deleted object had been created meanwhile', () =>
    expect(reported(missing, [entry(200, 'policy.add', 'ada'), gone])).toMatchObject({
      confidence: 'none',
    }));

  test('existed if our own run had created it', () =>
    expect(reported(missing, [entry(200, 'policy.add', 'ci'), gone], { own: 'ci' })).toMatchObject({
      confidence: 'exact',
      event: { by: { id: 'bob' } },
    }));

  test('a missing object that our own run deleted last has no author', () =>
    expect(
      reported(missing, [gone, entry(400, 'policy.delete', 'ci', 'p2')], { own: 'ci' }),
    ).toMatchObject({
      confidence: 'none',
      reason: expect.stringContaining('only runs of meshform'),
    }));

  test('is not confused with an object of another kind with the same name', () =>
    expect(reported(missing, [entry(300, 'group.delete', 'bob')])).toMatchObject({
      confidence: 'none',
    }));

  test('has no certain author if the log names a deleted user', () => {
    const entries = [gone, entry(301, 'user.delete', 'root', 'bob')];
    const found = reported(missing, entries);
    expect(found).toMatchObject({ confidence: 'window' });
    expect(JSON.stringify(found)).toContain('root');
  });
});

test('a service user of the token counts as our own without journals, and a person does not', () => {
  const entries = [entry(1, 'policy.update', 'me')];
  const own = (isRobot: boolean) =>
    ownEntries(entries, { self: { id: 'me', isRobot }, windows: [], named: [] });
  const form = { type: 'update', codes: ['policy.update'] } as const;
  expect(entries.map(one => own(true)(one, form))).toEqual([true]);
  expect(entries.map(one => own(false)(one, form))).toEqual([false]);
});
