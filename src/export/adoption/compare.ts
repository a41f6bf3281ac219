// Files against the account: which declaration stands for which live object, and in which fields the two differ.

import isEqual from 'fast-deep-equal';
import { pairObjects } from '../../engine/pairing/pairObjects.ts';
import { buildPlan } from '../../engine/plan/plan.ts';
import { markedForDeletion } from '../../engine/scope/markedForDeletion.ts';
import { inParts, isInSeveral } from '../../engine/scope/parts.ts';
import type { Pair } from '../../engine/types/pairing.ts';
import type { PlanSettings } from '../../engine/types/settings.ts';
import { namingFields } from '../../kinds/identity/identity.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { KindName, RemoteId } from '../../model/names.ts';
import type { Desired, Snapshot } from '../../model/object.ts';
import type { Plan } from '../../model/plan.ts';
import { isList, type Json } from '../../model/value.ts';
import { partsOf } from '../join.ts';
import type { Exported } from '../model.ts';

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
  /** Whether the account keeps a declared object in more than one part. */
  readonly isInSeveral: (desired: Desired) => boolean;
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
  const isMarkedForDeletion = markedForDeletion(kept, kinds);
  const rules = { isMarkedForDeletion, now, followsMoves };
  const { pairs } = pairObjects(kinds, kept, snapshot.objects, [], rules);
  const written = new Map(desired.map(object => [object.at, object]));
  const byLive = new Map(
    pairs.map(pair => [
      `${pair.live.kind} ${pair.live.id}`,
      pair.desired.part ? (written.get(pair.desired.at) ?? pair.desired) : pair.desired,
    ]),
  );
  const found = new Set(pairs.map(pair => pair.desired.at));
  const changed = new Map(
    plan.changes.map(({ kind, id, fields }) => [
      `${kind} ${id}`,
      fields.map(({ path }) => path[0] ?? ''),
    ]),
  );
  const incomplete = new Set(
    plan.changes.flatMap(({ type, at }) => (type === 'create' && at) || []),
  );
  const isSeveral = (object: Desired) => isInSeveral(object, kinds, dialect);
  const declared: Comparison['declared'] = ({ kind, id }) => byLive.get(`${kind} ${id}`);
  return {
    plan,
    pairs,
    declared,
    isInSeveral: isSeveral,
    differs: object => {
      const own = declaredOf(object, declared);
      const names = partsOf(object).flatMap(
        ({ kind, id }) => changed.get(`${kind.name} ${id}`) ?? [],
      );
      if (own && (object.joined || isSeveral(own)))
        return differsInParts(object, own, {
          names,
          declared,
          isIncomplete: incomplete.has(own.at),
        });
      return new Set([...names, ...(own ? partlyDeclared(object, own) : [])]);
    },
    gone: desired.filter(object => !found.has(object.at) && !isMarkedForDeletion(object)),
  };
}

/** What is declared of an exported object, or of one of its parts. */
export function declaredOf(
  object: Exported,
  declared: Comparison['declared'],
): Desired | undefined {
  return partsOf(object)
    .map(({ kind, id }) => declared({ kind: kind.name, id }))
    .find(found => found !== undefined);
}

interface InParts extends Pick<Comparison, 'declared'> {
  /** The fields in which its parts differ. */
  readonly names: readonly string[];
  /** Whether a declared part is not there. */
  readonly isIncomplete: boolean;
}

// The name of a part says nothing of the whole, and a part that is missing or new is an item that is.
function differsInParts(
  object: Exported,
  own: Desired,
  { names, declared, isIncomplete }: InParts,
): ReadonlySet<string> {
  const { parts } = object.kind;
  const found = new Set(names);
  const isNew = partsOf(object).some(({ kind, id }) => !declared({ kind: kind.name, id }));
  const [name = ''] = namingFields(object.kind);
  found.delete(name);
  if (object.name !== own.key) found.add(name);
  if (parts && (isIncomplete || isNew)) found.add(parts.list);
  return found;
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
