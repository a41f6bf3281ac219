// What unfinished applies show about names: the objects that they created, and the replacements
// that they started.

import { leftNames } from '../../base/withLeftObjects.ts';
import { diffFields } from '../../engine/diff/diff.ts';
import { losesItem } from '../../engine/diff/fieldChanges.ts';
import { inParts } from '../../engine/scope/parts.ts';
import type { Kind, KindTable } from '../../kinds/kind.ts';
import type { Dialect } from '../../kinds/traits.ts';
import { canonicalFields } from '../../kinds/values/canonical.ts';
import { addressOf } from '../../model/key.ts';
import type { LeftObjects, LeftReplacement, ProvablyCreated } from '../../model/leftObjects.ts';
import type { Desired, Live } from '../../model/object.ts';
import type { RecordedId } from '../../model/recordedBase.ts';
import type { Fields } from '../../model/value.ts';
import type { Declarations } from './declarations.ts';

/** What unfinished applies show about the names in declarations. */
export interface NamesOfApplies {
  /** The ids in the base and in the applies. */
  readonly ids: readonly RecordedId[];
  /** The declarations of the objects that the applies replaced. */
  readonly replacements: readonly Desired[];
  /** Replacements that the applies started and that the files still declare. */
  readonly finished: readonly LeftReplacement[];
  /** The objects that the applies provably created. */
  readonly made: readonly ProvablyCreated[];
}

/** Finds what unfinished applies left. The journals of complete applies are read only if some object is in no base. */
export async function namesOfApplies(
  declarations: Declarations,
  live: readonly Live[],
  rules: { readonly kinds: KindTable; readonly dialect: Dialect },
): Promise<NamesOfApplies> {
  const { desired, left } = declarations;
  const isThere = new Set(live.map(({ kind, id }) => `${kind} ${id}`));
  const isLive: IsLive = one => isThere.has(`${one.kind} ${one.id}`);
  const finished = finishedReplacements(left?.replaced ?? [], { ...rules, desired, isLive });
  const isGone = !declarations.ids.every(isLive);
  const isAsked = isGone || isUnrecorded(declarations);
  const complete = isAsked ? ((await left?.madeByComplete?.()) ?? []) : [];
  const sinceBase = isGone ? complete.filter(one => one.isSinceBase) : [];
  const since = { isLive, finished, made: sinceBase };
  const { ids, replacements } = leftNames(declarations, left, since);
  return { ids, replacements, finished, made: [...(left?.made ?? []), ...complete] };
}

/** Whether the account has an object of this id. */
type IsLive = (object: Pick<RecordedId, 'kind' | 'id'>) => boolean;

// Whether a base lacks the id of an object that has ended or that a file of grants declares.
function isUnrecorded({ desired, ids }: Declarations): boolean {
  const known = new Set(ids.map(({ kind, key }) => addressOf(kind, key)));
  return desired.some(
    ({ isGrant, ended, kind, key }) => (isGrant || ended) && !known.has(addressOf(kind, key)),
  );
}

// The replacements that an apply started and that the files still declare. The new object gets the
// name, and the old object is deleted.
function finishedReplacements(
  replaced: readonly LeftReplacement[],
  {
    desired,
    kinds,
    dialect,
    isLive,
  }: {
    readonly desired: readonly Desired[];
    readonly kinds: KindTable;
    readonly dialect: Dialect;
    readonly isLive: IsLive;
  },
): readonly LeftReplacement[] {
  if (replaced.length === 0) return [];
  const parts = inParts(desired, kinds, dialect);
  const declared = new Map(parts.map(one => [addressOf(one.kind, one.key), one]));
  return replaced.filter(one => {
    const kind = kinds.get(one.kind);
    const wanted = declared.get(addressOf(one.kind, one.key));
    if (!kind || !wanted || !isLive(one) || !isLive({ ...one, id: one.former })) return false;
    const { id } = wanted.lifecycle;
    return (
      (id === undefined || id === one.id) && !isReplacedBy(wanted, one.fields, { kind, dialect })
    );
  });
}

// Whether the declaration requires yet another replacement of the object.
function isReplacedBy(
  { fields, lifecycle: { ignore = [] } }: Desired,
  before: Fields,
  { kind, dialect }: { readonly kind: Kind; readonly dialect: Dialect },
): boolean {
  const { shape } = kind;
  const options = { written: {}, ignore: new Set(ignore), exact: new Set<string>(), base: {} };
  const changes = diffFields(shape, canonicalFields(shape, fields, 'desired'), before, options);
  return changes.some(({ replaces }) => replaces) || losesItem(kind, changes, dialect);
}

/**
 * The applies that left nothing except what the files declare. If the files declare an object that
 * an apply may have created, the object is not left over.
 */
export function runsLeftNothing(
  { runs, unproven }: LeftObjects,
  declared: readonly Desired[],
): readonly string[] {
  const addresses = new Set(declared.map(({ kind, key }) => addressOf(kind, key)));
  return runs.filter(run => (unproven.get(run) ?? []).every(one => addresses.has(one)));
}
