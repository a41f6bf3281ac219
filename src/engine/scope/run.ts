// The inputs of a plan, and the part that the run is about: what is selected, marked for deletion, or forgotten.
import { formerKeys } from '../../kinds/identity/formerKeys.ts';
import type { KindTable } from '../../kinds/kind.ts';
import { addressOf } from '../../model/key.ts';
import type { LeftChange, MadeObject, RunDeclaration } from '../../model/leftObjects.ts';
import type { MissingObject } from '../../model/missing.ts';
import type { Key, KindName, RemoteId } from '../../model/names.ts';
import type { Desired, Snapshot } from '../../model/object.ts';
import type { OtherFolder } from '../../model/otherFolder.ts';
import type { Recorded } from '../../model/plan.ts';
import type { Held } from '../types/held.ts';
import type { IsMarkedForDeletion, Meant, RecordedIds } from '../types/pairing.ts';
import type { IsSelected } from '../types/selection.ts';
import type { PlanSettings } from '../types/settings.ts';
import { beforeEnds } from './beforeEnds.ts';
import { type DroppedFrom, droppedFrom } from './droppedParts.ts';
import { liveWholes } from './liveWholes.ts';
import { markedForDeletion } from './markedForDeletion.ts';
import { inParts } from './parts.ts';
import { othersInParts } from './partsElsewhere.ts';
import { neededKinds, spokenKinds } from './scope.ts';
import { namedBy, selected } from './selection.ts';
import { type Wholes, wholesOf } from './wholes.ts';

/** The inputs of a plan. */
export interface PlanInput {
  readonly kinds: KindTable;
  readonly desired: readonly Desired[];
  /** The declarations of the base; empty without a base. */
  readonly base: readonly Desired[];
  /** Another base that must not lose a removal if the plan is recorded as the next base. */
  readonly recorded?: Recorded | undefined;
  /** Objects of the base that nobody recognises. */
  readonly unrecognised?: readonly Desired[] | undefined;
  /** What other folders of the account declare; none if absent. */
  readonly others?: readonly OtherFolder[] | undefined;
  readonly snapshot: Snapshot;
  readonly settings: PlanSettings;
  /** Objects that the files name, and that somebody deleted or renamed in the account. */
  readonly missing?: readonly MissingObject[];
  /** Declarations that cannot be written without these: they are left out of the run, and compared. */
  readonly held?: Held;
  /** The objects that names mean, if not simply the live objects of the names. */
  readonly meant?: Meant | undefined;
  readonly recordedIds?: RecordedIds | undefined;
  /** What applies of these files provably created, if something that ends or is a grant may be it, or if they were not finished. */
  readonly made?: readonly MadeObject[] | undefined;
  /** What applies left whose folders have no files any more: it is only named. */
  readonly leftInGone?: readonly MadeObject[] | undefined;
  /** What applies that nobody finished changed or deleted, and the account still shows. */
  readonly leftChanges?: readonly LeftChange[] | undefined;
  /** What applies declared that nobody finished, or that were closed: members that they added are ours. */
  readonly declaredByRuns?: readonly RunDeclaration[] | undefined;
  /** What the user of the token created, by the audit log, if no base tells of a grant that has ended. */
  readonly madeByUser?: ReadonlySet<RemoteId> | undefined;
  /** By kind and id, objects that an unfinished apply has replaced, with the names that their successors have. */
  readonly superseded?: ReadonlyMap<string, Key> | undefined;
  /** Objects that unfinished applies deleted, and which apply it was. */
  readonly deletedByRuns?: ReadonlyMap<RemoteId, string> | undefined;
  /** The folder of the files, stored in the plan. */
  readonly folder: string;
}

/** The inputs of a plan as the server keeps objects: split into parts where it splits them. */
export interface PartedInput extends PlanInput {
  /** The same as declared. */
  readonly written: PlanInput;
  readonly wholes: Wholes;
}

/** Splits the declarations of files and bases as servers of the dialect do. */
export function partedInput(written: PlanInput): PartedInput {
  const { kinds, recorded, others = [], settings, snapshot } = written;
  const parts = (objects: readonly Desired[]) => inParts(objects, kinds, settings.dialect);
  const desired = parts(written.desired);
  const base = parts(written.base);
  const more = recorded && { ...recorded, objects: parts(recorded.objects) };
  const former = [...base, ...(more?.objects ?? [])];
  const all = [...written.desired, ...written.base, ...(recorded?.objects ?? [])];
  const known = new Set(
    [...all, ...desired, ...former].map(({ kind, key }) => addressOf(kind, key)),
  );
  const live = liveWholes(snapshot.objects, known, { kinds, dialect: settings.dialect });
  const wholes = wholesOf(desired, former, live);
  const elsewhere = othersInParts(others, kinds, settings.dialect);
  return { ...written, desired, base, recorded: more, others: elsewhere, written, wholes };
}

/** The part of the desired state that a run is about. */
export interface Run {
  readonly isSelected: IsSelected;
  readonly isMarkedForDeletion: IsMarkedForDeletion;
  /** Whether an object was given up with `--forget`. */
  readonly isForgotten: IsSelected;
  /** Parts that the files no longer declare. */
  readonly droppedFrom: DroppedFrom;
  /** Kinds that the run needs; see `neededKinds`. */
  readonly needed: ReadonlyMap<KindName, Desired | undefined>;
  /** Of these, the kinds that declarations need whatever the plan deletes. */
  readonly spokenOf: ReadonlySet<KindName>;
  /** Objects to be paired: selected objects, their possible references, and all renamed objects. */
  readonly paired: readonly Desired[];
  /** Selected objects that are not marked for deletion. */
  readonly kept: readonly Desired[];
  /** Objects that are not selected. */
  readonly outside: readonly Desired[];
  /** The kinds of the selected objects. */
  readonly declaredKinds: ReadonlySet<KindName>;
}

/** The subject of a plan, by its settings. */
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
    spokenOf: new Set(spokenKinds(kinds, chosen, former).keys()),
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
    kept: chosen.filter(object => !isMarkedForDeletion(object)),
    outside: desired.filter(object => !isSelected(object)),
    declaredKinds: new Set(chosen.map(({ kind }) => kind)),
  };
}

// An object that the base knows by its id is ours under any name: it must not look undeclared because it is not selected.
function isKnownById(
  { kind: name, key, parent, lifecycle: { was } }: Desired,
  { kinds, meant }: PlanInput,
): boolean {
  const kind = kinds.get(name);
  const former = kind && was !== undefined ? formerKeys(kind, parent, was) : [];
  return [key, ...former].some(one => Boolean(meant?.get(addressOf(name, one))));
}

/** The same account for files that declare nothing: a plan of the files also names what applies left. */
export const declaringNothing = <T extends PlanInput>(input: T): T => ({
  ...input,
  desired: [],
  base: [],
  recorded: undefined,
  made: undefined,
  leftInGone: undefined,
  leftChanges: undefined,
});

/** The declarations of all bases. */
export const bases = ({ base, recorded }: PlanInput): readonly Desired[] =>
  recorded ? [...base, ...recorded.objects] : base;
