// All declarations of files, bases and unfinished applies, before the account is known.

import { withSharedMembers } from '../../base/sharedMembers.ts';
import { inFormerNames, withLeftObjects } from '../../base/withLeftObjects.ts';
import { inParts } from '../../engine/scope/parts.ts';
import type { PlanSettings } from '../../engine/types/settings.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { DIALECTS } from '../../kinds/traits.ts';
import { addressOf } from '../../model/key.ts';
import type { LeftObjects } from '../../model/leftObjects.ts';
import type { Desired } from '../../model/object.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import type { Recorded } from '../../model/plan.ts';
import type { RecordedId } from '../../model/recordedBase.ts';
import { calledByDigest } from '../../model/secrets/secretHost.ts';

/** All declarations, before the account is known. */
export interface Declarations {
  /** The declarations of the files. */
  readonly written: readonly Desired[];
  /** The declarations of the files, with members of shared sets that other folders declare. */
  readonly desired: readonly Desired[];
  /** The base of the run. It includes the objects of unfinished applies if these count. */
  readonly base: readonly Desired[];
  readonly recorded: Recorded | undefined;
  /** The objects of the base and of the recorded base. */
  readonly former: readonly Desired[];
  /** The ids in the base of the folder. */
  readonly ids: readonly RecordedId[];
  /** The objects that unfinished applies left, with the names that the base has for them. */
  readonly left: LeftObjects | undefined;
  /** The declarations of the objects that unfinished applies created, identified by id, in the form of a recorded base. */
  readonly byIds: readonly Desired[];
  readonly others: readonly OtherFolder[];
}

/** The declarations of files, bases and unfinished applies, each under its own names. */
interface Given extends Pick<Declarations, 'base' | 'ids'> {
  readonly desired: readonly Desired[];
  readonly recorded?: Recorded | undefined;
  readonly left?: LeftObjects;
  readonly others?: readonly OtherFolder[];
}

/** All declarations, with one name for each object. */
export function declarationsOf(
  { ids, others = [], ...given }: Given,
  kinds: KindTable,
  mark: PlanSettings['mark'],
): Declarations {
  const made = given.left && stillDeclared(given.left, given.desired, kinds);
  const left = made && inFormerNames(made.left, { ids }, kinds);
  const base = left ? withLeftObjects(given.base, left, kinds) : given.base;
  const written = calledByDigest(given.desired, mark);
  const desired = withSharedMembers({ desired: written, base, others, ids, kinds });
  const { recorded } = given;
  const former = [...base, ...(recorded?.objects ?? [])];
  const named = made && inFormerNames({ ...made.left, objects: made.objects }, { ids }, kinds);
  const byIds = [...(left?.objects ?? []), ...(named?.objects ?? [])];
  return { written, desired, base, recorded, former, ids, left, byIds, others };
}

// Selects, from objects that do not count as declared by the base, those that the files declare:
// the newest object of each name, with its declaration. If the server stores an object in parts,
// each part has a declaration.
function stillDeclared(
  left: LeftObjects,
  desired: readonly Desired[],
  kinds: KindTable,
): { readonly left: LeftObjects; readonly objects: readonly Desired[] } {
  if (left.known.length === 0) return { left, objects: [] };
  const made = new Map(
    left.known.toReversed().map(one => [addressOf(one.kind, one.key), one] as const),
  );
  const parts = DIALECTS.flatMap(dialect => inParts(desired, kinds, dialect));
  const objects = new Map(parts.map(one => [addressOf(one.kind, one.key), one] as const));
  const known = [...made].flatMap(([address, one]) => (objects.has(address) ? one : []));
  return {
    left: { ...left, known },
    objects: known.flatMap(({ kind, key }) => objects.get(addressOf(kind, key)) ?? []),
  };
}
