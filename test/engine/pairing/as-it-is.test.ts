// Accounts that are not as one would wish: shared names, missing names, pointers to what is gone. Declared as they are,
// they need no change.
import { describe, expect, test } from 'vitest';
import { group, network, planFor, policy, resource } from '../planning.ts';

const outcomeOf = (...given: Parameters<typeof planFor>) => {
  const { changes, diagnostics, leftAlone } = planFor(...given);
  return {
    changes: changes.map(({ address, type }) => `${type} ${address}`),
    found: diagnostics.map(({ code, severity }) => `${severity} ${code}`),
    leftAlone: leftAlone.map(({ id }) => id),
  };
};
const NOTHING = { changes: [], found: [], leftAlone: [] };

describe('objects that are declared and bound as they are', () => {
  test('two objects of one name stay as they are', () => {
    const files =
      'groups: [{ name: a, lifecycle: { id: g1 } }, { name: a, lifecycle: { id: g2 } }]';
    expect(outcomeOf(files, [group('g1', 'a'), group('g2', 'a')])).toEqual(NOTHING);
  });

  test('one of two objects of a name can be renamed', () => {
    const files =
      'groups: [{ name: a, lifecycle: { id: g1 } }, { name: b, lifecycle: { id: g2 } }]';
    expect(outcomeOf(files, [group('g1', 'a'), group('g2', 'a')])).toEqual({
      ...NOTHING,
      changes: ['update group.b'],
    });
  });

  test('an object without a name stays as it is, with its children', () => {
    const files = `
      networks:
        - lifecycle: { id: n1 }
          resources: [{ name: db, address: 10.0.0.1, groups: [a], lifecycle: { id: r1 } }]
      groups: [{ name: a }]`;
    const reads = [group('g1', 'a'), network('n1', ''), resource('r1', 'n1', 'db', ['g1'])];
    expect(outcomeOf(files, reads)).toEqual(NOTHING);
  });
});

describe('a dangling reference that the account shows', () => {
  const files = (id: string) =>
    `policies: [{ name: p, rules: [{ name: all, protocol: all, sources: ["id:${id}"], destinations: [a] }] }]`;
  const reads = [group('g1', 'a'), policy('p1', 'p', ['g9'], ['g1'])];

  test('is a warning if the account itself has it', () => {
    expect(outcomeOf(files('g9'), reads)).toEqual({ ...NOTHING, found: ['warning REF_UNKNOWN'] });
  });

  test('is an error if it would be new', () => {
    expect(outcomeOf(files('g8'), reads).found).toEqual(['error REF_UNKNOWN']);
  });
});
