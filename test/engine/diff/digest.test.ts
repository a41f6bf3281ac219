import { describe, expect, test } from 'vitest';
import {
  type DigestScope,
  deleteScope,
  digest,
  updateScope,
} from '../../../src/engine/diff/digest.ts';
import { present } from '../../../src/model/errors.ts';
import { kindName, remoteId } from '../../../src/model/names.ts';
import type { JsonObject } from '../../../src/model/value.ts';
import { KINDS } from '../../support/files.ts';
import { group, live, policy, resource } from '../planning.ts';

const kindOf = (name: string) => present(KINDS.get(kindName(name)), name);

const GROUP = (more: JsonObject = {}) =>
  group('g1', 'a', { peers: ['x', 'y'], resources: [], ...more });
const seen = ([kind, body]: ReturnType<typeof group>, scope: DigestScope) =>
  digest(kindOf(kind), live([[kind, body]])[0]?.idFields ?? {}, scope);

const owns = (...fields: string[]): DigestScope => ({ fields: new Set(fields), watched: {} });

describe('a digest changes with', () => {
  test('a field that the plan owns', () => {
    expect(seen(GROUP(), owns('name'))).not.toBe(seen(group('g1', 'b'), owns('name')));
  });

  test('the fields that are owned', () => {
    expect(seen(GROUP(), owns('name'))).not.toBe(seen(GROUP(), owns('name', 'peers')));
  });

  test('a member that the plan mentions', () => {
    const watching = { ...owns('peers'), watched: { peers: new Set(['id:x']) } };
    expect(seen(GROUP({ peers: ['y'] }), watching)).not.toBe(seen(GROUP(), watching));
  });
});

describe('a digest does not change with', () => {
  test('a field that the plan does not own', () => {
    expect(seen(GROUP({ peers: ['z'] }), owns('name'))).toBe(seen(GROUP(), owns('name')));
  });

  test('members of a shared set that the plan does not mention', () => {
    const watching = { ...owns('peers'), watched: { peers: new Set(['id:x']) } };
    expect(seen(GROUP({ peers: ['z', 'x'] }), watching)).toBe(seen(GROUP(), watching));
  });

  test('the order of a set, the notation of a value, and computed fields', () => {
    const one = policy('p1', 'p', ['g1', 'g2'], []);
    const other = policy('p1', 'p', ['g2', 'g1'], []);
    expect(seen(one, owns('rules'))).toBe(seen(other, owns('rules')));
    expect(seen(GROUP({ peers_count: 9, issued: 'api' }), owns('name', 'peers_count'))).toBe(
      seen(GROUP(), owns('name', 'peers_count')),
    );
    const long = resource('r1', 'n1', 'db');
    const short: typeof long = [long[0], { ...long[1], address: '10.0.0.1' }];
    expect(seen(long, owns('address'))).toBe(seen(short, owns('address')));
  });

  test('values that are sent back as they are read', () => {
    const scope = deleteScope(kindOf('group'));
    expect(seen(GROUP({ resources: [{ id: 'r1', type: 'host' }] }), scope)).toBe(
      seen(GROUP(), scope),
    );
  });
});

test('the digest of an update covers the fields it sends and the members it mentions', () => {
  const members = { peers: { add: ['ada'], remove: ['bob'], keep: ['id:p3'] } };
  const ids: Record<string, string> = { ada: 'p1', bob: 'p2', 'id:p3': 'p3' };
  const idOf = (_: unknown, key: string) => remoteId(ids[key] ?? '');
  expect(updateScope(kindOf('group'), { fields: { name: 'a' }, members }, idOf)).toEqual({
    fields: new Set(['name', 'peers']),
    written: { name: 'a' },
    watched: { peers: new Set(['id:p1', 'id:p2', 'id:p3']) },
  });
});

test('the digest of a delete covers everything but shared members', () => {
  expect(deleteScope(kindOf('group')).fields.has('peers')).toBe(false);
  expect(deleteScope(kindOf('policy')).fields.has('rules')).toBe(true);
});
