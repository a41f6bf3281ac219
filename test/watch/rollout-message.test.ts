// A rollout notifies once: what became of it, how many accounts are in which state, and who needs somebody.
import { expect, test } from 'vitest';
import type { Ledger, RolloutAccount } from '../../src/model/rollout.ts';
import { rolloutBody } from '../../src/watch/rolloutMessage.ts';
import { hostileText } from '../support/hostile.ts';
import { fc } from '../support/seeded.ts';

const AT = '2026-05-01T10:00:00Z';
const NOW = Date.parse('2026-05-01T12:00:00Z');
const same = (text: string) => text;

const entry = (name: string, state: RolloutAccount['state'], why?: string): RolloutAccount => ({
  name,
  plan: 'sha256:p',
  content_digest: 'sha256:c',
  wave: 1,
  state,
  turn: 1,
  ...(why !== undefined && { outcome: { code: 1, at: AT, why } }),
});

const ledgerOf = (accounts: readonly RolloutAccount[]): Ledger => ({
  rollout: 'r1',
  fleet: 'fleet.yaml',
  plans: 'sha256:all',
  flags: {},
  started_at: AT,
  waves: [{ bake: 0 }],
  stop: { failures: 1, hazards: true, access_tests: true, stale: 0 },
  accounts,
  halt: { turn: 1, why: 'one account failed', at: AT },
});

const NEXT = 'meshform fleet apply --continue --accept beta';
const bodyOf = (accounts: readonly RolloutAccount[], redact = same) => {
  const notice = { event: 'stopped', ledger: ledgerOf(accounts), next: NEXT, now: NOW } as const;
  const body = rolloutBody(notice, redact);
  return { body, ...(JSON.parse(body) as { text: string; meshform: Record<string, unknown> }) };
};

test('a stopped rollout names the unhealthy accounts, and what to do', () => {
  const accepted = { ...entry('gamma', 'failed', 'no'), accepted: { at: AT } };
  const { text, meshform } = bodyOf([
    entry('acme', 'healthy'),
    entry('beta', 'failed', 'a request failed'),
    accepted,
    entry('delta', 'waiting'),
  ]);
  expect(text.split('\n')).toEqual([
    '*A rollout is stopped*: `fleet.yaml`, `r1`',
    '4 accounts: 1 healthy, 2 failed, 1 waiting',
    '• `beta` failed: `a request failed`',
    `\`${NEXT}\``,
  ]);
  expect(meshform).toEqual({
    format_version: '1.0',
    rollout: 'r1',
    event: 'stopped',
    fleet: 'fleet.yaml',
    at: '2026-05-01T12:00:00.000Z',
    started_at: AT,
    accounts: { healthy: 1, failed: 2, waiting: 1 },
    unhealthy: [{ account: 'beta', wave: 1, state: 'failed', why: 'a request failed' }],
    omitted: 0,
    why: 'one account failed',
    next: NEXT,
  });
});

test('500 failed accounts fit a message, with the number of omitted accounts', () => {
  const accounts = Array.from({ length: 500 }, (_, i) =>
    entry(`c${i}-${'\u{1f600}'.repeat(200)}`, 'failed', 'x'.repeat(900)),
  );
  const { body, text, meshform } = bodyOf(accounts);
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(32_768);
  const listed = (meshform.unhealthy as unknown[]).length;
  expect(listed).toBeGreaterThan(5);
  expect(meshform.omitted).toBe(500 - listed);
  expect(text).toContain('and 490 more');
});

test('secrets are redacted, and names are not markup', () => {
  const { body } = bodyOf([entry('beta', 'failed', 'token abc123 refused')], text =>
    text.replaceAll('abc123', '(secret)'),
  );
  expect(body).not.toContain('abc123');
  fc.assert(
    fc.property(hostileText, hostileText, (name, why) => {
      const { text } = bodyOf([entry(name, 'failed', why)]);
      const lines = text.split('\n');
      expect(lines).toHaveLength(4);
      expect(lines[2]).toMatch(/^• `[^`]*` failed: `[^`]*`$/);
      expect(text).not.toMatch(/[<>]/);
    }),
    { numRuns: 100 },
  );
});
