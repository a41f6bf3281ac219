// Members whose end only the base has still end, unless the files declare them without an end.
import { expect, test } from 'vitest';
import { removedEnds } from '../../../src/engine/endings/removedEnds.ts';
import { findEndings } from '../../../src/engine/plan/planEndings.ts';
import type { PlanInput } from '../../../src/engine/scope/planInput.ts';
import { endedAt } from '../../../src/source/endings/endedAt.ts';
import { desiredOf, KINDS } from '../../support/files.ts';
import { group, peer, planInput, policy } from '../planning.ts';

const NOW = Date.parse('2026-12-03T00:00:00Z');
const IDS = { 'policy.p': 'p', 'group.a': 'a', 'group.b': 'b', 'group.c': 'c' };
const rule = (name: string, sources: string) =>
  `{ name: ${name}, sources: ${sources}, destinations: [b], protocol: all }`;
const files = (rules: string, peers = '[]') =>
  `groups: [{ name: a, peers: ${peers} }, { name: b }, { name: c }]\n${rules === '' ? '' : `policies: [{ name: p, rules: [${rules}] }]\n`}`;
const BASE = files(
  rule('all', '[a, { name: c, until: 2026-12-01 }]'),
  '[ada, { name: bob, until: 2026-12-01 }]',
);
const members = ['ada', 'bob'].map(name => ({ id: name, name }));
const there = [
  peer('ada', 'ada'),
  peer('bob', 'bob'),
  group('a', 'a', { peers: members }),
  group('b', 'b'),
  group('c', 'c'),
  policy('p', 'p', ['a', 'c'], ['b']),
];

const inputOf = (text: string): PlanInput =>
  planInput(text, there, { base: BASE, recordedIds: IDS });

/** What an end would change in the account, if these are the files. */
function endsOf(text: string) {
  const input = inputOf(text);
  const { desired, endings } = removedEnds(input, NOW);
  const instead = new Set(desired.map(({ kind, key }) => `${kind} ${key}`));
  const rest = input.desired.filter(({ kind, key }) => !instead.has(`${kind} ${key}`));
  const found = findEndings(
    { ...input, desired: [...rest, ...desired] },
    { endings, now: NOW, skew: 0, isOnlyReported: false, isEndsOnly: true },
  );
  return {
    overdue: found.endings.overdue.map(({ key, member }) => `${key}: ${member}`),
    written: (found.alone?.actions ?? []).map(({ verb, key }) => `${verb} ${key}`).sort(),
  };
}

const BOTH = { overdue: ['a: bob', 'p: c'], written: ['update a', 'update p'] };
const NONE = { overdue: [], written: [] };

test.each([
  ['the files have their lists without them', files(rule('all', '[a]'), '[ada]'), BOTH],
  ['the files have nothing of the rule', files(rule('other', '[b]'), '[ada]'), BOTH],
  ['the files no longer have the policy', files('', '[ada]'), BOTH],
  ['the files declare them for good', files(rule('all', '[a, c]'), '[ada, bob]'), NONE],
  ['the rule may have another name', files(rule('new', '[a, c]'), '[ada, bob]'), NONE],
  [
    'a new rule with another destination has the source',
    files(
      `${rule('all', '[a]')}, { name: new, sources: [c], destinations: [a], protocol: all }`,
      '[ada]',
    ),
    BOTH,
  ],
  [
    'a new rule with ports has the source, and theirs is gone',
    files(
      '{ name: new, sources: [a, c], destinations: [b], protocol: tcp, ports: ["631"] }',
      '[ada]',
    ),
    BOTH,
  ],
  [
    'the files give them a later end',
    files(
      rule('all', '[a, { name: c, until: 2027-12-01 }]'),
      '[ada, { name: bob, until: 2027-12-01 }]',
    ),
    NONE,
  ],
])('%s', (_, text, expected) => {
  const { overdue, written } = endsOf(text);
  expect({ overdue: overdue.sort(), written }).toEqual(expected);
});

test('an expired source is removed from the rule that the base has, if the files renamed the rule when they added the expiry', () => {
  const text = files(rule('new', '[a, { name: c, until: 2026-12-01 }]'), '[ada]');
  const { desired } = endedAt(desiredOf(text), KINDS, NOW);
  const removed = removedEnds({ ...inputOf(text), desired }, NOW);
  expect(removed.endings.map(({ key, member }) => `${key}: ${member}`).sort()).toEqual([
    'a: bob',
    'p: c',
  ]);
});

test('nothing is removed before it expires', () => {
  expect(removedEnds(inputOf(files('', '[ada]')), Date.parse('2026-11-30T00:00:00Z'))).toEqual({
    desired: [],
    endings: [],
  });
});
