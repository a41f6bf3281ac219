// Which declared objects are still desired at a time: members that ended leave their lists, and objects that ended are deleted.
import { describe, expect, test } from 'vitest';
import { endOf } from '../../src/model/ending.ts';
import { endedAt } from '../../src/source/endings/endedAt.ts';
import { desiredOf, KINDS } from '../support/files.ts';

const at = (text: string, time: string) => endedAt(desiredOf(text), KINDS, Date.parse(time));

const rule = (name: string, sources: string, destinations = '[servers]') =>
  `{ name: ${name}, sources: ${sources}, destinations: ${destinations}, protocol: all }`;
const groups = 'groups: [{ name: staff }, { name: contractors }, { name: servers }]\n';
const policy = (...rules: readonly string[]) =>
  `${groups}policies:\n  - { name: p, rules: [${rules.join(', ')}] }\n`;
const policyAt = (text: string, time: string) =>
  at(text, time).desired.find(({ kind }) => kind === 'policy');

describe('an expiry time', () => {
  test.each([
    ['2026-12-01', '2026-12-02T00:00:00Z'],
    ['2026-12-31', '2027-01-01T00:00:00Z'],
    ['2026-12-01T18:00Z', '2026-12-01T18:00:00Z'],
    ['2026-12-01T18:00:30Z', '2026-12-01T18:00:30Z'],
    ['2026-12-01T18:00:00+02:00', '2026-12-01T16:00:00Z'],
    ['2028-02-29', '2028-03-01T00:00:00Z'],
    ['2026-12-01T24:00:00Z', '2026-12-02T00:00:00Z'],
    // Plans and journals have years of four digits.
    ['9999-12-31', '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T23:00:00-02:00', '9999-12-31T23:59:59.999Z'],
    ['0000-01-01T00:00:00+01:00', '0000-01-01T00:00:00Z'],
  ])('%s is %s', (text, time) => {
    expect(endOf(text)).toBe(Date.parse(time));
  });

  test.each([
    ['2026-12-01T18:00', 'zone'],
    ['2026-02-29', 'calendar'],
    ['2026-12-1', 'form'],
    ['01.12.2026', 'form'],
    ['', 'form'],
  ])('%s is not a valid expiry: %s', (text, fault) => {
    expect(endOf(text)).toBe(fault);
  });
});

describe('an object', () => {
  const text = 'groups:\n  - { name: g, lifecycle: { until: 2026-12-01 } }\n';

  test('is declared up to the last moment before its expiry', () => {
    const [group] = at(text, '2026-12-01T23:59:59.999Z').desired;
    expect(group?.lifecycle.delete).toBeUndefined();
    expect(group?.ended).toBeUndefined();
  });

  test('is marked for deletion once it has expired', () => {
    const [group] = at(text, '2026-12-02T00:00:00Z').desired;
    expect(group?.lifecycle.delete).toBe(true);
    expect(group?.ended?.isWhole).toBe(true);
  });

  test('is listed among the expiries before and after its expiry', () => {
    const ends = ['2026-11-01T00:00:00Z', '2027-01-01T00:00:00Z'].map(time => at(text, time));
    for (const { endings } of ends)
      expect(endings).toMatchObject([{ key: 'g', until: Date.parse('2026-12-02T00:00:00Z') }]);
  });
});

describe('a member with an expiry', () => {
  const staff = '[staff, { name: contractors, until: 2026-12-01 }]';
  const only = '[{ name: contractors, until: 2026-12-01 }]';

  test('counts like any other member until it expires', () => {
    const found = policyAt(policy(rule('a', staff)), '2026-12-01T12:00:00Z');
    expect(found?.fields.rules).toMatchObject([{ sources: ['staff', 'contractors'] }]);
  });

  test('is removed from its list when it expires', () => {
    const found = policyAt(policy(rule('a', staff)), '2026-12-02T00:00:00Z');
    expect(found?.fields.rules).toMatchObject([{ sources: ['staff'] }]);
    expect(found?.lifecycle.delete).toBeUndefined();
  });

  test.each([
    ['sources', rule('a', only)],
    ['destinations', rule('a', '[staff]', only)],
  ])('removes its rule if all %s have expired', (_, ending) => {
    const found = policyAt(policy(ending, rule('b', '[staff]')), '2026-12-02T00:00:00Z');
    expect(found?.fields.rules).toMatchObject([{ name: 'b' }]);
    expect(found?.ended).toMatchObject({ isWhole: false });
  });

  test('removes its policy if no rule is left', () => {
    const found = policyAt(policy(rule('a', only), rule('b', only)), '2026-12-02T00:00:00Z');
    expect(found?.lifecycle.delete).toBe(true);
  });

  test('a member with an expiry never removes its group', () => {
    const text = 'groups:\n  - { name: g, peers: [{ name: ada, until: 2026-12-01 }] }\n';
    const [group] = at(text, '2026-12-02T00:00:00Z').desired;
    expect(group?.fields.peers).toEqual([]);
    expect(group?.lifecycle.delete).toBeUndefined();
  });

  test('expires with the group that it names', () => {
    const text = policy(rule('a', '[contractors]'), rule('b', '[staff, contractors]')).replace(
      '{ name: contractors }',
      '{ name: contractors, lifecycle: { until: 2026-12-01 } }',
    );
    const found = policyAt(text, '2026-12-02T00:00:00Z');
    expect(found?.fields.rules).toMatchObject([{ name: 'b', sources: ['staff'] }]);
  });
});

test('an object without an expiry is unchanged', () => {
  const desired = desiredOf(`${groups}`);
  expect(endedAt(desired, KINDS, Number.MAX_SAFE_INTEGER).desired).toBe(desired);
});
