// What a plan takes out of guarded targets and of access tests: nothing, if it changes no name, record, network resource and route.
import { expect, test } from 'vitest';
import { checkedSelector, selectorOf } from '../../../src/access/ask/selector.ts';
import { reachesOf } from '../../../src/access/flows/reaches.ts';
import { guardRemovals, testRemovals } from '../../../src/access/gates/guardRemovals.ts';
import { rowPool } from '../../../src/access/sets/rowPool.ts';
import type { AccessState } from '../../../src/access/state/accessState.ts';
import { stateOfAnswers } from '../../../src/access/state/stateOfAnswers.ts';
import { worldsOf } from '../../../src/access/world/world.ts';
import type { GuardedAccess } from '../../../src/model/access/accessGates.ts';
import type { AccessTest } from '../../../src/model/access/accessTest.ts';
import { nameText } from '../../../src/model/text/visible.ts';
import type { JsonObject } from '../../../src/model/value.ts';
import { type Extent, patience, proof } from '../../support/proof.ts';
import { fc } from '../../support/seeded.ts';
import { plannable } from '../plan/planInputs.ts';
import type { Account } from '../slow/account.ts';
import { recordOf, resourceAt, stateWith, zoneOf } from './roads.ts';

const EXTENT: Extent = { slice: 40, full: 1_000 };
const AT = { file: 'tests.yaml', line: 1, column: 1 };

function statesOf(before: AccessState, after: AccessState) {
  const pool = rowPool();
  const read = [before, after].map(state => ({ ...state, unread: new Map() }));
  const [was, is] = worldsOf(read).map(world => reachesOf(world, pool));
  if (was === undefined || is === undefined) throw new Error('two worlds');
  return { before: was, after: is, knowsRepairs: true, isBaseUnapplied: false };
}

/** What a plan takes out of guarded access. */
const takenFrom = (before: AccessState, after: AccessState, guarded: readonly GuardedAccess[]) => {
  const states = statesOf(before, after);
  return guardRemovals(() => states, { guarded }).flatMap(one =>
    'who' in one ? [`${one.who} of ${one.target}`] : [],
  );
};

const TEST: AccessTest = {
  name: 'it',
  at: AT,
  allow: [],
  deny: [],
  onlyFrom: [],
  except: [],
  passesPosture: false,
};

const testOf = (to: string, from: string): AccessTest => ({
  ...TEST,
  from: { text: from, at: AT },
  deny: [{ text: to, at: AT }],
});

const only = (to: string): AccessTest => ({
  ...TEST,
  to: { text: to, at: AT },
  onlyFrom: [{ text: 'group/admins', at: AT }],
});

test('a domain that records resolve covers the addresses that it leads to', () => {
  const wiki = (content: string) =>
    stateWith({
      resources: [resourceAt('r2', 'wiki', 'wiki.corp.test', 'g5')],
      zones: [
        zoneOf(
          'corp.test',
          ['g1'],
          [
            recordOf('wiki.corp.test', 'CNAME', 'web.corp.test'),
            recordOf('web.corp.test', 'A', content),
          ],
        ),
      ],
    });
  const before = wiki('10.20.0.9');
  for (const name of ['wiki.corp.test', '*.corp.test', 'wiki.corp.test:tcp/443']) {
    const guard = [{ to: name }];
    expect(takenFrom(before, wiki('10.20.0.9'), guard), name).toEqual([]);
    expect(takenFrom(before, wiki('10.20.0.8'), guard), name).toEqual([`10.20.0.9 of ${name}`]);
    for (const line of [testOf(name, 'group/admins'), only(name)]) {
      const same = testRemovals([line], statesOf(before, wiki('10.20.0.9')));
      expect(same, name).toEqual({ findings: [], warnings: [] });
      const moved = testRemovals([line], statesOf(before, wiki('10.20.0.8')));
      expect(moved.warnings.map(({ message }) => message).join(), name).toContain('10.20.0.9');
    }
  }
});

test('a domain still covers its former addresses when no record resolves it any more', () => {
  const zones = [zoneOf('corp.test', ['g1'], [recordOf('wiki.corp.test', 'A', '10.20.0.9')])];
  const before = stateWith({
    resources: [resourceAt('r2', 'wiki', 'wiki.corp.test', 'g5')],
    zones,
  });
  expect(takenFrom(before, stateWith({ zones }), [{ to: 'wiki.corp.test' }])).toEqual([]);
});

function stateOf(account: Account): AccessState {
  const peers = account.peers.map(one => ({
    ...one,
    dns_label: `${one.name.replaceAll(/\W/g, '-')}.netbird.selfhosted`,
  }));
  const answers = JSON.parse(JSON.stringify({ ...account, peers })) as JsonObject;
  const answered = stateOfAnswers(answers);
  if (!('state' in answered)) throw new Error(answered.faults.join());
  return answered.state;
}

// A selector of every kind, for everything in the account.
function selectorsIn({ networks, routes, groups, machines, zones }: AccessState) {
  const resources = networks.flatMap(network => network.resources);
  const names = [
    ...zones.flatMap(({ domain, records }) => [domain, ...records.map(({ name }) => name)]),
    ...machines.flatMap(({ dnsNames }) => dnsNames ?? []),
  ];
  const addresses = [
    ...resources.map(({ address }) => address),
    ...routes.flatMap(route => route.addresses),
    ...machines.flatMap(({ ip }) => ip ?? []),
    ...names,
    ...names.map(name => `*.${name.slice(name.indexOf('.') + 1)}`),
    '0.0.0.0/0',
    '10.0.0.0/8',
  ];
  const objects = [
    ...groups.map(({ key }) => `group/${nameText(key)}`),
    ...machines.map(({ key }) => `peer/${nameText(key)}`),
    ...networks.map(({ key }) => `network/${nameText(key)}`),
    ...resources.map(({ key }) => `network_resource/${key}`),
    ...routes.flatMap(({ networkId }) => (networkId ? [`route/${networkId}`] : [])),
    'all',
  ];
  return [...new Set([...objects, ...addresses])].filter(text => !('fault' in selectorOf(text)));
}

test(
  'a plan that changes no name, record, network resource or route removes nothing from a guard or test',
  () => {
    const { count, seed, found } = proof('shrinking', EXTENT);
    let judged = 0;
    fc.assert(
      fc.property(plannable, fc.constantFrom('', ':tcp/443', ':*'), ([account], ports) => {
        const before = stateOf(account);
        const groups = [...account.groups, { id: 'g99', name: 'another', peers: [] }];
        const after = stateOf({ ...account, groups, policies: [], services: [] });
        const selectors = selectorsIn(before);
        const states = statesOf(before, after);
        for (const text of selectors) {
          const to = `${text}${ports}`;
          expect(checkedSelector(to).text, to).toBe(text);
          const guarded = [{ to }, { to, from: 'all' }];
          for (const entry of guarded)
            expect(
              guardRemovals(() => states, { guarded: [entry] }),
              to,
            ).toEqual([]);
          const tests = [testOf(to, 'all'), only(to)];
          expect(testRemovals(tests, states), to).toEqual({ findings: [], warnings: [] });
          judged += 4;
        }
      }),
      { numRuns: count, seed },
    );
    found(`${count} plans, ${judged} guards and tests of every kind, nothing taken out of one`);
  },
  patience(EXTENT, 400),
);
