// A membership can be declared on either side. It is one fact, and it belongs to the group.
import { describe, expect, test } from 'vitest';
import { load } from '../support/files.ts';

/** The fields of every object, by kind and key. */
function fieldsIn(text: string) {
  const { desired, diagnostics } = load(text);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return Object.fromEntries(desired.map(({ kind, key, fields }) => [`${kind}.${key}`, fields]));
}

const faultsIn = (text: string) =>
  load(text)
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ code, at }) => `${code} ${at?.line}:${at?.column}`);

describe('a peer that names its groups', () => {
  test('is a member of them, and has no field for its groups', () => {
    expect(fieldsIn('groups: [{ name: a }]\npeers: [{ name: x, groups: [a] }]')).toEqual({
      'group.a': { name: 'a', peers: ['x'] },
      'peer.x': { name: 'x' },
    });
  });

  test('joins members that the group names', () => {
    const text = 'groups: [{ name: a, peers: [y, x] }]\npeers: [{ name: x, groups: [a] }]';
    expect(fieldsIn(text)['group.a']).toEqual({ name: 'a', peers: ['y', 'x'] });
    const more = 'groups: [{ name: a, peers: [y] }]\npeers: [{ name: x, groups: [a] }]';
    expect(fieldsIn(more)['group.a']).toEqual({ name: 'a', peers: ['y', 'x'] });
  });

  test('may be in another file than the group, before it or after it', () => {
    const text = 'peers: [{ name: x, groups: [a] }]\n---\ngroups: [{ name: a }]';
    expect(fieldsIn(text)['group.a']).toEqual({ name: 'a', peers: ['x'] });
  });

  test('cannot name an undeclared group', () => {
    expect(faultsIn('peers: [{ name: x, groups: [a] }]')).toEqual(['REF_NOT_DECLARED 1:29']);
  });

  test('cannot name the group All', () => {
    expect(faultsIn('peers: [{ name: x, groups: [All] }]')).toHaveLength(1);
  });

  test('cannot be in a group with an exact list that does not name it', () => {
    const group = (peers: string) =>
      `groups: [{ name: a, peers: [${peers}], lifecycle: { exact: [peers] } }]`;
    const peers = 'peers: [{ name: x, groups: [a] }]';
    expect(faultsIn(`${group('y')}\n${peers}`)).toEqual(['MEMBERSHIP_CONTRADICTED 2:29']);
    expect(faultsIn(`${group('y, x')}\n${peers}`)).toEqual([]);
  });

  test('cannot be exact, because other groups would keep it in their own lists', () => {
    const text =
      'groups: [{ name: a }, { name: b }]\npeers: [{ name: x, groups: [a], lifecycle: { exact: [groups] } }]';
    expect(faultsIn(text)).toEqual(['LIFECYCLE_IGNORED 2:54']);
    const [finding] = load(text).diagnostics;
    expect(finding?.message).toContain('`groups` is written as the `peers` of the objects');
    expect(finding?.hint).toBe('write `exact: [peers]` in the lifecycle of those objects');
  });
});
