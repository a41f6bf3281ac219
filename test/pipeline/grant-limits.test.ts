// Limits of grants that are not in the files of the run: they were last applied under another name of the folder, or concern what
// outlasts the end of a grant.
import { describe, expect, test } from 'vitest';
import type { Guards } from '../../src/model/guards.ts';
import type { OtherFolder } from '../../src/model/otherFolder.ts';
import {
  grantsBeyondLimits,
  grantsWithUnknownLimits,
  likeGrants,
  limitsLastApplied,
} from '../../src/pipeline/loading/grants.ts';
import { desiredOf, KINDS } from '../support/files.ts';

const NOW = Date.parse('2026-11-30T00:00:00Z');
const UNTIL = 'lifecycle: { until: 2026-11-30T06:00:00Z }';
const GROUP = `groups: [{ name: a, ${UNTIL} }]\n`;

const guards = (grants: Guards['grants']): Guards => ({
  protect: [],
  guarded: [],
  thresholds: {},
  accessThresholds: {},
  accessTests: [],
  grants,
  allow: [],
  places: new Map(),
});

const findings = (text: string, declared: Guards, applied?: Guards) =>
  grantsBeyondLimits(
    { desired: desiredOf(text), isGrantFile: () => true, declared, applied, allow: [], now: NOW },
    KINDS,
  );

describe('with `grants.max` alone', () => {
  test.each([
    `setup_keys: [{ name: k, type: reusable, expires_in: 86400, auto_groups: [a], ${UNTIL} }]\n`,
    `user_invites: [{ email: x@example.com, name: x, role: user, auto_groups: [a], ${UNTIL} }]\n`,
  ])(
    'a machine or user that joins by a grant stays after the expiry, so the grant is refused: %s',
    async text => {
      const found = await findings(text, guards([{ max: '8h' }]));
      expect(found.map(({ code, message }) => [code, message])).toEqual([
        ['GRANT_REFUSED', expect.stringContaining('stays after its end')],
      ]);
      expect(await findings(text, guards([]))).toEqual([]);
    },
  );

  test('a group is none of these', async () => {
    expect(await findings(GROUP, guards([{ max: '8h' }]))).toEqual([]);
  });
});

describe('a folder without a base', () => {
  const folder = (more: Partial<OtherFolder>): OtherFolder => ({
    name: 'net',
    files: [],
    base: [],
    guards: [guards([{ max: '1h' }])],
    ...more,
  });

  test('is within the limits of a folder that has no files any more', async () => {
    const applied = limitsLastApplied(undefined, [folder({ isGone: true })]);
    const found = await findings(GROUP, guards([{ max: '8h' }]), applied);
    expect(found.map(({ message }) => message)).toEqual([
      expect.stringContaining('`grants.max` as it was last applied'),
    ]);
  });

  test.each([
    ['there is a grant, and the base of another folder cannot be read', GROUP, undefined, 1],
    ['the grant has ended', GROUP.replace('11-30T06', '11-29T06'), undefined, 0],
    ['it has a base', GROUP, guards([]), 0],
  ] as const)('is refused if its limits are unknown: %s', (_, text, applied, count) => {
    const unread = folder({ unreadable: 'the base is damaged', unreadableBase: 'net' });
    const grants = { desired: desiredOf(text), isGrantFile: () => true, applied, now: NOW };
    const found = grantsWithUnknownLimits(grants, [unread], 'net2');
    expect(found.length).toBe(count);
    for (const one of found) expect(one.hint).toContain('meshform base forget net net2');
    expect(grantsWithUnknownLimits(grants, [folder({})], 'net2')).toEqual([]);
  });

  test('is not within those of a folder that has files, or if it has a base', () => {
    expect(limitsLastApplied(undefined, [folder({})])).toBeUndefined();
    const own = guards([]);
    expect(limitsLastApplied(own, [folder({ isGone: true })])).toBe(own);
  });
});

describe('a run that carries out only expiries', () => {
  const LASTING =
    'policies: [{ name: p, rules: [{ name: r, sources: [a], destinations: [a], protocol: all }] }]\n';
  const ends = (text: string, limits: Guards['grants'], isOnlyEnded = true) =>
    grantsBeyondLimits(
      {
        desired: desiredOf(text),
        isGrantFile: () => true,
        declared: guards(limits),
        applied: undefined,
        allow: [],
        now: NOW,
        isOnlyEnded,
      },
      KINDS,
    );

  test.each([{ max: '1h' }, { from: ['group/b'] }, { to: ['group/b:tcp/22'] }])(
    'is not held by a running grant beyond the limits %j',
    async limits => {
      const text = LASTING.replace('name: p,', `name: p, ${UNTIL},`);
      const found = await ends(text, [limits]);
      expect(found.length).toBeGreaterThan(0);
      expect(new Set(found.map(({ severity }) => severity))).toEqual(new Set(['warning']));
      const refused = await ends(text, [limits], false);
      expect(refused).toEqual(found.map(one => ({ ...one, severity: 'error' })));
    },
  );

  test('is held by a grant without an expiry, and by limits that cannot be read', async () => {
    expect(await ends(LASTING, [{ max: '8h' }])).toMatchObject([
      { code: 'GRANT_REFUSED', severity: 'error' },
    ]);
    expect(await ends(GROUP, [{ from: ['nobody'] }])).toMatchObject([
      { code: 'PROJECT_INVALID', severity: 'error' },
    ]);
  });
});

test.each([
  ['network/gra\u200dnts/a.yaml', true],
  ['network/\u2060Grants/deeper/a.yaml', true],
  ['network/grants/a.yaml', false],
  ['network/Grants./a.yaml', false],
  ['network/grantsx/a.yaml', false],
  ['network/gra\u200dnts.yaml', false],
])('a folder whose name only looks like `grants` is refused: %j', (file, isRefused) => {
  const found = likeGrants({ files: [{ file, text: '' }], diagnostics: [] });
  expect(found.map(({ code, at }) => [code, at?.file])).toEqual(
    isRefused ? [['GRANT_REFUSED', file]] : [],
  );
});

test('each folder whose name only looks like `grants` is reported, once', () => {
  const files = ['a/gra\u200dnts/1.yaml', 'a/gra\u200dnts/2.yaml', 'b/gra\u2060nts/1.yaml'];
  const texts = files.map(file => ({ file, text: '' }));
  const found = likeGrants({ files: texts, diagnostics: [] });
  expect(found.map(({ at }) => at?.file)).toEqual([files[0], files[2]]);
});
