// The sets of written objects that others can join, with their members according to the plan.
import { replacedSets } from '../../../kinds/values/replacedSets.ts';
import { present } from '../../../model/errors.ts';
import type { Plan, ShownAction } from '../../../model/plan.ts';
import type { RunNames } from '../turns/runNames.ts';
import {
  type ActionsOn,
  actionsByObject,
  type DeclaredIn,
  declaredMembers,
} from './declaredMembers.ts';
import type { WatchedSet } from './memberWatch.ts';
import type { WrittenObject } from './ownWrites.ts';

/** The plan's declarations of the sets that the run writes. */
export interface KnownSets {
  readonly actionsOn: ActionsOn;
  readonly declared: DeclaredIn;
  /** The last action on an object. */
  readonly actionOf: (object: WrittenObject) => ShownAction;
  /** The sets of written objects, except sets whose members the files list completely. */
  readonly watched: (written: readonly WrittenObject[]) => readonly WatchedSet[];
  /**
   * The sets of written objects whose members the files list completely. Nobody else may join them, but others may remove
   * members.
   */
  readonly exact: (written: readonly WrittenObject[]) => readonly WatchedSet[];
}

/** Collects the members that the plan declares for sets. Members whose ids the run does not have yet are left out. */
export function knownSets(plan: Plan, names: RunNames): KnownSets {
  const actionsOn = actionsByObject(plan, names);
  const declared = declaredMembers(plan, actionsOn, names);
  const lastOn = ({ kind, at }: WrittenObject) => actionsOn(kind.name, at.id).at(-1);
  const setsOf = (
    written: readonly WrittenObject[],
    isAsked: (members: ReturnType<DeclaredIn>) => boolean,
  ): readonly WatchedSet[] =>
    written
      .filter(object => lastOn(object) !== undefined)
      .flatMap(object =>
        replacedSets(object.kind)
          .filter(({ field }) => isAsked(declared(object.kind, object.at.id, field)))
          .map(set => ({ object, set })),
      );
  return {
    actionsOn,
    declared,
    actionOf: object =>
      present(lastOn(object), `the action of ${object.kind.name} ${object.at.id}`),
    watched: written => setsOf(written, ({ isWhole }) => !isWhole),
    exact: written => setsOf(written, ({ isExact }) => isExact),
  };
}
