// What a plan of loaded files changes, without the places where it is written: two ways to write the same must plan to the same.
import { buildPlan } from '../../src/engine/plan/plan.ts';
import type { Snapshot } from '../../src/model/object.ts';
import type { Loaded } from '../../src/source/load.ts';
import { KINDS } from '../support/files.ts';

const SETTINGS = { dialect: 'spec', prune: 'none', allow: [], thresholds: {}, now: 0 } as const;

/** The changes as texts, in an order that files do not decide. */
export function changesIn({ desired }: Pick<Loaded, 'desired'>, snapshot: Snapshot): string[] {
  const input = { kinds: KINDS, base: [], snapshot, settings: SETTINGS, folder: '' };
  return buildPlan({ ...input, desired })
    .changes.map(({ at: _, ...change }) => JSON.stringify(change))
    .sort();
}
