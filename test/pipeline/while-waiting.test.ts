// The access diff of a plan while some of its declarations wait: gains of the plan once nothing waits, and losses of the plan itself.
import { expect, onTestFinished, test } from 'vitest';
import type { AccessChangeEntry, PlanAccess } from '../../src/model/access/planAccess.ts';
import { lostNow } from '../../src/pipeline/access/whileWaiting.ts';
import { startAccount } from '../support/account.ts';
import { desiredOf } from '../support/files.ts';
import { plan } from '../support/reconcile.ts';

const entry = (
  change: AccessChangeEntry['change'],
  [ports_before, ports_after]: readonly [readonly string[], readonly string[]],
  more: Partial<AccessChangeEntry> = {},
): AccessChangeEntry => ({
  change,
  from: 'group/dev',
  to: 'group/srv',
  protocol: 'tcp',
  ports_before,
  ports_after,
  machines: ['mia'],
  members_to_come: [],
  via: [],
  causes: [],
  ...more,
});

const access = (...changes: readonly AccessChangeEntry[]): PlanAccess => ({
  status: changes.length > 0 ? 'changed' : 'unchanged',
  machines: 1,
  pairs: { gained: 1, lost: 1 },
  without_effect: 0,
  unread: [],
  changes,
  gains: [],
  steps: [],
});

const BOTH = { gains: true, loses: true } as const;

const shown = (later: readonly AccessChangeEntry[], now: readonly AccessChangeEntry[]) =>
  lostNow(access(...later), access(...now)).changes.map(
    ({ change, from, ports_before, ports_after, gains, loses }) =>
      `${change} ${from} ${ports_before} -> ${ports_after}${gains ? ' gains' : ''}${loses ? ' loses' : ''}`,
  );

test('a changed port is lost now, and the port that replaces it is gained later, once nothing waits', () => {
  const now = entry('changed', [['22'], ['443']], BOTH);
  const later = entry('gained', [['22'], ['22', '443']]);
  expect(shown([later], [now])).toEqual(['gained group/dev 22 -> 22,443', 'lost group/dev 22 -> ']);
});

test('access that is removed only once nothing waits is not lost', () => {
  const later = entry('changed', [['22', '80-90'], ['85-443']], BOTH);
  expect(shown([later], [])).toEqual(['gained group/dev 22,80-90 -> 22,80-443']);
  expect(shown([entry('changed', [['22'], []], { loses: true })], [])).toEqual([]);
});

test('a change that is the same before and after the wait stays one change', () => {
  const same = entry('changed', [['22'], ['443']], BOTH);
  expect(shown([same], [same])).toEqual(['changed group/dev 22 -> 443 gains loses']);
});

test('changes are sorted as in every plan: gains, losses, changes', () => {
  const same = entry('changed', [['22'], ['443']], BOTH);
  const lost = entry('lost', [['22'], []], { from: 'group/ops' });
  const gained = entry('gained', [[], ['22']], { from: 'group/qa' });
  expect(shown([same, gained], [lost, same])).toEqual([
    'gained group/qa  -> 22',
    'lost group/ops 22 -> ',
    'changed group/dev 22 -> 443 gains loses',
  ]);
});

test('access that stays open is reported with the objects that keep it open, and not with all waiting objects', async () => {
  const account = await startAccount({ dialect: 'netbird', signIn: 'external' });
  onTestFinished(() => account.close());
  await account.enrol('web');
  await account.enrol('db');
  const rule = (name: string, rest: string) =>
    `{ name: ${name}, rules: [{ name: all, protocol: tcp, ${rest} }] }`;
  const files =
    desiredOf(`groups: [{ name: idp, from: identity_provider }, { name: lap, peers: [web] }, { name: srv, peers: [db] }]
setup_keys: [{ name: k, type: reusable, expires_in: 86400, usage_limit: 0, auto_groups: [idp, lap] }]
policies:
  - ${rule('open', 'sources: [lap], destinations: [srv, lap], ports: ["81", "82"]')}
  - ${rule('in', 'sources: [idp], destinations: [srv], ports: ["80"]')}
  - ${rule('not', 'sources: [idp], destinations: [lap], ports: ["81"], action: drop')}
  - ${rule('nor', 'sources: [idp], destinations: [srv], ports: ["82"], action: drop')}
dns: { zones: [{ domain: z.x, name: z, distribution_groups: [idp] }] }
`);
  const access = { tests: [], areTestsJudged: false, allowances: { byFlag: [], byProject: [] } };
  const { diagnostics } = await plan(account, files, { access });
  const open = diagnostics.filter(({ code }) => code === 'WAITS_OPEN');
  const what = (policy: string) =>
    `policy.${policy}, setup_key.k wait for group.idp, and until then the account leaves open what the files do not: machines that enrol with setup_key/k (future members) → `;
  expect(open.map(({ severity, message, at }) => [severity, at?.line, message])).toEqual([
    ['error', 6, `${what('not')}group/lap  tcp/81`],
    ['error', 7, `${what('nor')}group/srv  tcp/82`],
  ]);
});
