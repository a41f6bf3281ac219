import { describe, expect, test } from 'vitest';
import { group, peer, planFor, policy, type Read } from '../planning.ts';

const READS: readonly Read[] = [group('g1', 'a'), group('g2', 'b')];
const files = (description: string, sources: string, more = '') => `{
  groups: [{ name: a }, { name: b }],
  policies: [{ name: p, description: ${description}, rules: [{ name: all, sources: ${sources}, destinations: [a], protocol: all${more} }] }]
}`;

/** Of each difference who made it, by path. */
function sinces(desired: string, live: Read, base: string) {
  const { changes } = planFor(desired, [...READS, live], { base });
  return Object.fromEntries(
    changes.flatMap(({ fields }) => fields.map(({ path, since }) => [path.join('.'), since])),
  );
}

describe('with a base, a difference is', () => {
  test('pending if the files changed and the account did not', () => {
    expect(
      sinces(files('new', '[a]'), policy('p1', 'p', ['g1'], ['g1']), files('""', '[a]')),
    ).toEqual({ description: 'pending' });
  });

  test('drift if the account changed and the files did not', () => {
    expect(
      sinces(files('old', '[a]'), policy('p1', 'p', ['g2'], ['g1']), files('old', '[a]')),
    ).toEqual({
      description: 'drift',
      'rules.all.sources': 'drift',
    });
  });

  test('a conflict if both changed, differently', () => {
    expect(sinces(files('""', '[b]'), policy('p1', 'p', [], ['g1']), files('""', '[a]'))).toEqual({
      'rules.all.sources': 'conflict',
    });
  });

  test('distinguished inside one list', () => {
    const drifted = policy('p1', 'p', ['g1'], ['g1', 'g2']);
    expect(sinces(files('""', '[a, b]'), drifted, files('""', '[a]'))).toEqual({
      'rules.all.sources': 'pending',
      'rules.all.destinations': 'drift',
    });
  });

  test('pending if the base did not declare the field', () => {
    const base = files('""', '[a]').replace('description: "",', '');
    expect(sinces(files('new', '[a]'), policy('p1', 'p', ['g1'], ['g1']), base)).toEqual({
      description: 'pending',
    });
  });

  test('gone if both changed alike', () => {
    expect(
      sinces(files('""', '[b]'), policy('p1', 'p', ['g2'], ['g1']), files('""', '[a]')),
    ).toEqual({});
  });
});

describe('the change of a whole object is', () => {
  const since = (desired: string, live: readonly Read[], base: string) =>
    planFor(desired, [...live], { base }).changes.map(change => [change.type, change.since]);

  test('drift if the base declared the missing object, pending if it did not', () => {
    const both = 'groups: [{ name: a }, { name: b }]';
    const one = 'groups: [{ name: a }]';
    expect(since(both, [group('g1', 'a')], both)).toEqual([['create', 'drift']]);
    expect(since(both, [group('g1', 'a')], one)).toEqual([['create', 'pending']]);
  });

  test('pending if the files mark it for deletion for the first time, drift if it was created again', () => {
    const [kept, doomed] = ['', ', lifecycle: { delete: true }'].map(
      more => `groups: [{ name: a }, { name: b${more} }]`,
    ) as [string, string];
    const live = [group('g1', 'a'), group('g2', 'b')];
    expect(since(doomed, live, kept)).toEqual([['delete', 'pending']]);
    expect(since(doomed, live, doomed)).toEqual([['delete', 'drift']]);
  });

  test('the change is not classified without a base', () => {
    const { changes } = planFor('groups: [{ name: a }]', []);
    expect(changes[0]?.since).toBeUndefined();
  });
});

describe('the change of a shared set is', () => {
  const members = (peers: string) => `groups: [{ name: a, peers: ${peers} }]`;
  const PEERS = ['x', 'y', 'z'].map(name => peer(name, name));
  const since = (desired: string, live: string[], base: string) =>
    planFor(
      members(desired),
      [group('g1', 'a', { peers: live.map(id => ({ id, name: id })) }), ...PEERS],
      {
        base: members(base),
      },
    ).changes[0]?.fields[0]?.since;

  test('drift if somebody removed a declared member', () => {
    expect(since('[x, y]', ['x', 'z'], '[x, y]')).toBe('drift');
  });

  test('pending if the files add or remove a member, whoever joined meanwhile', () => {
    expect(since('[x, y]', ['x', 'z'], '[x]')).toBe('pending');
    expect(since('[x]', ['x', 'y', 'z'], '[x, y]')).toBe('pending');
  });

  test('pending if the files remove the member that somebody removed, and add another', () => {
    expect(since('[x, z]', ['x'], '[x, y]')).toBe('pending');
    expect(since('[z]', ['x'], '[x, y]')).toBe('pending');
  });

  test('a conflict if somebody removed a member that the files keep, and they add another', () => {
    expect(since('[x, y, z]', ['x'], '[x, y]')).toBe('conflict');
  });

  test('pending if the files no longer declare it', () => {
    const { changes } = planFor(
      'groups: [{ name: a }]',
      [group('g1', 'a', { peers: [{ id: 'x', name: 'x' }] }), ...PEERS],
      {
        base: members('[x]'),
      },
    );
    expect(changes[0]?.fields).toMatchObject([{ removed: ['x'], since: 'pending' }]);
  });
});
