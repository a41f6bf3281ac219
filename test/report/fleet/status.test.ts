// The state of a rollout for people, programs, CI systems and collectors of metrics; names of accounts stay text in all of them.
import { describe, expect, test } from 'vitest';
import { matches } from '../../../assets/page/fleetFilter.js';
import { fleetAssets } from '../../../src/cli/access/pageOutput.ts';
import type { Ledger, RolloutAccount } from '../../../src/model/rollout.ts';
import {
  noRolloutJson,
  notPlanned,
  type RolloutStatus,
  statusJson,
  statusJunit,
  statusMetrics,
  statusText,
} from '../../../src/report/fleet/rolloutStatus.ts';
import { statusPage } from '../../../src/report/fleet/statusPage.ts';
import { PLAIN } from '../../../src/report/text/style.ts';
import { faultsOf } from '../../hostile/verdict.ts';
import { expectDescribed } from '../../support/described.ts';
import { hostileText } from '../../support/hostile.ts';
import { elementsIn } from '../../support/page/html.ts';
import { fc } from '../../support/seeded.ts';

const AT = '2026-05-01T10:00:00Z';
const NOW = Date.parse('2026-05-01T12:00:00Z');

const entry = (
  name: string,
  state: RolloutAccount['state'],
  more: Partial<RolloutAccount> = {},
): RolloutAccount => ({
  name,
  plan: 'sha256:p',
  content_digest: 'sha256:c',
  wave: 1,
  state,
  turn: 1,
  ...more,
});

const statusOf = (
  accounts: readonly RolloutAccount[],
  more: Partial<RolloutStatus> = {},
): RolloutStatus => ({
  ledger: {
    rollout: 'r1',
    fleet: 'fleet.yaml',
    plans: 'sha256:all',
    flags: {},
    started_at: AT,
    waves: [{ bake: 0 }],
    stop: { failures: 1, hazards: true, access_tests: true, stale: 0 },
    accounts,
    halt: { turn: 0 },
  } satisfies Ledger,
  next: 'Stopped: one failed.',
  runners: [],
  now: NOW,
  ...more,
});

test('accounts that are new since the plan are named, and those that could not be planned are not repeated', () => {
  const { ledger } = statusOf([entry('a', 'waiting')]);
  const known = { ...ledger, unplanned: ['b'] };
  expect(notPlanned(known, ['a', 'b'])).toEqual([]);
  expect(notPlanned(known, ['a', 'b', 'new', 'new\u202eer'])).toEqual([
    'Not in this rollout, because they were not planned with it: new, "new\\u202eer"',
  ]);
});

const failed = { outcome: { code: 1, at: AT, why: 'a request failed' } };
const SAMPLE = statusOf(
  [
    entry('acme', 'healthy', { access: { gained: 2, lost: 1 } }),
    entry('beta', 'failed', failed),
    entry('gamma', 'unhealthy', { ...failed, accepted: { at: AT } }),
    entry('delta', 'waiting', { wave: 2 }),
  ],
  {
    drift: new Map([
      ['acme', { objects: 0 }],
      ['beta', { objects: 3, since: Date.parse(AT) }],
    ]),
  },
);

test('the table has accounts that need attention, the totals, and the next step', () => {
  const text = statusText(SAMPLE, { isWhole: false }, PLAIN);
  expect(text).toMatch(
    /^beta +1 +failed +2026-05-01T10:00:00Z +3 objects, for 2 h +a request failed$/m,
  );
  expect(text).not.toMatch(/^(?:acme|gamma|delta) /m);
  expect(text).toContain(
    '4 accounts: 1 waiting, 1 healthy, 1 unhealthy, 1 failed\nStopped: one failed.\n',
  );
  const whole = statusText(SAMPLE, { isWhole: true }, PLAIN);
  expect(whole).toMatch(/^acme +1 +healthy +\+2 −1 +none$/m);
  expect(whole).toMatch(/^gamma +1 +unhealthy, accepted/m);
});

test('the document without a rollout says so in the same format', () => {
  expectDescribed(noRolloutJson(), 'fleet-status.schema.json');
});

test('the document also has what is not in the ledger', () => {
  expectDescribed(statusJson(SAMPLE), 'fleet-status.schema.json');
  const { accounts } = JSON.parse(statusJson(SAMPLE));
  expect(accounts[0]).toEqual({
    name: 'acme',
    account: null,
    wave: 1,
    state: 'healthy',
    drift: { objects: 0, since: null },
    access: { gained: 2, lost: 1 },
  });
  expect(accounts[1].drift).toEqual({ objects: 3, since: '2026-05-01T10:00:00.000Z' });
});

test('the document has the workers of a queue and what they gave up, if there is a queue', () => {
  const queue = {
    workers: [{ worker: 'w1', machine: 'one', since: AT, silent: 2.4, accounts: ['acme'] }],
    deadLetters: [{ account: 'beta', step: 'apply', at: AT, why: 'a lock is held', wave: 1 }],
  };
  const text = statusJson({ ...SAMPLE, queue });
  expectDescribed(text, 'fleet-status.schema.json');
  expect(JSON.parse(text)).toMatchObject({
    workers: [{ machine: 'one', since: AT, silent_seconds: 2, accounts: ['acme'] }],
    dead_letters: [{ account: 'beta', step: 'apply', at: AT, why: 'a lock is held' }],
  });
  expect(JSON.parse(statusJson(SAMPLE))).not.toHaveProperty('workers');
});

test('metrics have one label for each account, and the age of drift', () => {
  const lines = statusMetrics(SAMPLE, NOW).split('\n');
  const states = lines.filter(line => line.startsWith('meshform_fleet_account_state{'));
  expect(states).toEqual([
    'meshform_fleet_account_state{account="acme",state="healthy"} 1',
    'meshform_fleet_account_state{account="beta",state="failed"} 1',
    'meshform_fleet_account_state{account="gamma",state="unhealthy"} 1',
    'meshform_fleet_account_state{account="delta",state="waiting"} 1',
  ]);
  expect(lines).toContain('meshform_fleet_account_drift_age_seconds{account="beta"} 7200');
  expect(lines).toContain('meshform_fleet_account_drift_objects{account="acme"} 0');
  expect(lines.join('\n')).not.toContain('drift_age_seconds{account="acme"}');
});

test('JUnit has a test for each account, which fails if the account needs attention', () => {
  const xml = statusJunit(SAMPLE);
  expect(xml).toContain('tests="4" failures="1" errors="0" skipped="2"');
  expect(xml).toContain('<failure type="failed" message="a request failed">');
});

describe('the page', () => {
  test('has a row for each account, a filter, and no address', () => {
    const page = statusPage(SAMPLE, fleetAssets());
    const elements = elementsIn(page);
    expect(elements.filter(({ tag }) => tag === 'tr')).toHaveLength(1 + 2 + 1 + 4);
    expect(elements.filter(({ tag }) => tag === 'script')).toHaveLength(1);
    expect(page).not.toMatch(/https?:|url\(|innerHTML|^import |^export /m);
    expect(page).toContain("default-src 'none'");
  });

  test('filters by text in any cell, wave and state', () => {
    const filter = { text: '', wave: '', state: '' };
    const cells = ['acme.example', '2', 'unhealthy, accepted', '', '', '', 'Access test failed'];
    expect(matches(filter, cells)).toBe(true);
    expect(matches({ ...filter, text: ' TEST ' }, cells)).toBe(true);
    expect(matches({ ...filter, text: 'beta' }, cells)).toBe(false);
    expect(matches({ ...filter, wave: '2', state: 'unhealthy' }, cells)).toBe(true);
    expect(matches({ ...filter, wave: '1' }, cells)).toBe(false);
    expect(matches({ ...filter, state: 'healthy' }, cells)).toBe(false);
  });
});

test('names and reasons are only ever printed as text', () => {
  const assets = fleetAssets();
  // A long name may break after its marks.
  const tagsOf = (page: string) =>
    elementsIn(page).flatMap(({ tag }) => (tag === 'wbr' ? [] : tag));
  const tags = tagsOf(statusPage(SAMPLE, assets));
  fc.assert(
    fc.property(hostileText, hostileText, (name, why) => {
      const [first, , ...others] = SAMPLE.ledger.accounts;
      const hostile = entry(name, 'failed', { outcome: { code: 1, at: AT, why } });
      const status = statusOf([first ?? hostile, hostile, ...others], {
        drift: new Map([[name, { objects: 1 }]]),
      });
      const page = statusPage(status, assets);
      expect(tagsOf(page)).toEqual(tags);
      const outputs = [
        page,
        statusText(status, { isWhole: true }, PLAIN),
        statusJson(status),
        statusJunit(status),
      ];
      for (const output of outputs) expect(faultsOf(output)).toEqual([]);
      const metrics = statusMetrics(status, NOW).trimEnd().split('\n');
      expect(
        metrics.filter(line => !/^(?:# (?:HELP|TYPE) meshform_|meshform_fleet_)/.test(line)),
      ).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
