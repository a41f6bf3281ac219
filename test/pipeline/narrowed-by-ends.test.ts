// What is read because of ends: only lists of kinds that withhold access by what the ends write.
import { expect, test } from 'vitest';
import type { ShownAction } from '../../src/model/plan.ts';
import { kindsNarrowedBy, unreadNarrowing } from '../../src/pipeline/access/narrowedByEnds.ts';
import { KINDS } from '../support/files.ts';

const writes = (kind: string) => ({ actions: [{ kind } as ShownAction] });

test('kinds that withhold access by groups are read for ends in groups, and not for others', () => {
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
