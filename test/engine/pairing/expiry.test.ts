// Keys that have ended, and keys that the server shows once.
import { describe, expect, test } from 'vitest';
import { planFor, type Read } from '../planning.ts';

const NOW = Date.parse('2026-03-01T00:00:00Z');

const KEY = 'setup_keys:\n  - { name: office, type: reusable, expires_in: 86400 }\n';

const key = (state: string, expires: string): Read => [
  'setup_key',
  {
    id: 'k1',
    name: 'office',
    type: 'reusable',
    state,
    expires,
    revoked: false,
    auto_groups: [],
    usage_limit: 0,
    ephemeral: false,
    allow_extra_dns_labels: false,
  },
];

const findings = (read: Read) =>
  planFor(KEY, [read], { now: NOW }).diagnostics.map(({ code, message }) => `${code} ${message}`);

describe('a key', () => {
  test('an expired key is a warning, although nothing differs', () => {
    expect(findings(key('expired', '2026-02-01T00:00:00Z'))).toEqual([
      'OBJECT_LAPSED setup_key.office can no longer be used: it expired on 2026-02-01',
    ]);
  });

  test('a used-up key is a warning too', () => {
    expect(findings(key('overused', '2027-02-01T00:00:00Z'))).toEqual([
      'OBJECT_LAPSED setup_key.office can no longer be used: it is overused',
    ]);
  });

  test('a used-up key gets no hint about `renew_before`, because nobody knows in advance when a key will be used up', () => {
    const hint = (read: Read) => planFor(KEY, [read], { now: NOW }).diagnostics[0]?.hint;
    expect(hint(key('overused', '2027-02-01T00:00:00Z'))).toBe(
      '`--rotate setup_key/office` creates a new one; otherwise remove its declaration',
    );
    expect(hint(key('expired', '2026-02-01T00:00:00Z'))).toContain('renew_before');
  });

  test.each([
    [3_600, '30m'],
    [86_400, '12h'],
    [864_000, '5d'],
    [31_536_000, '14d'],
  ])(
    'a key with a lifetime of %i seconds should be renewed %s before it expires',
    (seconds, before) => {
      const files = KEY.replace('86400', String(seconds));
      const read = key('expired', '2026-02-01T00:00:00Z');
      const { diagnostics } = planFor(files, [read], { now: NOW, dialect: 'netbird' });
      expect(diagnostics[0]?.hint).toContain(`renew_before: ${before} }`);
    },
  );

  test('a key that is valid, or never expires, causes no finding', () => {
    expect(findings(key('valid', '2027-02-01T00:00:00Z'))).toEqual([]);
    expect(findings(key('valid', '0001-01-01T00:00:00Z'))).toEqual([]);
  });
});

describe('a key that somebody revoked', () => {
  const revoked: Read = [
    'setup_key',
    { ...key('revoked', '2027-02-01T00:00:00Z')[1], revoked: true },
  ];

  test.each(['', ', lifecycle: { renew_before: 1d }'])(
    'is replaced, once that is allowed: %j',
    more => {
      const files = KEY.replace(' }', `${more} }`);
      const { changes, actions } = planFor(files, [revoked], { now: NOW });
      expect(changes).toMatchObject([
        {
          type: 'replace',
          address: 'setup_key.office',
          fields: [{ path: ['revoked'], after: false }],
        },
      ]);
      expect(actions.flatMap(({ hazards }) => hazards.map(({ code }) => code))).toContain(
        'REPLACES_OBJECT',
      );
    },
  );

  test('matches files that declare it revoked', () => {
    const files = KEY.replace(' }', ', revoked: true }');
    expect(planFor(files, [revoked], { now: NOW }).changes).toEqual([]);
  });

  test('is ambiguous with a valid key of the same name', () => {
    const good: Read = ['setup_key', { ...key('valid', '2026-05-01T00:00:00Z')[1], id: 'k2' }];
    const { changes, diagnostics } = planFor(KEY, [revoked, good], { now: NOW });
    expect(changes).toEqual([]);
    expect(diagnostics).toMatchObject([
      { code: 'PAIR_AMBIGUOUS', hint: expect.stringContaining('k1, k2') },
    ]);
  });
});

describe('creating an object whose secret is shown once', () => {
  const hazards = (options: { readonly hasSink?: boolean }) =>
    planFor(KEY, [], options).actions.flatMap(action => action.hazards);

  test('is a hazard while there is no place to store it', () => {
    expect(hazards({})).toMatchObject([{ code: 'REVEALS_SECRET', allowed: false }]);
  });

  test('is allowed if there is one', () => {
    expect(hazards({ hasSink: true })).toMatchObject([{ code: 'REVEALS_SECRET', allowed: true }]);
  });
});
