// Whom the network map of dialect `netbird` holds because of network resources, routes and expired logins. None of this
// lets peers reach each other.
import { describe, expect, it } from 'vitest';
import { emulated, idOf } from '../emulated.ts';
import { person } from '../people/people.ts';
import { bothDialects, written } from './both.ts';
import { account, policy, rule } from './drafts.ts';

const { accessible: listed } = bothDialects();

type Draft = Parameters<typeof account>[0];
type Row = readonly [string, Partial<Draft>, string];

/** Resource `db` is in the group `dbs` and routed by `r`. The group `as`, whose only member is `a`, may reach it. Peer `b` is in `bs`. */
const ROUTED: Draft = {
  groups: { as: 'a', bs: 'b', rs: 'r' },
  resources: { db: 'dbs' },
  routers: [{ peer: 'r' }],
  policies: [policy([rule('as', 'dbs')])],
};

const holds = async (_: string, more: Partial<Draft>, netbird: string) => {
  const draft = { ...ROUTED, ...more };
  const lists = await listed(account({ ...draft, groups: { dbs: '', ...draft.groups } }));
  expect([written(lists.spec), written(lists.netbird)]).toEqual(['', netbird]);
};

const STRICT = { strict: { nb_version_check: { min_version: '0.50.0' } } };
const CHECKED = { source_posture_checks: ['strict'] };
const old = (...names: string[]) => ({
  checks: STRICT,
  machines: Object.fromEntries(names.map(name => [name, { version: '0.47.9' }])),
});
const ruled = (...rules: object[]) => ({ policies: [policy(rules)] });
const OFF = { enabled: false };
const DROP = { action: 'drop' };

describe('a network resource connects its receivers with its routing peers', () => {
  it.each<Row>([
    ['by a group that holds it', {}, 'a: r, r: a'],
    ['by its id', ruled(rule('as', 'subnet:db')), 'a: r, r: a'],
    ['by a rule that drops', ruled(rule('as', 'dbs', DROP)), 'a: r, r: a'],
    ['if it is enabled', { disabled: 'db' }, ''],
    ['if a rule that concerns it is enabled', ruled(rule('as', 'dbs', OFF)), ''],
    [
      'if a policy that concerns it is enabled',
      { policies: [policy([rule('as', 'dbs')], OFF)] },
      '',
    ],
    ['if its network has a router', { routers: [] }, ''],
    ['if that router is enabled', { routers: [{ peer: 'r', ...OFF }] }, ''],
    [
      'with every member of the groups of a router',
      { groups: { as: 'a', rs: 'r s' }, routers: [{ peer_groups: ['rs'] }] },
      'a: r s, r: a, s: a',
    ],
    [
      'with the peers of every router, and the routing peers not with each other',
      { groups: { as: 'a', rs: 'r s' }, routers: [{ peer: 'r' }, { peer: 's' }] },
      'a: r s, r: a, s: a',
    ],
    [
      'with no other routing peer if the receiver routes the network itself',
      { routers: [{ peer: 'r' }, { peer: 'a' }] },
      'r: a',
    ],
    ['but nobody with itself', { routers: [{ peer: 'a' }] }, ''],
    [
      'of another rule of the policy, which may be disabled',
      ruled(rule('as', 'dbs'), rule('bs', 'dbs', OFF)),
      'a: r, b: r, r: a b',
    ],
    [
      'of another rule of the policy, whatever the destination of that rule is',
      {
        groups: { as: 'a', bs: 'b', rs: 'r', none: '' },
        ...ruled(rule('as', 'dbs'), rule('bs', 'none')),
      },
      'a: r, b: r, r: a b',
    ],
    [
      'of several policies',
      { policies: ['as', 'bs'].map(from => policy([rule(from, 'dbs')])) },
      'a: r, b: r, r: a b',
    ],
    ['by the single source of the first rule', ruled(rule('peer:b', 'dbs')), 'b: r, r: b'],
    [
      'by the single source of the first rule alone, even if that rule is disabled',
      ruled(rule('peer:b', 'dbs', OFF), rule('as', 'dbs')),
      'b: r, r: b',
    ],
    [
      'by no single source of a later rule',
      ruled(rule('as', 'dbs'), rule('peer:b', 'dbs')),
      'a: r, r: a',
    ],
    ['by no source that is no peer', ruled(rule('host:a', 'dbs')), ''],
    [
      'if the receiver passes the checks',
      {
        groups: { as: 'a b', rs: 'r' },
        policies: [policy([rule('as', 'dbs')], CHECKED)],
        ...old('a'),
      },
      'b: r, r: b',
    ],
    [
      'if the receiver passes the checks, as a single source too',
      { policies: [policy([rule('peer:a', 'dbs')], CHECKED)], ...old('a') },
      '',
    ],
    [
      'whatever the checks say of the routing peer',
      { policies: [policy([rule('as', 'dbs')], CHECKED)], ...old('r') },
      'a: r, r: a',
    ],
    ['but no receiver that awaits approval', { waiting: 'a' }, ''],
    [
      'but no single receiver that awaits approval',
      { waiting: 'a', ...ruled(rule('peer:a', 'dbs')) },
      '',
    ],
    ['but no routing peer that awaits approval', { waiting: 'r' }, ''],
    ['also where the receiver has an old agent', old('a'), 'a: r, r: a'],
  ])('%s', holds);
});

describe('a rule about a resource and peers', () => {
  it('connects the sources with the peers in its groups as well', async () => {
    const draft = { ...ROUTED, groups: { as: 'a', dbs: 'b', rs: 'r' } };
    const lists = await listed(account(draft));
    expect([written(lists.spec), written(lists.netbird)]).toEqual(['a: b', 'a: b r, b: a, r: a']);
  });
});

describe('a route', () => {
  const route = {
    id: 'w',
    network_id: 'w',
    description: '',
    enabled: true,
    network: '10.9.0.0/16',
  };
  const more = { peer: 'r', metric: 1, masquerade: true, keep_route: false, groups: ['as'] };
  it.each<Row>([
    ['connects nobody by itself', { routers: [], routes: [{ ...route, ...more }] }, ''],
    [
      'connects nobody by its access-control groups',
      { routers: [], routes: [{ ...route, ...more, access_control_groups: ['dbs'] }] },
      '',
    ],
  ])('%s', holds);
});

describe('a peer whose login has expired', () => {
  /** Peers a and r, whose logins have expired, connected by a rule and by a resource. */
  const expired = async (dialect: 'spec' | 'netbird', destination: object) => {
    const api = await emulated({ dialect });
    for (const one of [await api.get('/api/policies')].flat())
      await api.remove(`/api/policies/${idOf(one)}`);
    const { id: user_id } = await person(api, 'user');
    const rule = {
      name: 'r',
      enabled: true,
      action: 'accept',
      protocol: 'all',
      bidirectional: true,
    };
    await api.control('POST', '/emulator/load', {
      '/emulator/peers': ['a', 'r'].map(id => ({ id, name: id, user_id })),
      '/api/groups': [
        { id: 'as', name: 'as', peers: ['a'] },
        { id: 'rs', name: 'rs', peers: ['r'] },
      ],
      '/api/networks': [{ id: 'n', name: 'n' }],
      '/api/networks/n/resources': [
        { id: 'db', name: 'db', address: '10.0.0.1', enabled: true, groups: [] },
      ],
      '/api/networks/n/routers': [{ peer: 'r', metric: 1, masquerade: true, enabled: true }],
      '/api/policies': [
        { name: 'p', enabled: true, rules: [{ ...rule, sources: ['as'], ...destination }] },
      ],
    });
    await api.control('POST', '/emulator/clock', { advance: 86_400 });
    const names = async (peer: string) =>
      [await api.get(`/api/peers/${peer}/accessible-peers`)].flat().map(one => Object(one).id);
    return [await names('a'), await names('r')];
  };

  it.each([
    ['netbird', 'a rule', { destinations: ['rs'] }, [['r'], ['a']]],
    ['netbird', 'a resource', { destinationResource: { id: 'db', type: 'host' } }, [['r'], ['a']]],
    ['spec', 'a rule', { destinations: ['rs'] }, [[], []]],
  ] as const)('under %s, connected by %s', async (dialect, _, destination, lists) => {
    expect(await expired(dialect, destination)).toEqual(lists);
  });
});
