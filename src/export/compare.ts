// Files against the account: which declaration stands for which live object, and in which fields the two differ.
import isEqual from 'fast-deep-equal';
import { doomedAmong } from '../engine/doomed.ts';
import type { Pair } from '../engine/matching.ts';
import { pairObjects } from '../engine/pair.ts';
import { inParts } from '../engine/parts.ts';
import { buildPlan } from '../engine/plan.ts';
import type { PlanSettings } from '../engine/settings.ts';
import type { KindTable } from '../kinds/kind.ts';
import type { KindName, RemoteId } from '../model/names.ts';
import type { Desired, Snapshot } from '../model/object.ts';
import type { Plan } from '../model/plan.ts';
import { isList, type Json } from '../model/value.ts';
import type { Exported } from './model.ts';

/** What is compared. */
export interface CompareInput {
  readonly kinds: KindTable;
  readonly desired: readonly Desired[];
  readonly snapshot: Snapshot;
  readonly folder: string;
  readonly dialect: PlanSettings['dialect'];
  readonly now: number;
  /** Whether a declared object that the account has in another parent is the same object: not where the files are right. */
  readonly followsMoves?: boolean;
}

/** How files and account stand to each other. */
export interface Comparison {
  readonly plan: Plan;
  readonly pairs: readonly Pair[];
  /** What is declared of a live object. */
  readonly declared: (object: {
    readonly kind: KindName;
    readonly id: RemoteId;
  }) => Desired | undefined;
  /** The fields in which a declared object and its live one differ, and the sets of which not all is declared. */
  readonly differs: (object: Exported) => ReadonlySet<string>;
  /** Declarations that no live object stands for. */
  readonly gone: readonly Desired[];
}

/** Compares files with the account. */
export function compare(input: CompareInput): Comparison {
  const { kinds, desired, snapshot, folder, dialect, now, followsMoves = true } = input;
  const settings: PlanSettings = { dialect, now, prune: 'none', allow: [], thresholds: {} };
  const plan = buildPlan({ kinds, desired, base: [], snapshot, settings, folder });
  const kept = inParts(desired, kinds, dialect);
  const isDoomed = doomedAmong(kept, kinds);
  const rules = { isDoomed, now, followsMoves };
  const { pairs } = pairObjects(kinds, kept, snapshot.objects, [], rules);
  const byLive = new Map(pairs.map(pair => [`${pair.live.kind} ${pair.live.id}`, pair.desired]));
  const found = new Set(pairs.map(pair => pair.desired.at));
  const changed = new Map(
    plan.changes.map(({ kind, id, fields }) => [
      `${kind} ${id}`,
      fields.map(({ path }) => path[0] ?? ''),
    ]),
  );
  const declared: Comparison['declared'] = ({ kind, id }) => byLive.get(`${kind} ${id}`);
  return {
    plan,
    pairs,
    declared,
    differs: object => {
      const own = declared({ kind: object.kind.name, id: object.id });
      const names = changed.get(`${object.kind.name} ${object.id}`) ?? [];
      return new Set([...names, ...(own ? partlyDeclared(object, own) : [])]);
    },
    gone: desired.filter(object => !found.has(object.at) && !isDoomed(object)),
  };
}

// Members that somebody else added are no difference to a plan, but they are what an export would write.
function partlyDeclared({ kind, fields }: Exported, { fields: own }: Desired): string[] {
  return [...kind.shape.fields.values()].flatMap(({ name, shared }) => {
    const [written, held] = [own[name], fields[name]];
    return shared && isList(written) && !isEqual(sorted(written), sorted(held)) ? [name] : [];
  });
}

const sorted = (members: Json | undefined): string[] =>
  (isList(members) ? members : []).map(member => JSON.stringify(member)).sort();
