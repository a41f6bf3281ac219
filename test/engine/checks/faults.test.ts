import { describe, expect, test } from 'vitest';
import { kindTable } from '../../../src/kinds/schema/table.ts';
import { kindName } from '../../../src/model/names.ts';
import type { JsonObject } from '../../../src/model/value.ts';
import {
  declared,
  group,
  network,
  type Options,
  planFor,
  policy,
  type Read,
  resource,
} from '../planning.ts';

const found = (...given: Parameters<typeof planFor>) => {
  const { diagnostics, actions } = planFor(...given);
  return { codes: diagnostics.map(({ code }) => code), actions: actions.length };
};

describe('a kind that the account does not give', () => {
  const without = (kind: string): Options => ({
    unavailable: new Map([[kindName(kind), 'it said no']]),
  });

  test('stops a run that declares it or points at it', () => {
    expect(found('groups: [{ name: a }]', [], without('group'))).toEqual({
      codes: ['KIND_UNAVAILABLE'],
      actions: 0,
    });
    expect(found('groups: [{ name: a, peers: [x] }]', [], without('peer')).codes).toEqual([
      'KIND_UNAVAILABLE',
    ]);
  });

  test('stops a run that would delete some of it along', () => {
    expect(
      found('networks: [{ name: n }]', [], { ...without('network_router'), prune: 'unmanaged' })
        .codes,
    ).toEqual(['KIND_UNAVAILABLE']);
    expect(found('networks: [{ name: n }]', [], without('network_router'))).toEqual({
      codes: [],
      actions: 1,
    });
  });

  test('is told, and stops nothing, where it was only to be listed', () => {
    const watch = new Set([kindName('policy')]);
    const { diagnostics, actions } = planFor('groups: [{ name: a }]', [], {
      ...without('policy'),
      watch,
    });
    expect(diagnostics).toMatchObject([{ code: 'KIND_UNAVAILABLE', severity: 'warning' }]);
    expect(actions).toHaveLength(1);
  });

  test('does not stop a run that only looks whether it points at something', () => {
    expect(
      found('groups: [{ name: a }]', [], { ...without('route'), prune: 'unmanaged' }).codes,
    ).toEqual([]);
  });
});

describe('a pointer', () => {
  const rule = (source: string) =>
    `policies: [{ name: p, rules: [{ name: all, protocol: all, sources: [${source}], destinations: [${source}] }] }]`;

  test('to nothing is told at its place, with what was meant', () => {
    const { diagnostics } = planFor(rule('engineer'), [group('g1', 'engineers')]);
    expect(diagnostics).toMatchObject([
      { code: 'REF_UNKNOWN', at: { line: 1, column: 69 }, hint: 'did you mean `engineers`?' },
      { code: 'REF_UNKNOWN' },
    ]);
  });

  test('to one of two of a name is told with the ids to choose from', () => {
    const reads = [group('g1', 'a', { issued: 'jwt' }), group('g2', 'a')];
    expect(planFor(rule('a'), reads).diagnostics[0]).toMatchObject({
      code: 'REF_AMBIGUOUS',
      hint: 'write one of id:g1, id:g2',
    });
  });

  test('to one of two is told whatever their kind is known by', () => {
    const text = { type: 'string' };
    const kind = (name: string, identity: string, properties: JsonObject): JsonObject => ({
      ...{ title: name, description: 'Made up.', type: 'object' },
      'x-kind': {
        ...{
          name,
          plural: `${name}s`,
          at: `${name}s[]`,
          path: `/api/${name}s`,
          identity: [identity],
        },
        verbs: ['create', 'update', 'delete'],
      },
      properties: { id: { ...text, readOnly: true }, [identity]: text, ...properties },
    });
    const kinds = kindTable([
      kind('person', 'email', { name: text }),
      kind('badge', 'name', { owner: { ...text, 'x-trait': { ref: 'person' } } }),
    ]);
    const badge = declared('badge', 'b', { fields: { name: 'b', owner: 'ada@example.com' } });
    const reads: Read[] = ['p1', 'p2'].map(id => [
      'person',
      { id, email: 'ada@example.com', name: id },
    ]);
    expect(planFor([badge], reads, { kinds }).diagnostics).toMatchObject([
      { code: 'REF_AMBIGUOUS', hint: 'write one of id:p1, id:p2' },
    ]);
  });

  test('by id is fine, dangling ones aside', () => {
    expect(found(rule('"id:g1"'), [group('g1', 'a')]).codes).toEqual([]);
    expect(found(rule('"id:g9"'), [group('g1', 'a')]).codes).toEqual([
      'REF_UNKNOWN',
      'REF_UNKNOWN',
    ]);
  });

  test('to a name that is no more is told', () => {
    const files = `{ groups: [{ name: new, lifecycle: { was: old } }], ${rule('old')} }`;
    expect(found(files, [group('g1', 'old')]).codes).toEqual(['REF_UNKNOWN', 'REF_UNKNOWN']);
  });
});

describe('what needs an object of another kind', () => {
  const serving = (id: string, enabled: boolean): Read => [
    'ingress_peer',
    { id, peer_id: 'p1', enabled, fallback: false },
  ];
  const PEER: Read = ['peer', { id: 'p1', name: 'game' }];
  const PORTS =
    'peers: [{ name: game, ingress_ports: [{ name: voice, direct_port: { count: 2, protocol: udp } }] }]';
  const declaredPeer = (enabled: boolean) =>
    `{ ${PORTS}, ingress_peers: [{ peer_id: game, enabled: ${enabled} }] }`;

  test('is refused where one that is there does not serve', () => {
    expect(planFor(PORTS, [PEER, serving('i1', false)]).diagnostics).toMatchObject([
      {
        code: 'OBJECT_NEEDS',
        message:
          'ingress_port_allocation.game/voice cannot be created: `enabled` will be false for every ingress peer',
        hint: 'set `enabled: true` for one of them under `ingress_peers`',
      },
    ]);
    expect(found(declaredPeer(false), [PEER, serving('i1', true)]).codes).toEqual(['OBJECT_NEEDS']);
    expect(found(declaredPeer(false), [PEER]).codes).toEqual(['OBJECT_NEEDS']);
  });

  test('is made after one is switched on', () => {
    const { diagnostics, actions } = planFor(declaredPeer(true), [PEER, serving('i1', false)]);
    expect(diagnostics).toEqual([]);
    expect(actions.map(({ id }) => id)).toEqual([
      'update ingress_peer.game',
      'create ingress_port_allocation.game/voice',
    ]);
    expect(found(PORTS, [PEER, serving('i1', true), serving('i2', false)]).codes).toEqual([]);
  });

  test('is none of a plan’s business once it is there', () => {
    const allocation: Read = [
      'ingress_port_allocation',
      {
        ...{ id: 'a1', name: 'voice', enabled: true, ingress_peer_id: 'i1' },
        port_range_mappings: [
          {
            ...{ translated_start: 1, translated_end: 2, ingress_start: 1, ingress_end: 2 },
            protocol: 'udp',
          },
        ],
      },
      'p1',
    ];
    expect(found(declaredPeer(false), [PEER, serving('i1', true), allocation]).codes).toEqual([]);
  });
});

describe('what is protected', () => {
  test('is not deleted, by the files’ word or the base’s', () => {
    const reads = [group('g1', 'a'), group('g2', 'b')];
    const base = 'groups: [{ name: b, lifecycle: { protect: true } }]';
    expect(found('groups: [{ name: a }]', reads, { prune: 'removed', base })).toEqual({
      codes: ['PROTECTED'],
      actions: 0,
    });
    const torn = declared('group', 'a', { lifecycle: { protect: true, delete: true } });
    expect(found([torn], reads).codes).toEqual(['PROTECTED']);
  });

  test('is not replaced', () => {
    const files =
      'networks: [{ name: n }, { name: m, resources: [{ name: db, address: 10.0.0.1, groups: [], lifecycle: { was: n/db, protect: true } }] }]';
    const reads = [network('n1', 'n'), network('n2', 'm'), resource('r1', 'n1', 'db')];
    expect(found(files, reads).codes).toEqual(['PROTECTED']);
  });

  test('may be changed', () => {
    const files = 'groups: [{ name: b, lifecycle: { protect: true, was: a } }]';
    expect(found(files, [group('g1', 'a')])).toEqual({ codes: [], actions: 1 });
  });
});

test('a rule that must go makes another policy, where the server never takes one away', () => {
  const [kind, body] = policy('p1', 'p', ['g1'], ['g1']);
  const rules = body.rules as object[];
  const two = [
    kind,
    { ...body, rules: [...rules, { ...rules[0], id: 'p1-2', name: 'more' }] },
  ] as const;
  const files =
    'policies: [{ name: p, rules: [{ name: all, protocol: all, sources: [a], destinations: [a] }] }]';
  const types = (dialect: 'spec' | 'netbird') =>
    planFor(files, [group('g1', 'a'), two as never], { dialect }).changes.map(({ type }) => type);
  expect([types('spec'), types('netbird')]).toEqual([['update'], ['replace']]);
});

describe('the protect list of the project', () => {
  const reads = [network('n1', 'production'), resource('r1', 'n1', 'db'), group('g1', 'a')];
  const options: Options = { prune: 'unmanaged', base: 'networks: [{ name: production }]' };
  const files = 'networks: [{ name: other }]';

  test.each([['network/production'], ['network/id:n1'], ['network_resource/production/db']])(
    'keeps what no file declares any more: %s',
    entry => {
      const { diagnostics, actions } = planFor(files, reads, { ...options, protect: [entry] });
      expect(diagnostics).toMatchObject([
        {
          ...{ code: 'PROTECTED', severity: 'error' },
          hint: `if this is intended, first remove \`${entry}\` from the protect list of the project file in a separate change`,
        },
      ]);
      expect(actions).toEqual([]);
    },
  );

  test('keeps what would be replaced', () => {
    const moved =
      'networks: [{ name: production }, { name: vault, resources: [{ name: db, address: 10.0.0.1, groups: [], lifecycle: { was: production/db } }] }]';
    const protect = ['network_resource/id:r1'];
    expect(found(moved, reads, { protect }).codes).toEqual(['PROTECTED']);
  });

  test('has nothing against changes, nor against what is not on it', () => {
    const renamed = 'networks: [{ name: prod, lifecycle: { was: production } }]';
    expect(found(renamed, reads, { protect: ['network/id:n1', 'network/production'] })).toEqual({
      codes: [],
      actions: 1,
    });
    expect(found(files, reads, { ...options, protect: ['group/production'] }).codes).toEqual([]);
  });
});

describe('files that are for one account', () => {
  const files = 'groups: [{ name: a }]';

  test('are not planned for another', () => {
    const { diagnostics, actions } = planFor(files, [], { account: 'g0', behind: 'g9' });
    expect(diagnostics).toMatchObject([
      {
        ...{ code: 'ACCOUNT_DIFFERS', severity: 'error' },
        message: 'these files are for the account `g0`, but the token belongs to `g9`',
      },
    ]);
    expect(actions).toEqual([]);
  });

  test('are not planned where it cannot be told which account it is', () => {
    expect(found(files, [], { account: 'g0' })).toEqual({ codes: ['ACCOUNT_DIFFERS'], actions: 0 });
  });

  test('are planned for that one, and files that name none for any', () => {
    expect(found(files, [], { account: 'g0', behind: 'g0' })).toEqual({ codes: [], actions: 1 });
    expect(found(files, [], { behind: 'g9' })).toEqual({ codes: [], actions: 1 });
  });

  test('have a plan that says for which', () => {
    expect(planFor(files, [], { behind: 'g9' }).account).toBe('g9');
  });
});

describe('a secret that every update must hold', () => {
  test('is sent although it is somebody else’s to change', () => {
    const files = (interval: number) => `
      edr: { provider_a: { api_url: "https://edr.example.com", api_token: "\${env:T}", match_attributes: { infected: true }, groups: [], last_synced_interval: ${interval}, lifecycle: { ignore: [api_token, api_url] } } }`;
    const read: Read = [
      'edr_provider_a',
      {
        ...{ id: 'e1', api_url: 'https://other.example.com', match_attributes: { infected: true } },
        ...{ groups: [], last_synced_interval: 24, enabled: true },
      },
    ];
    expect(planFor(files(24), [read]).changes).toEqual([]);
    const [action] = planFor(files(48), [read]).actions;
    expect(action).toMatchObject({
      fields: { api_token: { $secret: '${env:T}' }, last_synced_interval: 48 },
    });
    expect(action).not.toMatchObject({ fields: { api_url: expect.anything() } });
  });
});

describe('an object of which no other is made in its place', () => {
  const read: Read = [
    'service_user',
    {
      ...{ id: 'u1', name: 'ci', role: 'user', auto_groups: [], is_blocked: false },
      ...{ is_current: false, is_service_user: true, issued: 'api' },
    },
  ];

  test('cannot be declared to be called otherwise', () => {
    const files = 'service_users: [{ name: robot, role: user, lifecycle: { id: u1 } }]';
    const { diagnostics, actions } = planFor(files, [read]);
    expect(diagnostics).toMatchObject([
      {
        code: 'REPLACE_REFUSED',
        message: '`name` of service_user.robot is immutable, and a service user cannot be replaced',
      },
    ]);
    expect(actions).toEqual([]);
  });

  test('is refused too where the API deletes nothing of its kind', () => {
    const tenant: Read = [
      'msp_tenant',
      { id: 't1', name: 'shop', domain: 'old.example.com', groups: [], status: 'pending' },
    ];
    const files = 'msp_tenants: [{ name: shop, domain: new.example.com, lifecycle: { id: t1 } }]';
    expect(found(files, [tenant])).toEqual({ codes: ['REPLACE_REFUSED'], actions: 0 });
  });

  test('can change in every other way', () => {
    const files = 'service_users: [{ name: ci, role: auditor, lifecycle: { id: u1 } }]';
    expect(found(files, [read])).toEqual({ codes: [], actions: 1 });
  });
});
