// The inputs of a plan, and the part of them that the run covers: selected objects, objects marked for deletion, and forgotten
// objects.
import { formerKeys } from '../../kinds/identity/formerKeys.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { addressOf } from '../../model/key.ts';
import type { LeftChange, ProvablyCreated, RunDeclaration } from '../../model/leftObjects.ts';
import type { MissingObject } from '../../model/missingObjects.ts';
import type { Key, KindName, RemoteId } from '../../model/names.ts';
import type { Desired, Snapshot } from '../../model/object.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import type { Recorded } from '../../model/plan.ts';
import type { UndoneDeclaration } from '../../model/undoneDeclaration.ts';
import type { ComparedOnly } from '../types/comparedOnly.ts';
import type { IsMarkedForDeletion, Meant, RecordedIds } from '../types/pairing.ts';
import type { IsSelected } from '../types/selection.ts';
import type { PlanSettings } from '../types/settings.ts';
import { beforeEnds } from './beforeEnds.ts';
import { type DroppedFrom, droppedFrom } from './droppedParts.ts';
import { liveWholes } from './liveWholes.ts';
import { markedForDeletion } from './markedForDeletion.ts';
import { inParts } from './parts.ts';
import { othersInParts } from './partsElsewhere.ts';
import { kindsToRead, neededKinds } from './readScope.ts';
import { namedBy, selected } from './selection.ts';
import { type Wholes, wholesOf } from './wholes.ts';

/** The inputs of a plan. */
export interface PlanInput {
  readonly kinds: KindTable;
  readonly desired: readonly Desired[];
  /** The declarations of the base; empty without a base. */
  readonly base: readonly Desired[];
  /**
   * Another base. It may still require a removal that has not been carried out. If the plan is
   * recorded as the next base, that removal must not be lost.
   */
  readonly recorded?: Recorded | undefined;
  /** Objects of the base whose addresses match no mark. */
  readonly unrecognised?: readonly Desired[] | undefined;
  /** The declarations of other folders of the account; none if absent. */
  readonly others?: readonly OtherFolder[] | undefined;
  readonly snapshot: Snapshot;
  readonly settings: PlanSettings;
  /** Objects that the files name and that somebody deleted or renamed in the account. */
  readonly missing?: readonly MissingObject[];
  /**
   * Declarations that cannot be written without the missing objects. They are left out of the run
   * but compared.
   */
  readonly held?: ComparedOnly;
  /** The objects that names denote, if they are not simply the live objects with these names. */
  readonly meant?: Meant | undefined;
  readonly recordedIds?: RecordedIds | undefined;
  /**
   * Objects that applies of these files provably created. Present if an ended object or a grant may
   * be one of them, or if these applies did not finish.
   */
  readonly made?: readonly ProvablyCreated[] | undefined;
  /** Objects that complete applies created with an end time, if the run has no base. */
  readonly withEnds?: readonly ProvablyCreated[] | undefined;
  /**
   * Objects that applies left, if the folders of these applies no longer have files. A plan only
   * reports these objects.
   */
  readonly leftInGone?: readonly ProvablyCreated[] | undefined;
  /** Objects that unfinished applies changed or deleted, and the changes that the account still shows. */
  readonly leftChanges?: readonly LeftChange[] | undefined;
  /**
   * The declarations of applies that did not finish or were closed. The members that they added count as added by these files.
   */
  readonly declaredByRuns?: readonly RunDeclaration[] | undefined;
  /**
   * The objects that the user of the token created, according to the audit log. Read only if no base contains a grant that has
   * ended.
   */
  readonly madeByUser?: ReadonlySet<RemoteId> | undefined;
  /** The declarations of the base that undos have replaced; none if absent. */
  readonly undone?: readonly UndoneDeclaration[] | undefined;
  /** Objects that an unfinished apply has replaced, by kind and id, with the names of their successors. */
  readonly superseded?: ReadonlyMap<string, Key> | undefined;
  /** Objects that unfinished applies deleted, each with the apply. */
  readonly deletedByRuns?: ReadonlyMap<RemoteId, string> | undefined;
  /** The folder of the files, which the plan stores. */
  readonly folder: string;
}

/** The inputs of a plan, with declarations split into parts as the server stores them. */
export interface PartedInput extends PlanInput {
  /** The inputs as declared, before the split. */
  readonly written: PlanInput;
  readonly wholes: Wholes;
}

/** Splits the declarations of files and bases as servers of the dialect do. */
export function partedInput(written: PlanInput): PartedInput {
  const { kinds, recorded, others = [], settings, snapshot } = written;
  const parts = (objects: readonly Desired[]) => inParts(objects, kinds, settings.dialect);
  const desired = parts(written.desired);
  const base = parts(written.base);
  const undone = written.undone?.flatMap(one =>
    one.applied
      ? parts([one.applied]).map(applied => ({ ...one, key: applied.key, applied }))
      : one,
  );
  const more = recorded && { ...recorded, objects: parts(recorded.objects) };
  const former = [...base, ...(more?.objects ?? [])];
  const all = [...written.desired, ...written.base, ...(recorded?.objects ?? [])];
  const known = new Set(
    [...all, ...desired, ...former].map(({ kind, key }) => addressOf(kind, key)),
  );
  const live = liveWholes(snapshot.objects, known, { kinds, dialect: settings.dialect });
  const wholes = wholesOf(desired, former, live);
  const elsewhere = othersInParts(others, kinds, settings.dialect);
  const parted = { ...written, desired, base, recorded: more, others: elsewhere };
  return { ...parted, ...(undone && { undone }), written, wholes };
}

/** The part of the desired state that a run covers. */
export interface Run {
  readonly isSelected: IsSelected;
  readonly isMarkedForDeletion: IsMarkedForDeletion;
  /** Whether an object was given up with `--forget`. */
  readonly isForgotten: IsSelected;
  /** Finds parts that the files no longer declare. */
  readonly droppedFrom: DroppedFrom;
  /** Kinds that the run needs; see `neededKinds`. */
  readonly needed: ReadonlyMap<KindName, Desired | undefined>;
  /** The kinds among these that declarations need, even if the plan deletes nothing. */
  readonly mentionedKinds: ReadonlySet<KindName>;
  /** Objects to be paired: selected objects, objects to which these may refer, and all renamed objects. */
  readonly paired: readonly Desired[];
  /** Selected objects that are not marked for deletion. */
  readonly remaining: readonly Desired[];
  /** Objects that are not selected. */
  readonly unselected: readonly Desired[];
  /** The kinds of the selected objects. */
  readonly declaredKinds: ReadonlySet<KindName>;
}

/** The part of the inputs that a plan covers, by its settings. */
export function runOf(input: PartedInput): Run {
  const { kinds, desired, settings, wholes } = input;
  const base = bases(input);
  const isSelected = selected(settings.select ?? {}, kinds, wholes);
  const isMarkedForDeletion = markedForDeletion(desired, kinds);
  const chosen = desired.filter(isSelected);
  const former = [...base, ...beforeEnds(chosen)].filter(isSelected);
  const needed = neededKinds(kinds, chosen, former, settings.prune);
  return {
    isSelected,
    isMarkedForDeletion,
    needed,
    mentionedKinds: new Set(kindsToRead(kinds, chosen, former).keys()),
    isForgotten: namedBy(settings.forget ?? [], kinds, wholes),
    droppedFrom: droppedFrom(
      {
        declared: input.written.desired,
        base: [...input.written.base, ...beforeEnds(input.written.desired)],
        recordedIds: input.recordedIds,
      },
      kinds,
      settings.dialect,
    ),
    paired: desired.filter(
      object => isSelected(object) || needed.has(object.kind) || isKnownById(object, input),
    ),
    remaining: chosen.filter(object => !isMarkedForDeletion(object)),
    unselected: desired.filter(object => !isSelected(object)),
    declaredKinds: new Set(chosen.map(({ kind }) => kind)),
  };
}

// Whether the base has the id of a live object. These files manage such an object under any name,
// and it must not look undeclared if this run does not select it.
function isKnownById(
  { kind: name, key, parent, lifecycle: { was } }: Desired,
  { kinds, meant }: PlanInput,
): boolean {
  const kind = kinds.get(name);
  const former = kind && was !== undefined ? formerKeys(kind, parent, was) : [];
  return [key, ...former].some(one => Boolean(meant?.get(addressOf(name, one))));
}

/**
 * The input for the same account, but with empty files and bases, and without the objects that
 * applies left. The plan of all files reports those objects.
 */
export const declaringNothing = <T extends PlanInput>(input: T): T => ({
  ...input,
  desired: [],
  base: [],
  recorded: undefined,
  made: undefined,
  withEnds: undefined,
  leftInGone: undefined,
  leftChanges: undefined,
});

/** The declarations of all bases. */
export const bases = ({ base, recorded }: PlanInput): readonly Desired[] =>
  recorded ? [...base, ...recorded.objects] : base;
