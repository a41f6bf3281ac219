// Who takes part: layers, wave, and what a reader should know of an account.
import { expect, test } from 'vitest';
import type { RolloutAccount } from '../../../src/model/rollout.ts';
import { fleetListJson, fleetListText } from '../../../src/report/fleet/fleetList.ts';
import { PLAIN } from '../../../src/report/text/style.ts';
import { faultsOf } from '../../hostile/verdict.ts';
import { expectDescribed } from '../../support/described.ts';
import { hostileText } from '../../support/hostile.ts';
import { fc } from '../../support/seeded.ts';
import { accountOf } from './planned.ts';

const entry = (name: string): RolloutAccount => ({
  name,
  plan: 'p',
  content_digest: 'c',
  wave: 1,
  state: 'waiting',
  turn: 1,
});

const LISTED = [
  { account: accountOf('acme', { hasNoFiles: false, tenant: 't1' }), wave: 1 },
  {
    account: accountOf('beta', { absentLayers: ['customers/beta'], labels: { region: 'eu' } }),
    wave: 2,
  },
  { account: accountOf('gamma', { hasNoFiles: false }), wave: undefined },
];

test('the table has the layers and the wave of each account, and notes', () => {
  const text = fleetListText(LISTED, PLAIN);
  expect(text).toMatch(/^acme +1 +msp +baseline +t1$/m);
  expect(text).toMatch(/^beta .*region=eu/m);
  expect(text).toMatch(/^gamma +none /m);
  expect(text).toContain('3 accounts, 1 without files of their own');
  expect(text).not.toMatch(/\bnew\b|\bgone\b/);
});

test('the table shows new and removed accounts beside an open rollout', () => {
  const open = { accounts: [entry('acme'), entry('gamma'), entry('zeta')] };
  const rows = LISTED.map(({ account, wave }) => ({ account: { ...account, layers: [] }, wave }));
  const text = fleetListText(rows, PLAIN, open);
  expect(text).toMatch(/^beta +2 +new; no files of its own/m);
  expect(text).toMatch(/^zeta +gone$/m);
  expect(text).not.toMatch(/^(?:acme|gamma) .*(?:new|gone)/m);
  expectDescribed(fleetListJson(LISTED, open), 'fleet-list.schema.json');
  expectDescribed(fleetListJson(LISTED), 'fleet-list.schema.json');
  const document = JSON.parse(fleetListJson(LISTED, open));
  expect(document.gone).toEqual(['zeta']);
  expect(document.accounts.map(({ is_new }: { is_new: boolean }) => is_new)).toEqual([
    false,
    true,
    false,
  ]);
});

test('columns that do not fit are named', () => {
  const wide = LISTED.map(({ account, wave }) => ({
    account: { ...account, layers: ['x'.repeat(60)], labels: { region: 'y'.repeat(60) } },
    wave,
  }));
  expect(fleetListText(wide, PLAIN)).toMatch(/^Not shown: .*; see --format json\.$/m);
});

test('names, labels and layers are only ever printed as text', () => {
  fc.assert(
    fc.property(hostileText, hostileText, (name, other) => {
      const account = accountOf(name, {
        labels: { [other]: name },
        layers: [other],
        tenant: other,
      });
      const open = { accounts: [entry(other)] };
      for (const output of [
        fleetListText([{ account, wave: 1 }], PLAIN, open),
        fleetListJson([{ account, wave: 1 }], open),
      ])
        expect(faultsOf(output)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
