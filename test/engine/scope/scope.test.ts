import { describe, expect, test } from 'vitest';
import { neededKinds, readScope } from '../../../src/engine/scope/readScope.ts';
import type { PruneMode } from '../../../src/engine/types/settings.ts';
import { kindName } from '../../../src/model/names.ts';
import { desiredOf, KINDS } from '../../support/files.ts';

function scope(files: string, prune: PruneMode = 'none', base = '') {
  const former = base === '' ? [] : desiredOf(base);
  const { kinds, parents } = readScope(KINDS, desiredOf(files), former, prune);
  const networks = (child: string) => {
    const names = parents.get(kindName(child));
    return names instanceof Set ? [...names].sort() : (names ?? []);
  };
  return {
    kinds: [...kinds].sort(),
    ofRouters: networks('network_router'),
    ofResources: networks('network_resource'),
  };
}

const POLICY = (rule: string) =>
  `policies: [{ name: p, rules: [{ name: all, protocol: all, sources: [a], ${rule} }] }]`;

describe('a run reads', () => {
  test('the declared kinds and the kinds that they refer to', () => {
    expect(scope('groups: [{ name: a }]').kinds).toEqual(
      ['group', 'peer'].filter(kind => kind === 'group'),
    );
    expect(scope('groups: [{ name: a, peers: [x] }]').kinds).toEqual(['group', 'peer']);
    expect(scope(`{ ${POLICY('destinations: [b]')} }`).kinds).toEqual(['group', 'policy']);
  });

  test('children in the declared parents, under any name that these had', () => {
    const files =
      'networks: [{ name: n, lifecycle: { was: m, id: n7 }, routers: [{ peer: x, metric: 1, masquerade: true }] }]';
    expect(scope(files)).toMatchObject({
      kinds: ['network', 'network_router', 'peer'],
      ofRouters: ['m', 'n', 'n7'],
    });
  });

  test('children in the parents of references', () => {
    const files = `{ ${POLICY('destinationResource: { network_resource: [n/m, db] }')} }`;
    expect(scope(files)).toMatchObject({ ofResources: ['n/m'], ofRouters: [] });
  });

  test('children in every parent, if an id may be any of them', () => {
    const pointed = POLICY('destinationResource: { network_resource: "id:r1" }');
    expect(scope(`{ ${pointed} }`)).toMatchObject({ ofResources: 'all', ofRouters: [] });
    const bound =
      'networks: [{ name: n, routers: [{ peer: x, metric: 1, masquerade: true, lifecycle: { id: r1 } }] }]';
    expect(scope(bound)).toMatchObject({ ofResources: ['n'], ofRouters: 'all' });
  });

  test('children in every parent, if their names are unique in the account', () => {
    const files =
      'networks: [{ name: n, resources: [{ name: db, address: 10.0.0.1, groups: [] }] }]';
    expect(scope(files)).toMatchObject({ ofResources: 'all', ofRouters: ['n'] });
  });

  test('the kinds that the base declared', () => {
    const base = 'networks: [{ name: n, routers: [{ peer: x, metric: 1, masquerade: true }] }]';
    expect(scope('groups: [{ name: a }]', 'none', base)).toMatchObject({
      kinds: ['group', 'network', 'network_router', 'peer'],
      ofRouters: ['n'],
    });
  });
});

describe('a run that may delete reads', () => {
  test('objects that would be deleted too, objects that may refer to a deleted one, and their names', () => {
    expect(scope('networks: [{ name: n }]', 'unmanaged')).toEqual({
      kinds: [
        'group',
        'network',
        'network_resource',
        'network_router',
        'peer',
        'policy',
        'posture_check',
        'proxy_cluster',
        'proxy_service',
      ],
      ofResources: 'all',
      ofRouters: 'all',
    });
  });

  test('the same for one object that is marked for deletion', () => {
    expect(scope('networks: [{ name: n, lifecycle: { delete: true } }]')).toEqual(
      scope('networks: [{ name: n }]', 'removed'),
    );
  });
});

describe('a run requires', () => {
  const needed = (files: string, prune: PruneMode) =>
    Object.fromEntries(
      [...neededKinds(KINDS, desiredOf(files), [], prune)].map(([name, by]) => [name, by?.key]),
    );

  test('declared and referenced kinds, each with a declaration that needs it', () => {
    expect(needed('{ groups: [{ name: a, peers: [x] }] }', 'none')).toEqual({
      group: 'a',
      peer: 'a',
    });
  });

  test('kinds that would be deleted too, but not those that only might refer to them', () => {
    expect(needed('networks: [{ name: n }]', 'unmanaged')).toEqual({
      network: 'n',
      network_resource: undefined,
      network_router: undefined,
    });
  });
});
