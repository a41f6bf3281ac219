import { describe, expect, test } from 'vitest';
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
} from '../planning.ts';

function pruned(
  files: Parameters<typeof planFor>[0],
  reads: readonly Read[],
  options: Options = { prune: 'unmanaged' },
) {
  const { changes, leftAlone, diagnostics } = planFor(files, reads, options);
  return {
    gone: changes
      .filter(({ type }) => type === 'delete')
      .map(({ address, with: along }) => (along ? `${address} with ${along}` : address)),
    left: leftAlone.map(({ address, reason, because }) =>
      [address, reason, because].filter(Boolean).join(', '),
    ),
    codes: diagnostics.map(({ code }) => code),
  };
}

const TEMPORARY = policy('p9', 'Temporary access policy for peer x', ['g2'], ['g2']);

test('objects that the API never deletes stay, although their declaration marks them for deletion', () => {
  const tenant: Read = [
    'msp_tenant',
    { id: 't1', name: 'shop', domain: 'shop.example.com', groups: [], status: 'pending' },
  ];
  const files =
    'msp_tenants: [{ name: shop, domain: shop.example.com, lifecycle: { delete: true } }]';
  expect(planFor(files, [tenant])).toMatchObject({ changes: [], actions: [] });
});

describe('an undeclared object', () => {
  const reads = [group('g1', 'a'), group('g2', 'b'), group('g3', 'jwt', { issued: 'jwt' })];

  test('is listed and left alone', () => {
    expect(pruned('groups: [{ name: a }]', reads, {})).toEqual({
      gone: [],
      left: ['group.b, unmanaged', 'group.jwt, reserved, owned by the identity provider'],
      codes: [],
    });
  });

  test('is deleted with --prune unmanaged, unless it belongs to another system', () => {
    expect(pruned('groups: [{ name: a }]', reads)).toMatchObject({
      gone: ['group.b'],
      left: [expect.stringContaining('jwt')],
    });
  });

  test('is deleted if the base declared it', () => {
    const options: Options = { prune: 'removed', base: 'groups: [{ name: b }]' };
    expect(pruned('groups: [{ name: a }]', [...reads, group('g4', 'c')], options)).toMatchObject({
      gone: ['group.b'],
      left: ['group.c, unmanaged', expect.anything()],
    });
  });

  test('is deleted if the base was bound to it, whatever its name', () => {
    const options: Options = {
      prune: 'removed',
      base: 'groups: [{ name: c, lifecycle: { id: g2 } }]',
    };
    expect(pruned('groups: [{ name: a }]', reads, options).gone).toEqual(['group.b']);
  });

  test('is not deleted if its name is only the former name of a declared object', () => {
    const options: Options = { prune: 'removed', base: 'groups: [{ name: b }]' };
    expect(pruned('groups: [{ name: a, lifecycle: { was: b } }]', reads, options).gone).toEqual([]);
  });

  test('is not examined if its kind is not declared at all', () => {
    expect(pruned('networks: [{ name: n }]', [...reads, network('n1', 'n')])).toEqual({
      gone: [],
      left: [],
      codes: [],
    });
  });

  test('is never deleted if the API cannot delete it', () => {
    expect(pruned([declared('peer', 'x')], [peer('x', 'x'), peer('y', 'y')]).gone).toEqual([]);
  });
});

describe('an object that would be deleted stays', () => {
  test('an object stays if a remaining object refers to it, and the objects to which it refers stay too', () => {
    const reads = [
      group('g1', 'a'),
      group('g2', 'b'),
      group('g3', 'c'),
      network('n1', 'n'),
      resource('r1', 'n1', 'db', ['g2']),
      TEMPORARY,
    ];
    const files =
      '{ groups: [{ name: a }], networks: [{ name: m, resources: [{ name: x, address: 10.0.0.2, groups: [a] }] }] }';
    expect(pruned(files, reads)).toEqual({
      gone: ['group.c', 'network.n', 'network_resource.n/db with network.n'],
      left: [`group.b, referenced, policy["${TEMPORARY[1].name}"] refers to it`],
      codes: [],
    });
  });

  test('an object stays if a remaining object is its child; its other children are deleted on their own', () => {
    const reads = [
      group('g1', 'a'),
      network('n1', 'n'),
      resource('r1', 'n1', 'db', []),
      resource('r2', 'n1', 'web', []),
    ];
    const files = `{
      groups: [{ name: a }],
      networks: [{ name: m, resources: [{ name: x, address: 10.0.0.2, groups: [a] }] }],
      policies: [{ name: p, rules: [{ name: all, protocol: all, sources: [a], destinationResource: { network_resource: n/db } }] }]
    }`;
    expect(pruned(files, reads)).toMatchObject({
      gone: ['network_resource.n/web'],
      left: [
        'network.n, referenced, network_resource.n/db is in it',
        'network_resource.n/db, referenced, policy.p refers to it',
      ],
    });
  });
});

describe('an object that is marked for deletion', () => {
  const toGo = (more = '') =>
    `{ groups: [{ name: a }, { name: b, lifecycle: { delete: true } }] ${more} }`;
  const reads = [group('g1', 'a'), group('g2', 'b')];

  test('is deleted, whatever is pruned', () => {
    expect(pruned(toGo(), reads, {})).toMatchObject({ gone: ['group.b'] });
    expect(pruned(toGo(), [group('g1', 'a')], {})).toMatchObject({ gone: [] });
  });

  test('is not deleted if a remaining object refers to it, declared or not: the plan is refused', () => {
    const rule =
      'policies: [{ name: p, rules: [{ name: all, protocol: all, sources: [b], destinations: [a] }] }]';
    expect(pruned(toGo(`, ${rule}`), reads, {}).codes).toEqual(['OBJECT_POINTED_AT']);
    expect(pruned(toGo(), [...reads, policy('p1', 'p', ['g2'], [])], {}).codes).toEqual([
      'OBJECT_POINTED_AT',
    ]);
  });

  test('is refused with all remaining objects that refer to it', () => {
    const policies = ['p', 'q', 'r'].map(name => policy(name, name, ['g2'], []));
    const { diagnostics } = planFor(toGo(), [...reads, ...policies]);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'group.b is to be deleted, but policy.p refers to it, and so do policy.q, policy.r',
    ]);
    const many = Array.from({ length: 13 }, (_, i) => policy(`p${i}`, `p${i}`, ['g2'], []));
    const [finding] = planFor(toGo(), [...reads, ...many]).diagnostics;
    expect(finding?.message).toMatch(/policy\.p7 and 2 more$/);
  });

  test('is deleted if the object that refers to it is deleted too', () => {
    const rule =
      'policies: [{ name: p, lifecycle: { delete: true }, rules: [{ name: all, protocol: all, sources: [b], destinations: [a] }] }]';
    expect(pruned(toGo(`, ${rule}`), [...reads, policy('p1', 'p', ['g2'], [])], {})).toMatchObject({
      gone: ['group.b', 'policy.p'],
      codes: [],
    });
  });

  test('takes its declared children with it, and is refused if they are referenced', () => {
    const inside =
      'networks: [{ name: n, lifecycle: { delete: true }, resources: [{ name: db, address: 10.0.0.1, groups: [] }] }]';
    const nested = [network('n1', 'n'), resource('r1', 'n1', 'db')];
    expect(pruned(inside, nested, {})).toMatchObject({
      gone: ['network.n', 'network_resource.n/db with network.n'],
    });
    const rule =
      'policies: [{ name: p, rules: [{ name: all, protocol: all, sources: [All], destinationResource: { network_resource: n/db } }] }]';
    const plan = planFor(`{ ${inside}, ${rule} }`, [...nested, group('g0', 'All')]);
    expect(plan.diagnostics).toMatchObject([
      { code: 'OBJECT_POINTED_AT', at: { file: 'network.yaml', line: 1 } },
    ]);
  });
});

test('a removal that is recorded and not pruned concerns both objects of the name, if no id shows which one meshform created', () => {
  const base =
    '{ groups: [{ name: a }], policies: [{ name: p, rules: [{ name: all, protocol: all, sources: [a], destinations: [a] }] }] }';
  const two = [
    group('g1', 'a'),
    policy('p1', 'p', ['g1'], ['g1']),
    policy('p2', 'p', ['g1'], ['g1']),
  ];
  const { diagnostics } = planFor('groups: [{ name: a }]', two, { base, isRecorded: true });
  const removals = diagnostics.filter(({ code }) => code === 'REMOVAL_NOT_PRUNED');
  expect(new Set(removals.map(({ message }) => message)).size).toBe(2);
});
