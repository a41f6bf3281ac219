// Laws of the engine that hold for any account and need no server (docs/design.md#property-laws).
import { describe, expect, test, vi } from 'vitest';
import { buildPlan } from '../../src/engine/plan/plan.ts';
import { type PlanSettings, PRUNE_MODES } from '../../src/engine/types/settings.ts';
import { canonicalFields } from '../../src/kinds/values/canonical.ts';
import { present } from '../../src/model/errors.ts';
import type { Desired, Snapshot } from '../../src/model/object.ts';
import type { Plan } from '../../src/model/plan.ts';
import { planDocument } from '../../src/report/plan/planDocument.ts';
import { planText } from '../../src/report/plan/planText.ts';
import { PLAIN } from '../../src/report/text/style.ts';
import { KINDS, load } from '../support/files.ts';
import { OF_EVERY_KIND } from '../support/servers/servers.ts';
import { accounts, journeys } from './generators/accounts.ts';
import { fileText, permuted } from './generators/fileText.ts';
import { withLifecycles } from './generators/lifecycles.ts';
import { asPlanned, ROUNDS } from './plannedObjects.ts';
import { law, PATIENCE } from './runs.ts';
import { readFor, snapshotOf, snapshotOfRead, withOtherServerFields } from './snapshot.ts';

vi.setConfig({ testTimeout: PATIENCE });

interface Options extends Partial<PlanSettings> {
  readonly base?: readonly Desired[];
}

function planned(
  desired: readonly Desired[],
  snapshot: Snapshot,
  { base = [], ...settings }: Options = {},
): Plan {
  return buildPlan({
    kinds: KINDS,
    desired,
    base,
    snapshot,
    folder: 'generated',
    settings: { dialect: 'spec', prune: 'unmanaged', allow: [], thresholds: {}, ...settings },
  });
}

/** Everything that is made of a plan, line by line. */
const linesOf = (plan: Plan): string[] =>
  `${JSON.stringify(planDocument(plan, KINDS), null, 1)}\n${planText(plan, KINDS, PLAIN)}`.split(
    '\n',
  );

describe('generated input', () => {
  test('is valid', () =>
    law(accounts(...OF_EVERY_KIND), 34, ({ desired }) => {
      const outside = { env: () => 'x', file: () => undefined, vars: new Map<string, string>() };
      const { diagnostics } = load(fileText(desired), outside);
      const faults = diagnostics.filter(({ severity }) => severity === 'error');
      expect(desired.length === 0 ? [] : faults).toEqual([]);
    }));
});

describe('canonical form', () => {
  test('does not change when it is applied again', () =>
    law(accounts(...OF_EVERY_KIND), 34, ({ desired }) => {
      for (const { kind, fields } of desired) {
        const { shape } = present(KINDS.get(kind), `the kind ${kind}`);
        for (const side of ['desired', 'live'] as const) {
          const once = canonicalFields(shape, fields, side);
          expect(canonicalFields(shape, once, side)).toEqual(once);
        }
      }
    }));
});

describe('a plan', () => {
  test('for the state of the account is empty', () =>
    law(accounts(...OF_EVERY_KIND), 34, ({ server: { dialect }, desired, random }) => {
      const { changes, diagnostics } = planned(desired, snapshotOf(desired, random), { dialect });
      expect({ changes, diagnostics }).toEqual({ changes: [], diagnostics: [] });
    }));

  test('is empty whatever read-only values the server has', () =>
    law(accounts(...OF_EVERY_KIND), 34, ({ server: { dialect }, desired, random }) => {
      const read = withOtherServerFields(readFor(desired), random);
      expect(planned(desired, snapshotOfRead(read), { dialect }).changes).toEqual([]);
    }));

  test('for the state of the account and the base is empty too', () =>
    law(accounts(...OF_EVERY_KIND), 34, ({ server: { dialect }, desired, random }) => {
      const options: Options = { dialect, base: desired, prune: 'removed' };
      expect(planned(desired, snapshotOf(desired, random), options).changes).toEqual([]);
    }));

  test('does not depend on the order of files, keys, sets and answers', () =>
    law(journeys(...OF_EVERY_KIND), 34, ({ server: { dialect }, from, to, random }) => {
      const one = planned(to, snapshotOf(from, random), { dialect, base: from });
      const base = permuted(from, random);
      const other = planned(permuted(to, random), snapshotOf(from, random), { dialect, base });
      const lines = linesOf(one);
      expect(linesOf(other).filter((line, i) => line !== lines[i])).toEqual([]);
    }));

  test('orders no action before its predecessors, and repeats nothing', () =>
    law(journeys(...OF_EVERY_KIND), 34, ({ server: { dialect }, from, to, random }) => {
      const snapshot = snapshotOf(from, random);
      let reported: readonly Desired[] = to;
      for (let round = 0; round < ROUNDS; round++)
        reported = asPlanned(reported, planned(reported, snapshot, { dialect }).diagnostics);
      const { actions, diagnostics } = planned(reported, snapshot, { dialect });
      // Names that move are noted.
      expect(diagnostics.filter(({ code }) => code !== 'NAME_MOVES')).toEqual([]);
      const done = new Set<string>();
      for (const { id, after } of actions) {
        expect(done.has(id)).toBe(false);
        expect(after.filter(earlier => !done.has(earlier))).toEqual([]);
        expect(new Set(after).size).toBe(after.length);
        done.add(id);
      }
    }));

  test('exists, or has its reasons, for any lifecycle entries', () =>
    law(journeys(...OF_EVERY_KIND), 34, ({ server: { dialect }, from, to, random }) => {
      const snapshot = snapshotOf(from, random);
      const options: Options = {
        dialect,
        base: random.chance(0.5) ? withLifecycles(from, snapshot.objects, random) : [],
        prune: random.pick(PRUNE_MODES),
      };
      const plan = planned(withLifecycles(to, snapshot.objects, random), snapshot, options);
      const isRefused = plan.diagnostics.some(({ severity }) => severity === 'error');
      expect(isRefused && plan.actions.length > 0).toBe(false);
      expect(new Set(plan.changes.map(({ address }) => address)).size).toBe(plan.changes.length);
    }));
});
