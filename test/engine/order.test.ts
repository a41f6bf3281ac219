import { describe, expect, test } from 'vitest';
import type { KindTable } from '../../src/kinds/kind.ts';
import { kindTable } from '../../src/kinds/schema/table.ts';
import type { JsonObject } from '../../src/model/value.ts';
import {
  declared,
  group,
  network,
  type Options,
  peer,
  planFor,
  policy,
  type Read,
  resource,
  router,
} from './planning.ts';

/** The ids of the actions, in order. */
const order = (files: string, reads: readonly Read[], options: Options = {}) =>
  planFor(files, reads, { prune: 'unmanaged', ...options }).actions.map(({ id }) => String(id));

const rules = (text: string) =>
  `policies: [{ name: p, rules: [{ name: all, protocol: tcp, ${text} }] }]`;

describe('what the API demands', () => {
  test('an object is made before what points at it, and before what nests in it', () => {
    const files = `{
      networks: [{ name: n, resources: [{ name: db, address: 10.0.0.1, groups: [a] }], routers: [{ peer_groups: [a], masquerade: true }] }],
      policies: [{ name: p, rules: [{ name: all, protocol: all, sources: [a], destinationResource: { network_resource: n/db } }] }],
      groups: [{ name: a }]
    }`;
    expect(order(files, [])).toEqual([
      ...['create group.a', 'create network.n', 'create network_resource.n/db'],
      ...['create network_router.n/a', 'create policy.p'],
    ]);
  });

  test('an object goes after what points at it', () => {
    const reads = [
      ...[
        group('g1', 'a'),
        group('g2', 'b'),
        network('n1', 'n'),
        resource('r1', 'n1', 'db', ['g1']),
      ],
      ...[router('t1', 'n1', ['g2']), policy('p1', 'gone', ['g1'], ['g2']), network('n2', 'kept')],
    ];
    const files = `{ groups: [{ name: c }], networks: [{ name: kept }], ${rules('sources: [c], destinations: [c]')} }`;
    const ids = order(files, reads);
    const isFirst = (a: string, b: string) => expect(ids.indexOf(a)).toBeLessThan(ids.indexOf(b));
    isFirst('delete network.n', 'delete group.a');
    isFirst('delete network.n', 'delete group.b');
    isFirst('delete policy.gone', 'delete group.a');
    expect(ids.some(id => id.includes('n/db'))).toBe(false);
  });

  test('a pointer is let go before its object goes', () => {
    const reads = [group('g1', 'a'), group('g2', 'b'), policy('p1', 'p', ['g1'], ['g2'])];
    const files = `{ groups: [{ name: a }], ${rules('sources: [a], destinations: [a]')} }`;
    expect(order(files, reads)).toEqual(['update policy.p', 'delete group.b']);
  });

  const bound = (name: string, id: string) => `{ name: ${name}, lifecycle: { id: ${id} } }`;
  const groups = (...ids: string[]) => ids.map((id, i) => group(id, 'abc'.charAt(i)));

  test('a name is free before it is taken', () => {
    expect(order(`groups: [${bound('c', 'g1')}, ${bound('a', 'g2')}]`, groups('g1', 'g2'))).toEqual(
      ['update group.c', 'update group.a'],
    );
  });

  test('of objects that swap names one goes by another name in between', () => {
    const { actions } = planFor(
      `groups: [${bound('b', 'g1')}, ${bound('a', 'g2')}]`,
      groups('g1', 'g2'),
    );
    expect(actions).toMatchObject([
      { id: 'rename group.a', remoteId: 'g2', fields: { name: 'a~meshform' }, after: [] },
      { id: 'update group.b', remoteId: 'g1', after: ['rename group.a'] },
      { id: 'update group.a', remoteId: 'g2', after: ['rename group.a', 'update group.b'] },
    ]);
  });

  test('and so does one of three that hand their names on', () => {
    const files = `groups: [${bound('b', 'g1')}, ${bound('c', 'g2')}, ${bound('a', 'g3')}]`;
    expect(order(files, groups('g1', 'g2', 'g3'))).toEqual([
      ...['rename group.a', 'update group.c', 'update group.b', 'update group.a'],
    ]);
  });

  test('what the server would choose from is gone before it chooses', () => {
    const files = `{
      ingress_peers: [{ peer_id: y }],
      peers: [{ name: z, ingress_ports: [{ name: game, direct_port: { count: 1, protocol: tcp } }] }],
    }`;
    const reads: Read[] = [
      ...['x', 'y', 'z'].map(name => peer(`p${name}`, name)),
      ...['x', 'y'].map(
        (name): Read => ['ingress_peer', { id: `i${name}`, peer_id: `p${name}`, enabled: true }],
      ),
    ];
    const ids = order(files, reads);
    expect(ids.filter(id => id.includes('ingress_peer') || id.startsWith('create'))).toEqual([
      'delete ingress_peer.x',
      'create ingress_port_allocation.z/game',
    ]);
  });

  test('a circle that no name gets out of is told', () => {
    const at = (id: string) => `address: 10.0.0.1, groups: [], lifecycle: { id: ${id} }`;
    const files = `networks: [{ name: n, resources: [{ name: a, ${at('r2')} }] }, { name: m, resources: [{ name: b, ${at('r1')} }] }]`;
    const reads = [
      ...[network('n1', 'n'), network('n2', 'm')],
      ...[resource('r1', 'n1', 'a'), resource('r2', 'n2', 'b')],
    ];
    const { actions, diagnostics } = planFor(files, reads, { dialect: 'netbird' });
    expect(diagnostics).toMatchObject([
      {
        code: 'PLAN_CYCLE',
        message: expect.stringContaining('update network_resource.m/b → '),
      },
    ]);
    expect(actions).toEqual([]);
  });
});

describe('a replacement', () => {
  const text = { type: 'string' };
  const kind = (name: string, more: JsonObject, properties: JsonObject): JsonObject => ({
    title: name,
    'x-kind': {
      name,
      plural: `${name}s`,
      at: `${name}s[]`,
      path: `/api/${name}s`,
      identity: ['name'],
      verbs: ['create', 'update', 'delete'],
      ...more,
    },
    properties: { name: text, ...properties },
  });
  const table = (replace: string): KindTable =>
    kindTable([
      kind(
        'lock',
        { replace },
        { size: { type: 'integer', 'x-trait': { mutability: 'immutable' } } },
      ),
      kind(
        'door',
        {},
        {
          lock: { ...text, 'x-trait': { ref: 'lock' } },
          note: text,
          key: { ...text, 'x-trait': { ref: 'lock' } },
        },
      ),
    ]);
  const reads: readonly Read[] = [
    ['lock', { id: 'l1', name: 'a', size: 1 }],
    ['door', { id: 'd1', name: 'front', lock: 'l1' }],
    ['door', { id: 'd2', name: 'back', lock: 'l1', key: 'l1' }],
  ];
  const files = [
    declared('lock', 'a', { fields: { name: 'a', size: 2 } }),
    declared('door', 'front', { fields: { name: 'front', lock: 'a' } }),
    declared('door', 'back', {
      fields: { name: 'back', note: 'new' },
      lifecycle: { ignore: ['key'] },
    }),
  ];
  const planned = (replace: string) => planFor(files, reads, { kinds: table(replace) });

  test('of what may stand beside the new one: made, pointed at, gone', () => {
    expect(planned('create-first').actions.map(({ id }) => id)).toEqual([
      ...['create lock.a', 'update door.back', 'update door.front', 'delete lock.a'],
    ]);
  });

  test('of what may not: gone, made, pointed at', () => {
    expect(planned('delete-first').actions.map(({ id }) => id)).toEqual([
      ...['delete lock.a', 'create lock.a', 'update door.back', 'update door.front'],
    ]);
  });

  test('sends every pointer at it anew, in fields that are not declared too', () => {
    const { actions, changes, pins } = planned('delete-first');
    const sent = actions.flatMap(action =>
      action.verb === 'update' ? [[action.key, action.fields]] : [],
    );
    expect(Object.fromEntries(sent)).toEqual({
      front: { name: 'front', lock: 'a' },
      back: { name: 'back', note: 'new', lock: 'a', key: 'a' },
    });
    expect(changes.find(({ key }) => key === 'front')?.notes).toEqual([
      'points at lock.a, which is made anew',
    ]);
    expect(pins).toEqual([]);
  });

  test('keeps what nobody declared', () => {
    const kinds = table('delete-first');
    const made = planFor([declared('lock', 'a', { fields: { size: 2 } })], reads, {
      kinds,
    }).actions;
    expect(made.find(({ verb }) => verb === 'create')).toMatchObject({
      fields: { name: 'a', size: 2 },
    });
  });

  test('says who will be left pointing at nothing', () => {
    const { changes } = planFor(files.slice(0, 1), reads, { kinds: table('delete-first') });
    expect(changes[0]?.notes).toEqual([
      'door.back is not declared and will point at an object that is gone',
      'door.front is not declared and will point at an object that is gone',
    ]);
  });
});

describe('what keeps access between the old and the new', () => {
  const GROUPS = [group('g1', 'a'), group('g2', 'b')];
  const declare = (text: string) => `{ groups: [{ name: a }, { name: b }], ${text} }`;

  test('what is new stands before what is old goes', () => {
    const files = declare(rules('sources: [a], destinations: [b]'));
    expect(order(files, [...GROUPS, policy('p1', 'old', ['g1'], ['g2'])])).toEqual([
      'create policy.p',
      'delete policy.old',
    ]);
  });

  test('a rule is narrowed before what it names has more members', () => {
    const reads = [...GROUPS, network('n1', 'n'), policy('p1', 'p', ['g1'], ['g2'])];
    const resources =
      'networks: [{ name: n, resources: [{ name: db, address: 10.0.0.1, groups: [b] }] }]';
    const narrow = rules('sources: [a], destinations: [b], ports: ["22"]');
    expect(order(declare(`${narrow}, ${resources}`), reads)).toEqual([
      'update policy.p',
      'create network_resource.n/db',
    ]);
  });

  test('what a rule names has fewer members before it is widened', () => {
    const reads = [
      ...GROUPS,
      peer('x', 'x'),
      group('g3', 'c', { peers: [{ id: 'x', name: 'x' }] }),
      policy('p1', 'p', ['g1'], ['g3']),
    ];
    const shrunk = '{ name: c, lifecycle: { exact: [peers] }, peers: [] }';
    const files = `{ groups: [{ name: a }, { name: b }, ${shrunk}], ${rules('sources: [a, b], destinations: [c]')} }`;
    expect(order(files, reads)).toEqual(['update group.c', 'update policy.p']);
  });

  test('what has nothing in common with another waits for nothing', () => {
    const { actions } = planFor(declare(''), [...GROUPS, policy('p1', 'old', [], [])], {
      prune: 'unmanaged',
    });
    expect(actions.flatMap(({ after }) => after)).toEqual([]);
  });

  test('what everybody points at ties only those that have more in common', () => {
    const names = Array.from({ length: 30 }, (_, i) => `x${i}`);
    const groups = names.map(name => group(name, name));
    const old = names.map(name => policy(`p-${name}`, `old ${name}`, ['g1'], [name]));
    const fresh = names.map(
      name =>
        `{ name: new ${name}, rules: [{ name: all, protocol: all, sources: [a], destinations: [${name}] }] }`,
    );
    const files = `{ groups: [{ name: a }, ${names.map(name => `{ name: ${name} }`)}], policies: [${fresh}] }`;
    const { actions } = planFor(files, [group('g1', 'a'), ...groups, ...old], {
      prune: 'unmanaged',
      thresholds: {},
    });
    const waits = actions
      .filter(({ verb }) => verb === 'delete')
      .map(({ id, after }) => [id, after]);
    expect(Object.fromEntries(waits)).toMatchObject({
      'delete policy["old x7"]': ['create policy["new x7"]'],
    });
  });
});

test('the order does not hang on the order in which the account was read', () => {
  const reads = [
    ...[group('g1', 'a'), group('g2', 'b')],
    ...[policy('p1', 'p', ['g1'], ['g2']), policy('p2', 'q', ['g2'], ['g1'])],
  ];
  const files = `{ groups: [{ name: c }], ${rules('sources: [c], destinations: [c]')} }`;
  expect(order(files, reads.toReversed())).toEqual(order(files, reads));
});

describe('a crowd', () => {
  const many = Array.from({ length: 60 }, (_, i) => String(i).padStart(2, '0'));
  const reads = [
    ...[group('ga', 'a'), group('gb', 'b')],
    ...many.map(i => policy(`p${i}`, `old ${i}`, ['ga'], ['gb'])),
  ];
  const rule = '{ name: all, protocol: all, sources: [a], destinations: [b] }';
  const policies = many.map(i => `{ name: new ${i}, rules: [${rule}] }`);
  const files = `{ groups: [{ name: a }, { name: b }], policies: [${policies.join(', ')}] }`;
  const { actions } = planFor(files, reads, { prune: 'unmanaged', thresholds: { default: {} } });

  test('of new objects stands before the old ones go, each waiting for all of them in the end', () => {
    const before = new Map<string, ReadonlySet<string>>();
    for (const { id, after } of actions) {
      const earlier = after.flatMap(one => [one, ...(before.get(one) ?? [])]);
      before.set(id, new Set(earlier));
    }
    const made = actions.flatMap(({ id, verb }) => (verb === 'create' ? id : []));
    const gone = actions.flatMap(({ id, verb }) => (verb === 'delete' ? id : []));
    expect([made.length, gone.length]).toEqual([60, 60]);
    for (const id of gone) expect(made.filter(one => !before.get(id)?.has(one))).toEqual([]);
  });

  test('is not told pair by pair', () => {
    const edges = actions.reduce((sum, { after }) => sum + after.length, 0);
    expect(edges).toBeLessThan(2 * actions.length);
  });
});
