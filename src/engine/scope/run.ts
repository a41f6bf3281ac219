// What a plan is made from, and what of it the run is about: what is selected, what is to go, what was given up.
import type { KindTable } from '../../kinds/kind.ts';
import { addressOf } from '../../model/key.ts';
import type { KindName } from '../../model/names.ts';
import type { Desired, Snapshot } from '../../model/object.ts';
import type { Recorded } from '../../model/plan.ts';
import type { IsMarkedForDeletion } from '../types/pairing.ts';
import type { IsSelected } from '../types/selection.ts';
import type { PlanSettings } from '../types/settings.ts';
import { type DroppedFrom, droppedFrom } from './droppedParts.ts';
import { liveWholes } from './liveWholes.ts';
import { markedForDeletion } from './markedForDeletion.ts';
import { inParts } from './parts.ts';
import { neededKinds } from './scope.ts';
import { namedBy, selected } from './selection.ts';
import { type Wholes, wholesOf } from './wholes.ts';

/** What a plan is made from. */
export interface PlanInput {
  readonly kinds: KindTable;
  readonly desired: readonly Desired[];
  /** What the base declared; empty without a base. */
  readonly base: readonly Desired[];
  /** What else may not be lost where the plan is recorded as the next base. */
  readonly recorded?: Recorded | undefined;
  readonly snapshot: Snapshot;
  readonly settings: PlanSettings;
  /** Where the files are, to be remembered in the plan. */
  readonly folder: string;
}

/** What a plan is made from, as the server keeps it: in parts where it keeps objects so. */
export interface PartedInput extends PlanInput {
  /** The same as it is declared. */
  readonly written: PlanInput;
  readonly wholes: Wholes;
}

/** Takes what is declared and what the bases declared apart, as servers of the dialect keep it. */
export function partedInput(written: PlanInput): PartedInput {
  const { kinds, recorded, settings, snapshot } = written;
  const parts = (objects: readonly Desired[]) => inParts(objects, kinds, settings.dialect);
  const [desired, base] = [parts(written.desired), parts(written.base)];
  const more = recorded && { ...recorded, objects: parts(recorded.objects) };
  const former = [...base, ...(more?.objects ?? [])];
  const all = [...written.desired, ...written.base, ...(recorded?.objects ?? [])];
  const known = new Set(
    [...all, ...desired, ...former].map(({ kind, key }) => addressOf(kind, key)),
  );
  const live = liveWholes(snapshot.objects, known, { kinds, dialect: settings.dialect });
  const wholes = wholesOf(desired, former, live);
  return { ...written, desired, base, recorded: more, written, wholes };
}

/** What of the desired state a run is about. */
export interface Run {
  readonly isSelected: IsSelected;
  readonly isMarkedForDeletion: IsMarkedForDeletion;
  /** What was given up. */
  readonly isForgotten: IsSelected;
  /** What the files have dropped of what they declare. */
  readonly droppedFrom: DroppedFrom;
  /** Kinds that it cannot do without; see `neededKinds`. */
  readonly needed: ReadonlyMap<KindName, Desired | undefined>;
  /** What is to have its live object found: what is selected, and what that may point at. */
  readonly paired: readonly Desired[];
  /** What is selected and not declared to go. */
  readonly kept: readonly Desired[];
  /** What is not selected. */
  readonly outside: readonly Desired[];
  /** The kinds of what is selected. */
  readonly declaredKinds: ReadonlySet<KindName>;
}

/** What a plan is about, by its settings. */
export function runOf(input: PartedInput): Run {
  const { kinds, desired, settings, wholes } = input;
  const base = bases(input);
  const isSelected = selected(settings.select ?? {}, kinds, wholes);
  const isMarkedForDeletion = markedForDeletion(desired, kinds);
  const chosen = desired.filter(isSelected);
  const needed = neededKinds(kinds, chosen, base.filter(isSelected), settings.prune);
  return {
    ...{ isSelected, isMarkedForDeletion, needed },
    isForgotten: namedBy(settings.forget ?? [], kinds, wholes),
    droppedFrom: droppedFrom(input.written.desired, input.written.base, kinds, settings.dialect),
    paired: desired.filter(object => isSelected(object) || needed.has(object.kind)),
    kept: chosen.filter(object => !isMarkedForDeletion(object)),
    outside: desired.filter(object => !isSelected(object)),
    declaredKinds: new Set(chosen.map(({ kind }) => kind)),
  };
}

/** What all bases declared. */
export const bases = ({ base, recorded }: PlanInput): readonly Desired[] =>
  recorded ? [...base, ...recorded.objects] : base;
