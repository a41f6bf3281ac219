// The law of exports: what an account holds, written down and planned against that same account, comes to nothing.
import { describe, expect, test, vi } from 'vitest';
import { readTransport } from '../../src/api/transport/transport.ts';
import { buildPlan } from '../../src/engine/plan/plan.ts';
import { compare } from '../../src/export/adoption/compare.ts';
import { exportModel } from '../../src/export/build.ts';
import { oneFile } from '../../src/export/files.ts';
import { mergedFiles } from '../../src/export/merge.ts';
import { type ExportModel, everyObject } from '../../src/export/model.ts';
import { verified } from '../../src/export/verified.ts';
import type { Dialect } from '../../src/kinds/traits.ts';
import type { Desired, Snapshot } from '../../src/model/object.ts';
import { exportAccount } from '../../src/pipeline/exporting/exportAccount.ts';
import { loadSchemas } from '../../src/pipeline/schemas.ts';
import { KINDS, load } from '../support/files.ts';
import { plan } from '../support/reconcile.ts';
import { OF_EVERY_KIND, SERVERS } from '../support/servers/servers.ts';
import { onAccount, settle } from './appliedAccount.ts';
import { accounts, journeys } from './generators/accounts.ts';
import { fileText } from './generators/fileText.ts';
import { malformed } from './generators/malformed.ts';
import { law, PATIENCE } from './runs.ts';
import { readFor, snapshotOfRead } from './snapshot.ts';

vi.setConfig({ testTimeout: PATIENCE });

/** Nothing that is generated has ended by then. */
const NOW = 0;
const OUTSIDE = { env: () => 'there', file: () => undefined, vars: new Map<string, string>() };
const SETTINGS = { prune: 'none', allow: [], thresholds: {}, now: NOW } as const;

const planOf = (snapshot: Snapshot, dialect: Dialect) => (desired: readonly Desired[]) =>
  buildPlan({
    kinds: KINDS,
    desired,
    base: [],
    snapshot,
    settings: { ...SETTINGS, dialect },
    folder: '',
  });

const modelOf = (snapshot: Snapshot, dialect: Dialect): ExportModel =>
  verified(exportModel({ kinds: KINDS, objects: snapshot.objects, now: NOW }), {
    kinds: KINDS,
    read: text => load(text, OUTSIDE),
    plan: planOf(snapshot, dialect),
  });

const faultsIn = (diagnostics: readonly { severity: string }[]) =>
  diagnostics.filter(({ severity }) => severity === 'error');

function expectEmptyPlan(text: string, snapshot: Snapshot, dialect: Dialect): void {
  const { desired, diagnostics } = load(text, OUTSIDE);
  if (desired.length === 0) return;
  const made = planOf(snapshot, dialect)(desired);
  expect(faultsIn([...diagnostics, ...made.diagnostics])).toEqual([]);
  expect(made.changes).toEqual([]);
}

describe('an export', () => {
  test('of an account created from files leaves out only what cannot be declared', () =>
    law(accounts(...OF_EVERY_KIND), 20, ({ server: { dialect }, desired, random }) => {
      const snapshot = snapshotOfRead(random.shuffled(readFor(desired)));
      const model = modelOf(snapshot, dialect);
      expectEmptyPlan(oneFile(model, KINDS), snapshot, dialect);
      const isReserved = new Set(
        snapshot.objects
          .filter(({ kind, reserved }) => reserved || KINDS.get(kind)?.verbs.size === 0)
          .map(({ kind, id }) => `${kind} ${id}`),
      );
      expect(model.leftOut.filter(({ kind, id }) => !isReserved.has(`${kind} ${id}`))).toEqual([]);
    }));

  test('of any account has an empty plan', () =>
    law(accounts(...OF_EVERY_KIND), 40, ({ server: { dialect }, desired, random }) => {
      const snapshot = snapshotOfRead(random.shuffled(malformed(readFor(desired), random)));
      const model = modelOf(snapshot, dialect);
      expectEmptyPlan(oneFile(model, KINDS), snapshot, dialect);
      const reported = everyObject(model.objects).length + model.leftOut.length;
      expect(reported, 'every object is declared, or left out and said so').toBe(
        snapshot.objects.length,
      );
    }));

  test('is the same for any order of responses', () =>
    law(accounts(...OF_EVERY_KIND), 14, ({ server: { dialect }, desired, random }) => {
      const read = malformed(readFor(desired), random);
      const one = oneFile(modelOf(snapshotOfRead(random.shuffled(read)), dialect), KINDS);
      expect(oneFile(modelOf(snapshotOfRead(random.shuffled(read)), dialect), KINDS)).toBe(one);
    }));

  test('into files that declared something else gives them an empty plan, and a second export changes nothing', () =>
    law(journeys(...OF_EVERY_KIND), 20, ({ server: { dialect }, from, to, random }) => {
      const snapshot = snapshotOfRead(random.shuffled(readFor(to)));
      const model = modelOf(snapshot, dialect);
      const into = (text: string) => {
        const { desired } = load(text, OUTSIDE);
        const compared = compare({
          kinds: KINDS,
          desired,
          snapshot,
          folder: '',
          dialect,
          now: NOW,
        });
        const files = [{ file: 'network.yaml', text }];
        const comparison = compared;
        const newFileFor = () => 'network.yaml';
        return {
          ...compared,
          ...mergedFiles({ kinds: KINDS, model, files, comparison, newFileFor }),
        };
      };
      if (from.length === 0 || model.objects.length === 0) return;
      const first = into(fileText(from));
      const text = first.files[0]?.text ?? fileText(from);
      const again = into(text);
      const left = again.plan.changes.filter(({ type }) => type !== 'create');
      expect(left).toEqual([]);
      expect(again.files).toEqual([]);
      expect(again.added).toBe(0);
    }));
});

test.each(SERVERS)(
  'an export of an account on a server of $dialect, $edition, has an empty plan',
  server =>
    law(accounts(server), 5, ({ desired }) =>
      onAccount(server, async account => {
        const { dialect } = server;
        await settle(account, desired);
        const { model } = await exportAccount(
          loadSchemas(KINDS),
          readTransport(account.transport),
          {
            dialect,
            now: NOW,
            concurrency: 4,
            selection: { kinds: new Set(), only: [] },
          },
        );
        const { desired: exported, diagnostics } = load(oneFile(model, KINDS), OUTSIDE);
        expect(faultsIn(diagnostics)).toEqual([]);
        const made = await plan(account, exported, { now: NOW });
        expect(faultsIn(made.diagnostics)).toEqual([]);
        expect(made.changes).toEqual([]);
        // Files only refer to an object that appears by itself: no export declares it.
        const leftOut = new Set(model.leftOut.map(({ kind, name }) => `${kind} ${name}`));
        const written = desired.filter(({ kind, key }) => !leftOut.has(`${kind} ${key}`));
        const isLost = everyObject(model.objects).length < written.length;
        expect(isLost, 'all that was declared is exported').toBe(false);
      }),
    ),
);
