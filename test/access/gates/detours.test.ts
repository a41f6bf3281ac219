// How a destination leads to what is guarded is said in words, where its own address does not show it.
import { describe, expect, test } from 'vitest';
import { answerQuestion } from '../../../src/access/ask/answer.ts';
import { checkedSelector } from '../../../src/access/ask/selector.ts';
import { reachesIn, reachesOf } from '../../../src/access/flows/reaches.ts';
import { movedAccess } from '../../../src/access/gates/movedAccess.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import type { AccessState } from '../../../src/access/state/accessState.ts';
import { judgeTests } from '../../../src/access/tests/judgeTests.ts';
import { worldsOf } from '../../../src/access/world/world.ts';
import { recordOf, resourceAt, routeTo, stateWith } from './roads.ts';

const DB = 'network_resource/production/orders-db';
const TRANSLATED = 'where a router translates IPv6 (NAT64, 6to4)';

/** What is said of it in the answer about the database, in a test that denies it, and at the guard. */
function said(
  before: AccessState,
  after: AccessState,
  { to = DB }: { readonly to?: string } = {},
): readonly (readonly string[])[] {
  const from = checkedSelector('group/laptops');
  const answer = answerQuestion(after, { from, to: checkedSelector(to), why: false });
  const at = { file: 'tests.yaml', line: 1, column: 1 };
  const { verdicts } = judgeTests(reachesIn(after), [
    {
      name: 'it',
      at,
      from: { text: 'group/laptops', at },
      allow: [],
      deny: [{ text: to, at }],
      onlyFrom: [],
      except: [],
      passesPosture: false,
    },
  ]);
  const flows = verdicts.flatMap(({ failures }) => failures.flatMap(failure => failure.flows));
  const pool = rowPool();
  const [was, is] = worldsOf([before, after]).map(world => reachesOf(world, pool));
  if (was === undefined || is === undefined) throw new Error('two worlds');
  const moved = movedAccess({ before: was, after: is }, 'gained', { to: checkedSelector(to) });
  expect(moved).not.toEqual([]);
  return [
    'flows' in answer ? answer.flows.flatMap(({ detours = [] }) => detours) : [],
    flows.flatMap(({ detours = [] }) => detours),
    moved.flatMap(({ detours }) => detours),
  ];
}

const DETOURS: readonly (readonly [string, Parameters<typeof stateWith>[0], string])[] = [
  [
    'an exit node of IPv6',
    { routes: [routeTo({ network: '::/0' })] },
    `::/0 leads to every IPv4 address ${TRANSLATED}`,
  ],
  [
    'a range for NAT64',
    { routes: [routeTo({ network: '64:ff9b::/64' })] },
    `64:ff9b::/64 leads to every IPv4 address ${TRANSLATED}`,
  ],
  [
    'a range in the form of 6to4',
    { resources: [resourceAt('r2', 'copy', '2002:a14::/32', 'g5')] },
    `2002:a14::/32 leads to 10.20.0.0/16 ${TRANSLATED}`,
  ],
  [
    'a guarded range in the form of 6to4',
    { address: '2002:a14:5::/48', routes: [routeTo({ network: '10.20.0.0/16' })] },
    `2002:a14:5::/48 leads to 10.20.0.5/32 ${TRANSLATED}`,
  ],
  [
    'a name',
    {
      resources: [resourceAt('r2', 'copy', 'db.internal', 'g5')],
      records: [recordOf('db.internal', 'A', '10.20.0.5')],
    },
    'db.internal leads to 10.20.0.5',
  ],
  [
    'a name of a form of IPv6',
    {
      resources: [resourceAt('r2', 'copy', 'db.internal', 'g5')],
      records: [recordOf('db.internal', 'AAAA', '2002:a14:5::1')],
    },
    `db.internal leads to 2002:a14:5::1, and 2002:a14:5::1 leads to 10.20.0.5/32 ${TRANSLATED}`,
  ],
  [
    'a guarded name',
    {
      address: 'db.internal',
      routes: [routeTo({ network: '10.20.0.0/16' })],
      records: [recordOf('db.internal', 'A', '10.20.0.5')],
    },
    'db.internal leads to 10.20.0.5',
  ],
];

describe('the other path to a guarded target is reported for', () => {
  test.each(DETOURS)('%s', (_, road, sentence) => {
    const { address, records = [] } = road;
    const before = stateWith({ ...(address !== undefined && { address }), records });
    expect(said(before, stateWith(road))).toEqual([[sentence], [sentence], [sentence]]);
  });

  test('a new DNS record', () => {
    const resources = [resourceAt('r2', 'copy', 'db.internal', 'g5')];
    const records = [recordOf('db.internal', 'A', '10.20.0.5')];
    const sentence = ['db.internal leads to 10.20.0.5'];
    const found = said(stateWith({ resources }), stateWith({ resources, records }));
    expect(found).toEqual([sentence, sentence, sentence]);
  });

  test('an address, whatever provides it', () => {
    const road = stateWith({ routes: [routeTo({ network: '::/0' })] });
    const sentence = [`::/0 leads to every IPv4 address ${TRANSLATED}`];
    const found = said(stateWith({}), road, { to: '10.20.0.5' });
    expect(found).toEqual([sentence, sentence, sentence]);
  });

  test('a machine', () => {
    const road = stateWith({ routes: [routeTo({ network: '2002:6440:3::/48' })] });
    const sentence = [`2002:6440:3::/48 leads to 100.64.0.3/32 ${TRANSLATED}`];
    expect(said(stateWith({}), road, { to: 'peer/admin' })).toEqual([sentence, sentence, sentence]);
  });
});

const PLAIN: readonly (readonly [string, Parameters<typeof stateWith>[0]])[] = [
  ['the address', { routes: [routeTo({ network: '10.20.0.5/32' })] }],
  ['a wider range', { routes: [routeTo({ network: '10.20.0.0/16' })] }],
  ['an exit node', { routes: [routeTo({ network: '0.0.0.0/0' })] }],
  [
    'an exit node beside a guarded domain',
    { address: 'db.example.com', routes: [routeTo({ network: '::/0' })] },
  ],
  [
    'a wildcard',
    { address: 'db.example.com', resources: [resourceAt('r2', 'copy', '*.example.com', 'g5')] },
  ],
  [
    'the same name, which leads somewhere',
    {
      address: 'db.internal',
      resources: [resourceAt('r2', 'copy', 'db.internal', 'g5')],
      records: [recordOf('db.internal', 'A', '10.20.0.5')],
    },
  ],
];

test.each(PLAIN)('no other path is reported for %s', (_, road) => {
  const { address, records = [] } = road;
  const before = stateWith({ ...(address !== undefined && { address }), records });
  expect(said(before, stateWith(road))).toEqual([[], [], []]);
});
